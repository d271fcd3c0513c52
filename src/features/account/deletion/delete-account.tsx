// The section of the account page that deletes the account.
import { useState } from 'react';
import { useIdentity } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LayerBoundary } from '../../../ui/feedback/error-boundary.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

export function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const { isGuest } = useIdentity();
  return (
    <section aria-labelledby="account-deletion">
      <h2 id="account-deletion">Delete account</h2>
      <p>
        Deletes your {isGuest ? 'name and picture' : 'sign-in, name and picture'}. What you wrote in shared workspaces
        stays there, without your name.
      </p>
      <div className="actions">
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete account…
        </Button>
      </div>
      {isAsking && (
        <LayerBoundary onDismiss={() => setAsking(false)}>
          <DeleteAccountDialog onClose={() => setAsking(false)} />
        </LayerBoundary>
      )}
    </section>
  );
}
