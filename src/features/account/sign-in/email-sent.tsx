// Shown after an email was sent: where to look, "send again", and on request a field for the code, which not every email holds.
import { useState } from 'react';
import { useApp } from '../../../state/hooks.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { SIGN_IN_TEXTS } from '../../../texts/sign-in-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useAccountRequest } from './use-account-request.ts';

type EmailSentProps = {
  readonly email: string;
  readonly purpose: 'sign-in' | 'reset';
  /** Sends another email. */
  readonly send: () => ReturnType<ReturnType<typeof useApp>['account']['sendReset']>;
  /** The code was right. Missing where the route then redirects. */
  readonly onSignedIn?: () => void;
  readonly onBack: () => void;
};

export function EmailSent({ email, purpose, send, onSignedIn, onBack }: EmailSentProps) {
  const { account } = useApp();
  const codeRequest = useAccountRequest();
  const sendRequest = useAccountRequest();
  const [isSentAgain, setSentAgain] = useState(false);
  const [isEnteringCode, setEnteringCode] = useState(false);
  const isBusy = codeRequest.isBusy || sendRequest.isBusy;
  const enter = async (form: FormData) => {
    const code = String(form.get('code') ?? '').replaceAll(/\s/g, '');
    const entered = await codeRequest.run(account.enterCode(email, code, purpose));
    if (entered !== null) onSignedIn?.();
  };
  const sendAgain = async () => {
    setSentAgain(false);
    setSentAgain((await sendRequest.run(send())) !== null);
  };
  return (
    <Form onSend={(form) => void enter(form)}>
      {/* The form that had the focus is gone: a screen reader continues from this heading. */}
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
        Check your email
      </h1>
      <p>
        If there is an account for <strong className="address">{email}</strong>, a link{' '}
        {purpose === 'reset' ? 'to choose a new password' : 'to sign in'} is on its way. Open it in this browser, within
        an hour.
      </p>
      {account.inbox !== null && (
        <p className="secondary">
          This server doesn’t send email. Its owner can open the messages on the{' '}
          <a className="text-link" href={account.inbox} target="_blank" rel="noreferrer">
            mail page
          </a>
          .
        </p>
      )}
      {isEnteringCode && (
        <>
          <TextField
            label="Code from the email"
            name="code"
            required
            missing={FIELD_TEXTS.code}
            autoFocus
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9\s]{6,12}"
            problem={codeRequest.problem === null ? null : SIGN_IN_TEXTS[codeRequest.problem]}
          />
          <Button type="submit" look="primary" size="wide" disabled={isBusy}>
            {purpose === 'reset' ? 'Continue' : 'Sign in'}
          </Button>
        </>
      )}
      <Button size="wide" disabled={isBusy} onClick={() => void sendAgain()}>
        Send it again
      </Button>
      <p role="status" className="secondary">
        {isSentAgain && 'Sent again. Use the newest email.'}
      </p>
      {sendRequest.problem !== null && <p role="alert">{SIGN_IN_TEXTS[sendRequest.problem]}</p>}
      {!isEnteringCode && (
        <p className="secondary">
          Reading it on another device?{' '}
          <button type="button" className="text-link" onClick={() => setEnteringCode(true)}>
            Enter the code from the email
          </button>
        </p>
      )}
      <p className="secondary">
        <button type="button" className="text-link" onClick={onBack}>
          Use a different email
        </button>
      </p>
    </Form>
  );
}
