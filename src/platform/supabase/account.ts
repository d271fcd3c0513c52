// Accounts and sign-in through Supabase Auth.
import type { AuthError, Session, SupabaseClient } from '@supabase/supabase-js';
import { type Result, err, mapped, ok } from '../../lib/result.ts';
import type { Account } from '../../ports/account.ts';
import type { SignInError } from '../../protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { RememberedIdentity } from './remembered-identity.ts';
import { toLinkError, toSignInError } from './sign-in-error.ts';
import { signInState } from './sign-in-state.ts';

/** How long a sign-out waits for the server. Without a server it does not wait for an answer. */
const SIGN_OUT_TIMEOUT_MS = 1_500;

type SignInResult = Promise<Result<void, SignInError>>;

export function supabaseAccount(
  client: SupabaseClient,
  remembered: RememberedIdentity,
  options: {
    readonly allowsGuests: boolean;
    /** The app's address, such as "https://weft.example". Links in emails lead back to it. */
    readonly home: string;
    readonly inbox: string | null;
    /** A person who is new on this device counts as signed in when this is over. Null: there is nothing to wait for. */
    readonly beforeSignIn: (user: UserId) => Promise<void> | null;
  },
): Account {
  const { signInAs, forget, ...current } = signInState(client, remembered, options.beforeSignIn);
  const finish = async (answer: SessionAnswer): SignInResult => {
    const { session } = answer.data;
    if (answer.error === null && session !== null) await signInAs(session);
    return resultOf(answer);
  };
  const addressOf = (path: string) => new URL(path, options.home).href;
  const callback = addressOf('/auth/callback');

  return {
    ...current,
    allowsGuests: options.allowsGuests,
    inbox: options.inbox,
    async signUp(email, password, displayName) {
      const answer = await client.auth.signUp({
        email,
        password,
        options: { data: profileData(displayName), emailRedirectTo: callback },
      });
      return mapped(await finish(answer), () => ({ needsConfirmation: answer.data.session === null }));
    },
    signIn: async (email, password) => finish(await client.auth.signInWithPassword({ email, password })),
    continueAsGuest: async (displayName) =>
      finish(await client.auth.signInAnonymously({ options: { data: profileData(displayName) } })),
    async sendLink(email, next) {
      const back = new URL(callback);
      if (next !== null) back.searchParams.set('next', next);
      const answer = await client.auth.signInWithOtp({
        email,
        options: { emailRedirectTo: back.href, shouldCreateUser: false },
      });
      // Do not reveal whether there is an account.
      return answer.error?.code === 'otp_disabled' ? ok(undefined) : resultOf(answer);
    },
    // The link works in the browser that asked for it, so not in theirs: the code of the email does.
    sendInvite: async (email) =>
      resultOf(
        await client.auth.signInWithOtp({
          email,
          options: { emailRedirectTo: addressOf('/i'), shouldCreateUser: true },
        }),
      ),
    sendReset: async (email) =>
      resultOf(await client.auth.resetPasswordForEmail(email, { redirectTo: addressOf('/reset') })),
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
    changePassword: async (password) => resultOf(await client.auth.updateUser({ password })),
    async becomeAccount(email, password) {
      const { data, error } = await client.auth.updateUser({ email, password }, { emailRedirectTo: callback });
      if (error !== null) return err(toSignInError(error));
      if (data.user.is_anonymous === true) return ok({ needsConfirmation: true });
      // The token still says that they are a guest.
      const { data: renewed } = await client.auth.refreshSession();
      return mapped(await finish({ data: renewed, error: null }), () => ({ needsConfirmation: false }));
    },
    signOutElsewhere: async () => resultOf(await client.auth.signOut({ scope: 'others' })),
    async signOut() {
      forget();
      // Do not wait for the call: with an expired token and no network, auth-js tries for half a minute before it gives
      // up.
      const serverSignOut = client.auth.signOut({ scope: 'local' }).catch(() => undefined);
      await Promise.race([serverSignOut, new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS))]);
      // If the tab were closed before auth-js gave up, the tokens would stay, and the next start would be signed in.
      remembered.forgetTokens();
    },
  };
}

/** The trigger that creates profiles reads `display_name`. Without one, the database picks a name. */
const profileData = (displayName: string) => (displayName === '' ? {} : { display_name: displayName });

type Answer = { readonly error: AuthError | null };
type SessionAnswer = Answer & { readonly data: { readonly session: Session | null } };

const resultOf = ({ error }: Answer): Result<void, SignInError> =>
  error === null ? ok(undefined) : err(toSignInError(error));
