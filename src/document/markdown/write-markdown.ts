// Writes a page as Markdown, piece by piece. The caller says where a piece is written: hostile text takes minutes, so that is a
// worker with a deadline.
import { textOfRuns } from '../blocks/block.ts';
import { type AnyBlock, plainRun, runsIn, textBlock } from '../blocks/detached-block.ts';
import type { FileAddresses } from './blocks-to-mdast.ts';
import { type MarkdownPiece, joinPieces, splitBlocks } from './split-blocks.ts';

/** Null: it could not be written, and becomes plain text. */
export type PieceWriter = (piece: MarkdownPiece) => Promise<string | null>;

/** `isComplete` is false if a part was too complex and became plain text. */
export type WrittenMarkdown = { readonly text: string; readonly isComplete: boolean };

/** Ends with a line break. Empty for a page without text. */
export async function writeBlocks(
  write: PieceWriter,
  blocks: readonly AnyBlock[],
  headingOffset: 0 | 1,
  addresses?: FileAddresses,
): Promise<WrittenMarkdown> {
  let isComplete = true;
  const written: { readonly text: string; readonly joint: string }[] = [];
  for (const piece of splitBlocks(blocks, headingOffset, addresses)) {
    const text = await write(piece);
    isComplete &&= text !== null;
    written.push({ text: text ?? piece.blocks.map(plainTextOf).join('\n\n'), joint: piece.joint });
  }
  return { text: Array.from(joinPieces(written)).join(''), isComplete };
}

/** The page's title becomes the only first-level heading. */
export async function writePage(
  write: PieceWriter,
  title: string,
  blocks: readonly AnyBlock[],
  addresses?: FileAddresses,
): Promise<WrittenMarkdown> {
  const body = await writeBlocks(write, blocks, title === '' ? 0 : 1, addresses);
  if (title === '') return body;
  const head = await writeBlocks(write, [textBlock({ kind: 'heading', level: 1 }, [plainRun(title)])], 0);
  return { text: `${head.text}\n${body.text}`, isComplete: head.isComplete && body.isComplete };
}

function plainTextOf(block: AnyBlock): string {
  switch (block.type) {
    case 'unknown':
      return '';
    case 'math':
      return block.tex;
    case 'file':
      return block.name;
    case 'embed':
      return block.title === '' ? (block.url ?? '') : block.title;
    default:
      return textOfRuns(runsIn(block));
  }
}
