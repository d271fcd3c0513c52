// Sign-in by Supabase Auth: the `Account` of src/state, checked where src/app/wire.ts joins the two. Who a person is outlives their token: an unreachable server signs nobody out.
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { SignInError } from '../../protocol/errors.ts';
import { parseUserId } from '../../protocol/ids.ts';
import type { Identity, RememberedIdentity } from './remembered-identity.ts';
import { toLinkError, toSignInError } from './sign-in-error.ts';

/** A server that answers hears of the sign-out; without one it is not waited for. */
const TELLS_WITHIN_MS = 1_500;

type SignInResult = Promise<Result<void, SignInError>>;

type SignIn =
  | { readonly status: 'unknown' | 'signedOut' }
  | { readonly status: 'signedIn' | 'expired'; readonly identity: Identity };

export function supabaseAccount(
  client: SupabaseClient,
  remembered: RememberedIdentity,
  options: {
    readonly allowsGuests: boolean;
    /** Where the app is, "https://weft.example": links in mails lead back there. */
    readonly home: string;
    readonly inbox: string | null;
  },
) {
  const known = remembered.read();
  // Not 'unknown' for somebody this device knows: with a token that ran out, auth-js tries to refresh it for up to
  // 30 s before it says anything, and without network that is the whole start.
  let state: SignIn = known === null ? { status: 'unknown' } : { status: 'signedIn', identity: known };
  const listeners = new Set<() => void>();

  const become = (next: SignIn) => {
    state = next;
    for (const run of [...listeners]) run();
  };

  const take = (session: Session) => {
    const identity = identityOf(session);
    if (identity === null) return;
    remembered.write(identity);
    become({ status: 'signedIn', identity });
  };

  client.auth.onAuthStateChange((event, session) => {
    if (session !== null) return take(session);
    const identity = remembered.read();
    if (identity === null) return become({ status: 'signedOut' });
    // INITIAL_SESSION without a session is also what an unreachable server gives: no verdict, as long as there is a token
    // to ask it with. SIGNED_OUT comes unasked when that was refused, and takes it away: the next page starts without.
    // Another tab's own sign-out forgets the identity first.
    if (event === 'SIGNED_OUT' || !remembered.hasToken()) become({ status: 'expired', identity });
  });

  // At once: auth-js tells other tabs only when its call to the server is over, half a minute later without one.
  remembered.onForgotten(() => become({ status: 'signedOut' }));

  const finish = (
    error: Parameters<typeof toSignInError>[0] | null,
    session: Session | null,
  ): Result<void, SignInError> => {
    if (error !== null) return err(toSignInError(error));
    if (session !== null) take(session);
    return ok(undefined);
  };

  return {
    allowsGuests: options.allowsGuests,
    inbox: options.inbox,
    getState: (): SignIn => state,
    subscribe(run: () => void): Cancel {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    async signUp(
      email: string,
      password: string,
      displayName: string,
    ): Promise<Result<{ readonly needsConfirmation: boolean }, SignInError>> {
      const { data, error } = await client.auth.signUp({ email, password, options: { data: named(displayName) } });
      const done = finish(error, data.session);
      return done.ok ? ok({ needsConfirmation: data.session === null }) : done;
    },
    async signIn(email: string, password: string): SignInResult {
      const { data, error } = await client.auth.signInWithPassword({ email, password });
      return finish(error, data.session);
    },
    async continueAsGuest(displayName: string): SignInResult {
      const { data, error } = await client.auth.signInAnonymously({ options: { data: named(displayName) } });
      return finish(error, data.session);
    },
    async sendLink(email: string, next: string | null): SignInResult {
      const back = new URL('/auth/callback', options.home);
      if (next !== null) back.searchParams.set('next', next);
      const { error } = await client.auth.signInWithOtp({
        email,
        options: { emailRedirectTo: back.href, shouldCreateUser: false },
      });
      // Nobody learns here whether there is an account.
      return error?.code === 'otp_disabled' ? ok(undefined) : finish(error, null);
    },
    async sendReset(email: string): SignInResult {
      const redirectTo = new URL('/reset', options.home).href;
      const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo });
      return finish(error, null);
    },
    async enterCode(email: string, code: string, purpose: 'sign-in' | 'reset'): SignInResult {
      const type = purpose === 'reset' ? 'recovery' : 'email';
      const { data, error } = await client.auth.verifyOtp({ email, token: code, type });
      return finish(error, data.session);
    },
    async finishLink(): SignInResult {
      // Begun when the client was made: it reads the page's address before anything else does.
      const { error } = await client.auth.initialize();
      if (error !== null) return err(toLinkError(error));
      // auth-js leaves a code alone whose secret is not on this device; whoever is signed in here did not come by it.
      if (new URLSearchParams(location.search).has('code'))
        return err({ problem: 'otherBrowser', detail: 'the secret of this code is not on this device' });
      const { data } = await client.auth.getSession();
      return data.session === null
        ? err({ problem: 'deadLink', detail: 'no session came with the address' })
        : finish(null, data.session);
    },
    async changePassword(password: string): SignInResult {
      const { error } = await client.auth.updateUser({ password });
      return finish(error, null);
    },
    async signOut(): Promise<void> {
      // First, so that the SIGNED_OUT of this call (here and in other tabs) reads as wanted.
      remembered.forget();
      // Not after the call: with an expired token and no network auth-js tries for half a minute before it gives up.
      become({ status: 'signedOut' });
      const told = client.auth.signOut({ scope: 'local' }).catch(() => undefined);
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, TELLS_WITHIN_MS))]);
      // A tab that is closed before auth-js gave up would leave the tokens, and the next start would be signed in.
      remembered.forgetTokens();
    },
  };
}

/** The trigger that makes profiles reads `display_name`; without it the database finds a name itself. */
const named = (displayName: string) => (displayName === '' ? {} : { display_name: displayName });

function identityOf(session: Session): Identity | null {
  const id = parseUserId(session.user.id);
  return id && { id, email: session.user.email || null, isGuest: session.user.is_anonymous === true };
}
