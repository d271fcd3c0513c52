// Sign-in by an email: asks the server to send one, and finishes with its link or its code.
import type { AuthError, Session, SupabaseClient } from '@supabase/supabase-js';
import { type Result, err, ok } from '../../lib/result.ts';
import type { Account } from '../../ports/account.ts';
import type { SignInError } from '../../protocol/errors.ts';
import { toLinkError, toSignInError } from './sign-in-error.ts';

type AuthAnswer = { readonly error: AuthError | null };
type SessionAnswer = AuthAnswer & { readonly data: { readonly session: Session | null } };

/** Signs in the person whose session the server answered with. */
export type FinishSignIn = (answer: SessionAnswer) => Promise<Result<void, SignInError>>;

type EmailSignIn = Pick<Account, 'sendLink' | 'sendInvite' | 'sendReset' | 'enterCode' | 'finishLink'>;

/** `home`: the app's address, to which the links lead. */
export function emailSignIn(client: SupabaseClient, home: string, finish: FinishSignIn): EmailSignIn {
  const addressOf = (path: string) => new URL(path, home).href;
  return {
    async sendLink(email, next) {
      const back = new URL(addressOf('/auth/callback'));
      if (next !== null) back.searchParams.set('next', next);
      const answer = await client.auth.signInWithOtp({
        email,
        options: { emailRedirectTo: back.href, shouldCreateUser: false },
      });
      // Do not reveal whether there is an account.
      return answer.error?.code === 'otp_disabled' ? ok(undefined) : authResult(answer);
    },
    // The link works in the browser that asked for it, so not in theirs: the code of the email does.
    sendInvite: async (email) =>
      authResult(
        await client.auth.signInWithOtp({
          email,
          options: { emailRedirectTo: addressOf('/i'), shouldCreateUser: true },
        }),
      ),
    sendReset: async (email) =>
      authResult(await client.auth.resetPasswordForEmail(email, { redirectTo: addressOf('/reset') })),
    async enterCode(email, code, purpose) {
      const type = purpose === 'reset' ? 'recovery' : 'email';
      return finish(await client.auth.verifyOtp({ email, token: code, type }));
    },
    async finishLink() {
      // auth-js started this when the client was created, because it reads the page's address before anything else
      // does.
      const { error } = await client.auth.initialize();
      if (error !== null) return err(toLinkError(error));
      // auth-js ignores a code if its secret is not on this device. The person signed in here did not come through this
      // link.
      if (new URLSearchParams(location.search).has('code'))
        return err({ problem: 'otherBrowser', detail: 'the secret of this code is not on this device' });
      const answer = await client.auth.getSession();
      return answer.data.session === null
        ? err({ problem: 'deadLink', detail: 'no session came with the address' })
        : finish(answer);
    },
  };
}

export const authResult = ({ error }: AuthAnswer): Result<void, SignInError> =>
  error === null ? ok(undefined) : err(toSignInError(error));
