// Writes a page as Markdown, piece by piece. The caller says where a piece is written: hostile text takes minutes, so that is a
// worker with a deadline.
import type { Run } from '../blocks/block.ts';
import { type AnyBlock, plainRun, runsIn, textBlock } from '../blocks/detached-block.ts';
import type { FileAddresses } from './blocks-to-mdast.ts';
import { type Footnote, type MarkdownPiece, joinPieces, piecesOfNotes, splitBlocks } from './split-blocks.ts';

/** Null: it could not be written, and becomes plain text. */
export type PieceWriter = (piece: MarkdownPiece) => Promise<string | null>;

/** `isComplete` is false if a part was too complex and became plain text. */
export type WrittenMarkdown = { readonly text: string; readonly isComplete: boolean };

/** What a page's Markdown has besides its title and its blocks. */
export type MarkdownExtras = {
  readonly addresses?: FileAddresses | undefined;
  /** The footnotes that the blocks refer to. */
  readonly notes?: readonly Footnote[];
};

/**
 * Ends with a line break, unless the page has neither title nor text: then it is empty. The title becomes the only
 * first-level heading, the footnotes come last.
 */
export async function writePage(
  write: PieceWriter,
  title: string,
  blocks: readonly AnyBlock[],
  { addresses, notes = [] }: MarkdownExtras = {},
): Promise<WrittenMarkdown> {
  const pieces = [...splitBlocks(blocks, title === '' ? 0 : 1, addresses), ...piecesOfNotes(notes)];
  const body = await writePieces(write, pieces);
  if (title === '') return body;
  const head = await writePieces(write, splitBlocks([textBlock({ kind: 'heading', level: 1 }, [plainRun(title)])], 0));
  return { text: `${head.text}\n${body.text}`, isComplete: head.isComplete && body.isComplete };
}

async function writePieces(write: PieceWriter, pieces: readonly MarkdownPiece[]): Promise<WrittenMarkdown> {
  let isComplete = true;
  const written: { readonly text: string; readonly joint: string }[] = [];
  for (const piece of pieces) {
    const text = await write(piece);
    isComplete &&= text !== null;
    written.push({ text: text ?? plainPiece(piece), joint: piece.joint });
  }
  return { text: Array.from(joinPieces(written)).join(''), isComplete };
}

/** The lines of a footnote stay in it. */
function plainPiece({ blocks, note }: MarkdownPiece): string {
  const text = blocks.map(plainTextOf).join('\n\n');
  return note === undefined ? text : `[^${note}]: ${text.replaceAll('\n', '\n    ')}`;
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
      return runsIn(block).map(plainTextOfRun).join('');
  }
}

/** Words of the page cannot pass for a footnote, which is a person's comment. */
const plainTextOfRun = ({ text, note }: Run): string => (note === undefined ? text.replaceAll('[^', '\\[^') : text);
