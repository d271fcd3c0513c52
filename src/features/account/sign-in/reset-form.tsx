// Asks which address to send the link for a new password to.
import { type ReactNode, useState } from 'react';
import type { SignInProblem } from '../../../protocol/errors.ts';
import { useApp } from '../../../state/hooks.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { SIGN_IN_TEXTS } from '../../../texts/sign-in-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { EmailSent } from './email-sent.tsx';
import { useAccountRequest } from './use-account-request.ts';

type ResetFormProps = {
  readonly email: string;
  /** Why the link that was followed to this form did not work. */
  readonly linkProblem: SignInProblem | null;
  /** The email's code was right, and the person is signed in. */
  readonly onSignedIn: () => void;
  /** The link back to sign-in. */
  readonly footer: ReactNode;
};

export function ResetForm({ email: knownEmail, linkProblem, onSignedIn, footer }: ResetFormProps) {
  const { account } = useApp();
  const { problem, isBusy, run } = useAccountRequest();
  const [email, setEmail] = useState(knownEmail);
  const [isSent, setSent] = useState(false);
  const send = () => account.sendReset(email.trim());
  if (isSent)
    return (
      <EmailSent
        email={email.trim()}
        purpose="reset"
        send={send}
        onSignedIn={onSignedIn}
        onBack={() => setSent(false)}
      />
    );
  return (
    <Form onSend={() => void run(send()).then((sent) => setSent(sent !== null))}>
      <h1>Choose a new password</h1>
      {linkProblem !== null && <p role="alert">{SIGN_IN_TEXTS[linkProblem]} Ask for a new one.</p>}
      <p>We’ll email you a link. Your pages and unsent edits stay as they are.</p>
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        missing={FIELD_TEXTS.email}
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        problem={problem === null ? null : SIGN_IN_TEXTS[problem]}
      />
      <Button type="submit" look="primary" size="wide" disabled={isBusy}>
        Send me a link
      </Button>
      <p className="secondary">{footer}</p>
    </Form>
  );
}
