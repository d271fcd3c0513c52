import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from 'weft-document/blocks/block.ts';
import { type DetachedBlock, plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { htmlDocument } from 'weft-document/html/html-document.ts';
import { blocksToMarkdown } from 'weft-document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks, parseMdast } from 'weft-document/markdown/markdown-to-blocks.ts';
import { markdownToPage } from 'weft-document/markdown/markdown-to-page.ts';
import { mdastToBlocks } from 'weft-document/markdown/mdast-to-blocks.ts';
import { splitBlocks } from 'weft-document/markdown/split-blocks.ts';
import { splitMarkdown } from 'weft-document/markdown/split-markdown.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const withKeys = (blocks: readonly DetachedBlock[]): readonly Block[] =>
  blocks.map((block, at): Block => {
    const keys = { key: String(at), id: null };
    if (block.type !== 'table') return { ...block, ...keys };
    const { widths = [], alignments = [] } = block;
    return {
      ...block,
      ...keys,
      widths,
      alignments,
      rows: block.rows.map((row) => row.map((cell, n) => ({ ...cell, key: String(n) }))),
    };
  });
const linesOf = (blocks: readonly DetachedBlock[]) =>
  withKeys(blocks).map((block) =>
    block.type === 'block'
      ? `${block.kind}${block.kind === 'heading' ? block.level : ''}>${block.indent} ${textOfBlocks([block])}`
      : block.type,
  );

describe('a Markdown file', () => {
  test.each([
    ['its first heading', '# Plan\n\ntext', 'x.md', 'Plan', ['paragraph>0 text']],
    ['its name where it has no heading', 'text', 'notes/2026-my_trip.md', '2026 my trip', ['paragraph>0 text']],
    [
      'its front matter before a heading',
      '---\ntitle: "A \\"b\\""\n---\n# Other\n',
      'x.md',
      'A "b"',
      ['heading1>0 Other'],
    ],
    [
      'its front matter, the same heading once',
      '---\ntitle: Same\n---\n\n# Same\n\ntext',
      'x.md',
      'Same',
      ['paragraph>0 text'],
    ],
    [
      'the rest of its front matter',
      '---\ntags: [a]\ntitle: T # note\n---\nx',
      'x.md',
      'T',
      ['code>0 tags: [a]', 'paragraph>0 x'],
    ],
    [
      'a rule at the start, which is no front matter',
      '---\n\ntext\n\n---\n',
      'x.md',
      'x',
      ['divider', 'paragraph>0 text', 'divider'],
    ],
    [
      'one level less under a title',
      '# T\n## A\n### B\n#### C',
      'x.md',
      'T',
      ['heading1>0 A', 'heading2>0 B', 'heading3>0 C'],
    ],
    ['its levels where there are several titles', '# T\n## A\n# U', 'x.md', 'T', ['heading2>0 A', 'heading1>0 U']],
    [
      'Windows line ends and a byte-order mark',
      '\uFEFF# T\r\n\r\n- a\r\n  - b\r\n',
      'x.md',
      'T',
      ['bullet>0 a', 'bullet>1 b'],
    ],
    ['an empty file', '', 'Empty.md', 'Empty', []],
  ])('becomes a page with %s', async (_name, file, fileName, title, lines) => {
    const page = await markdownToPage(file, fileName, (body, hasTitle) =>
      Promise.resolve(markdownToBlocks(body, { hasTitle })),
    );
    expect([page.title, linesOf(page.blocks)]).toEqual([title, lines]);
  });
});

describe('any page', () => {
  test('is written as Markdown, HTML and text, and its Markdown can be read back', () => {
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const markdown = blocksToMarkdown(blocks);
        markdownToBlocks(markdown);
        expect(Array.from(htmlDocument('T', blocks, {})).join('')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
        expect(Array.from(pageToText('T', withKeys(blocks))).join('')).toMatch(/^T\n\n/);
      }),
      { numRuns: 300 },
    );
  });

  test('keeps every word in its Markdown', () => {
    const words = (blocks: readonly DetachedBlock[]) => textOfBlocks(withKeys(blocks)).match(/[\p{L}\p{N}]+/gu) ?? [];
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'one',
            '*two*',
            '# three',
            '- four',
            '> five',
            '`six`',
            '1. seven',
            '<b>eight',
            '| nine |',
            'a_b_c',
            '&amp; ten',
            '[x](y)',
            '$$z$$',
            '    eleven',
          ),
          { minLength: 1, maxLength: 8 },
        ),
        (lines) => {
          const blocks = lines.map((text): DetachedBlock => textBlock({}, [plainRun(text)]));
          expect(linesOf(markdownToBlocks(blocksToMarkdown(blocks)))).toEqual(
            linesOf(
              blocks.map((block) =>
                block.type === 'block'
                  ? { ...block, runs: block.runs.map((run) => ({ ...run, text: run.text.trim() })) }
                  : block,
              ),
            ),
          );
          expect(words(blocks).length).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('large pages are written in pieces that form one document, with unbroken lists and numbers', () => {
    const blocks = markdownToBlocks(
      Array.from({ length: 3_000 }, (_, at) => `${at + 1}. item number ${at + 1}\n      - below it`).join('\n') +
        '\n\n> a\n>\n> b\n',
    );
    expect(splitBlocks(blocks, 0).length).toBeGreaterThan(5);
    const written = blocksToMarkdown(blocks);
    expect(written).toContain('\n3000. item number 3000\n');
    expect(markdownToBlocks(written)).toEqual(blocks);
  });
});

test('columns of tables keep their alignment', () => {
  const markdown = '| a | b | c |\n| - | :-: | -: |\n| 1 | 2 | 3 |\n';
  const blocks = markdownToBlocks(markdown);
  expect(blocks.map((block) => block.type === 'table' && block.alignments)).toEqual([[null, 'center', 'right']]);
  expect(blocksToMarkdown(blocks)).toBe(markdown);
});

describe('HTML between blocks', () => {
  const readHtml = (html: string) => [textBlock({}, [plainRun(html)])];
  const read = (markdown: string) => linesOf(markdownToBlocks(markdown, { readHtml }));
  const toggle = (summary: string) => `<details>\n<summary>${summary}</summary>\n`;

  test.each([
    [
      'toggles without a line between them',
      `${toggle('A')}\nin A\n\n</details>\n${toggle('B')}\nin B\n\n</details>\n\nafter`,
      ['toggle>0 A', 'paragraph>1 in A', 'toggle>0 B', 'paragraph>1 in B', 'paragraph>0 after'],
    ],
    [
      'text on the lines after a toggle',
      `${toggle('A')}\nin A\n\n</details>\n<p>x</p>\n\nafter`,
      ['toggle>0 A', 'paragraph>1 in A', 'paragraph>0 <p>x</p>', 'paragraph>0 after'],
    ],
    [
      'HTML on the line before the end of a toggle',
      `${toggle('A')}\n<p>x</p>\n</details>\n\nafter`,
      ['toggle>0 A', 'paragraph>1 <p>x</p>', 'paragraph>0 after'],
    ],
    [
      'toggles in one piece',
      `<details><summary>A</summary><p>x</p></details>\n<p>y</p>\n<details open>\n<p>z</p></details>\n\nafter`,
      [
        'toggle>0 A',
        'paragraph>1 <p>x</p>',
        'paragraph>0 <p>y</p> <details open> <p>z</p></details>',
        'paragraph>0 after',
      ],
    ],
    [
      'toggles in toggles',
      `${toggle('A')}${toggle('B')}\nin B\n\n</details>\n</details>\n</details>\n\nafter`,
      ['toggle>0 A', 'toggle>1 B', 'paragraph>2 in B', 'paragraph>0 after'],
    ],
    [
      'toggles in other HTML',
      `<table><td><details>x</details></td></table>\n${toggle('A')}\nin A`,
      ['paragraph>0 <table><td><details>x</details></td></table>', 'toggle>0 A', 'paragraph>1 in A'],
    ],
    [
      'toggles in comments',
      `${toggle('A')}\n<!-- </details> -->\n\nin A`,
      ['toggle>0 A', 'paragraph>1 <!-- </details> -->', 'paragraph>1 in A'],
    ],
  ])('%s', (_what, markdown, lines) => {
    expect(read(markdown).map((line) => line.replaceAll('\n', ' '))).toEqual(lines);
  });

  test('the alt text of a picture that may not be shown stands where the picture would', () => {
    expect(read('- a\n\n  ![alt](javascript:0)')).toEqual(['bullet>0 a', 'paragraph>1 alt']);
    const depth = 70;
    expect(read(`${'> '.repeat(depth)}a ![alt](b.png) c`).join()).toContain('a  alt  c');
  });
});

describe('long Markdown', () => {
  test('means the same read in pieces as read whole', () => {
    const part = (n: number) =>
      `# Part ${n}\n\nWords with [a name][ref ${n % 7}] and\nmore.\n\n- a\n\n  para\n- b\n  - c\n\n1. x\n2. y\n\n\`\`\`\n# no heading\n\n- no list\n\`\`\`\n\n<details>\n<summary>T</summary>\n\nInside ${n}\n\n</details>\n\n<!-- off\n\nOff\n\n-->\n\n> q\n\n| a | b |\n| - | - |\n| c | d |\n\n$$\nx\n\ny\n$$\n`;
    const refs = Array.from({ length: 7 }, (_, n) => `[ref ${n}]: /to/${n}`).join('\n');
    const source = `${Array.from({ length: 150 }, (_, n) => part(n)).join('\n')}\n${refs}\n`;
    const readWhole = Array.from(mdastToBlocks([{ nodes: parseMdast(source).children, source }], {})).flat();
    expect(splitMarkdown(source).length).toBeGreaterThan(4);
    expect(markdownToBlocks(source)).toEqual(readWhole);
  });
});

describe('hostile Markdown', () => {
  const MARKS = [
    '>',
    '- ',
    '1. ',
    '> - ',
    '*a ',
    '**a',
    'a**b',
    '[a',
    '![',
    '[a](',
    '`',
    '_a ',
    '<a ',
    '~~a ',
    '[^a',
    '$$',
    '|a',
    '&',
    '<!--',
    '\\',
    '# ',
    '    ',
    '<details>a',
    'a</details>',
    'a<details></details>',
  ];

  test.each(MARKS)('%j ten thousand times is read in bounded time', async (mark) => {
    const readAndWrite = (times: number) => blocksToMarkdown(markdownToBlocks(`${mark.repeat(times)} end`));
    const times = await timesAsLong(
      () => readAndWrite(10_000),
      repeatedly(10, () => readAndWrite(1_000)),
    );
    expect(times).toBeLessThan(30);
  });

  test('lists nested two thousand deep by indentation become plain lines', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n');
    expect(markdownToBlocks(text).length).toBeGreaterThan(0);
  });

  test('no forbidden URL gets into the page', () => {
    const blocks = markdownToBlocks(
      '[a](javascript:alert(1)) ![b](javascript:x) <javascript:y> [c](data:text/html,x) [d][e]\n\n[e]: vbscript:x\n\n![p](javascript:z)\n\n<a href="javascript:q">f</a>',
    );
    expect(JSON.stringify(blocks)).not.toMatch(/"(?:link|url)":"(?:javascript|data|vbscript)/i);
    expect(Array.from(htmlDocument('<script>', blocks, {})).join('')).not.toMatch(
      /<script|(?:href|src)="(?:javascript|data|vbscript)/i,
    );
  });

  test('the HTML of any page runs nothing: it only contains tags of ours', () => {
    const TAGS =
      /<(?!\/?(?:p|ul|ol|li|h[1-4]|blockquote|pre|code|table|tbody|tr|td|th|figure|figcaption|details|summary|aside|hr|br|a|strong|em|u|s|mark|span|time|input)\b)[a-z!/][^>]*>/i;
    fc.assert(
      fc.property(anyBlocks, (blocks) => {
        const html = Array.from(htmlDocument('', blocks, {})).join('');
        expect(html.slice(html.indexOf('</h1>') + 5, html.indexOf('</main>'))).not.toMatch(TAGS);
      }),
    );
  });
});
