// Encodes messages for a protocol version. Pure.
import type { Content, MessageMeta, Outgoing, Version, WireFrame } from './wire-message.ts';

/** The kind of binary frame in which a client receives a broadcast. */
const USER_BROADCAST = 4;
const HEADER_BYTES = 5;
/** Each length takes one byte. */
const MAX_NAME_BYTES = 255;

export function encodeMessage(version: Version, message: Outgoing): WireFrame {
  return encodeJsonText(version, message, JSON.stringify(message.payload));
}

/** Encodes a frame whose payload already is JSON text. */
export function encodeJsonText(version: Version, envelope: Omit<Outgoing, 'payload'>, payload: string): WireFrame {
  const { joinRef, ref, topic, event } = envelope;
  // The payload comes last, so it can be appended without parsing it.
  const head = JSON.stringify(version === '2.0.0' ? [joinRef, ref, topic, event] : { ref, event, topic });
  const data = version === '2.0.0' ? `${head.slice(0, -1)},${payload}]` : `${head.slice(0, -1)},"payload":${payload}}`;
  return { data, binary: false };
}

/** A broadcast to everybody on a topic. */
export type Broadcast = {
  readonly topic: string;
  readonly event: string;
  /** Set for a message from the database. */
  readonly meta: MessageMeta | null;
} & Content;

/**
 * Null when this version cannot send it; Supabase Realtime drops the same messages silently: names above 255 bytes in
 * 2.0.0, bytes and invalid JSON in 1.0.0.
 */
export function encodeBroadcast(version: Version, broadcast: Broadcast): WireFrame | null {
  return version === '2.0.0' ? userBroadcast(broadcast) : jsonBroadcast(broadcast);
}

function userBroadcast(broadcast: Broadcast): WireFrame | null {
  const topic = Buffer.from(broadcast.topic);
  const event = Buffer.from(broadcast.event);
  const metadata = Buffer.from(broadcast.meta === null ? '' : JSON.stringify(broadcast.meta));
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
  const meta = broadcast.meta === null ? {} : { meta: broadcast.meta };
  return encodeMessage('1.0.0', {
    joinRef: null,
    ref: null,
    topic: broadcast.topic,
    event: 'broadcast',
    payload: { event: broadcast.event, ...meta, payload, type: 'broadcast' },
  });
}
