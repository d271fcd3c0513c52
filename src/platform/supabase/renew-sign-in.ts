// Requests a new token when the server calls the current one expired. auth-js only looks at this device's clock: if the
// clock was set back, it trusts a token long after its end. Knows nothing about the call that failed.
import type { SupabaseClient } from '@supabase/supabase-js';

/** A server that refuses every token is not asked on every call. */
const AT_MOST_EVERY_MS = 10_000;

/** The account reports the new token, and waiting calls are retried then. */
export function signInRenewal(client: SupabaseClient): () => void {
  // Not `Date.now()`, because the clock is what we distrust here.
  let requestedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - requestedAt < AT_MOST_EVERY_MS) return;
    requestedAt = performance.now();
    // If the server refuses this too, the sign-in is over, and auth-js reports it.
    void client.auth.refreshSession().catch(() => undefined);
  };
}
