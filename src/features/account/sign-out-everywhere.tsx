// Ends the person's sessions in every other browser, then here.
import { useState } from 'react';
import { useApp } from '../../state/hooks.ts';
import { SIGN_IN_TEXTS } from '../../texts/sign-in-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { useAccountRequest } from './sign-in/use-account-request.ts';

/** `onSignOut` signs out here, with the questions that this may need. */
export function SignOutEverywhere({ onSignOut }: { readonly onSignOut: () => void }) {
  const { account } = useApp();
  const { problem, isBusy, run } = useAccountRequest();
  const [isAsking, setAsking] = useState(false);
  const signOut = async () => {
    if ((await run(account.signOutElsewhere())) === null) return;
    setAsking(false);
    onSignOut();
  };
  return (
    <>
      <Button look="plain-danger" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <Dialog title="Sign out everywhere?" open={isAsking} size="small" onOpenChange={setAsking}>
        <section>
          <p>
            You’re signed out here now, and in your other browsers and devices within the hour. Edits that another
            device has not sent yet stay on it until you sign in there again.
          </p>
          {problem !== null && <p role="alert">{SIGN_IN_TEXTS[problem]}</p>}
        </section>
        <footer>
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void signOut()}>
            Sign out
          </Button>
        </footer>
      </Dialog>
    </>
  );
}
