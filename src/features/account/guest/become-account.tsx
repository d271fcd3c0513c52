// Gives a guest an account, with an email address and a password or with another service. They stay the same person,
// with everything they wrote.
import { useState } from 'react';
import { MIN_PASSWORD_LENGTH } from '../../../protocol/limits.ts';
import { useApp } from '../../../state/hooks.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { SIGN_IN_TEXTS } from '../../../texts/sign-in-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { ProviderButtons } from '../sign-in/provider-buttons.tsx';
import { useAccountRequest } from '../sign-in/use-account-request.ts';
import './guest.css';

/** `onDone` runs when they can sign in with the address. It does not run if the server first asks them to confirm it. */
export function BecomeAccount({ onDone }: { readonly onDone: () => void }) {
  const { account } = useApp();
  const { problem, isBusy, run } = useAccountRequest();
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const send = async (form: FormData) => {
    const email = String(form.get('email') ?? '').trim();
    const done = await run(account.becomeAccount(email, String(form.get('password') ?? '')));
    if (done?.value.needsConfirmation === true) setUnconfirmed(email);
    else if (done !== null) onDone();
  };
  if (unconfirmed !== null) {
    return (
      <p role="status">
        Open the link in the email we sent to <bdi>{unconfirmed}</bdi>. Until then you’re a guest on this device.
      </p>
    );
  }
  const message = problem === null ? null : SIGN_IN_TEXTS[problem];
  const concernsPassword = problem === 'weakPassword' || problem === 'samePassword';
  return (
    <Form className="become-account" aria-label="Create account" onSend={(form) => void send(form)}>
      <TextField
        label="Email"
        name="email"
        type="email"
        required
        missing={FIELD_TEXTS.email}
        autoComplete="username"
        problem={concernsPassword ? null : message}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        required
        missing={FIELD_TEXTS.newPassword}
        minLength={MIN_PASSWORD_LENGTH}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        autoComplete="new-password"
        problem={concernsPassword ? message : null}
      />
      <Button type="submit" look="primary" disabled={isBusy}>
        Create account
      </Button>
      <ProviderButtons to="link" next="/account" />
    </Form>
  );
}
