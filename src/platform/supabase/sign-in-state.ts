// Who is signed in, as auth-js and this device know it. An identity outlives its token: an unreachable server signs no one out.
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { Identity, SignIn } from '../../ports/account.ts';
import type { RememberedIdentity } from './remembered-identity.ts';

/** `beforeSignIn`: a person who is new on this device counts as signed in when this is over. Null: there is nothing to wait for. */
export function signInState(
  client: SupabaseClient,
  remembered: RememberedIdentity,
  beforeSignIn: (user: UserId) => Promise<void> | null,
) {
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

  /**
   * The newest session that auth-js gave; null: no one is signed in. Undefined before its first report: all calls wait
   * for it.
   */
  let newest: Session | null | undefined;

  const isSignedInAs = ({ id, email, isGuest }: Identity): boolean => {
    if (state.status !== 'signedIn') return false;
    const before = state.identity;
    return before.id === id && before.email === email && before.isGuest === isGuest;
  };

  const signInAs = async (session: Session) => {
    const isSameToken = newest === undefined || newest?.access_token === session.access_token;
    newest = session;
    const identity = identityOf(session);
    if (identity === null || (isSameToken && isSignedInAs(identity))) return;
    const preparing = beforeSignIn(identity.id);
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

  return {
    getState: () => state,
    subscribe: changes.subscribe,
    signInAs,
    /** Signs out here. Call this before auth-js, so that its SIGNED_OUT event (here and in other tabs) counts as wanted. */
    forget: () => {
      newest = null;
      remembered.forget();
      setState({ status: 'signedOut' });
    },
  };
}

function identityOf(session: Session): Identity | null {
  const id = parseUserId(session.user.id);
  return id && { id, email: session.user.email || null, isGuest: session.user.is_anonymous === true };
}
