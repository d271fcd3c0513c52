// Decodes a client's frames into messages. Pure; never throws: a malformed frame becomes null, and the socket ignores
// it.
import type { Incoming, Ref } from './wire-message.ts';

/** The kind of binary frame in which a client sends a broadcast. */
const USER_BROADCAST_PUSH = 3;
const HEADER_BYTES = 7;

// Keep a byte order mark as a part of the name, so that both sides see the same topic.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `[join_ref, ref, topic, event, payload]` */
export function decodeText(text: string): Incoming | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length < 5) return null;
  const [joinRef, ref, topic, event, payload]: readonly unknown[] = value;
  if (!isRef(joinRef) || !isRef(ref) || typeof topic !== 'string' || typeof event !== 'string') return null;
  return { kind: 'message', joinRef, ref, topic, event, payload };
}

/**
 * `03 |join_ref| |ref| |topic| |event| |metadata| encoding`, then these five fields and the payload. Skips the
 * metadata: only messages from the database have any, and a client must not be able to imitate one.
 */
export function decodeBinary(bytes: Uint8Array): Incoming | null {
  const [kind, joinRefLength, refLength, topicLength, eventLength, metadataLength, encoding] = bytes;
  if (
    kind !== USER_BROADCAST_PUSH ||
    joinRefLength === undefined ||
    refLength === undefined ||
    topicLength === undefined ||
    eventLength === undefined ||
    metadataLength === undefined ||
    encoding === undefined
  ) {
    return null;
  }
  const joinRefAt = HEADER_BYTES;
  const refAt = joinRefAt + joinRefLength;
  const topicAt = refAt + refLength;
  const eventAt = topicAt + topicLength;
  const metadataAt = eventAt + eventLength;
  const contentAt = metadataAt + metadataLength;
  if (contentAt > bytes.length) return null;
  try {
    return {
      kind: 'broadcast',
      joinRef: utf8.decode(bytes.subarray(joinRefAt, refAt)),
      ref: utf8.decode(bytes.subarray(refAt, topicAt)),
      topic: utf8.decode(bytes.subarray(topicAt, eventAt)),
      event: utf8.decode(bytes.subarray(eventAt, metadataAt)),
      encoding: encoding === 0 ? 'bytes' : 'json',
      content: bytes.subarray(contentAt),
    };
  } catch {
    return null;
  }
}

const isRef = (value: unknown): value is Ref =>
  value === null || typeof value === 'string' || typeof value === 'number';
