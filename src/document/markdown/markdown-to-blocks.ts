// Parses GitHub Flavored Markdown, with formulas between `$$`, into blocks. The work is bounded: text that nests too
// deeply is taken as plain lines.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { type MdastPiece, type MarkdownOptions, mdastToBlocks } from './mdast-to-blocks.ts';
import { splitMarkdown } from './split-markdown.ts';
import { type DetachedBlock, plainRun, textBlock } from '../blocks/detached-block.ts';

const PARSING = {
  extensions: [gfm(), math({ singleDollarTextMath: false })],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
};

export const parseMdast = (text: string) => fromMarkdown(text, PARSING);

export const markdownToBlocks = (text: string, options: MarkdownOptions = {}): readonly DetachedBlock[] =>
  runToEnd(markdownToBlocksInSteps(text, options));

/** The same, in steps of a few milliseconds. The generator returns the blocks. */
export function* markdownToBlocksInSteps(
  text: string,
  options: MarkdownOptions = {},
): Generator<void, readonly DetachedBlock[]> {
  const source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');
  if (isTooComplex(source)) return linesToBlocks(source);
  const pieces: MdastPiece[] = [];
  for (const piece of splitMarkdown(source)) {
    pieces.push({ nodes: parseMdast(piece).children, source: piece });
    yield;
  }
  const blocks: DetachedBlock[] = [];
  for (const some of mdastToBlocks(pieces, options)) {
    for (const block of some) blocks.push(block);
    yield;
  }
  return blocks;
}

export function runToEnd<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Limits: quotes and lists that begin on one line, marks in one paragraph, indentation of one line. */
const [MAX_NESTED, MAX_MARKS, MAX_MARGIN] = [100, 8_000, 400];
const NESTED = new RegExp(`^[ \\t]*(?:(?:>|[-*+]|\\d{1,9}[.)])[ \\t]{0,4}){${MAX_NESTED}}`);

/**
 * Whether parsing would take quadratic time, as with thousands of marks in one paragraph, or lists and quotes nested a
 * hundred deep. Nobody writes that by hand.
 */
export function isTooComplex(text: string): boolean {
  let marks = 0;
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const ticks: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (ticks !== undefined && (fence === null || ticks.startsWith(fence))) fence = fence === null ? ticks : null;
    marks = fence !== null || line.trim() === '' ? 0 : marks + (line.match(/[*_~[\]!`<|&@]/g)?.length ?? 0);
    if (marks > MAX_MARKS || (fence === null && (NESTED.test(line) || line.search(/[^ \t]/) > MAX_MARGIN))) return true;
  }
  return false;
}

/** Turns each line into a paragraph. */
export const linesToBlocks = (text: string): readonly DetachedBlock[] =>
  text.split('\n').map((line) => textBlock({}, line === '' ? [] : [plainRun(line)]));
