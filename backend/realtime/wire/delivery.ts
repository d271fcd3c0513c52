// A message for many sockets: encoded once, however many receive it.
import { type Broadcast, encodeBroadcast, encodeMessage } from './frame-encoder.ts';
import type { JsonObject, WireFrame } from './wire-message.ts';

export type Delivery = {
  /** The extension that the receiver must be allowed to read. */
  readonly extension: 'broadcast' | 'presence';
  /** Null when a frame has no room for it. */
  readonly frame: WireFrame | null;
};

export const broadcastDelivery = (broadcast: Broadcast): Delivery => ({
  extension: 'broadcast',
  frame: encodeBroadcast(broadcast),
});

/** A message with the same JSON payload for everyone: a broadcast sent as text, or a presence diff. */
export function messageDelivery(topic: string, event: 'broadcast' | 'presence_diff', payload: JsonObject): Delivery {
  const { data } = encodeMessage({ joinRef: null, ref: null, topic, event, payload });
  return {
    extension: event === 'broadcast' ? 'broadcast' : 'presence',
    // As bytes, because `ws` would convert a string again for each socket.
    frame: { data: Buffer.from(data), binary: false },
  };
}
