// A caret inside a live update: two relative positions, packed, or the id of a text beside the page. Parses what the editor's
// binding writes (JSON relative positions) and what peers send. Layout: 0 = no caret · 1 position = anchor and head at one
// place · 2 position position = anchor, head · 3 id = beside the page. A position is its length + Y.encodeRelativePosition.
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import * as v from 'valibot';
import * as Y from 'yjs';
import { type Bytes, equalBytes } from '../../lib/bytes.ts';
import { idParser } from '../protocol/ids.ts';

const clock = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const id = v.object({ client: clock, clock });
const position = v.object({
  type: v.nullish(id),
  tname: v.nullish(v.string()),
  item: v.nullish(id),
  assoc: v.optional(v.pipe(v.number(), v.integer())),
});
const cursor = v.object({ anchor: position, head: position });
/** The person writes in a text that is not in the page: a reply to a comment. */
const parseBeside = idParser();

export type RelativePosition = v.InferOutput<typeof position>;
export type Cursor =
  | { readonly anchor: RelativePosition; readonly head: RelativePosition }
  | { readonly beside: string };

const NO_CARET: Bytes = Uint8Array.of(0);
/** Root types have no longer names, so a longer caret does not come from this app. */
const MAX_CARET_BYTES = 512;

/** Anything that is not a cursor packs as "no caret". */
export function packCaret(value: unknown): Bytes {
  if (typeof value === 'object' && value !== null && 'beside' in value) return packBeside(value.beside);
  const parsed = v.safeParse(cursor, value);
  if (!parsed.success) return NO_CARET;
  const anchor = packPosition(parsed.output.anchor);
  const head = packPosition(parsed.output.head);
  if (anchor === null || head === null) return NO_CARET;
  const encoder = encoding.createEncoder();
  const isCollapsed = equalBytes(anchor, head);
  encoding.writeUint8(encoder, isCollapsed ? 1 : 2);
  encoding.writeVarUint8Array(encoder, anchor);
  if (!isCollapsed) encoding.writeVarUint8Array(encoder, head);
  const packed = new Uint8Array(encoding.toUint8Array(encoder));
  return packed.length > MAX_CARET_BYTES ? NO_CARET : packed;
}

/** Never throws. `undefined`: malformed, to be ignored; null: no caret. */
export function unpackCaret(bytes: Uint8Array): Cursor | null | undefined {
  if (bytes.length === 0 || bytes.length > MAX_CARET_BYTES) return undefined;
  try {
    const decoder = decoding.createDecoder(bytes);
    const kind = decoding.readUint8(decoder);
    if (kind === 0) return decoding.hasContent(decoder) ? undefined : null;
    if (kind === 3) return unpackBeside(decoder);
    if (kind !== 1 && kind !== 2) return undefined;
    const anchor = unpackPosition(decoding.readVarUint8Array(decoder));
    const head = kind === 1 ? anchor : unpackPosition(decoding.readVarUint8Array(decoder));
    if (anchor === null || head === null || decoding.hasContent(decoder)) return undefined;
    return { anchor, head };
  } catch {
    // lib0 throws on bytes that end too early.
    return undefined;
  }
}

function packBeside(id: unknown): Bytes {
  if (typeof id !== 'string' || parseBeside(id) === null) return NO_CARET;
  const encoder = encoding.createEncoder();
  encoding.writeUint8(encoder, 3);
  encoding.writeVarString(encoder, id);
  return new Uint8Array(encoding.toUint8Array(encoder));
}

function unpackBeside(decoder: decoding.Decoder): Cursor | undefined {
  const beside = decoding.readVarString(decoder);
  return parseBeside(beside) === null || decoding.hasContent(decoder) ? undefined : { beside };
}

function packPosition(json: RelativePosition): Uint8Array | null {
  const { type, tname, item } = json;
  if (!item && typeof tname !== 'string' && !type) return null;
  return Y.encodeRelativePosition(Y.createRelativePositionFromJSON(json));
}

function unpackPosition(bytes: Uint8Array): RelativePosition | null {
  const parsed = v.safeParse(position, Y.relativePositionToJSON(Y.decodeRelativePosition(bytes)));
  if (!parsed.success) return null;
  const { type, tname, item } = parsed.output;
  return item || typeof tname === 'string' || type ? parsed.output : null;
}
