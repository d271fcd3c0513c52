// Asks for a new token when the server calls the one in use over. auth-js renews by this device's clock alone: one that
// was set back believes in a token long after its end. Knows nothing of what was called with it.
import type { SupabaseClient } from '@supabase/supabase-js';

/** A server that refuses every token is not asked at each call. */
const AT_MOST_EVERY_MS = 10_000;

/** Who waits for the new token hears of it through the account: its calls are tried again then. */
export function signInRenewal(client: SupabaseClient): () => void {
  // Not by the clock that is in doubt here.
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - askedAt < AT_MOST_EVERY_MS) return;
    askedAt = performance.now();
    // Refused too, the sign-in is over: auth-js says so itself.
    void client.auth.refreshSession().catch(() => undefined);
  };
}
