// `/sign-in` and `/sign-up`. The address to return to is stored in the history entry, not in the URL: it may be a link
// with a secret.
import { Link, Navigate, useLocation } from 'react-router';
import { TabTitle } from '../../shell/tab-title.tsx';
import { PersonContext, useAppValue } from '../../state/hooks.ts';
import { AccountForm } from './sign-in/account-form.tsx';
import { addressWithoutSecret } from './sign-in/email-link.ts';
import { EntryLayout } from './sign-in/entry-layout.tsx';
import { parseReturnAddress } from './sign-in/return-address.ts';
import { UnsentNote } from './unsent/unsent-note.tsx';

export const SignInScreen = () => <SignInOrUpScreen kind="sign-in" />;
export const SignUpScreen = () => <SignInOrUpScreen kind="sign-up" />;

function SignInOrUpScreen({ kind }: { readonly kind: 'sign-in' | 'sign-up' }) {
  const signIn = useAppValue((app) => app.signInAtom);
  const person = useAppValue((app) => app.personAtom);
  const { state } = useLocation();
  const returnTo = parseReturnAddress(state);
  if (signIn.status === 'signedIn') return <Navigate to={returnTo ?? '/'} replace />;
  return (
    <PersonContext value={person}>
      <TabTitle title={kind === 'sign-in' ? 'Sign in' : 'Create account'} />
      <EntryLayout foot={person !== null && <UnsentNote />}>
        <AccountForm
          kind={kind}
          nextAddress={addressWithoutSecret(returnTo)}
          returnTo={returnTo ?? '/'}
          {...(kind === 'sign-in' ? { forgotLink: forgotPasswordLink } : {})}
          email={signIn.status === 'expired' ? (signIn.identity.email ?? '') : ''}
          title={
            <>
              Write together.
              <br />
              Every edit has a receipt.
            </>
          }
          footer={
            kind === 'sign-in' ? (
              <>
                New here?{' '}
                <Link className="text-link" to="/sign-up" state={state}>
                  Create account
                </Link>
              </>
            ) : (
              <>
                Already have an account?{' '}
                <Link className="text-link" to="/sign-in" state={state}>
                  Sign in
                </Link>
              </>
            )
          }
        />
      </EntryLayout>
    </PersonContext>
  );
}

const forgotPasswordLink = (email: string) => (
  <Link className="text-link" to="/reset" state={{ email }}>
    Forgot password?
  </Link>
);
