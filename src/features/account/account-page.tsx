// The account page: profile, appearance, unsent edits on this device, lost words, sign-in.
import { type ReactNode, useState } from 'react';
import { useIdentity, usePerson, useValue } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { BecomeAccount } from './guest/become-account.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { unsentSummary } from './unsent/unsent-summary.ts';
import { LostWordsList } from './unsent/lost-words-list.tsx';
import { ProfileForm } from './profile/profile-form.tsx';
import { DownloadCopyButton, CopyDownloaded } from './unsent/download-copy.tsx';
import { SignOutDialog } from './unsent/sign-out-dialog.tsx';
import { ThemePicker } from './profile/theme-picker.tsx';
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
          <p className="secondary">Your name and color are shown as soon as the server answers.</p>
        ) : (
          <ProfileForm profile={profile} />
        )}
      </section>
      <section aria-labelledby="account-looks">
        <h2 id="account-looks">Appearance</h2>
        <ThemePicker />
      </section>
      <DeviceSection />
      <LostWordsList />
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
          <Button look="plain-danger" onClick={() => setSigningOut(true)}>
            Sign out
          </Button>
        </div>
      </section>
      {isOwner && (
        <section aria-labelledby="account-server">
          <h2 id="account-server">Server</h2>
          <div className="actions">{statusLink}</div>
        </section>
      )}
      {isSigningOut && <SignOutDialog onStay={() => setSigningOut(false)} />}
    </div>
  );
}

function DeviceSection() {
  const { lostOnSignOutAtom, cachedPages, retryAll, sendUnsent } = usePerson();
  const unsentPages = useValue(lostOnSignOutAtom);
  const offlinePages = useValue(cachedPages.atom);
  const [savedFile, setSaved] = useState<string | null>(null);
  return (
    <section aria-labelledby="account-device">
      <h2 id="account-device">On this device</h2>
      <p className={unsentPages.length > 0 ? 'held' : undefined}>
        {unsentPages.length > 0 ? unsentSummary(unsentPages) : 'Every edit you made here is on the server.'}
      </p>
      {offlinePages !== null && offlinePages.size > 0 && (
        <p className="secondary">
          {offlinePages.size === 1 ? '1 page' : `${offlinePages.size} pages`} available offline.
        </p>
      )}
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
      {unsentPages.length > 0 && (
        <div className="actions">
          <Button
            onClick={() => {
              retryAll();
              sendUnsent();
            }}
          >
            Try now
          </Button>
          <DownloadCopyButton onSaved={setSaved} />
        </div>
      )}
    </section>
  );
}
