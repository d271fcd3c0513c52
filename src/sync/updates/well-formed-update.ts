// Checks that a decoded update is one that Yjs could have written (GB2). The update alone decides, so that every client
// decides alike. A malformed one makes Yjs throw in the middle of a transaction, count wrongly, or work for minutes.
import * as Y from 'yjs';

/** A session that typed for a year without a pause would not use a hundredth of it. */
const MAX_CLOCK = 2 ** 32;
/**
 * The depth of one value, as of an attribute or an embed. Deeper ones overflow the stack, at a depth that differs
 * between browsers.
 */
const MAX_VALUE_DEPTH = 64;

type Ranges = readonly { readonly clock: number; readonly len: number }[];

export function isWellFormed(
  structs: readonly (Y.Item | Y.GC | Y.Skip)[],
  deletes: ReadonlyMap<number, Ranges>,
): boolean {
  return structs.every(isWellFormedStruct) && [...deletes.values()].every(areWellFormedRanges);
}

function isWellFormedStruct(struct: Y.Item | Y.GC | Y.Skip): boolean {
  const { client, clock } = struct.id;
  // An empty struct takes no clock, so the next one would have the same position.
  if (!isNumber(client) || !isNumber(clock) || !(struct.length > 0) || clock + struct.length > MAX_CLOCK) return false;
  if (!(struct instanceof Y.Item)) return true;
  for (const id of [struct.origin, struct.rightOrigin, struct.parent]) {
    if (!(id instanceof Y.ID)) continue;
    // V2 writes differences, which may lead below zero.
    if (!isNumber(id.client) || !isNumber(id.clock)) return false;
    // A client refers only to its own earlier structs; Yjs looks them up without checking that they exist.
    if (id.client === client && id.clock >= clock) return false;
  }
  // There is no position between an item and itself: where it ends up would depend on who applies it when.
  if (struct.origin !== null && Y.compareIDs(struct.origin, struct.rightOrigin)) return false;
  return isWellFormedContent(struct.content);
}

const isNumber = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function isWellFormedContent(content: Y.Item['content']): boolean {
  if (content instanceof Y.ContentAny || content instanceof Y.ContentJSON) return isShallow(content.arr);
  if (content instanceof Y.ContentEmbed) return isShallow(content.embed);
  if (content instanceof Y.ContentFormat) return isShallow(content.value);
  return true;
}

/** Yjs writes ranges sorted and merged. With thousands that overlap it would walk the same text once for each. */
function areWellFormedRanges(ranges: Ranges): boolean {
  let end = 0;
  for (const { clock, len } of ranges) {
    if (!(len >= 1) || !(clock >= end) || clock + len > MAX_CLOCK) return false;
    end = clock + len;
  }
  return true;
}

/** Level by level, because recursion would overflow the stack it protects. */
function isShallow(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) return false;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !(one instanceof Uint8Array) ? Object.values(one) : [],
    );
  }
  return true;
}
