// Writes a page as GitHub Flavored Markdown. Works in pieces, so that a large page does not block typing.
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import { inSameList, indentOf, isNumbered, isQuote } from '../blocks/block-tree.ts';
import { textOfRuns } from '../blocks/block.ts';
import type { AnyBlock } from '../blocks/detached-block.ts';
import { blocksToMdast } from './blocks-to-mdast.ts';

const OPTIONS: Options = {
  bullet: '-',
  rule: '-',
  fences: true,
  listItemIndent: 'one',
  incrementListMarker: true,
  // Columns are not padded: one wide cell would make every row as long.
  extensions: [gfmToMarkdown({ tablePipeAlign: false }), mathToMarkdown({ singleDollarTextMath: false })],
};

/** The approximate size of a piece in characters. The page is cut where it allows it. */
const PIECE_CHARACTERS = 16_000;

/** Ends with a line break. Empty for a page without text. */
export const blocksToMarkdown = (blocks: readonly AnyBlock[], headingOffset: 0 | 1 = 0): string =>
  Array.from(markdownPieces(blocks, headingOffset)).join('');

/** Yields the same text piece by piece. */
export function* markdownPieces(blocks: readonly AnyBlock[], headingOffset: 0 | 1 = 0): Generator<string> {
  let from = 0;
  let number = 1;
  let joint = '';
  while (from < blocks.length) {
    const to = pieceEnd(blocks, from);
    const piece = blocks.slice(from, to);
    const [last, next] = [blocks[to - 1], blocks[to]];
    const children = blocksToMdast(piece, { headingOffset, firstNumber: number });
    const text = toMarkdown({ type: 'root', children }, OPTIONS).trimEnd();
    if (text !== '') yield `${joint}${text}`;
    number = numberAfter(piece, number);
    const isOneList = last !== undefined && next !== undefined && inSameList(topOf(piece) ?? last, next);
    if (!isOneList) number = 1;
    const isOneQuote = last !== undefined && next !== undefined && isQuote(last) && isQuote(next);
    if (text !== '') joint = isOneList ? '\n' : isOneQuote ? '\n>\n' : '\n\n';
    from = to;
  }
  if (joint !== '') yield '\n';
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

function numberAfter(piece: readonly AnyBlock[], first: number): number {
  const edge = piece.filter((block) => indentOf(block) === 0);
  const start = edge.findLastIndex((block) => !isNumbered(block)) + 1;
  return (start === 0 ? first : 1) + edge.length - start;
}
