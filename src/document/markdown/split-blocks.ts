// Splits a page into pieces that are written as Markdown one by one. Knows only where a page can be cut.
import { inSameList, indentOf, isNumbered, isQuote } from '../blocks/block-tree.ts';
import { textOfRuns } from '../blocks/block.ts';
import type { AnyBlock } from '../blocks/detached-block.ts';
import { NO_NUMBERS, numbersAfter } from '../blocks/list-numbers.ts';
import type { FileAddresses, MarkdownStyle } from './blocks-to-mdast.ts';

export type MarkdownPiece = {
  readonly blocks: readonly AnyBlock[];
  readonly style: MarkdownStyle;
  /** The name of the footnote that these blocks form. */
  readonly note?: string;
  /** The text between this piece and the next one. */
  readonly joint: string;
};

/** The approximate size of a piece in characters. The page is cut where it allows it. */
const PIECE_CHARACTERS = 16_000;

export function splitBlocks(
  blocks: readonly AnyBlock[],
  headingOffset: 0 | 1,
  addresses?: FileAddresses,
): readonly MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let from = 0;
  let numbers = NO_NUMBERS;
  while (from < blocks.length) {
    const to = pieceEnd(blocks, from);
    const piece = blocks.slice(from, to);
    const [last, next] = [blocks[to - 1], blocks[to]];
    const top = topOf(piece) ?? last;
    const isOneList = top !== undefined && next !== undefined && inSameList(top, next);
    const areTwoLists = top !== undefined && next !== undefined && !isOneList && isNumbered(top) && isNumbered(next);
    const isOneQuote = last !== undefined && next !== undefined && isQuote(last) && isQuote(next);
    const joint = isOneList ? '\n' : isOneQuote ? '\n>\n' : areTwoLists ? '\n\n<!---->\n\n' : '\n\n';
    pieces.push({ blocks: piece, style: { headingOffset, numbers, ...(addresses && { addresses }) }, joint });
    numbers = piece.reduce((before, block) => numbersAfter(block, before), numbers);
    from = to;
  }
  return pieces;
}

/** The blocks of one footnote, and the name that its reference has. */
export type Footnote = { readonly name: string; readonly blocks: readonly AnyBlock[] };

export const piecesOfNotes = (notes: readonly Footnote[]): readonly MarkdownPiece[] =>
  notes.map(({ name, blocks }) => ({
    blocks,
    note: name,
    style: { headingOffset: 0, numbers: NO_NUMBERS },
    joint: '\n\n',
  }));

/** Joins the texts of the pieces. Ends with a line break; empty for a page without text. */
export function* joinPieces(written: Iterable<{ readonly text: string; readonly joint: string }>): Generator<string> {
  let before = '';
  for (const { text, joint } of written) {
    if (text === '') continue;
    yield `${before}${text}`;
    before = joint;
  }
  if (before !== '') yield '\n';
}

/** Ends a piece where no list item and no toggle is open. */
function pieceEnd(blocks: readonly AnyBlock[], from: number): number {
  let characters = 0;
  for (let at = from; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    if (at > from && characters >= PIECE_CHARACTERS && indentOf(block) === 0) return at;
    characters += 40 + ('runs' in block ? textOfRuns(block.runs).length : 0);
  }
  return blocks.length;
}

/** The last block at the left edge. */
const topOf = (piece: readonly AnyBlock[]) => piece.findLast((block) => indentOf(block) === 0);
