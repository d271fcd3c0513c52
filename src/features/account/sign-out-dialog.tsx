// The way out. Nothing of the person stays on the device, so edits that are nowhere else are asked about first.
import { useEffect, useState } from 'react';
import { useApp, usePerson, useValue } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export function SignOutDialog({ onStay }: { readonly onStay: () => void }) {
  const app = useApp();
  const { unsent, identity } = usePerson();
  const receipt = useValue(usePerson().deviceReceiptAtom);
  const [isKnown, setKnown] = useState(false);
  const isSafe = receipt.unsent.edits === 0 && !identity.isGuest;

  useEffect(() => {
    void unsent.look().then(() => setKnown(true));
  }, [unsent]);
  useEffect(() => {
    if (isKnown && isSafe) void app.signOut();
  }, [app, isKnown, isSafe]);

  if (!isKnown || isSafe) return null;
  const { edits } = receipt.unsent;
  return (
    <Dialog
      title={edits > 0 ? 'Sign out and lose edits?' : 'Leave as a guest?'}
      open
      size="small"
      onOpenChange={onStay}
    >
      <section>
        {edits > 0 && (
          <p>
            {edits === 1 ? '1 edit is' : `${edits} edits are`} on this device only. Signing out deletes what this device
            keeps. Stay until the receipt says “Saved”, or keep a copy as a file from there.
          </p>
        )}
        {identity.isGuest && (
          <p>A guest has no password: nobody can sign in as this guest again. What you wrote stays on its pages.</p>
        )}
      </section>
      <footer>
        <Button onClick={onStay}>Stay</Button>
        <Button look="danger" onClick={() => void app.signOut()}>
          {edits > 0 ? 'Sign out and delete them' : 'Sign out for good'}
        </Button>
      </footer>
    </Dialog>
  );
}
