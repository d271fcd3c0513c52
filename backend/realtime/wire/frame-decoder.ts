// Decodes a client's frames into messages. Pure; never throws: a malformed frame becomes null, and the socket ignores
// it.
import { type Incoming, type Ref, type Version, isJsonObject } from './wire-message.ts';

/** The kind of binary frame in which a client sends a broadcast. */
const USER_BROADCAST_PUSH = 3;
const HEADER_BYTES = 7;

// Keep a byte order mark as a part of the name, so that both sides see the same topic.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeText(version: Version, text: string): Incoming | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (version === '2.0.0') {
    if (!Array.isArray(value) || value.length < 5) return null;
    return message(value[0], value[1], value[2], value[3], value[4]);
  }
  if (!isJsonObject(value) || !('payload' in value)) return null;
  return message(value['join_ref'] ?? null, value['ref'] ?? null, value['topic'], value['event'], value['payload']);
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

function message(joinRef: unknown, ref: unknown, topic: unknown, event: unknown, payload: unknown): Incoming | null {
  if (!isRef(joinRef) || !isRef(ref) || typeof topic !== 'string' || typeof event !== 'string') return null;
  return { kind: 'message', joinRef, ref, topic, event, payload };
}

const isRef = (value: unknown): value is Ref =>
  value === null || typeof value === 'string' || typeof value === 'number';
