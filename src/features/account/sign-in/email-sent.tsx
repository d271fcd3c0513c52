// After a mail was asked for: where to look, the code for those who read it elsewhere, and a second mail.
import { useState } from 'react';
import { SIGN_IN_TEXTS } from '../../../protocol/errors.ts';
import { useApp } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useAccountRequest } from './use-account-request.ts';

type EmailSentProps = {
  readonly email: string;
  readonly purpose: 'sign-in' | 'reset';
  /** Asks for another mail. */
  readonly send: () => ReturnType<ReturnType<typeof useApp>['account']['sendReset']>;
  readonly onSignedIn?: () => void;
  readonly onBack: () => void;
};

export function EmailSent({ email, purpose, send, onSignedIn, onBack }: EmailSentProps) {
  const { account } = useApp();
  const codeRequest = useAccountRequest();
  const sendRequest = useAccountRequest();
  const [isSentAgain, setSentAgain] = useState(false);
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter(new FormData(event.currentTarget));
      }}
    >
      {/* The form that had the focus is gone: what follows is read from here. */}
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
        Look into your mail
      </h1>
      <p>
        If there is an account for <strong className="address">{email}</strong>, a link{' '}
        {purpose === 'reset' ? 'to choose a new password' : 'to sign in'} is on its way. It works in this browser, for
        an hour.
      </p>
      {account.inbox !== null && (
        <p className="soft">
          This Weft sends no mails. Who runs it reads them on its{' '}
          <a className="text-link" href={account.inbox} target="_blank" rel="noreferrer">
            mail page
          </a>
          .
        </p>
      )}
      <TextField
        label="Code from the mail"
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9\s]{6,12}"
        hint="If you read it on another device and it shows one"
        problem={codeRequest.problem === null ? null : SIGN_IN_TEXTS[codeRequest.problem]}
      />
      <Button type="submit" look="primary" size="wide" disabled={isBusy}>
        {purpose === 'reset' ? 'Go on' : 'Sign in'}
      </Button>
      <Button size="wide" disabled={isBusy} onClick={() => void sendAgain()}>
        Send it again
      </Button>
      <p role="status" className="soft">
        {isSentAgain && 'Sent again. The newest mail counts.'}
      </p>
      {sendRequest.problem !== null && <p role="alert">{SIGN_IN_TEXTS[sendRequest.problem]}</p>}
      <p className="soft">
        <button type="button" className="text-link" onClick={onBack}>
          Another address
        </button>
      </p>
    </form>
  );
}
