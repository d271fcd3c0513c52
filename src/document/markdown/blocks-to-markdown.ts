// Writes blocks as GitHub Flavored Markdown. A page is written in a worker (`background-markdown.ts`): hostile text takes
// long.
import type { RootContent } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { mathToMarkdown } from 'mdast-util-math';
import { type Handlers, type Join, type Options, defaultHandlers, toMarkdown } from 'mdast-util-to-markdown';
import type { AnyBlock } from '../blocks/detached-block.ts';
import { asContent, blocksToMdast } from './blocks-to-mdast.ts';
import { inlineMathToMarkdown } from './inline-math.ts';
import { type MarkdownPiece, joinPieces, splitBlocks } from './split-blocks.ts';

/**
 * mdast-util-to-markdown has one delimiter for all numbers of a document, and takes the other one for the second of two lists. Here
 * each list has its own.
 */
const list: Handlers['list'] = (node, parent, state, info) => {
  const { bulletOrdered } = state.options;
  state.options.bulletOrdered = node.data?.delimiter ?? '.';
  if (node.ordered === true) state.bulletLastUsed = undefined;
  const text = defaultHandlers.list(node, parent, state, info);
  state.options.bulletOrdered = bulletOrdered;
  return text;
};

/** False makes the writer put a comment between two lists that would be read as one. */
const keepApart: Join = (left, right) =>
  left.type === 'list' &&
  right.type === 'list' &&
  left.ordered === true &&
  right.ordered === true &&
  left.data?.delimiter === right.data?.delimiter
    ? false
    : undefined;

const OPTIONS: Options = {
  bullet: '-',
  rule: '-',
  fences: true,
  listItemIndent: 'one',
  incrementListMarker: true,
  handlers: { list },
  join: [keepApart],
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
export function writePiece({ blocks, style, note }: MarkdownPiece): string {
  const flow = blocksToMdast(blocks, style);
  const children: RootContent[] =
    note === undefined
      ? flow
      : [{ type: 'footnoteDefinition', identifier: note, label: note, children: asContent(flow) }];
  return toMarkdown({ type: 'root', children }, OPTIONS).trimEnd();
}
