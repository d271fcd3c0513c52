// Sign-in through Supabase Auth. An identity outlives its token: an unreachable server signs no one out.
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import { type Result, err, ok } from '../../lib/result.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { Account, Identity, SignIn } from '../../ports/account.ts';
import type { SignInError } from '../../protocol/errors.ts';
import { type UserId, parseUserId } from '../../protocol/ids.ts';
import type { RememberedIdentity } from './remembered-identity.ts';
import { toLinkError, toSignInError } from './sign-in-error.ts';

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
  const known = remembered.read();
  // Not 'unknown' if this device remembers the person: with an expired token, auth-js tries to refresh it for up to 30
  // s before it reports anything, and offline that would delay the whole start.
  let state: SignIn =
    known === null
      ? { status: 'unknown' }
      : { status: remembered.hasToken() ? 'signedIn' : 'expired', identity: known };
  const changes = new Subscribable();

  const setState = (next: SignIn) => {
    state = next;
    changes.notify();
  };

  /** The newest session that auth-js reported. */
  let newest: Session | null = null;

  const signInAs = async (session: Session) => {
    newest = session;
    const identity = identityOf(session);
    if (identity === null) return;
    const preparing = options.beforeSignIn(identity.id);
    if (preparing !== null && remembered.read() === null) await preparing;
    // They may have signed out meanwhile.
    if (newest?.user.id !== identity.id) return;
    remembered.write(identity);
    setState({ status: 'signedIn', identity });
  };

  client.auth.onAuthStateChange((event, session) => {
    // Not returned: auth-js would wait for it, and calls wait for auth-js.
    if (session !== null) return void signInAs(session);
    newest = null;
    const identity = remembered.read();
    if (identity === null) return setState({ status: 'signedOut' });
    // An unreachable server also causes INITIAL_SESSION without a session. That is no verdict as long as there is a
    // token to retry with. SIGNED_OUT arrives unasked when the server refused the token; auth-js then deletes it, and
    // the next page starts without one. A sign-out in another tab forgets the identity first.
    if (event === 'SIGNED_OUT' || !remembered.hasToken()) setState({ status: 'expired', identity });
  });

  // Do not wait for auth-js here: it informs other tabs only when its call to the server is over, half a minute later
  // if there is no server.
  remembered.onForgotten(() => setState({ status: 'signedOut' }));

  const resultOf = async (error: Parameters<typeof toSignInError>[0] | null, session: Session | null): SignInResult => {
    if (error !== null) return err(toSignInError(error));
    if (session !== null) await signInAs(session);
    return ok(undefined);
  };

  return {
    allowsGuests: options.allowsGuests,
    inbox: options.inbox,
    getState: () => state,
    subscribe: changes.subscribe,
    async signUp(email, password, displayName) {
      const { data, error } = await client.auth.signUp({
        email,
        password,
        options: { data: profileData(displayName), emailRedirectTo: new URL('/auth/callback', options.home).href },
      });
      const done = await resultOf(error, data.session);
      return done.ok ? ok({ needsConfirmation: data.session === null }) : done;
    },
    async signIn(email, password) {
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      return resultOf(error, data.session);
    },
    async continueAsGuest(displayName) {
      const { data, error } = await client.auth.signInAnonymously({ options: { data: profileData(displayName) } });
      return resultOf(error, data.session);
    },
    async sendLink(email, next) {
      const back = new URL('/auth/callback', options.home);
      if (next !== null) back.searchParams.set('next', next);
      const { error } = await client.auth.signInWithOtp({
        email,
        options: { emailRedirectTo: back.href, shouldCreateUser: false },
      });
      // Do not reveal whether there is an account.
      return error?.code === 'otp_disabled' ? ok(undefined) : resultOf(error, null);
    },
    async sendInvite(email) {
      // The link works in the browser that asked for it, so not in theirs: the code of the email does.
      const { error } = await client.auth.signInWithOtp({
        email,
        options: { emailRedirectTo: new URL('/i', options.home).href, shouldCreateUser: true },
      });
      return resultOf(error, null);
    },
    async sendReset(email) {
      const redirectTo = new URL('/reset', options.home).href;
      const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo });
      return resultOf(error, null);
    },
    async enterCode(email, code, purpose) {
      const type = purpose === 'reset' ? 'recovery' : 'email';
      const { data, error } = await client.auth.verifyOtp({ email, token: code, type });
      return resultOf(error, data.session);
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
      const { data } = await client.auth.getSession();
      return data.session === null
        ? err({ problem: 'deadLink', detail: 'no session came with the address' })
        : resultOf(null, data.session);
    },
    async changePassword(password) {
      const { error } = await client.auth.updateUser({ password });
      return resultOf(error, null);
    },
    async becomeAccount(email, password) {
      const { data, error } = await client.auth.updateUser(
        { email, password },
        { emailRedirectTo: new URL('/auth/callback', options.home).href },
      );
      if (error !== null) return err(toSignInError(error));
      if (data.user.is_anonymous === true) return ok({ needsConfirmation: true });
      // The token still says that they are a guest.
      const { data: renewed } = await client.auth.refreshSession();
      const done = await resultOf(null, renewed.session);
      return done.ok ? ok({ needsConfirmation: false }) : done;
    },
    async signOutElsewhere() {
      const { error } = await client.auth.signOut({ scope: 'others' });
      return error === null ? ok(undefined) : err(toSignInError(error));
    },
    async signOut() {
      newest = null;
      // Forget first, so that the SIGNED_OUT event of this call (here and in other tabs) counts as wanted.
      remembered.forget();
      // Do not wait for the call: with an expired token and no network, auth-js tries for half a minute before it gives
      // up.
      setState({ status: 'signedOut' });
      const serverSignOut = client.auth.signOut({ scope: 'local' }).catch(() => undefined);
      await Promise.race([serverSignOut, new Promise((resolve) => setTimeout(resolve, SIGN_OUT_TIMEOUT_MS))]);
      // If the tab were closed before auth-js gave up, the tokens would stay, and the next start would be signed in.
      remembered.forgetTokens();
    },
  };
}

/** The trigger that creates profiles reads `display_name`. Without one, the database picks a name. */
const profileData = (displayName: string) => (displayName === '' ? {} : { display_name: displayName });

function identityOf(session: Session): Identity | null {
  const id = parseUserId(session.user.id);
  return id && { id, email: session.user.email || null, isGuest: session.user.is_anonymous === true };
}
