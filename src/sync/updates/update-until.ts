// Cuts an update: keeps its structs and deletions below a clock of each client.
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { type ClockOf, decodeUpdate } from './decoded-update.ts';
import { writeDeletes } from './write-deletes.ts';

type Struct = Y.Item | Y.GC | Y.Skip;

/** Null if the bytes are no update. What remains must not build on the rest. */
export function updateUntil(update: Bytes, end: ClockOf): Bytes | null {
  const decoded = decodeUpdate(update);
  if (decoded === null) return null;
  const structs = decoded.structs.flatMap((one) => beginningOf(one, end(one.id.client)) ?? []);
  const ranges = Array.from(decoded.deletes).flatMap(([client, all]) =>
    all
      .map(({ clock, len }) => ({ client, clock, len: Math.min(len, end(client) - clock) }))
      .filter(({ len }) => len > 0),
  );
  const encoder = new Y.UpdateEncoderV1();
  const out = encoder.restEncoder;
  const clients = Map.groupBy(structs, ({ id }) => id.client);
  encoding.writeVarUint(out, clients.size);
  for (const [client, own] of clients) {
    encoding.writeVarUint(out, own.length);
    encoder.writeClient(client);
    encoding.writeVarUint(out, own[0]?.id.clock ?? 0);
    for (const struct of own) struct.write(encoder, 0);
  }
  writeDeletes(out, ranges);
  return new Uint8Array(encoder.toUint8Array());
}

/** Null: all of it is beyond. The struct is ours alone: no one else has decoded it. */
function beginningOf(struct: Struct, end: number): Struct | null {
  const { id, length } = struct;
  const left = Math.min(length, end - id.clock);
  if (left <= 0) return null;
  if (left === length) return struct;
  if (!(struct instanceof Y.Item)) return struct instanceof Y.GC ? new Y.GC(id, left) : null;
  const { content, origin, parent, parentSub, rightOrigin } = struct;
  // As Yjs splits an item: the content keeps its beginning.
  content.splice(left);
  return new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, content);
}
