// Parses GitHub Flavored Markdown, with formulas between `$$` and `$`, into blocks. The work is bounded: text that is
// too complex is taken as plain lines. For short texts; `background-markdown.ts` reads long ones in a worker.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import type { DetachedBlock } from '../blocks/detached-block.ts';
import { inlineMath, inlineMathFromMarkdown } from './inline-math.ts';
import { cleanMarkdown, linesToBlocks } from './markdown-source.ts';
import { type MarkdownOptions, mdastToBlocks } from './mdast-to-blocks.ts';
import { splitMarkdown } from './split-markdown.ts';

const PARSING = {
  extensions: [gfm(), math({ singleDollarTextMath: false }), inlineMath],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown(), inlineMathFromMarkdown],
};

export const parseMdast = (text: string) => fromMarkdown(text, PARSING);

export const markdownToBlocks = (text: string, options: MarkdownOptions = {}): readonly DetachedBlock[] => {
  const source = cleanMarkdown(text);
  const pieces = piecesOfMarkdown(source)?.map((piece) => ({ nodes: parseMdast(piece).children, source: piece }));
  return pieces === undefined ? linesToBlocks(source) : Array.from(mdastToBlocks(pieces, options)).flat();
};

/** Splits a clean text into pieces that are parsed one by one. Null if parsing would take quadratic time. */
export const piecesOfMarkdown = (source: string): readonly string[] | null =>
  isTooComplex(source) ? null : splitMarkdown(source);

/** Limits: quotes and lists that begin on one line, marks in one paragraph, indentation of one line. */
const [MAX_NESTED, MAX_MARKS, MAX_MARGIN] = [100, 8_000, 400];
const NESTED = new RegExp(`^[ \\t]*(?:(?:>|[-*+]|\\d{1,9}[.)])[ \\t]{0,4}){${MAX_NESTED}}`);

/**
 * Whether parsing would take quadratic time, as with thousands of marks in one paragraph, or lists and quotes nested a
 * hundred deep. No one writes that by hand.
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
