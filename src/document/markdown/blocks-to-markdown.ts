// Writes blocks as GitHub Flavored Markdown. A page is written in a worker (`background-markdown.ts`): hostile text takes
// long.
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import { type Options, toMarkdown } from 'mdast-util-to-markdown';
import type { AnyBlock } from '../blocks/detached-block.ts';
import { blocksToMdast } from './blocks-to-mdast.ts';
import { inlineMathToMarkdown } from './inline-math.ts';
import { type MarkdownPiece, joinPieces, splitBlocks } from './split-blocks.ts';

const OPTIONS: Options = {
  bullet: '-',
  rule: '-',
  fences: true,
  listItemIndent: 'one',
  incrementListMarker: true,
  // Columns are not padded: one wide cell would make every row as long.
  extensions: [
    gfmToMarkdown({ tablePipeAlign: false }),
    mathToMarkdown({ singleDollarTextMath: false }),
    inlineMathToMarkdown,
  ],
};

/** Ends with a line break. Empty for a page without text. */
export const blocksToMarkdown = (blocks: readonly AnyBlock[], headingOffset: 0 | 1 = 0): string => {
  const written = splitBlocks(blocks, headingOffset).map((piece) => ({ text: writePiece(piece), joint: piece.joint }));
  return Array.from(joinPieces(written)).join('');
};

/** The text of one piece, without a line break at its end. */
export const writePiece = ({ blocks, style }: MarkdownPiece): string =>
  toMarkdown({ type: 'root', children: blocksToMdast(blocks, style) }, OPTIONS).trimEnd();
