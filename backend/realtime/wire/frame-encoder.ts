// Encodes messages into frames. Pure.
import type { Content, MessageMeta, Outgoing, WireFrame } from './wire-message.ts';

/** The kind of binary frame in which a client receives a broadcast. */
const USER_BROADCAST = 4;
const HEADER_BYTES = 5;
/** Each length takes one byte. */
const MAX_NAME_BYTES = 255;

export const encodeMessage = (message: Outgoing): WireFrame => encodeJsonText(message, JSON.stringify(message.payload));

/** Encodes a frame whose payload already is JSON text. */
export function encodeJsonText(envelope: Omit<Outgoing, 'payload'>, payload: string): WireFrame {
  const { joinRef, ref, topic, event } = envelope;
  // The payload comes last, so it can be appended without parsing it.
  const head = JSON.stringify([joinRef, ref, topic, event]);
  return { data: `${head.slice(0, -1)},${payload}]`, binary: false };
}

/** A broadcast to everyone on a topic. */
export type Broadcast = {
  readonly topic: string;
  readonly event: string;
  /** Set for a message from the database. */
  readonly meta: MessageMeta | null;
} & Content;

/** Null for names above 255 bytes: Supabase Realtime drops the same messages silently. */
export function encodeBroadcast(broadcast: Broadcast): WireFrame | null {
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
