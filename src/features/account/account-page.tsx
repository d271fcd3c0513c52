// The account page: profile, appearance, what this device keeps, recovered text, sign-in, for owners the server, the
// account's deletion.
import { type ReactNode, useState } from 'react';
import { useIdentity, usePerson, useValue } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { DeleteAccount } from './deletion/delete-account.tsx';
import { BecomeAccount } from './guest/become-account.tsx';
import { ProfileForm } from './profile/profile-form.tsx';
import { ThemePicker } from './profile/theme-picker.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import { DeviceSection } from './unsent/device-section.tsx';
import { RecoveredTextList } from './unsent/recovered-text-list.tsx';
import { SignOutDialog } from './unsent/sign-out-dialog.tsx';
import '../../ui/theme/section-page.css';
import './account-page.css';

type AccountPageProps = {
  /** Leads to choosing a new password. */
  readonly passwordLink: ReactNode;
  /** Leads to the check of the server, for people who own a workspace. */
  readonly statusLink: ReactNode;
};

export function AccountPage({ passwordLink, statusLink }: AccountPageProps) {
  const { people, workspacesAtom } = usePerson();
  const identity = useIdentity();
  const isOwner = useValue(workspacesAtom).value?.some(({ role }) => role === 'owner') === true;
  const profile = useValue(people.atom).get(identity.id);
  const [isSigningOut, setSigningOut] = useState(false);
  return (
    <div className="section-page account-page">
      <h1>Your account</h1>
      <section aria-labelledby="account-profile">
        <h2 id="account-profile">Profile</h2>
        {profile === undefined ? (
          <p className="secondary">Your name and colour are shown as soon as the server answers.</p>
        ) : (
          <ProfileForm profile={profile} />
        )}
      </section>
      <section aria-labelledby="account-looks">
        <h2 id="account-looks">Appearance</h2>
        <ThemePicker />
      </section>
      <DeviceSection />
      <RecoveredTextList />
      <section aria-labelledby="account-sign-in">
        <h2 id="account-sign-in">Sign-in</h2>
        {identity.isGuest ? (
          <>
            <p>
              You’re a guest on this device. Create an account to sign in anywhere: everything you wrote stays yours.
            </p>
            <BecomeAccount onDone={() => toast('Your account is ready.')} />
          </>
        ) : (
          <p>{identity.email}</p>
        )}
        <div className="actions">
          {!identity.isGuest && passwordLink}
          <Button look="plain" onClick={() => setSigningOut(true)}>
            Sign out
          </Button>
          {!identity.isGuest && <SignOutEverywhere onSignOut={() => setSigningOut(true)} />}
        </div>
      </section>
      {isOwner && (
        <section aria-labelledby="account-server">
          <h2 id="account-server">Server</h2>
          <div className="actions">{statusLink}</div>
        </section>
      )}
      <DeleteAccount />
      {isSigningOut && (
        <LayerBoundary onDismiss={() => setSigningOut(false)}>
          <SignOutDialog onStay={() => setSigningOut(false)} />
        </LayerBoundary>
      )}
    </div>
  );
}
