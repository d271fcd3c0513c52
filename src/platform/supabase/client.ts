// The one Supabase client of a page: sign-in, REST and Realtime share its token and its socket.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { withRetryAfter } from './retry-after.ts';
import { tokenKey } from './remembered-identity.ts';

/** An answer that takes longer is treated as none: the callers retry what may be repeated. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 20_000;

export type ProjectAddress = {
  /** The project's URL, without a slash at the end. */
  readonly url: string;
  readonly anonKey: string;
};

/** Names what this device keeps for one project; two projects on one origin do not mix. */
export const projectKey = (project: ProjectAddress): string => new URL(project.url).host;

/** Where auth-js keeps the sign-in. */
type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function supabaseClient(project: ProjectAddress, storage: TokenStorage): SupabaseClient {
  return createClient(project.url, project.anonKey, {
    auth: {
      storageKey: tokenKey(projectKey(project)),
      storage,
      persistSession: true,
      autoRefreshToken: true,
      // PKCE: a link with somebody else's tokens in it cannot sign a visitor in.
      flowType: 'pkce',
      detectSessionInUrl: true,
    },
    realtime: { heartbeatIntervalMs: HEARTBEAT_MS },
    global: { fetch: fetchWithTimeout },
  });
}

async function fetchWithTimeout(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = init?.signal == null ? timeout : AbortSignal.any([init.signal, timeout]);
  return withRetryAfter(await fetch(input, { ...init, signal }), input, Date.now());
}
