// Sign-in and sign-up. Where somebody wanted to go waits in the history entry, not in the address: it may be a link
// with a secret.
import { Link, Navigate, useLocation } from 'react-router';
import { AccountForm } from '../../../features/account/sign-in/account-form.tsx';
import { Gate } from '../../../features/account/sign-in/entry-layout.tsx';
import { UnsentNote } from '../../../features/account/unsent/unsent-note.tsx';
import { PersonContext, useAppValue } from '../../../state/hooks.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { destinationOf } from './return-address.ts';
import { mailableOf } from './email-link.ts';

export const SignInScreen = () => <AccountScreen kind="sign-in" />;
export const SignUpScreen = () => <AccountScreen kind="sign-up" />;

function AccountScreen({ kind }: { readonly kind: 'sign-in' | 'sign-up' }) {
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
          next={mailableOf(to)}
          {...(kind === 'sign-in' ? { forgotten: forgottenLink } : {})}
          email={signIn.status === 'expired' ? (signIn.identity.email ?? '') : ''}
          title={
            <>
              Write together.
              <br />
              Every edit has a receipt.
            </>
          }
          other={
            kind === 'sign-in' ? (
              <>
                New here?{' '}
                <Link className="text-link" to="/sign-up" state={state}>
                  Make an account
                </Link>
              </>
            ) : (
              <>
                Been here before?{' '}
                <Link className="text-link" to="/sign-in" state={state}>
                  Sign in
                </Link>
              </>
            )
          }
        />
      </Gate>
    </PersonContext>
  );
}

const forgottenLink = (email: string) => (
  <Link className="text-link" to="/reset" state={{ email }} aria-label="Forgotten your password?">
    Forgotten?
  </Link>
);
