// Joins one Realtime channel on a socket of its own and leaves again, to see whether it may and how long a heartbeat takes. Not
// with supabase-js, which has one channel per topic: the app's.
import * as v from 'valibot';
import { parseJsonOrNull } from '../../../lib/parse-or-null.ts';
import type { ProjectAddress } from '../client.ts';

/** A hosted server delays the refusal of a join by 5 s. */
const JOIN_TIMEOUT_MS = 15_000;
const JOIN_REF = '1';
const HEARTBEAT_REF = '2';

export type OpenSocket = (url: string) => WebSocket;

export type JoinOutcome =
  | { readonly isJoined: true; readonly roundTripMs: number }
  | { readonly isJoined: false; readonly reason: string };

type ProbedChannel = {
  readonly topic: string;
  readonly isPrivate: boolean;
  /** Null: joins with the public key alone. */
  readonly token: string | null;
};

/** Join ref, ref, topic, event, payload. */
const replySchema = v.tuple([
  v.unknown(),
  v.string(),
  v.unknown(),
  v.literal('phx_reply'),
  v.object({
    status: v.string(),
    response: v.optional(v.object({ reason: v.optional(v.unknown()) }), {}),
  }),
]);

export function tryChannel(
  { url, anonKey }: ProjectAddress,
  { topic, isPrivate, token }: ProbedChannel,
  openSocket: OpenSocket,
): Promise<JoinOutcome> {
  const address = new URL(`${url.replace(/^http/, 'ws')}/realtime/v1/websocket`);
  address.searchParams.set('apikey', anonKey);
  address.searchParams.set('vsn', '2.0.0');
  const { promise, resolve } = Promise.withResolvers<JoinOutcome>();
  const socket = openSocket(address.href);
  const refuse = (reason: string) => resolve({ isJoined: false, reason });
  const timeout = setTimeout(() => refuse('no answer'), JOIN_TIMEOUT_MS);
  let heartbeatAt = 0;
  const send = (...message: readonly unknown[]) => socket.send(JSON.stringify(message));

  socket.addEventListener('open', () => {
    const config = { private: isPrivate, broadcast: { ack: false, self: false }, presence: { key: '' } };
    const payload = { config, ...(token === null ? {} : { access_token: token }) };
    send(JOIN_REF, JOIN_REF, `realtime:${topic}`, 'phx_join', payload);
  });
  socket.addEventListener('message', ({ data }) => {
    const [, ref, , , reply] = parseJsonOrNull(replySchema, data) ?? [];
    if (ref === HEARTBEAT_REF) resolve({ isJoined: true, roundTripMs: performance.now() - heartbeatAt });
    if (ref !== JOIN_REF || reply === undefined) return;
    if (reply.status !== 'ok') return refuse(String(reply.response.reason ?? 'without a reason'));
    heartbeatAt = performance.now();
    send(null, HEARTBEAT_REF, 'phoenix', 'heartbeat', {});
  });
  socket.addEventListener('error', () => refuse('the connection failed'));
  socket.addEventListener('close', () => refuse('the connection was closed'));
  return promise.finally(() => {
    clearTimeout(timeout);
    socket.close();
  });
}
