// `/auth/callback`: opened by a sign-in link from an email, or by another service that people sign in with (`?via=google`).
// Exchanges the address for a session, then continues.
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import type { SignInProblem } from '../../protocol/errors.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useApp, useAppValue } from '../../state/hooks.ts';
import {
  PROVIDER_NAMES,
  type ProviderProblem,
  isProvider,
  providerProblemIn,
  providerText,
} from '../../texts/provider-texts.ts';
import { SIGN_IN_TEXTS } from '../../texts/sign-in-texts.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { EntryLayout } from './sign-in/entry-layout.tsx';
import { parseReturnAddress } from './sign-in/return-address.ts';

export function CallbackScreen() {
  const [search] = useSearchParams();
  const [provider] = useState(() => search.get('via'));
  return isProvider(provider) ? <ProviderCallback name={PROVIDER_NAMES[provider]} /> : <EmailCallback />;
}

function EmailCallback() {
  const { account } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const [search] = useSearchParams();
  const [returnTo] = useState(() => parseReturnAddress({ to: search.get('next') }) ?? '/');
  const [outcome, setOutcome] = useState<SignInProblem | 'waiting' | 'signedIn'>('waiting');
  useEffect(() => {
    void account.finishLink().then((done) => setOutcome(done.ok ? 'signedIn' : done.error.problem));
  }, [account]);

  // For someone who is signed in already, a link that failed does not matter.
  if (outcome === 'signedIn' || (outcome !== 'waiting' && signIn.status === 'signedIn'))
    return <Navigate to={returnTo} replace />;
  if (outcome === 'waiting') return <Waiting />;
  return (
    <Failed heading="This link didn’t sign you in" text={SIGN_IN_TEXTS[outcome]}>
      <Link className="btn" data-look="primary" data-size="wide" to="/sign-in" state={{ to: returnTo }} replace>
        Sign in or ask for a new link
      </Link>
    </Failed>
  );
}

type Outcome = { readonly returnTo: string; readonly problem: ProviderProblem | null };

function ProviderCallback({ name }: { readonly name: string }) {
  const { account, providerSignIn } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const location = useLocation();
  const [refusal] = useState(() => providerProblemIn(location));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void Promise.all([account.finishLink(), providerSignIn().catch(() => null)]).then(([done, port]) => {
      if (!isCurrent) return;
      const returnTo = parseReturnAddress({ to: port?.takeReturn() ?? null }) ?? '/';
      setOutcome({ returnTo, problem: done.ok ? null : (refusal ?? done.error.problem) });
    });
    return () => {
      isCurrent = false;
    };
  }, [account, providerSignIn, refusal]);

  if (outcome === null) return <Waiting />;
  if (outcome.problem === null) return <Navigate to={outcome.returnTo} replace />;
  return (
    <Failed heading={`${name} didn’t sign you in`} text={providerText(outcome.problem)}>
      {/* A guest who wanted to become an account is signed in, and reads why they did not. */}
      {signIn.status === 'signedIn' ? (
        <Link className="btn" data-look="primary" data-size="wide" to={outcome.returnTo} replace>
          Continue
        </Link>
      ) : (
        <Link
          className="btn"
          data-look="primary"
          data-size="wide"
          to="/sign-in"
          state={{ to: outcome.returnTo }}
          replace
        >
          Back to sign-in
        </Link>
      )}
    </Failed>
  );
}

const Waiting = () => (
  <EntryLayout>
    <TabTitle title="Sign in" />
    <div className="entry-body">
      <Skeleton label="Signing in" widths={['60%', '100%', '100%']} />
    </div>
  </EntryLayout>
);

type FailedProps = { readonly heading: string; readonly text: string; readonly children: ReactNode };

const Failed = ({ heading, text, children }: FailedProps) => (
  <EntryLayout>
    <TabTitle title="Sign in" />
    <div className="entry-body">
      <h1 tabIndex={-1} ref={(element) => element?.focus()}>
        {heading}
      </h1>
      <p>{text}</p>
      {children}
    </div>
  </EntryLayout>
);
