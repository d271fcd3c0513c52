// Writes the editor's edit into the document step by step, so that an edit in several places of one text changes only
// those places. A comparison of the text before and after finds one difference, from the first character to the last: text
// that others type in between at that moment would end up elsewhere.
import { Mark, type Node, type ResolvedPos } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { ReplaceStep, type Step } from '@tiptap/pm/transform';
import { bodyParts, elementAt } from 'weft-document/body-parts.ts';
import { textChange } from 'weft-document/title.ts';
import * as Y from 'yjs';
import { formatOfMarks } from './write-text.ts';

/** A change within one text: the `removed` characters at the start position become `pieces`. */
type TextReplacement = { readonly $from: ResolvedPos; readonly removed: string; readonly pieces: readonly Node[] };

/**
 * Writes the characters that these transactions change. Everything else (blocks, attributes, marks of characters that stay)
 * is left to the comparison of page and document that follows. `catchUp` writes an intermediate page and returns
 * whether it could.
 */
export function writeSteps(
  body: Y.XmlFragment,
  transactions: readonly Transaction[],
  catchUp: (page: Node) => boolean,
): void {
  let isCaughtUp = true;
  let elementAtIndex = elementFinder(body, transactions);
  for (const { steps, docs } of transactions) {
    for (const [index, step] of steps.entries()) {
      const page = docs[index];
      if (page === undefined) return;
      const change = textReplacement(step, page);
      if (change === null) {
        isCaughtUp &&= !movesPositions(step);
        continue;
      }
      if (!isCaughtUp) {
        isCaughtUp = catchUp(page);
        elementAtIndex = elementFinder(body, transactions);
      }
      const text = isCaughtUp ? textAt(elementAtIndex, change.$from) : null;
      if (text === null) isCaughtUp = false;
      else writeReplacement(text, change);
    }
  }
}

/** Null if the step does not replace whole characters (T11 in docs/losses.md) within one text. */
function textReplacement(step: Step, page: Node): TextReplacement | null {
  if (!(step instanceof ReplaceStep)) return null;
  const { from, to, slice } = step;
  const pieces = slice.content.content;
  if (slice.openStart > 0 || slice.openEnd > 0 || pieces.some((piece) => !piece.isText)) return null;
  const $from = page.resolve(from);
  const $to = page.resolve(to);
  if (!$from.parent.isTextblock || !$from.sameParent($to) || splitsSurrogates($from) || splitsSurrogates($to))
    return null;
  if (!pieces.every(({ text = '' }) => text.isWellFormed())) return null;
  return { $from, removed: $from.parent.textBetween($from.parentOffset, $to.parentOffset), pieces };
}

const splitsSurrogates = ({ parent, parentOffset }: ResolvedPos): boolean =>
  !parent.textBetween(Math.max(0, parentOffset - 1), parentOffset).isWellFormed() &&
  !parent.textBetween(parentOffset, Math.min(parentOffset + 1, parent.content.size)).isWellFormed();

function movesPositions(step: Step): boolean {
  let moves = false;
  step.getMap().forEach(() => {
    moves = true;
  });
  return moves;
}

type ElementFinder = (index: number) => Y.XmlElement | null;

/** A single key is found by a walk to its block; for many steps it is faster to list all blocks first. */
function elementFinder(body: Y.XmlFragment, transactions: readonly Transaction[]): ElementFinder {
  if (transactions.length === 1 && transactions[0]?.steps.length === 1) return (index) => elementAt(body, index);
  const parts = bodyParts(body);
  return (index) => parts[index]?.element ?? null;
}

/** The text of the block or cell that contains the position; null if the document has no text of that length there. */
function textAt(elementAtIndex: ElementFinder, $at: ResolvedPos): Y.XmlText | null {
  let node: unknown = null;
  for (let depth = 0; depth < $at.depth; depth++) {
    const index = $at.index(depth);
    node = depth === 0 ? elementAtIndex(index) : node instanceof Y.XmlElement ? node.get(index) : null;
    if (!(node instanceof Y.XmlElement) || node.nodeName !== $at.node(depth + 1).type.name) return null;
  }
  const text = node instanceof Y.XmlElement && node.length === 1 ? node.get(0) : null;
  return text instanceof Y.XmlText && text.length === $at.parent.content.size ? text : null;
}

function writeReplacement(text: Y.XmlText, { $from, removed, pieces }: TextReplacement): void {
  const { parent, parentOffset: offset } = $from;
  const [piece] = pieces;
  const marks = marksBetween(parent, offset, offset + removed.length);
  if (piece?.text !== undefined && pieces.length === 1 && marks !== null && Mark.sameSet(marks, piece.marks)) {
    // If a word is replaced by a similar one, only the characters that differ are written.
    const { index, remove, insert } = textChange(removed, piece.text);
    text.delete(offset + index, remove);
    text.insert(offset + index, insert, formatOfMarks(piece.marks));
    return;
  }
  text.delete(offset, removed.length);
  let at = offset;
  for (const { text: words = '', marks: pieceMarks } of pieces) {
    text.insert(at, words, formatOfMarks(pieceMarks));
    at += words.length;
  }
}

/** The marks of all characters in a range; null if they differ or there are none. */
function marksBetween(parent: Node, from: number, to: number): readonly Mark[] | null {
  let marks: readonly Mark[] | null = null;
  let isMixed = false;
  parent.nodesBetween(from, to, (node) => {
    isMixed ||= marks !== null && !Mark.sameSet(marks, node.marks);
    marks = node.marks;
  });
  return isMixed ? null : marks;
}
