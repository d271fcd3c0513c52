// The form for signing in and for creating an account: email and password, or what else this server allows (a sign-in
// link by email, a guest, other services).
import Mail from 'lucide-react/icons/mail';
import { type ReactNode, useRef, useState } from 'react';
import type { SignInProblem } from '../../../protocol/errors.ts';
import { MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../../protocol/limits.ts';
import { useApp } from '../../../state/hooks.ts';
import { FIELD_TEXTS } from '../../../texts/field-texts.ts';
import { SIGN_IN_TEXTS, SIGN_UP_SENT } from '../../../texts/sign-in-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { latePart } from '../../../ui/feedback/late-part.tsx';
import { useAccountRequest } from './use-account-request.ts';
import { useSignInLink } from './use-sign-in-link.ts';

const ProviderButtons = latePart(async () => (await import('./provider-buttons.tsx')).ProviderButtons);

type AccountFormProps = {
  readonly kind: 'sign-in' | 'sign-up';
  /** The form's heading. */
  readonly title: ReactNode;
  readonly email?: string;
  /** The address in this app that the emailed link opens. */
  readonly nextAddress?: string | null;
  /** The address after a sign-in with another service. It stays in this tab, so it may contain a link's secret. */
  readonly returnTo?: string;
  /** The link to reset the password of the typed address. */
  readonly forgotLink?: (email: string) => ReactNode;
  /** The link from sign-in to sign-up, or back. */
  readonly footer: ReactNode;
};

/** On success the sign-in state changes and the route redirects, so the form does nothing more. */
export function AccountForm(props: AccountFormProps) {
  // Compiled it is twice as long and on everyone's first screen; it renders once per key.
  'use no memo';
  const { kind, title, email: knownEmail = '', nextAddress = null, returnTo = '/', forgotLink, footer } = props;
  const { account } = useApp();
  const { problem, isBusy, run } = useAccountRequest();
  const [email, setEmail] = useState(knownEmail);
  const [isConfirmationSent, setConfirmationSent] = useState(false);
  const [hasAskedForLink, setAskedForLink] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const isSignUp = kind === 'sign-up';

  const submit = async (form: FormData) => {
    setAskedForLink(false);
    const field = (name: string) => String(form.get(name) ?? '');
    if (!isSignUp) return void (await run(account.signIn(email.trim(), field('password'))));
    const signedUp = await run(account.signUp(email.trim(), field('password'), field('name').trim()));
    setConfirmationSent(signedUp?.value.needsConfirmation === true);
  };
  const send = () => account.sendLink(email.trim(), nextAddress);
  const { LinkSent, sendLink, onBack } = useSignInLink(run, send);
  const askForLink = async () => {
    if (emailField.current?.checkValidity() === false) return emailField.current.focus();
    setAskedForLink(true);
    await sendLink();
  };
  const message = problem === null ? null : SIGN_IN_TEXTS[problem];
  const concernsEmail = problem !== null && (hasAskedForLink || isEmailProblem(problem));

  if (LinkSent !== null) return <LinkSent email={email.trim()} purpose="sign-in" send={send} onBack={onBack} />;
  return (
    <Form onSend={(form) => void submit(form)}>
      <h1>{title}</h1>
      <TextField
        ref={emailField}
        label="Email"
        name="email"
        type="email"
        required
        missing={FIELD_TEXTS.email}
        autoComplete="username"
        autoFocus={knownEmail === ''}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        problem={concernsEmail ? message : null}
      />
      <PasswordField
        isNew={isSignUp}
        autoFocus={knownEmail !== ''}
        problem={concernsEmail ? null : message}
        aside={forgotLink?.(email.trim())}
      />
      {isSignUp && (
        <TextField
          label="Name"
          name="name"
          maxCharacters={MAX_NAME_LENGTH}
          autoComplete="name"
          hint="Others see it beside your words. You can change it later."
        />
      )}
      {isConfirmationSent && <p role="status">{SIGN_UP_SENT}</p>}
      <Button type="submit" look="primary" size="wide" disabled={isBusy}>
        {isSignUp ? 'Create account' : 'Sign in'}
      </Button>
      <OtherWays
        isBusy={isBusy}
        onLink={isSignUp ? null : () => void askForLink()}
        onGuest={account.allowsGuests ? () => void run(account.continueAsGuest('')) : null}
      />
      <p className="secondary">{footer}</p>
      {/* Below everything else, because nothing may move when the server has said which services there are. */}
      <ProviderButtons to="signIn" next={returnTo} />
    </Form>
  );
}

type PasswordFieldProps = {
  readonly isNew: boolean;
  readonly autoFocus: boolean;
  readonly problem: string | null;
  readonly aside: ReactNode;
};

const PasswordField = ({ isNew, autoFocus, problem, aside }: PasswordFieldProps) => (
  <TextField
    label="Password"
    name="password"
    type="password"
    autoFocus={autoFocus}
    required
    missing={isNew ? FIELD_TEXTS.newPassword : FIELD_TEXTS.password}
    minLength={isNew ? MIN_PASSWORD_LENGTH : undefined}
    hint={isNew ? `At least ${MIN_PASSWORD_LENGTH} characters` : undefined}
    autoComplete={isNew ? 'new-password' : 'current-password'}
    problem={problem}
    aside={aside}
  />
);

type OtherWaysProps = {
  readonly isBusy: boolean;
  /** Null: not offered here. */
  readonly onLink: (() => void) | null;
  readonly onGuest: (() => void) | null;
};

/** A sign-in link by email, and going on as a guest. */
const OtherWays = ({ isBusy, onLink, onGuest }: OtherWaysProps) => (
  <>
    {(onLink !== null || onGuest !== null) && <span className="or">or</span>}
    {onLink !== null && (
      <Button size="wide" disabled={isBusy} onClick={onLink}>
        <Mail className="icon" />
        Send me a sign-in link
      </Button>
    )}
    {onGuest !== null && (
      <Button size="wide" disabled={isBusy} onClick={onGuest}>
        Continue as guest
      </Button>
    )}
  </>
);

const isEmailProblem = (problem: SignInProblem) =>
  problem === 'badEmail' || problem === 'taken' || problem === 'cannotEmail';
