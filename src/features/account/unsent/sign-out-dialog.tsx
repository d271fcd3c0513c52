// Signing out deletes everything of the person from this device. The dialog asks first if edits would be lost, or if the
// person is a guest, who cannot sign in again. Otherwise it signs out without asking.
import { useEffect, useState } from 'react';
import { useApp, usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { unsentSummary } from './unsent-summary.ts';
import { DownloadCopyButton, CopyDownloaded } from './download-copy.tsx';

export function SignOutDialog({ onStay }: { readonly onStay: () => void }) {
  const app = useApp();
  const { unsent, identity } = usePerson();
  const atStake = useValue(usePerson().lostOnSignOutAtom);
  const [isKnown, setKnown] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const edits = atStake.reduce((sum, one) => sum + one.edits, 0);
  const isSafe = edits === 0 && !identity.isGuest;

  useEffect(() => {
    void unsent.refresh().then(() => setKnown(true));
  }, [unsent]);
  useEffect(() => {
    if (isKnown && isSafe) void app.signOut();
  }, [app, isKnown, isSafe]);

  if (!isKnown || isSafe) return null;
  return (
    <Dialog
      title={edits > 0 ? 'Sign out and lose edits?' : 'Sign out as guest?'}
      open
      size="small"
      onOpenChange={onStay}
    >
      <section>
        {edits > 0 && (
          <p>
            {unsentSummary(atStake)} Signing out deletes everything this device keeps of you, in every tab. Stay until
            the receipt says “Saved”, or download a copy first.
          </p>
        )}
        {saved !== null && <CopyDownloaded name={saved} />}
        {identity.isGuest && (
          <p>A guest has no password, so you can’t sign in as this guest again. What you wrote stays on its pages.</p>
        )}
      </section>
      <footer>
        <Button onClick={onStay}>Stay</Button>
        {edits > 0 && <DownloadCopyButton onSaved={setSaved} />}
        <Button
          look="danger"
          disabled={isLeaving}
          onClick={() => {
            setLeaving(true);
            void app.signOut();
          }}
        >
          {edits > 0 ? 'Sign out and delete' : 'Sign out anyway'}
        </Button>
      </footer>
    </Dialog>
  );
}
