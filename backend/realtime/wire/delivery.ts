// A message for many sockets: encoded once per protocol version, however many receive it.
import { type Broadcast, encodeBroadcast, encodeMessage } from './frame-encoder.ts';
import type { JsonObject, Version, WireFrame } from './wire-message.ts';

export type Delivery = {
  /** The extension that the receiver must be allowed to read. */
  readonly extension: 'broadcast' | 'presence';
  /** Null when this protocol version cannot send it. */
  readonly frame: (version: Version) => WireFrame | null;
};

export function broadcastDelivery(broadcast: Broadcast): Delivery {
  return {
    extension: 'broadcast',
    frame: oncePerVersion((version) => encodeBroadcast(version, broadcast)),
  };
}

/** A message with the same JSON payload for everybody: a broadcast sent as text, or a presence diff. */
export function messageDelivery(topic: string, event: 'broadcast' | 'presence_diff', payload: JsonObject): Delivery {
  return {
    extension: event === 'broadcast' ? 'broadcast' : 'presence',
    frame: oncePerVersion((version) =>
      asBytes(encodeMessage(version, { joinRef: null, ref: null, topic, event, payload })),
    ),
  };
}

/** Encodes text to bytes once; `ws` would convert a string again for each socket. */
const asBytes = ({ data }: WireFrame): WireFrame => ({ data: Buffer.from(data), binary: false });

function oncePerVersion(encode: (version: Version) => WireFrame | null): (version: Version) => WireFrame | null {
  const frames = new Map<Version, WireFrame | null>();
  return (version) => {
    let frame = frames.get(version);
    if (frame === undefined) {
      frame = encode(version);
      frames.set(version, frame);
    }
    return frame;
  };
}
