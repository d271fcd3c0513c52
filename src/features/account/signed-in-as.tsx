// The account that is signed in, at the foot of a screen that belongs to no workspace.
import { type ReactNode, useState } from 'react';
import { useIdentity } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { SignOutDialog } from './unsent/sign-out-dialog.tsx';
import './signed-in-as.css';

/** `settings` leads to the account's settings. */
export function SignedInAs({ settings }: { readonly settings: ReactNode }) {
  const { email } = useIdentity();
  const [isSigningOut, setSigningOut] = useState(false);
  return (
    <p className="signed-in-as">
      <span className="grow truncate">{email ?? 'Guest on this device'}</span>
      {settings}
      <Button size="small" look="plain" onClick={() => setSigningOut(true)}>
        Sign out
      </Button>
      {isSigningOut && (
        <LayerBoundary onDismiss={() => setSigningOut(false)}>
          <SignOutDialog onStay={() => setSigningOut(false)} />
        </LayerBoundary>
      )}
    </p>
  );
}
