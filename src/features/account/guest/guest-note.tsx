// Two lines above the account button of guests: they say their name first, then they are offered an account.
import { Link } from 'react-router';
import { isUnnamedGuest } from '../../../state/people/author-name.ts';
import { Button } from '../../../ui/controls/button.tsx';
import './guest.css';

type GuestNoteProps = {
  readonly name: string;
  /** Opens the field for the name. */
  readonly onSayName: () => void;
};

export function GuestNote({ name, onSayName }: GuestNoteProps) {
  const isUnnamed = isUnnamedGuest(name);
  return (
    <div className="guest-note">
      <p>{isUnnamed ? `Others see you as “${name}”.` : 'You’re a guest on this device only.'}</p>
      {isUnnamed ? (
        <Button size="small" onClick={onSayName}>
          Say your name
        </Button>
      ) : (
        <Link className="btn" data-size="small" to="/account">
          Create account
        </Link>
      )}
    </div>
  );
}
