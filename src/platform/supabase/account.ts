// Accounts and sign-in through Supabase Auth.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { err, mapped, ok } from '../../lib/result.ts';
import type { Account } from '../../ports/account.ts';
import { type FinishSignIn, authResult, emailSignIn } from './email-sign-in.ts';
import type { RememberedIdentity } from './remembered-identity.ts';
import { toSignInError } from './sign-in-error.ts';
import { signInState } from './sign-in-state.ts';

/** A sign-out waits this long for the server, then goes on without an answer. */
const SIGN_OUT_TIMEOUT_MS = 1_500;

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
  const finish: FinishSignIn = async (answer) => {
    const { session } = answer.data;
    if (answer.error === null && session !== null) await signInAs(session);
    return authResult(answer);
  };
  const callback = new URL('/auth/callback', options.home).href;

  return {
    ...current,
    ...emailSignIn(client, options.home, finish),
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
    changePassword: async (password) => authResult(await client.auth.updateUser({ password })),
    async becomeAccount(email, password) {
      const { data, error } = await client.auth.updateUser({ email, password }, { emailRedirectTo: callback });
      if (error !== null) return err(toSignInError(error));
      if (data.user.is_anonymous === true) return ok({ needsConfirmation: true });
      // The token still says that they are a guest.
      const { data: renewed } = await client.auth.refreshSession();
      return mapped(await finish({ data: renewed, error: null }), () => ({ needsConfirmation: false }));
    },
    signOutElsewhere: async () => authResult(await client.auth.signOut({ scope: 'others' })),
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
