// Sign-in and sign-up. Where somebody wanted to go waits in the history entry, not in the address: it may be a link
// with a secret.
import type { ReactNode } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { AccountForm } from '../../features/account/account-form.tsx';
import { Gate } from '../../features/account/gate.tsx';
import { UnsentNote } from '../../features/account/unsent-note.tsx';
import { PersonContext, useAppValue } from '../../state/hooks.ts';
import { TabTitle } from '../tab-title.tsx';
import { destinationOf } from '../destination.ts';

export function SignInScreen() {
  return (
    <AccountScreen
      kind="sign-in"
      other={(state) => (
        <>
          New here?{' '}
          <Link className="text-link" to="/sign-up" state={state}>
            Make an account
          </Link>
        </>
      )}
    />
  );
}

export function SignUpScreen() {
  return (
    <AccountScreen
      kind="sign-up"
      other={(state) => (
        <>
          Been here before?{' '}
          <Link className="text-link" to="/sign-in" state={state}>
            Sign in
          </Link>
        </>
      )}
    />
  );
}

type AccountScreenProps = {
  readonly kind: 'sign-in' | 'sign-up';
  readonly other: (state: unknown) => ReactNode;
};

function AccountScreen({ kind, other }: AccountScreenProps) {
  const signIn = useAppValue((app) => app.signInAtom);
  const person = useAppValue((app) => app.personAtom);
  const { state } = useLocation();
  const to = destinationOf(state);
  if (signIn.status === 'signedIn') return <Navigate to={to ?? '/'} replace />;
  return (
    <PersonContext value={person}>
      <TabTitle title={kind === 'sign-in' ? 'Sign in' : 'Create account'} />
      <Gate foot={person === null ? <span /> : <UnsentNote />}>
        <AccountForm
          kind={kind}
          email={signIn.status === 'expired' ? (signIn.identity.email ?? '') : ''}
          title={
            <>
              Write together.
              <br />
              Every edit has a receipt.
            </>
          }
          other={other(state)}
        />
      </Gate>
    </PersonContext>
  );
}
