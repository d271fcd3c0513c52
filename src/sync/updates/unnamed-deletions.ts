// What an update deletes without saying so (GB4).
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { DecodedUpdate } from './decoded-update.ts';
import { type DeletedRange, writeDeletes } from './write-deletes.ts';

/**
 * An update that deletes the structs which `decoded` has without their content and does not name as deleted. Null: there are none, as
 * in whatever Yjs writes itself. Who gets such a struct has it as deleted, and who had it before would keep its content.
 */
export function unnamedDeletions({ structs, deletes }: DecodedUpdate): Bytes | null {
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
