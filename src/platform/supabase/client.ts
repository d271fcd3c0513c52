// The tab's only Supabase client: sign-in, REST and Realtime share its token and its socket.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { guardedDecode } from 'weft-sync/supabase/realtime/frame-guard.ts';
import { withRetryAfter } from 'weft-sync/supabase/retry-after.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import type { RecentCalls } from './recent-calls.ts';
import { tokenKey } from './remembered-identity.ts';

/** A slower answer counts as none, unless the caller has a limit of its own. Callers retry whatever is safe to repeat. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Realtime closes a connection after 60 s without a message. Writing asks for an answer sooner (`Heartbeats`). */
const HEARTBEAT_MS = 50_000;

export type ProjectAddress = {
  /** The project's URL without a trailing slash. */
  readonly url: string;
  readonly anonKey: string;
};

/** Names the sign-in in this device's storage: a token goes to no other address than the one that gave it. */
export const projectKey = (project: ProjectAddress): string => new URL(project.url).host;

/** The storage in which auth-js keeps the sign-in. */
type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function supabaseClient(
  project: ProjectAddress,
  storage: TokenStorage,
  serverClock: ServerClock,
  recentCalls?: RecentCalls,
): SupabaseClient {
  const client: SupabaseClient = createClient(project.url, project.anonKey, {
    auth: {
      storageKey: tokenKey(projectKey(project)),
      storage,
      persistSession: true,
      autoRefreshToken: true,
      // With PKCE, a link that contains someone else's tokens cannot sign a visitor in.
      flowType: 'pkce',
      detectSessionInUrl: true,
    },
    realtime: {
      heartbeatIntervalMs: HEARTBEAT_MS,
      decode: guardedDecode((raw, pass) => void client.realtime.serializer.decode(raw, pass)),
    },
    global: { fetch: (input, init) => fetchWithTimeout(input, init, serverClock, recentCalls) },
  });
  // auth-js would look at the token every 30 s. Each call and each heartbeat does, and renews it in its last 90 s.
  void client.auth.initialize().then(() => client.auth.stopAutoRefresh());
  return client;
}

async function fetchWithTimeout(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  serverClock: ServerClock,
  recentCalls: RecentCalls | undefined,
): Promise<Response> {
  const signal = init?.signal ?? AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const sentAt = Date.now();
  let status: number | null = null;
  try {
    const response = await fetch(input, { ...init, signal });
    ({ status } = response);
    const receivedAt = Date.now();
    serverClock.answered(response.headers, sentAt, receivedAt);
    return withRetryAfter(response, input, receivedAt);
  } finally {
    recentCalls?.add(input, status, sentAt);
  }
}
