// Where words belong whose block somebody moved or joined to the one before: into the copy with the same id, or into
// the words of theirs that stand in the other block now.
import * as Y from 'yjs';
import { blockWithId } from '../blocks/duplicate-moves.ts';
import { type LostText, previousLivingBlock, insertedRuns } from './lost-texts.ts';
import { bodyOf } from '../names.ts';
import { deltaOf } from '../body/parse-body.ts';
import { mapIndex, textChange } from '../title.ts';

/** A stretch of `text` that says what the lost text said; `from` and `said` are it. */
export type RelocatedText = { readonly text: Y.XmlText; readonly from: number; readonly content: string };

/** The same while others may still write before it. */
export type JoinedText = { readonly start: Y.RelativePosition; readonly content: string };

/** Shorter pieces of text stand in too many places to tell which. */
const LEAST_MATCH = 3;

/** The copy that a move left; null where the block is gone for good. At any time after the transaction. */
export function findMovedText(lost: LostText & { readonly id: string | null }, doc: Y.Doc): RelocatedText | null {
  const { block, text, seen, id } = lost;
  const copy = id === null ? null : blockWithId(bodyOf(doc), id);
  if (copy === null) return null;
  const texts = textsIn(copy);
  const [first] = texts;
  // A table has many: the one at the same place, or with the same words.
  const found =
    texts.length === 1
      ? first
      : (texts.find((one) => one.toJSON() === seen && seen !== '') ?? textAtSamePath(text, block, copy));
  return found === undefined || found === null ? null : { text: found, from: 0, content: plainText(found) };
}

/** Their words in the block before; null where they do not stand there. While the transaction's listeners run. */
export function findJoinedText({ block, seen }: LostText, transaction: Y.Transaction): JoinedText | null {
  const before = previousLivingBlock(block);
  const [text] = before === null ? [] : textsIn(before);
  if (text === undefined || seen.length < LEAST_MATCH) return null;
  // All of it, or as much of its end as was not deleted with the rest.
  for (const { at, text: said } of insertedRuns(text, transaction)) {
    for (let cut = 0; seen.length - cut >= LEAST_MATCH; cut++) {
      const found = said.indexOf(seen.slice(cut));
      if (found >= 0) {
        const start = Y.createRelativePositionFromTypeIndex(text, at + found);
        return { start, content: said.slice(found, found + seen.length - cut) };
      }
      // Looking for every end of a long text would take long: half of it must have stayed.
      if (cut > seen.length / 2) break;
    }
  }
  return null;
}

/** Where the joined words stand now; null when they went on somewhere else. */
export function resolveJoinedText(joined: JoinedText | null, doc: Y.Doc): RelocatedText | null {
  const place = joined === null ? null : Y.createAbsolutePositionFromRelativePosition(joined.start, doc);
  if (joined === null || !(place?.type instanceof Y.XmlText) || place.type._item?.deleted !== false) return null;
  return { text: place.type, from: place.index, content: joined.content };
}

/** Puts the runs of a lost text where they belong in its heir. */
export function insertLostRuns(
  { text, from, content }: RelocatedText,
  { seen, runs }: Pick<LostText, 'seen' | 'runs'>,
): void {
  const change = textChange(seen, content);
  // From the end, so that the places before stay right.
  for (const run of runs.toReversed()) text.insert(from + mapIndex(run.at, change), run.text);
}

const plainText = (text: Y.XmlText): string =>
  deltaOf(text)
    .map(({ insert }) => (typeof insert === 'string' ? insert : ''))
    .join('');

function textsIn(node: Y.XmlElement): readonly Y.XmlText[] {
  return (node.toArray() as readonly unknown[]).flatMap((child) => {
    if (child instanceof Y.XmlText) return [child];
    return child instanceof Y.XmlElement ? textsIn(child) : [];
  });
}

/** The text at the same place among all that ever stood in the node: cells keep their order when a table is moved. */
function textAtSamePath(text: Y.XmlText, block: Y.XmlElement, copy: Y.XmlElement): Y.XmlText | null {
  const path: number[] = [];
  let node: Y.XmlText | Y.XmlElement = text;
  while (node !== block) {
    const parent: unknown = node.parent;
    if (!(parent instanceof Y.XmlElement)) return null;
    let index = 0;
    for (let item = node._item?.left ?? null; item !== null; item = item.left) index++;
    path.unshift(index);
    node = parent;
  }
  let found: unknown = copy;
  for (const index of path) found = found instanceof Y.XmlElement ? found.toArray()[index] : null;
  return found instanceof Y.XmlText ? found : null;
}
