// Reads and writes Markdown in a worker, with a deadline for each piece: hostile text takes minutes. A piece that takes too
// long is taken as plain text.
import type { RootContent } from 'mdast';
import { DeadlineWorker } from '../../lib/async/deadline-worker.ts';
import { inSteps } from '../../lib/async/in-steps.ts';
import type { AnyBlock, DetachedBlock } from '../blocks/detached-block.ts';
import { type MarkdownAnswer, type MarkdownJob, markdownAnswer } from './markdown-jobs.ts';
import { cleanMarkdown, linesToBlocks } from './markdown-source.ts';
import { type MarkdownOptions, type MdastPiece, mdastToBlocks } from './mdast-to-blocks.ts';
import type { MarkdownPiece } from './split-blocks.ts';
import { type MarkdownExtras, type WrittenMarkdown, writePage } from './write-markdown.ts';

/** A usual piece takes 20 ms. Nothing is blocked meanwhile, so slow devices and odd texts get plenty of time. */
const LIMITS = { deadlineMs: 4_000, shortestDeadlineMs: 500 };

const worker = new DeadlineWorker<MarkdownJob, MarkdownAnswer>(
  () => new Worker(new URL('./markdown-worker.ts', import.meta.url), { type: 'module', name: 'weft-markdown' }),
  markdownAnswer,
  LIMITS,
);

/** `isComplete` is false if a part was too complex and became plain text. */
export type ReadMarkdown = { readonly blocks: readonly DetachedBlock[]; readonly isComplete: boolean };

export async function readMarkdown(text: string, options: MarkdownOptions = {}): Promise<ReadMarkdown> {
  const source = cleanMarkdown(text);
  const pieces = await splitSource(source);
  if (pieces === null) return { blocks: linesToBlocks(source), isComplete: false };
  let isComplete = true;
  const parsed: MdastPiece[] = [];
  for (const piece of pieces) {
    const nodes = await parsePiece(piece);
    isComplete &&= nodes !== null;
    parsed.push({ nodes: nodes ?? plainParagraphs(piece), source: piece });
  }
  const blocks: DetachedBlock[] = [];
  await inSteps(mdastToBlocks(parsed, options), (some) => {
    for (const block of some) blocks.push(block);
  });
  return { blocks, isComplete };
}

async function splitSource(source: string): Promise<readonly string[] | null> {
  const result = await worker.run({ kind: 'split', source });
  return result.ok && result.value.kind === 'split' ? result.value.pieces : null;
}

async function parsePiece(source: string): Promise<readonly RootContent[] | null> {
  const result = await worker.run({ kind: 'parse', source });
  return result.ok && result.value.kind === 'parse' ? result.value.nodes : null;
}

const plainParagraphs = (source: string): readonly RootContent[] =>
  source
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((value) => ({ type: 'paragraph', children: [{ type: 'text', value }] }));

/** Ends with a line break. The page's title becomes the only first-level heading. `isComplete` as above. */
export const writeMarkdownPage = (
  title: string,
  blocks: readonly AnyBlock[],
  extras?: MarkdownExtras,
): Promise<WrittenMarkdown> => writePage(writeInBackground, title, blocks, extras);

async function writeInBackground(piece: MarkdownPiece): Promise<string | null> {
  const result = await worker.run({ kind: 'write', piece });
  return result.ok && result.value.kind === 'write' ? result.value.text : null;
}
