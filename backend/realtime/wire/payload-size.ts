// Measures payloads for limits that Supabase Realtime counts in Erlang's external term format: broadcasts in binary
// frames exactly, JSON nearly.
import type { Content } from './wire-message.ts';

/**
 * A broadcast in a binary frame: version 1, tuple 2, event 5 + n, atom 3 + 4 or 6, bytes 5 + n, empty map 5. Exact, so
 * that a client meets the limit at the same byte as in a hosted project.
 */
export const broadcastSize = (event: string, body: Content) =>
  21 + Buffer.byteLength(event) + (body.encoding === 'json' ? 4 : 6) + body.content.length;

/** A payload that came as JSON text: its JSON, which is close to the size of Erlang's terms and never far above. */
export const jsonSize = (payload: unknown) => Buffer.byteLength(JSON.stringify(payload) ?? '');

/** `"phx_ref":"…","phx_ref_prev":"…"`, braces and commas: what the server adds to each presence state. */
const PRESENCE_ENVELOPE_BYTES = 80;

/** A state in the presence state of its topic, where each has its key. */
export const presenceSize = (key: string, payload: unknown) =>
  PRESENCE_ENVELOPE_BYTES + Buffer.byteLength(JSON.stringify(key)) + jsonSize(payload);
