// One message on its way to many sockets: encoded once per protocol version, however many receive it.
import { type Broadcast, encodeBroadcast, encodeMessage } from './frame-encoder.ts';
import type { JsonObject, Version, WireFrame } from './wire-message.ts';

export type Delivery = {
  /** What a policy must allow its receiver to read. */
  readonly extension: 'broadcast' | 'presence';
  /** Null: this version cannot carry it. */
  readonly frame: (version: Version) => WireFrame | null;
};

export function broadcastDelivery(broadcast: Broadcast): Delivery {
  return { extension: 'broadcast', frame: once((version) => encodeBroadcast(version, broadcast)) };
}

/** A message with a JSON payload that is the same for all: a broadcast sent as text, or a presence diff. */
export function messageDelivery(topic: string, event: 'broadcast' | 'presence_diff', payload: JsonObject): Delivery {
  return {
    extension: event === 'broadcast' ? 'broadcast' : 'presence',
    frame: once((version) => {
      const { data } = encodeMessage(version, { joinRef: null, ref: null, topic, event, payload });
      // As bytes: a string would be turned into UTF-8 again for each socket.
      return { data: Buffer.from(data), binary: false };
    }),
  };
}

function once(encode: (version: Version) => WireFrame | null): (version: Version) => WireFrame | null {
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
