// The part of an update that a copy of the page lacks.
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { ClockOf, DecodedUpdate } from './decoded-update.ts';
import { mergeUpdates } from './merge-updates.ts';
import { type DeletedRange, writeDeletes } from './write-deletes.ts';

/**
 * The update without the structs that `have` holds already: the part to apply. If a struct is there only in part, Yjs
 * puts the rest behind what it finds; if that has become garbage and the causes name a living position, Yjs throws half
 * way. Cut off, the rest builds on its own beginning, as the author's next edit would. Honest parts overlap too:
 * appends and live updates repeat edits together with newer ones (D1, L1). What it deletes without saying so is added
 * (GB4).
 */
export function withoutKnown(update: Bytes, decoded: DecodedUpdate, have: ClockOf): Bytes {
  const known = new Map<number, number>();
  for (const struct of decoded.structs) {
    const { client, clock } = struct.id;
    if (clock < have(client) && !(struct instanceof Y.Skip)) known.set(client, have(client));
  }
  const rest = known.size === 0 ? update : new Uint8Array(Y.diffUpdate(update, Y.encodeStateVector(known)));
  const unnamed = unnamedDeletions(decoded);
  return unnamed === null ? rest : mergeUpdates([rest, unnamed]);
}

/**
 * GB4: an update that deletes what `decoded` has without its content and does not name as deleted. Null: there is nothing, as in
 * whatever Yjs writes itself. A client that gets such a struct has it as deleted; one that had it before would keep its
 * content.
 */
function unnamedDeletions({ structs, deletes }: DecodedUpdate): Bytes | null {
  const unnamed: DeletedRange[] = [];
  // Both are in order.
  const passed = new Map<number, number>();
  for (const struct of structs) {
    if (!isWithoutContent(struct)) continue;
    const { client, clock } = struct.id;
    const ranges = deletes.get(client) ?? [];
    let at = passed.get(client) ?? 0;
    for (let range = ranges[at]; range !== undefined && range.clock + range.len <= clock; range = ranges[at]) at += 1;
    passed.set(client, at);
    const range = ranges[at];
    const isNamed = range !== undefined && range.clock <= clock && clock + struct.length <= range.clock + range.len;
    if (!isNamed) unnamed.push({ client, clock, len: struct.length });
  }
  if (unnamed.length === 0) return null;
  const out = encoding.createEncoder();
  encoding.writeVarUint(out, 0);
  writeDeletes(out, unnamed);
  return new Uint8Array(encoding.toUint8Array(out));
}

const isWithoutContent = (struct: DecodedUpdate['structs'][number]): boolean =>
  struct instanceof Y.GC || (struct instanceof Y.Item && struct.content instanceof Y.ContentDeleted);
