// Compares two updates that claim to hold the same edits, clock by clock, however Yjs has cut or joined the structs. An
// honest client passes on the bytes it received, or merges of them: ids, positions and content stay the same.
import * as Y from 'yjs';
import { equalBytes } from '../../lib/bytes.ts';
import { valueText } from './content.ts';
import type { DecodedUpdate } from './decoded-update.ts';

type Struct = Y.Item | Y.GC | Y.Skip;

/** True if at some clock of this client, from `from` on, both hold something, and not the same. */
export function contradicts(claim: DecodedUpdate, known: DecodedUpdate, client: number, from: number): boolean {
  const own = structsOf(known, client);
  let at = 0;
  for (const struct of structsOf(claim, client)) {
    for (; at < own.length; at += 1) {
      const other = own[at];
      if (other === undefined || other.id.clock >= endOf(struct)) break;
      const low = Math.max(struct.id.clock, other.id.clock, from);
      const high = Math.min(endOf(struct), endOf(other));
      if (low < high && !isSame(struct, other, low, high)) return true;
      // The other side's next struct may reach into this one too.
      if (endOf(other) > endOf(struct)) break;
    }
  }
  return false;
}

const endOf = (struct: Struct): number => struct.id.clock + struct.length;

const structsOf = ({ structs }: DecodedUpdate, client: number): readonly Struct[] =>
  structs
    .filter((struct) => struct.id.client === client && !(struct instanceof Y.Skip))
    .sort((a, b) => a.id.clock - b.id.clock);

function isSame(one: Struct, other: Struct, low: number, high: number): boolean {
  if (!(one instanceof Y.Item) || !(other instanceof Y.Item)) return one.constructor === other.constructor;
  const [origin, otherOrigin] = [originAt(one, low), originAt(other, low)];
  if (!Y.compareIDs(origin, otherOrigin) || !Y.compareIDs(one.rightOrigin, other.rightOrigin)) return false;
  // Only an item without neighbors names its parent.
  if (origin === null && one.rightOrigin === null && !isSameParent(one, other)) return false;
  return isSameContent(one, other, low, high);
}

/** The origin of a piece in the middle of a struct is the piece before it. */
const originAt = (item: Y.Item, clock: number): Y.ID | null =>
  clock === item.id.clock ? item.origin : Y.createID(item.id.client, clock - 1);

function isSameParent({ parent, parentSub }: Y.Item, other: Y.Item): boolean {
  if (parentSub !== other.parentSub) return false;
  if (parent instanceof Y.ID && other.parent instanceof Y.ID) return Y.compareIDs(parent, other.parent);
  return parent === other.parent;
}

function isSameContent(one: Y.Item, other: Y.Item, low: number, high: number): boolean {
  const [a, b] = [one.content, other.content];
  const [from, otherFrom, length] = [low - one.id.clock, low - other.id.clock, high - low];
  if (a instanceof Y.ContentString && b instanceof Y.ContentString) {
    const [text, otherText] = [a.str.slice(from, from + length), b.str.slice(otherFrom, otherFrom + length)];
    return text === otherText;
  }
  if (a instanceof Y.ContentAny && b instanceof Y.ContentAny)
    return valueText(a.arr.slice(from, from + length)) === valueText(b.arr.slice(otherFrom, otherFrom + length));
  if (a instanceof Y.ContentJSON && b instanceof Y.ContentJSON)
    return valueText(a.arr.slice(from, from + length)) === valueText(b.arr.slice(otherFrom, otherFrom + length));
  if (a instanceof Y.ContentDeleted) return b instanceof Y.ContentDeleted;
  return a.constructor === b.constructor && a.getLength() === 1 && equalBytes(written(a), written(b));
}

function written(content: Y.Item['content']): Uint8Array {
  const encoder = new Y.UpdateEncoderV1();
  content.write(encoder, 0);
  return encoder.toUint8Array();
}
