// Messages to the bytes of a protocol version. Pure.
import type { Content, Outgoing, Version, WireFrame } from './wire-message.ts';

/** The binary frame that a broadcast reaches a client in. */
const USER_BROADCAST = 4;
const HEADER_BYTES = 5;
/** Lengths are one byte each. */
const MAX_NAME_BYTES = 255;

export function encodeMessage(version: Version, message: Outgoing): WireFrame {
  const { joinRef, ref, topic, event, payload } = message;
  const data = JSON.stringify(
    version === '2.0.0' ? [joinRef, ref, topic, event, payload] : { ref, event, topic, payload },
  );
  return { data, binary: false };
}

/** A broadcast to everybody on a topic; `messageId` is the row's when the database sent it. */
export type Broadcast = {
  readonly topic: string;
  readonly event: string;
  readonly messageId: string | null;
} & Content;

/**
 * Null when this version cannot carry it, which the original drops in silence too: names above 255 bytes in 2.0.0,
 * bytes (and JSON that is none) in 1.0.0.
 */
export function encodeBroadcast(version: Version, broadcast: Broadcast): WireFrame | null {
  return version === '2.0.0' ? userBroadcast(broadcast) : jsonBroadcast(broadcast);
}

function userBroadcast(broadcast: Broadcast): WireFrame | null {
  const topic = Buffer.from(broadcast.topic);
  const event = Buffer.from(broadcast.event);
  const metadata = Buffer.from(broadcast.messageId === null ? '' : JSON.stringify({ id: broadcast.messageId }));
  if (topic.length > MAX_NAME_BYTES || event.length > MAX_NAME_BYTES) return null;
  const header = Uint8Array.of(
    USER_BROADCAST,
    topic.length,
    event.length,
    metadata.length,
    broadcast.encoding === 'json' ? 1 : 0,
  );
  const size = HEADER_BYTES + topic.length + event.length + metadata.length + broadcast.content.length;
  return { data: Buffer.concat([header, topic, event, metadata, broadcast.content], size), binary: true };
}

function jsonBroadcast(broadcast: Broadcast): WireFrame | null {
  if (broadcast.encoding === 'bytes') return null;
  let payload: unknown;
  try {
    payload = JSON.parse(Buffer.from(broadcast.content).toString());
  } catch {
    return null;
  }
  const meta = broadcast.messageId === null ? {} : { meta: { id: broadcast.messageId } };
  return encodeMessage('1.0.0', {
    joinRef: null,
    ref: null,
    topic: broadcast.topic,
    event: 'broadcast',
    payload: { event: broadcast.event, ...meta, payload, type: 'broadcast' },
  });
}
