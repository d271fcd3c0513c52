// Requests a new token when the server calls the current one expired. auth-js only looks at this device's clock: if the
// clock was set back, it trusts a token long after its end. Knows nothing about the call that failed.
import type { SupabaseClient } from '@supabase/supabase-js';

/** A server that refuses every token is not asked on every call. */
const AT_MOST_EVERY_MS = 10_000;

/** The server does not know the sign-in: its account was deleted, or is newer than the backup that the server was restored from. */
const ENDED: ReadonlySet<string> = new Set(['refresh_token_not_found', 'session_not_found', 'user_not_found']);

/** Returns a function that requests a new token. The account reports that token, and waiting calls are retried then. */
export function signInRenewal(client: SupabaseClient): () => void {
  // Not `Date.now()`, because the clock is what we distrust here.
  let requestedAt = Number.NEGATIVE_INFINITY;
  const renew = async () => {
    const { error } = await client.auth.refreshSession();
    // The sign-in is over. auth-js would keep it as long as its access token seems valid.
    if (ENDED.has(error?.code ?? '')) await client.auth.signOut({ scope: 'local' });
  };
  return () => {
    if (performance.now() - requestedAt < AT_MOST_EVERY_MS) return;
    requestedAt = performance.now();
    void renew().catch(() => undefined);
  };
}
