// A note above a guest's account button: it asks for their name, and once they have one, offers an account.
import { useState } from 'react';
import { isUnnamedGuest } from '../../../state/people/author-name.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { latePart } from '../../../ui/feedback/late-part.tsx';
import './guest.css';

const BecomeAccountDialog = latePart(async () => (await import('./become-account-dialog.tsx')).BecomeAccountDialog);

type GuestNoteProps = {
  readonly name: string;
  /** Opens the field for the name. */
  readonly onSayName: () => void;
};

export function GuestNote({ name, onSayName }: GuestNoteProps) {
  const isUnnamed = isUnnamedGuest(name);
  const [isCreating, setCreating] = useState(false);
  return (
    <div className="guest-note">
      <p>{isUnnamed ? `Others see you as “${name}”.` : 'You’re a guest on this device only.'}</p>
      {isUnnamed ? (
        <Button size="small" onClick={onSayName}>
          Set your name
        </Button>
      ) : (
        <Button size="small" onClick={() => setCreating(true)}>
          Create account
        </Button>
      )}
      {isCreating && <BecomeAccountDialog onClose={() => setCreating(false)} />}
    </div>
  );
}
