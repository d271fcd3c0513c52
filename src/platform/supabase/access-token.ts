// The token of the person who is signed in, for calls of Storage that supabase-js does not make.
import type { SupabaseClient } from '@supabase/supabase-js';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { err, ok } from '../../lib/result.ts';
import type { Answer } from '../../ports/answer.ts';

/** Null if no one is signed in. */
export async function accessToken(client: SupabaseClient): Answer<string | null> {
  try {
    const { data, error } = await client.auth.getSession();
    // It was time to renew the token, and the network is gone.
    if (error !== null) throw error;
    return ok(data.session?.access_token ?? null);
  } catch (error) {
    // supabase-js throws if it cannot read its storage.
    return err(weftError('WF011', String(error)));
  }
}
