import { expect, test } from 'vitest';
import type { Block } from '../../../src/document/blocks/block.ts';
import { type DetachedBlock, plainRun, textBlock } from '../../../src/document/blocks/detached-block.ts';
import { pageToText } from '../../../src/document/formats/page-to-text.ts';
import { blocksToHtml } from '../../../src/document/html/blocks-to-html.ts';
import { htmlDocument } from '../../../src/document/html/html-document.ts';
import { blocksToMarkdown } from '../../../src/document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks } from '../../../src/document/markdown/markdown-to-blocks.ts';

const step = (text: string, indent = 0) => textBlock({ kind: 'numbered', indent }, [plainRun(text)]);
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
];

test.each(EXAMPLES)('exports number lists as the screen does: %s', (_name, blocks, numbers) => {
  const numbersIn = (text: string) => Array.from(text.matchAll(/^ *(\d+)\. /gm), ([, number]) => Number(number));
  const markdown = blocksToMarkdown(blocks);
  expect(numbersIn(markdown)).toEqual(numbers);
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
