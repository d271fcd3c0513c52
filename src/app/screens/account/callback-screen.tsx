// `/auth/callback`: opened by a sign-in link from an email. Exchanges the link for a session, then continues.
import { useEffect, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { EntryLayout } from '../../../features/account/sign-in/entry-layout.tsx';
import { SIGN_IN_TEXTS, type SignInProblem } from '../../../protocol/errors.ts';
import { useApp, useAppValue } from '../../../state/hooks.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { parseReturnAddress } from './return-address.ts';
import { TabTitle } from '../../shell/tab-title.tsx';

export function CallbackScreen() {
  const { account } = useApp();
  const signIn = useAppValue((app) => app.signInAtom);
  const [search] = useSearchParams();
  const [returnTo] = useState(() => parseReturnAddress({ to: search.get('next') }) ?? '/');
  const [outcome, setOutcome] = useState<SignInProblem | 'waiting' | 'signedIn'>('waiting');
  useEffect(() => {
    void account.finishLink().then((done) => setOutcome(done.ok ? 'signedIn' : done.error.problem));
  }, [account]);

  // For somebody who is signed in already, a link that failed does not matter.
  if (outcome === 'signedIn' || (outcome !== 'waiting' && signIn.status === 'signedIn'))
    return <Navigate to={returnTo} replace />;
  return (
    <>
      <TabTitle title="Sign in" />
      <EntryLayout>
        <div className="entry-body">
          {outcome === 'waiting' ? (
            <Skeleton label="Signing in" widths={['60%', '100%', '100%']} />
          ) : (
            <>
              <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
                This link didn’t sign you in
              </h1>
              <p>{SIGN_IN_TEXTS[outcome]}</p>
              <Link className="btn" data-look="primary" data-size="wide" to="/sign-in" state={{ to: returnTo }} replace>
                Sign in or ask for a new link
              </Link>
            </>
          )}
        </div>
      </EntryLayout>
    </>
  );
}
