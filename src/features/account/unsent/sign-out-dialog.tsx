// Signing out deletes everything of the person from this device. The dialog asks first if edits would be lost, or if the
// person is a guest, who cannot sign in again and is offered an account. Otherwise it signs out without asking.
import { useEffect, useState } from 'react';
import { useApp, useIdentity, usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { GuestLosses } from '../guest/guest-losses.tsx';
import { DownloadCopyButton, CopyDownloaded } from './download-copy.tsx';
import { unsentSummary } from './unsent-summary.ts';

const RECHECK_MS = 1_000;

export function SignOutDialog({ onStay }: { readonly onStay: () => void }) {
  const app = useApp();
  const { unsent } = usePerson();
  // Becoming an account here must not sign them out at once.
  const [wasGuest] = useState(useIdentity().isGuest);
  const unsentPages = useValue(usePerson().lostOnSignOutAtom);
  const [isLoaded, setLoaded] = useState(false);
  const [isSigningOut, setSigningOut] = useState(false);
  const [savedFile, setSaved] = useState<string | null>(null);
  const edits = unsentPages.reduce((sum, one) => sum + one.edits, 0);
  const isSafe = edits === 0 && !wasGuest;

  useEffect(() => {
    void unsent.refresh().then(() => setLoaded(true));
    // Another tab may still be writing in a page that is open here too, and tells no one.
    const timer = setInterval(() => void unsent.refresh(), RECHECK_MS);
    return () => clearInterval(timer);
  }, [unsent]);
  useEffect(() => {
    if (isLoaded && isSafe) void app.signOut();
  }, [app, isLoaded, isSafe]);

  if (!isLoaded || isSafe) return null;
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
            {unsentSummary(unsentPages)} Signing out deletes all your data on this device, in every tab. Stay until the
            receipt says “Saved”, or download a copy first.
          </p>
        )}
        {savedFile !== null && <CopyDownloaded name={savedFile} />}
        {wasGuest && <GuestLosses onAccount={onStay} />}
      </section>
      <footer>
        <Button onClick={onStay}>Stay</Button>
        {edits > 0 && <DownloadCopyButton onSaved={setSaved} />}
        <Button
          look="danger"
          disabled={isSigningOut}
          onClick={() => {
            setSigningOut(true);
            void app.signOut();
          }}
        >
          {edits > 0 ? 'Sign out and delete' : 'Sign out anyway'}
        </Button>
      </footer>
    </Dialog>
  );
}
