// Finds where the text of a deleted block lives now: in the copy with the same id if the block was moved, or in the
// previous block if the two were joined.
import * as Y from 'yjs';
import { blockWithId } from '../blocks/duplicate-moves.ts';
import { deltaOf } from '../body/parse-body.ts';
import { compareYjsIds } from '../compare-yjs-ids.ts';
import { CELL, bodyOf } from '../names.ts';
import { MOVED, cellsOf, isTable, rowsOf } from '../tables/table-grid.ts';
import { mapIndex, textChange } from '../title.ts';
import type { PathInPart } from './deleted-part.ts';
import { type LostText, insertedRuns, previousLivingBlock } from './lost-texts.ts';

/** The range of `text` that holds the content of the lost text. It starts at `from`. */
export type RelocatedText = { readonly text: Y.XmlText; readonly from: number; readonly content: string };

/** The same with a position that survives edits before it. */
export type JoinedText = { readonly start: Y.RelativePosition; readonly content: string };

/** Shorter ranges occur too often to identify one. */
const MIN_MATCH = 3;

/** The text in the copy that a move left; null if there is none, or it is not clear which. Works at any later time. */
export function findMovedText(
  { part, key, path, seen }: Pick<LostText, 'part' | 'key' | 'path' | 'seen'>,
  doc: Y.Doc,
): RelocatedText | null {
  const copy = copyOfPart(part, key, doc);
  if (copy === null) return null;
  const texts = textNodesIn(copy);
  // A table contains many texts: take the only one with the same content, or the one at the same place.
  const same = texts.filter((one) => plainText(one) === seen && seen !== '');
  const found = texts.length === 1 ? texts[0] : same.length === 1 ? same[0] : textAt(copy, path);
  return found === undefined || found === null ? null : { text: found, from: 0, content: plainText(found) };
}

/** The text in the previous block, or null if it is not there. Call this while the transaction's listeners run. */
export function findJoinedText({ block, part, seen }: LostText, transaction: Y.Transaction): JoinedText | null {
  const before = part === block ? previousLivingBlock(block) : null;
  const [text] = before === null ? [] : textNodesIn(before);
  if (text === undefined || seen.length < MIN_MATCH) return null;
  // All of it, or as much of its end as was not deleted at the same time.
  for (const { at, text: inserted } of insertedRuns(text, transaction)) {
    for (let cut = 0; seen.length - cut >= MIN_MATCH; cut++) {
      const found = inserted.indexOf(seen.slice(cut));
      if (found >= 0) {
        const start = Y.createRelativePositionFromTypeIndex(text, at + found);
        return { start, content: inserted.slice(found, found + seen.length - cut) };
      }
      // Trying every possible end of a long text is slow: at least half of it must remain.
      if (cut > seen.length / 2) break;
    }
  }
  return null;
}

/** Finds the joined text's place in the document, or null if the text around it has been deleted since. */
export function resolveJoinedText(joined: JoinedText | null, doc: Y.Doc): RelocatedText | null {
  const position = joined === null ? null : Y.createAbsolutePositionFromRelativePosition(joined.start, doc);
  if (joined === null || !(position?.type instanceof Y.XmlText) || position.type._item?.deleted !== false) return null;
  return { text: position.type, from: position.index, content: joined.content };
}

/** Inserts the lost runs at their places in the relocated text. */
export function insertLostRuns(
  { text, from, content }: RelocatedText,
  { seen, runs }: Pick<LostText, 'seen' | 'runs'>,
): void {
  const change = textChange(seen, content);
  // Start at the end, so that earlier offsets stay valid.
  for (const run of runs.toReversed()) text.insert(from + mapIndex(run.at, change), run.text);
}

export const plainText = (text: Y.XmlText): string =>
  deltaOf(text)
    .map(({ insert }) => (typeof insert === 'string' ? insert : ''))
    .join('');

export function textNodesIn(node: Y.XmlElement): readonly Y.XmlText[] {
  return (node.toArray() as readonly unknown[]).flatMap((child) => {
    if (child instanceof Y.XmlText) return [child];
    return child instanceof Y.XmlElement ? textNodesIn(child) : [];
  });
}

/** The part where someone moved it; null if it is gone. */
export function copyOfPart(part: Y.XmlElement, key: string | null, doc: Y.Doc): Y.XmlElement | null {
  const { parent } = part;
  if (key === null || parent === bodyOf(doc)) return key === null ? null : blockWithId(bodyOf(doc), key);
  // The row of a moved cell may have been moved since.
  const table: unknown = part.nodeName === CELL ? parent?.parent : parent;
  if (!isTable(table)) return null;
  const lines = part.nodeName === CELL ? rowsOf(table).flatMap(cellsOf) : rowsOf(table);
  return lines.filter((one) => one.getAttribute(MOVED) === key).toSorted(compareYjsIds)[0] ?? null;
}

/** Null if the copy has other rows or cells by now: better a card than words in the wrong cell. */
function textAt(copy: Y.XmlElement, path: PathInPart): Y.XmlText | null {
  let found: unknown = copy;
  for (const { at, of } of path) {
    const children: readonly unknown[] = found instanceof Y.XmlElement ? found.toArray() : [];
    found = children.length === of ? children[at] : null;
  }
  return found instanceof Y.XmlText ? found : null;
}
