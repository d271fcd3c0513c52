// The account button at the foot of the sidebar. Its popover holds the profile, the theme, links and signing out.
import Settings from 'lucide-react/icons/settings';
import { type ReactNode, useState } from 'react';
import { useIdentity, usePerson, useValue } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { Popover } from '../../ui/floating/popover.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { GuestNote } from './guest/guest-note.tsx';
import { ProfileForm } from './profile/profile-form.tsx';
import './account-menu.css';
import { ThemePicker } from './profile/theme-picker.tsx';

const SignOutDialog = latePart(async () => (await import('./unsent/sign-out-dialog.tsx')).SignOutDialog);

type AccountMenuProps = {
  /** Links to other parts of the account and to the help. Following one closes the popover. */
  readonly links?: ReactNode;
};

export function AccountMenu({ links }: AccountMenuProps) {
  const { people } = usePerson();
  const identity = useIdentity();
  const profile = useValue(people.atom).get(identity.id);
  const [isOpen, setOpen] = useState(false);
  const [isSigningOut, setSigningOut] = useState(false);
  const name = profile?.displayName ?? identity.email ?? 'Guest';
  return (
    <>
      {identity.isGuest && profile !== undefined && <GuestNote name={name} onSayName={() => setOpen(true)} />}
      <Popover
        label="Account"
        className="account"
        side="top"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="account-button" aria-label={`Account of ${name}`}>
            <PersonTag name={name} color={profile?.color ?? null} picture={profile?.avatarPath} />
            <span className="grow truncate">{name}</span>
            <Settings className="icon" />
          </button>
        }
      >
        {profile === undefined ? <p className="secondary">{name}</p> : <ProfileForm profile={profile} />}
        <ThemePicker />
        {links !== undefined && (
          <div className="account-more" onClickCapture={() => setOpen(false)}>
            {links}
          </div>
        )}
        <footer>
          <span className="grow truncate secondary">{identity.email ?? 'Guest on this device'}</span>
          <Button
            size="small"
            look="plain"
            onClick={() => {
              setOpen(false);
              setSigningOut(true);
            }}
          >
            Sign out
          </Button>
        </footer>
      </Popover>
      {isSigningOut && <SignOutDialog onStay={() => setSigningOut(false)} />}
    </>
  );
}
