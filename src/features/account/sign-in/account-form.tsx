// E-mail and password, for signing in and for making an account; guests come in by the button below, others by a link.
import Mail from 'lucide-react/icons/mail';
import { type ReactNode, useRef, useState } from 'react';
import { SIGN_IN_TEXTS, type SignInProblem } from '../../../protocol/errors.ts';
import { MAX_NAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../../protocol/limits.ts';
import { useApp } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { MailSent } from './email-sent.tsx';
import { useAttempt } from './use-request.ts';

type AccountFormProps = {
  readonly kind: 'sign-in' | 'sign-up';
  /** The form's heading. */
  readonly title: ReactNode;
  readonly email?: string;
  /** Where a link from a mail leads to, an address of this app. */
  readonly next?: string | null;
  /** A link to choose another password. */
  readonly forgotten?: (email: string) => ReactNode;
  /** A link to the other kind. */
  readonly other: ReactNode;
};

/** Nothing to do on success: the sign-in state changes, and the route follows it. */
export function AccountForm({ kind, title, email: knownEmail = '', next = null, forgotten, other }: AccountFormProps) {
  const { account } = useApp();
  const { problem, isBusy, run } = useAttempt();
  const [email, setEmail] = useState(knownEmail);
  const [mail, setMail] = useState<'none' | 'confirm' | 'link'>('none');
  const [isAboutLink, setAboutLink] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const isNew = kind === 'sign-up';

  const submit = async (form: FormData) => {
    setAboutLink(false);
    const text = (name: string) => String(form.get(name) ?? '');
    if (!isNew) return void (await run(account.signIn(email.trim(), text('password'))));
    const made = await run(account.signUp(email.trim(), text('password'), text('name').trim()));
    setMail(made?.value.needsConfirmation === true ? 'confirm' : 'none');
  };
  const send = () => account.sendLink(email.trim(), next);
  const askForLink = async () => {
    if (emailField.current?.reportValidity() === false) return;
    setAboutLink(true);
    if ((await run(send())) !== null) setMail('link');
  };
  const said = problem === null ? null : SIGN_IN_TEXTS[problem];
  const isOfEmail = problem !== null && (isAboutLink || isAboutEmail(problem));

  if (mail === 'link')
    return <MailSent email={email.trim()} purpose="sign-in" send={send} onBack={() => setMail('none')} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <h1>{title}</h1>
      <TextField
        ref={emailField}
        label="E-mail"
        name="email"
        type="email"
        required
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        problem={isOfEmail ? said : null}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        required
        minLength={isNew ? MIN_PASSWORD_LENGTH : undefined}
        hint={isNew ? `At least ${MIN_PASSWORD_LENGTH} characters` : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        problem={isOfEmail ? null : said}
        aside={forgotten?.(email.trim())}
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
      {mail === 'confirm' && <p role="status">{SIGN_IN_TEXTS.unconfirmed}</p>}
      <Button type="submit" look="main" size="wide" disabled={isBusy}>
        {isNew ? 'Create account' : 'Sign in'}
      </Button>
      {(!isNew || account.allowsGuests) && <span className="or">or</span>}
      {!isNew && (
        <Button size="wide" disabled={isBusy} onClick={() => void askForLink()}>
          <Mail className="icon" />
          Send me a sign-in link
        </Button>
      )}
      {account.allowsGuests && (
        <Button size="wide" disabled={isBusy} onClick={() => void run(account.continueAsGuest(''))}>
          Continue as guest
        </Button>
      )}
      <p className="soft">{other}</p>
    </form>
  );
}

const isAboutEmail = (problem: SignInProblem) => problem === 'badEmail' || problem === 'taken';
