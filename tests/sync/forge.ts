// Updates written by hand, struct by struct: what a person who may edit a page can put into its log.
import * as encoding from 'lib0/encoding';
import type { Bytes } from '../../src/lib/bytes.ts';

type ForgedId = readonly [client: number, clock: number];
export type ForgedContent =
  | { readonly ref: 'deleted'; readonly len: number }
  | { readonly ref: 'string'; readonly text: string }
  | { readonly ref: 'any'; readonly values: readonly encoding.AnyEncodable[] }
  | { readonly ref: 'type'; readonly type: number; readonly name?: string }
  | { readonly ref: 'format'; readonly key: string; readonly json: string }
  | { readonly ref: 'embed'; readonly json: string }
  | { readonly ref: 'doc'; readonly guid: string }
  | { readonly ref: 'raw'; readonly number: number; readonly bytes: readonly number[] };
export type ForgedStruct =
  | { readonly gc: number }
  | { readonly skip: number }
  | {
      readonly origin?: ForgedId | null;
      readonly right?: ForgedId | null;
      /** Yjs writes it only when there is neither origin nor right origin. */
      readonly parent?: string | ForgedId;
      readonly sub?: string | null;
      readonly content: ForgedContent;
    };
export type ForgedSection = {
  readonly client: number;
  readonly clock: number;
  readonly structs: readonly ForgedStruct[];
  /** Claims a false number of structs. */
  readonly count?: number;
};
export type ForgedDeletes = { readonly client: number; readonly ranges: readonly ForgedId[]; readonly count?: number };

const REFS = { deleted: 1, string: 4, embed: 5, format: 6, type: 7, any: 8, doc: 9 } as const;
const WITH_NAME = new Set([3, 5]);

/** Layout of Yjs's update V1. */
export function forge(
  sections: readonly ForgedSection[],
  deletes: readonly ForgedDeletes[] = [],
  claimed: number = sections.length,
): Bytes {
  const out = encoding.createEncoder();
  encoding.writeVarUint(out, claimed);
  for (const { client, clock, structs, count } of sections) {
    encoding.writeVarUint(out, count ?? structs.length);
    encoding.writeVarUint(out, client);
    encoding.writeVarUint(out, clock);
    for (const struct of structs) writeStruct(out, struct);
  }
  encoding.writeVarUint(out, deletes.length);
  for (const { client, ranges, count } of deletes) {
    encoding.writeVarUint(out, client);
    encoding.writeVarUint(out, count ?? ranges.length);
    for (const [clock, len] of ranges) {
      encoding.writeVarUint(out, clock);
      encoding.writeVarUint(out, len);
    }
  }
  return new Uint8Array(encoding.toUint8Array(out));
}

function writeStruct(out: encoding.Encoder, struct: ForgedStruct): void {
  if ('gc' in struct) {
    encoding.writeUint8(out, 0);
    encoding.writeVarUint(out, struct.gc);
    return;
  }
  if ('skip' in struct) {
    encoding.writeUint8(out, 10);
    encoding.writeVarUint(out, struct.skip);
    return;
  }
  const { origin = null, right = null, parent = 't', sub = null, content } = struct;
  const ref = content.ref === 'raw' ? content.number : REFS[content.ref];
  encoding.writeUint8(out, ref | (origin ? 0x80 : 0) | (right ? 0x40 : 0) | (sub === null ? 0 : 0x20));
  for (const id of [origin, right]) if (id) writeId(out, id);
  if (origin === null && right === null) {
    encoding.writeVarUint(out, typeof parent === 'string' ? 1 : 0);
    if (typeof parent === 'string') encoding.writeVarString(out, parent);
    else writeId(out, parent);
    if (sub !== null) encoding.writeVarString(out, sub);
  }
  writeContent(out, content);
}

function writeId(out: encoding.Encoder, [client, clock]: ForgedId): void {
  encoding.writeVarUint(out, client);
  encoding.writeVarUint(out, clock);
}

function writeContent(out: encoding.Encoder, content: ForgedContent): void {
  switch (content.ref) {
    case 'deleted':
      encoding.writeVarUint(out, content.len);
      return;
    case 'string':
      encoding.writeVarString(out, content.text);
      return;
    case 'any':
      encoding.writeVarUint(out, content.values.length);
      for (const value of content.values) encoding.writeAny(out, value);
      return;
    case 'type':
      encoding.writeVarUint(out, content.type);
      if (WITH_NAME.has(content.type)) encoding.writeVarString(out, content.name ?? 'block');
      return;
    case 'format':
      encoding.writeVarString(out, content.key);
      encoding.writeVarString(out, content.json);
      return;
    case 'embed':
      encoding.writeVarString(out, content.json);
      return;
    case 'doc':
      encoding.writeVarString(out, content.guid);
      encoding.writeAny(out, {});
      return;
    case 'raw':
      encoding.writeUint8Array(out, Uint8Array.from(content.bytes));
  }
}
