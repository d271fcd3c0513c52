// Splits a large own edit into smaller ones (SZ1): undo of a deleted megabyte, a page copied by a program, a paste of
// formatted text. Knows updates only, not where they go.
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import { type DecodedUpdate, clientIds, decodeUpdate } from './decoded-update.ts';
import { type DeletedRange, writeDeletes } from './write-deletes.ts';

/** A larger edit is numbered in pieces; two of them still merge into one append. */
export const MAX_PIECE_BYTES = 256 * 1024;

/** Counts, client and clock before a piece, and ids before a struct: ten bytes each at most. */
const HEADER_BYTES = 64;
/** UTF-8 of one UTF-16 unit. */
const UNIT_BYTES = 3;
/** Client, count, clock and length. */
const RANGE_BYTES = 40;

/**
 * The update in pieces of at most `maxBytes`, to be applied in this order: each is complete after the ones before it,
 * and together they say the same as the whole. Deletions come last: a reader of half the pieces sees words twice, not gaps.
 * A single value is never cut (an embed, one element of an array), so its piece may be larger. The same goes for an
 * update with structs of several clients, which no local transaction makes.
 */
export function splitUpdate(update: Bytes, maxBytes: number): readonly Bytes[] {
  const decoded = update.length > maxBytes ? decodeUpdate(update) : null;
  if (decoded === null || clientIds(decoded).size > 1 || decoded.structs.some((one) => one instanceof Y.Skip)) {
    return [update];
  }
  const structs = structPieces(decoded, maxBytes);
  const deletes = rangesOf(decoded);
  const last = structs.at(-1);
  if (last !== undefined && last.bytes.length + deletes.length * RANGE_BYTES <= maxBytes - HEADER_BYTES) {
    return structs.map((piece) => encode(piece, piece === last ? deletes : []));
  }
  const perPiece = Math.max(1, Math.floor((maxBytes - HEADER_BYTES) / RANGE_BYTES));
  const deletePieces: Bytes[] = [];
  for (let at = 0; at < deletes.length; at += perPiece) {
    deletePieces.push(encode(null, deletes.slice(at, at + perPiece)));
  }
  return [...structs.map((piece) => encode(piece, [])), ...deletePieces];
}

type StructPiece = {
  readonly client: number;
  readonly clock: number;
  readonly count: number;
  readonly bytes: Uint8Array;
};

/** V1 writes each struct by itself, so the output of one encoder can be cut where structs end. */
function structPieces({ structs }: DecodedUpdate, maxBytes: number): readonly StructPiece[] {
  const encoder = new Y.UpdateEncoderV1();
  const parts: { readonly id: Y.ID; readonly start: number; readonly end: number }[] = [];
  for (const struct of structs) {
    for (const part of cut(struct, maxBytes - 2 * HEADER_BYTES)) {
      const start = encoding.length(encoder.restEncoder);
      part.write(encoder, 0);
      parts.push({ id: part.id, start, end: encoding.length(encoder.restEncoder) });
    }
  }
  const all = encoding.toUint8Array(encoder.restEncoder);
  const pieces: StructPiece[] = [];
  for (let at = 0; at < parts.length;) {
    const first = parts[at];
    if (first === undefined) break;
    let count = 1;
    let { end } = first;
    for (let next = parts[at + 1]; next !== undefined; next = parts[at + count]) {
      if (next.end - first.start > maxBytes - HEADER_BYTES) break;
      ({ end } = next);
      count += 1;
    }
    pieces.push({ client: first.id.client, clock: first.id.clock, count, bytes: all.subarray(first.start, end) });
    at += count;
  }
  return pieces;
}

/** Cuts a struct with long content as Yjs itself would split it. */
function cut(struct: DecodedUpdate['structs'][number], maxBytes: number): readonly DecodedUpdate['structs'][number][] {
  if (!(struct instanceof Y.Item)) return [struct];
  const { content } = struct;
  if (content instanceof Y.ContentString) return partsOf(struct, cutsOfText(content.str, maxBytes), content);
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) {
    return partsOf(struct, cutsOfValues(content, maxBytes), content);
  }
  return [struct];
}

function partsOf(
  item: Y.Item,
  cuts: readonly number[],
  content: Y.ContentString | Y.ContentAny | Y.ContentJSON,
): readonly Y.Item[] {
  if (cuts.length === 0) return [item];
  const { client, clock } = item.id;
  return [0, ...cuts].map((from, index) => {
    const to = cuts[index];
    const origin = from === 0 ? item.origin : Y.createID(client, clock + from - 1);
    const part =
      content instanceof Y.ContentString
        ? new Y.ContentString(content.str.slice(from, to))
        : content instanceof Y.ContentAny
          ? new Y.ContentAny(content.arr.slice(from, to))
          : new Y.ContentJSON(content.arr.slice(from, to));
    const id = Y.createID(client, clock + from);
    return new Y.Item(id, null, origin, null, item.rightOrigin, item.parent, item.parentSub, part);
  });
}

/** Never cuts a surrogate pair: Yjs turns its halves into question marks. */
function cutsOfText(text: string, maxBytes: number): readonly number[] {
  const units = Math.max(2, Math.floor(maxBytes / UNIT_BYTES));
  const cuts: number[] = [];
  for (let at = units; at < text.length; at += units) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) at -= 1;
    cuts.push(at);
  }
  return cuts;
}

function cutsOfValues(content: Y.ContentAny | Y.ContentJSON, maxBytes: number): readonly number[] {
  const encoder = new Y.UpdateEncoderV1();
  const cuts: number[] = [];
  let start = 0;
  content.arr.forEach((value: unknown, at) => {
    const before = encoding.length(encoder.restEncoder);
    const alone = content instanceof Y.ContentAny ? new Y.ContentAny([value]) : new Y.ContentJSON([value]);
    alone.write(encoder, 0);
    if (before === start || encoding.length(encoder.restEncoder) - start <= maxBytes) return;
    start = before;
    cuts.push(at);
  });
  return cuts;
}

const rangesOf = ({ deletes }: DecodedUpdate): readonly DeletedRange[] =>
  [...deletes].flatMap(([client, ranges]) => ranges.map(({ clock, len }) => ({ client, clock, len })));

/** Layout of Yjs's update V1: structs by client, then deleted ranges by client. */
function encode(structs: StructPiece | null, ranges: readonly DeletedRange[]): Bytes {
  const out = encoding.createEncoder();
  encoding.writeVarUint(out, structs === null ? 0 : 1);
  if (structs !== null) {
    encoding.writeVarUint(out, structs.count);
    encoding.writeVarUint(out, structs.client);
    encoding.writeVarUint(out, structs.clock);
    encoding.writeUint8Array(out, structs.bytes);
  }
  writeDeletes(out, ranges);
  return new Uint8Array(encoding.toUint8Array(out));
}
