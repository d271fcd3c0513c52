// The reader's own edits since their last visit, also those typed offline or in another tab: none of them is news to them, even
// in a block that others changed too.
import type { PageChanges, TextRange } from 'weft-document/changes/page-changes.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';

/** The edits of the reader's rows, with the dependencies in them that are the reader's. Those in others' rows may be forged. */
export const ownUpdates = (rows: readonly Row[], own: ReadonlySet<SessionId>): readonly Bytes[] =>
  rows
    .filter(({ session }) => own.has(session))
    .flatMap((row) => [...row.dependencies.filter(({ session }) => own.has(session)), row])
    .flatMap(({ update }) => (update.length > 0 && decodeUpdate(update) !== null ? [update] : []));

/** The page as of the visit, with the reader's edits since. Those that build on what others wrote since stay out. */
export function withOwnEdits(visited: Y.Doc, updates: readonly Bytes[]): Y.Doc {
  if (updates.length === 0) return visited;
  const doc = newDoc(0);
  Y.applyUpdateV2(doc, Y.encodeStateAsUpdateV2(visited));
  for (const update of updates) Y.applyUpdate(doc, update);
  return doc;
}

/** Takes out of the insertions the reader's own words within words that others wrote since. */
export function withoutOwnWords(changes: PageChanges, after: Y.Doc, updates: readonly Bytes[]): PageChanges {
  if (updates.length === 0) return changes;
  const isOwn = ownClocks(updates);
  const texts = new Map(
    bodyOf(after)
      .toArray()
      .flatMap((block) => (block instanceof Y.XmlElement && block._item !== null ? [[keyOf(block._item), block]] : [])),
  );
  const blocks = changes.blocks.flatMap((change) => {
    const block = texts.get(change.key);
    if (change.text === null || block === undefined || change.text.inserted.length === 0) return [change];
    const inserted = change.text.inserted.flatMap((range) => othersIn(range, ownRanges(block, isOwn)));
    const rest = { ...change, text: { ...change.text, inserted } };
    const isEmpty =
      inserted.length + rest.text.removed.length + rest.text.formatted.length + rest.attributes.length === 0;
    return isEmpty && !rest.isMoved && rest.before !== null ? [] : [rest];
  });
  return { ...changes, blocks };
}

const keyOf = ({ id }: Y.Item): string => `${id.client}.${id.clock}`;

function ownClocks(updates: readonly Bytes[]): (client: number, clock: number) => boolean {
  const ranges = new Map<number, { from: number; to: number }[]>();
  for (const update of updates) {
    for (const { id, length } of decodeUpdate(update)?.structs ?? []) {
      const known = ranges.get(id.client) ?? [];
      const last = known.at(-1);
      if (last?.to === id.clock) last.to += length;
      else known.push({ from: id.clock, to: id.clock + length });
      ranges.set(id.client, known);
    }
  }
  return (client, clock) => ranges.get(client)?.some(({ from, to }) => from <= clock && clock < to) === true;
}

/** Offsets in the block's text. An item is one person's, but two of one person's rows may have become one. */
function ownRanges(block: Y.XmlElement, isOwn: ReturnType<typeof ownClocks>): readonly TextRange[] {
  const found: { from: number; to: number }[] = [];
  let at = 0;
  for (const child of block.toArray()) {
    if (!(child instanceof Y.XmlText)) continue;
    for (let item = child._start; item !== null; item = item.right) {
      if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
      for (let unit = 0; unit < item.length; unit++) {
        if (!isOwn(item.id.client, item.id.clock + unit)) continue;
        const last = found.at(-1);
        if (last?.to === at + unit) last.to += 1;
        else found.push({ from: at + unit, to: at + unit + 1 });
      }
      at += item.length;
    }
  }
  return found;
}

/** The parts of a range outside of the others, which are in order. */
function othersIn({ from, to }: TextRange, own: readonly TextRange[]): readonly TextRange[] {
  const rest: TextRange[] = [];
  let at = from;
  for (const one of own) {
    if (one.to <= at || one.from >= to) continue;
    if (one.from > at) rest.push({ from: at, to: one.from });
    at = one.to;
  }
  if (at < to) rest.push({ from: at, to });
  return rest;
}
