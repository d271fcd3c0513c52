// One message on its way to many sockets: encoded once per protocol version, however many receive it.
import { type Broadcast, encodeBroadcast, encodeJsonText, encodeMessage } from './frame-encoder.ts';
import type { JsonObject, Version, WireFrame } from './wire-message.ts';

export type Delivery = {
  /** What a policy must allow its receiver to read. */
  readonly extension: 'broadcast' | 'presence';
  /** Of the row of a message from the database. */
  readonly messageId: string | null;
  /** Null: this version cannot carry it. */
  readonly frame: (version: Version) => WireFrame | null;
};

export function broadcastDelivery(broadcast: Broadcast): Delivery {
  return {
    extension: 'broadcast',
    messageId: broadcast.meta?.id ?? null,
    frame: once((version) => encodeBroadcast(version, broadcast)),
  };
}

/** A message with a JSON payload that is the same for all: a broadcast sent as text, or a presence diff. */
export function messageDelivery(topic: string, event: 'broadcast' | 'presence_diff', payload: JsonObject): Delivery {
  return {
    extension: event === 'broadcast' ? 'broadcast' : 'presence',
    messageId: null,
    frame: once((version) => asBytes(encodeMessage(version, { joinRef: null, ref: null, topic, event, payload }))),
  };
}

/** A change of a table: told with the ids that each receiver knows its subscriptions by. */
export type ChangeDelivery = {
  readonly frame: (version: Version, topic: string, ids: readonly number[]) => WireFrame;
};

/** `data` is JSON text. */
export function changeDelivery(data: string): ChangeDelivery {
  const frames = new Map<string, WireFrame>();
  return {
    frame(version, topic, ids) {
      const key = `${version} ${ids.join()} ${topic}`;
      const known = frames.get(key);
      if (known !== undefined) return known;
      const envelope = { joinRef: null, ref: null, topic, event: 'postgres_changes' };
      const frame = asBytes(encodeJsonText(version, envelope, `{"ids":${JSON.stringify(ids)},"data":${data}}`));
      frames.set(key, frame);
      return frame;
    },
  };
}

/** A string would be turned into UTF-8 again for each socket. */
const asBytes = ({ data }: WireFrame): WireFrame => ({ data: Buffer.from(data), binary: false });

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
