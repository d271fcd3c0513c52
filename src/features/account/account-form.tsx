// E-mail and password, for signing in and for making an account; guests come in by the button below.
import { type ReactNode, useState } from 'react';
import type { Result } from '../../lib/result.ts';
import { SIGN_IN_TEXTS, type SignInError } from '../../protocol/errors.ts';
import { MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../protocol/limits.ts';
import { useApp } from '../../state/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

type AccountFormProps = {
  readonly kind: 'sign-in' | 'sign-up';
  /** The form's heading. */
  readonly title: ReactNode;
  readonly email?: string;
  /** A link to the other kind. */
  readonly other: ReactNode;
};

/** Nothing to do on success: the sign-in state changes, and the route follows it. */
export function AccountForm({ kind, title, email: knownEmail = '', other }: AccountFormProps) {
  const { account } = useApp();
  const [problem, setProblem] = useState<SignInError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isMailSent, setMailSent] = useState(false);
  const isNew = kind === 'sign-up';

  const run = async <T,>(attempt: Promise<Result<T, SignInError>>): Promise<T | null> => {
    setBusy(true);
    setProblem(null);
    const done = await attempt;
    setBusy(false);
    if (!done.ok) setProblem(done.error);
    return done.ok ? done.value : null;
  };
  const submit = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const email = text('email').trim();
    if (!isNew) return void (await run(account.signIn(email, text('password'))));
    const made = await run(account.signUp(email, text('password'), text('name').trim()));
    setMailSent(made?.needsConfirmation === true);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <h1>{title}</h1>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        required
        autoComplete="username"
        defaultValue={knownEmail}
        problem={problem !== null && isAboutEmail(problem) ? SIGN_IN_TEXTS[problem.problem] : null}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        required
        minLength={isNew ? MIN_PASSWORD_LENGTH : undefined}
        hint={isNew ? `At least ${MIN_PASSWORD_LENGTH} characters` : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        problem={problem !== null && !isAboutEmail(problem) ? SIGN_IN_TEXTS[problem.problem] : null}
      />
      {isNew && (
        <TextField
          label="Name"
          name="name"
          maxLength={MAX_NAME_LENGTH}
          autoComplete="name"
          hint="What others see beside your words. You can change it later."
        />
      )}
      {isMailSent && <p role="status">{SIGN_IN_TEXTS.unconfirmed}</p>}
      <Button type="submit" look="main" size="wide" disabled={isBusy}>
        {isNew ? 'Create account' : 'Sign in'}
      </Button>
      {account.allowsGuests && (
        <>
          <span className="or">or</span>
          <Button size="wide" disabled={isBusy} onClick={() => void run(account.continueAsGuest(''))}>
            Continue as guest
          </Button>
        </>
      )}
      <p className="soft">{other}</p>
    </form>
  );
}

const isAboutEmail = ({ problem }: SignInError) => problem === 'badEmail' || problem === 'taken';
