// Choosing a new password, after following the reset link or entering its code.
import { type ReactNode, useState } from 'react';
import { MIN_PASSWORD_LENGTH } from '../../../protocol/limits.ts';
import { useApp, useAppValue } from '../../../state/hooks.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { SIGN_IN_TEXTS } from '../../../texts/sign-in-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useAccountRequest } from './use-account-request.ts';

/** `continueLink` leads on after the change. */
export function NewPasswordForm({ continueLink }: { readonly continueLink: ReactNode }) {
  const { account } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const { problem, isBusy, run } = useAccountRequest();
  const [isDone, setDone] = useState(false);
  const focus = (heading: HTMLElement | null) => heading?.focus();
  if (isDone)
    return (
      <div className="entry-body">
        <h1 tabIndex={-1} ref={focus}>
          Password changed
        </h1>
        <p>You are signed in here. Other devices ask for the new password within the hour.</p>
        {continueLink}
      </div>
    );
  return (
    <Form
      onSend={(form) => {
        const password = String(form.get('password') ?? '');
        void run(account.changePassword(password)).then((changed) => setDone(changed !== null));
      }}
    >
      <h1 tabIndex={-1} ref={focus}>
        Choose a new password
      </h1>
      {/* Tells password managers which account the new password belongs to. */}
      <input
        hidden
        readOnly
        name="username"
        autoComplete="username"
        value={signIn.status === 'signedIn' ? (signIn.identity.email ?? '') : ''}
      />
      <TextField
        label="New password"
        name="password"
        type="password"
        required
        missing={FIELD_TEXTS.newPassword}
        minLength={MIN_PASSWORD_LENGTH}
        autoComplete="new-password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        problem={problem === null ? null : SIGN_IN_TEXTS[problem]}
      />
      <Button type="submit" look="primary" size="wide" disabled={isBusy}>
        Change password
      </Button>
    </Form>
  );
}
