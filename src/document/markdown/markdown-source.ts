// Markdown before it is parsed, and what becomes of it if it cannot be parsed.
import { type DetachedBlock, plainRun, textBlock } from '../blocks/detached-block.ts';

/** Line ends and control characters as the parser expects them. */
export const cleanMarkdown = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD');

/** Turns each line into a paragraph. */
export const linesToBlocks = (text: string): readonly DetachedBlock[] =>
  text.split('\n').map((line) => textBlock({}, line === '' ? [] : [plainRun(line)]));
