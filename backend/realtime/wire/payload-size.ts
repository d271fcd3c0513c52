// How the original measures a payload: as Erlang's external format would store it.
import type { Content } from './wire-message.ts';

/**
 * Of a broadcast in a binary frame: version 1, tuple 2, event 5 + n, atom 3 + 4 or 6, bytes 5 + n, empty map 5.
 * Exact, because a client at the limit must meet it at the same byte as on a hosted project.
 */
export const broadcastSize = (event: string, body: Content) =>
  21 + Buffer.byteLength(event) + (body.encoding === 'json' ? 4 : 6) + body.content.length;

/** Of a payload that came as JSON text: its JSON, close to Erlang's terms and never far above them. */
export const jsonSize = (payload: unknown) => Buffer.byteLength(JSON.stringify(payload) ?? '');

/** Of bytes alone: version 1, tag 1, length 4. */
export const bytesSize = (bytes: Uint8Array) => 6 + bytes.length;
