import { expect, test } from 'vitest';
import type { Block } from 'weft-document/blocks/block.ts';
import { type DetachedBlock, plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import { htmlDocument } from 'weft-document/html/html-document.ts';
import { blocksToMarkdown } from 'weft-document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks } from 'weft-document/markdown/markdown-to-blocks.ts';

const step = (text: string, indent = 0, start: number | null = null) =>
  textBlock({ kind: 'numbered', indent, start }, [plainRun(text)]);
const words = (text: string, indent = 0) => textBlock({ indent }, [plainRun(text)]);
const formula: DetachedBlock = { type: 'math', tex: 'x' };
const asPage = (blocks: readonly DetachedBlock[]) =>
  blocks.map((block, at): Block => ({ ...block, key: String(at), id: null }) as Block);

const EXAMPLES: readonly (readonly [string, readonly DetachedBlock[], readonly number[]])[] = [
  ['a paragraph at the same depth starts a new list', [step('a'), step('b'), words('p'), step('c')], [1, 2, 1]],
  ['so does a divider', [step('a'), { type: 'divider' }, step('b')], [1, 1]],
  ['a paragraph inside an item does not', [step('a'), words('more', 1), step('b')], [1, 2]],
  ['nor does a formula between two steps', [step('a'), step('b'), formula, step('c'), step('d')], [1, 2, 3, 4]],
  ['a nested list starts again below each item', [step('a'), step('x', 1), step('b'), step('y', 1)], [1, 1, 2, 1]],
  ['a list begins at its start', [step('a', 0, 5), step('b'), words('p'), step('c', 0, 0)], [5, 6, 0]],
  ['a start amid a list counts from there', [step('a'), step('b', 0, 7), step('c'), step('d', 0, 1)], [1, 7, 8, 1]],
  ['also below an item', [step('a', 0, 3), step('x', 1, 4), step('y', 1), step('b')], [3, 4, 5, 4]],
];

test.each(EXAMPLES)('exports number lists as the screen does: %s', (_name, blocks, numbers) => {
  const numbersIn = (text: string) => Array.from(text.matchAll(/^ *(\d+)\. /gm), ([, number]) => Number(number));
  const markdown = blocksToMarkdown(blocks);
  expect(numbersIn(markdown)).toEqual(numbers);
  expect(markdownToBlocks(markdown)).toEqual(blocks.map((block) => expect.objectContaining(block)));
  expect(blocksToMarkdown(markdownToBlocks(markdown))).toBe(markdown);
  expect(numbersIn(Array.from(pageToText('', asPage(blocks))).join(''))).toEqual(numbers);
});

test('HTML names the first number of a list that goes on', () => {
  const html = blocksToHtml([step('a'), formula, step('b'), words('p'), step('c')], { roundTrip: false });
  expect(html.match(/<ol[^>]*>/g)).toEqual(['<ol>', '<ol start="2">', '<ol>']);
});

test('a page written in pieces has unbroken numbers', () => {
  const blocks = Array.from({ length: 500 }, (_, at) => [step(`step ${at}`), formula]).flat();
  const html = Array.from(htmlDocument('Steps', blocks, {})).join('');
  expect(html.match(/<ol[^>]*>/g)?.at(-1)).toBe('<ol start="500">');
  const long = blocks.map((block) => (block.type === 'block' ? words('x'.repeat(100), 1) : block));
  const markdown = blocksToMarkdown(blocks.flatMap((block, at) => [block, ...(at % 2 === 0 ? long.slice(0, 1) : [])]));
  expect(markdown).toContain('\n500. step 499\n');
});

test('numbers keep their sign', () => {
  const parens = ['a', 'b'].map((text) => textBlock({ kind: 'numbered', delimiter: ')' }, [plainRun(text)]));
  const blocks = [...parens, step('c'), step('d', 0, 1)];
  expect(blocksToMarkdown(blocks)).toBe('1) a\n2) b\n\n3. c\n\n<!---->\n\n1. d\n');
  expect(markdownToBlocks(blocksToMarkdown(blocks))).toEqual(blocks);
  expect(Array.from(pageToText('', asPage(blocks))).join('')).toBe('1) a\n2) b\n3. c\n1. d\n');
  const html = blocksToHtml(blocks, { roundTrip: false });
  expect(html.match(/<ol[^>]*>/g)).toEqual(['<ol class="paren">', '<ol start="3">', '<ol>']);
});

test('two lists stay apart where a page is written in pieces', () => {
  const long = Array.from({ length: 600 }, (_, at) =>
    step(`step ${at} ${'x'.repeat(40)}`, 0, at % 2 === 0 ? at * 3 : null),
  );
  expect(markdownToBlocks(blocksToMarkdown(long))).toEqual(
    long.map((block, at) => (at === 0 ? { ...block, start: 0 } : block)),
  );
});

test('a list in Markdown that goes on by itself needs no start', () => {
  const starts = (text: string) => markdownToBlocks(text).map((block) => (block.type === 'block' ? block.start : null));
  expect(starts('1. a\n2. b')).toEqual([null, null]);
  expect(starts('1. a\n\n$$\nx\n$$\n\n2. b')).toEqual([null, null, null]);
  expect(starts('1. a\n\n1) b')).toEqual([null, 1]);
  expect(starts('0. a')).toEqual([0]);
});
