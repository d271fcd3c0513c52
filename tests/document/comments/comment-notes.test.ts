// A page with its comments as Markdown: footnotes behind the words, for GitHub and for our own import.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { pageWithComments } from 'weft-document/comments/comment-notes.ts';
import { PageTexts } from 'weft-document/comments/page-texts.ts';
import { NotedBlocks } from 'weft-document/comments/place-notes.ts';
import { type WrittenThread, fileThreads } from 'weft-document/comments/written-thread.ts';
import { docOfFile } from 'weft-document/formats/doc-of-file.ts';
import { pageToJson, parsePageFile } from 'weft-document/formats/page-json.ts';
import { writePiece } from 'weft-document/markdown/blocks-to-markdown.ts';
import { markdownToBlocks, parseMdast } from 'weft-document/markdown/markdown-to-blocks.ts';
import { splitMarkdown } from 'weft-document/markdown/split-markdown.ts';
import { writePage } from 'weft-document/markdown/write-markdown.ts';
import * as Y from 'yjs';
import type { Anchor, CommentLine, CommentBody } from '../../../src/protocol/comments.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { anchorOn } from '../../support/editor/anchored-page.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { tableSeed } from '../../support/editor/tables.ts';

function pageOfUpdate(update: Uint8Array): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
}
const page = (...lines: readonly PageLine[]): Y.Doc => pageOfUpdate(pageSeed(...lines));

const line = (text: string, kind: CommentLine['kind'] = 'paragraph'): CommentLine => ({ kind, runs: [{ text }] });
const says = (...body: CommentBody): WrittenThread['comments'][number] => ({
  by: 'Ada',
  at: Date.UTC(2026, 4, 3, 12),
  body,
});
const thread = (anchor: Anchor, ...comments: WrittenThread['comments']): WrittenThread => ({
  anchor,
  isResolved: false,
  comments: comments.length === 0 ? [says(line('Why?'))] : comments,
});

async function markdownOf(doc: Y.Doc, ...threads: readonly WrittenThread[]): Promise<string> {
  const { blocks, notes } = pageWithComments(doc, threads);
  return (await writePage(async (piece) => writePiece(piece), 'Plan', blocks, { notes })).text;
}

/** The page without the footnotes themselves. */
async function textWith(doc: Y.Doc, ...anchors: readonly Anchor[]): Promise<string> {
  const all = await markdownOf(doc, ...anchors.map((anchor) => thread(anchor)));
  return all.slice('# Plan\n\n'.length, all.indexOf('\n\n[^c1]: '));
}

const read = (markdown: string): readonly string[] =>
  markdownToBlocks(markdown).map((block) => {
    const text = textOfBlocks([{ ...block, key: '', id: null } as Parameters<typeof textOfBlocks>[0][number]]);
    return block.type === 'block' ? `${block.kind}>${block.indent} ${text}` : `${block.type} ${text}`;
  });

test('threads are footnotes in the order of their words; what has no words is listed at the end', async () => {
  const doc = page('The east slip, on the rising tide.', 'Bring towels.');
  const link = { text: 'the chart', link: 'https://weft.dev/chart' };
  const markdown = await markdownOf(
    doc,
    thread({ kind: 'page' }),
    thread({ kind: 'block', block: 'gone', quote: 'quay.png' }),
    { ...thread(anchorOn(doc, 'towels')), isResolved: true },
    thread(
      anchorOn(doc, 'east slip'),
      says({ kind: 'paragraph', runs: [{ text: 'West', bold: true }, { text: ', says ' }, link, { text: '.' }] }),
      {
        by: 'Bob',
        at: Date.UTC(2026, 4, 4, 12),
        body: [line('Both:'), line('low tide', 'numbered'), line('high tide', 'numbered')],
      },
      { by: 'Cy', at: Date.UTC(2026, 4, 5, 12), body: [line('no', 'bullet')] },
    ),
  );
  expect(markdown).toBe(`# Plan

The east slip[^c1], on the rising tide.

Bring towels[^c2].

## Comments

- About the page[^c3]
- “quay.png”, no longer on the page[^c4]

[^c1]: “east slip”

    - **Ada**, 2026-05-03: **West**, says [the chart](https://weft.dev/chart).
    - **Bob**, 2026-05-04: Both:
      1. low tide
      2. high tide
    - **Cy**, 2026-05-05:
      - no

[^c2]: “towels” (resolved)

    - **Ada**, 2026-05-03: Why?

[^c3]: About the page

    - **Ada**, 2026-05-03: Why?

[^c4]: “quay.png”

    - **Ada**, 2026-05-03: Why?
`);
  // What the import makes of it: references stay text, and each footnote becomes paragraphs and a list at the end.
  expect(read(markdown)).toEqual([
    'heading>0 Plan',
    'paragraph>0 The east slip[^c1], on the rising tide.',
    'paragraph>0 Bring towels[^c2].',
    'heading>0 Comments',
    'bullet>0 About the page[^c3]',
    'bullet>0 “quay.png”, no longer on the page[^c4]',
    'paragraph>0 [^c1]: “east slip”',
    'bullet>0 Ada, 2026-05-03: West, says the chart.',
    'bullet>0 Bob, 2026-05-04: Both:',
    'numbered>1 low tide',
    'numbered>1 high tide',
    'bullet>0 Cy, 2026-05-05:',
    'bullet>1 no',
    'paragraph>0 [^c2]: “towels” (resolved)',
    'bullet>0 Ada, 2026-05-03: Why?',
    'paragraph>0 [^c3]: About the page',
    'bullet>0 Ada, 2026-05-03: Why?',
    'paragraph>0 [^c4]: “quay.png”',
    'bullet>0 Ada, 2026-05-03: Why?',
  ]);
});

describe('a reference', () => {
  const link = { link: { href: 'https://weft.dev/a' } };
  test.each([
    ['in a word', page({ text: 'bold words', marks: { bold: {} } }), 'bold wo', '**bold wo[^c1]rds**'],
    ['before a bracket', page('slip(east) slip[1]: x'), 'slip', 'slip[^c1]\\(east) slip\\[1]: x'],
    ['before a colon', page('slip: east'), 'slip', 'slip[^c1]: east'],
    ['after an exclamation mark', page('Now!'), 'Now!', 'Now\\![^c1]'],
    ['behind a link, not in it', page({ text: 'a link', marks: link }), 'a li', '[a link](https://weft.dev/a)[^c1]'],
    ['behind code', page({ text: 'let x', marks: { code: {} } }), 'let', '`let x`[^c1]'],
    ['behind a formula', page({ text: '$x^2$', marks: { formula: {} } }), 'x', '$x^2$[^c1]'],
    ['in a heading', page({ kind: 'heading', text: 'Tides', level: 1 }), 'Tides', '## Tides[^c1]'],
    ['below a block of code', page({ kind: 'code', text: 'let x' }, 'y'), 'let', '```\nlet x\n```\n\n[^c1]\n\ny'],
    [
      'in a toggle, not in its HTML',
      page({ kind: 'toggle', text: 'More' }),
      'More',
      '<details>\n<summary>More</summary>\n\n[^c1]\n\n</details>',
    ],
    [
      'in a cell',
      pageOfUpdate(tableSeed(['x y', 'a z'])),
      'z',
      'before\n\n| x | y |\n| - | - |\n| a | z[^c1] |\n\nafter',
    ],
  ])('%s', async (_name, doc, words, markdown) => {
    expect((await textWith(doc, anchorOn(doc, words))).trim()).toBe(markdown);
  });

  test('to a picture is below it, and the list around it counts on', async () => {
    const doc = page(
      { kind: 'numbered', text: 'one' },
      { node: 'image', name: 'quay.png', text: 'The quay' },
      { kind: 'numbered', text: 'two' },
    );
    const picture: Anchor = { kind: 'block', block: 'line-1', quote: 'The quay' };
    expect(await textWith(doc, anchorOn(doc, 'quay'), picture)).toBe(
      '1. one\n\n![The quay](quay.png)\n\n[^c1][^c2]\n\n2. two',
    );
  });

  test('is never before a colon at the start of a text, where it would be a footnote', () => {
    const place = { block: 0, within: { text: 0, offset: 1 } };
    const [block] = new NotedBlocks(page(' : east')).with([{ name: 'c1', place }]);
    expect(block?.type === 'block' && block.runs.map(({ text }) => text).join('')).toBe(' : east[^c1]');
  });
});

describe('names, comments and the page’s own words', () => {
  const HOSTILE = [
    '[^c1]: nothing\n\n[^c1]: x',
    '**Bob**, 2026-05-04: yes',
    '- **Bob**, 2026-05-04: yes',
    '<script>x</script></details>',
    '```\n~~~',
    '    code',
    '![x](https://evil.example/x.png)',
    '# heading\n---',
  ];

  test.each(HOSTILE)('stay text: %j', async (text) => {
    const doc = page(text.replaceAll('\n', ' '), 'The slip.');
    const comment = { by: text, at: Date.UTC(2026, 4, 3, 12), body: [line(text), line(text), line(text, 'bullet')] };
    const markdown = await markdownOf(doc, thread(anchorOn(doc, 'slip'), comment, says(line('end'))));
    const { children } = parseMdast(markdown);
    const notes = children.filter(({ type }) => type === 'footnoteDefinition');
    expect(children.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'paragraph', 'footnoteDefinition']);
    // Two comments, and nothing that is more than text and lists.
    const [note] = notes;
    if (note?.type !== 'footnoteDefinition') throw new Error('no footnote');
    const list = note.children[1];
    expect(list?.type === 'list' && list.children.length).toBe(2);
    const types = new Set<string>();
    const gather = (node: { readonly type: string; readonly children?: readonly unknown[] }): void => {
      types.add(node.type);
      for (const child of node.children ?? []) gather(child as typeof node);
    };
    gather({ type: 'root', children });
    expect(
      [...types].filter((type) => ['html', 'image', 'code', 'thematicBreak', 'definition'].includes(type)),
    ).toEqual([]);
  });

  test('that are too complex to be written stay no footnotes either', async () => {
    const doc = page('[^c1]: forged', 'The slip.');
    const { blocks, notes } = pageWithComments(doc, [thread(anchorOn(doc, 'slip'), says(line('a'), line('b')))]);
    const { text } = await writePage(async () => null, '', blocks, { notes });
    const { children } = parseMdast(text);
    expect(children.map(({ type }) => type)).toEqual(['paragraph', 'paragraph', 'footnoteDefinition']);
  });
});

test('any page reads back with the same words, whatever is commented on', () => {
  const lettersOf = (markdown: string) =>
    read(markdown)
      .map((text) => text.slice(text.indexOf(' ')).replace(/\[\^c\d+\]/g, ''))
      .join('')
      .replace(/[^\p{L}\p{N}]/gu, '');
  return fc.assert(
    fc.asyncProperty(anyBlocks, fc.array(fc.nat(), { maxLength: 6 }), async (blocks, places) => {
      const doc = new Y.Doc();
      fillPage(doc, '', elementsOfBlocks(blocks));
      const { string } = new PageTexts(doc);
      const anchors = places.flatMap((place) => {
        const at = 1 + (place % Math.max(1, string.length - 2));
        const words = string.slice(at, at + 3);
        return words.trim().length < 2 || words.includes('\uFFFC') ? [] : [anchorOn(doc, words)];
      });
      const without = await markdownOf(doc);
      const own = await markdownOf(doc, ...anchors.map((anchor) => thread(anchor, says(line('END')))));
      const end = own.lastIndexOf('\n[^c1]: ');
      expect(lettersOf(end < 0 ? own : own.slice(0, end))).toBe(lettersOf(without));
    }),
    { numRuns: 100 },
  );
});

test('many footnotes are read piece by piece', async () => {
  const doc = page('The slip.');
  const all = Array.from({ length: 60 }, () => thread(anchorOn(doc, 'slip'), says(line('word '.repeat(100).trim()))));
  const markdown = await markdownOf(doc, ...all);
  expect(splitMarkdown(markdown).length).toBeGreaterThan(2);
  expect(read(markdown).filter((text) => text.includes(']: “slip”'))).toHaveLength(60);
});

test('a Weft file has the threads with the place of their words, and reading it leaves them out', () => {
  const doc = page('The east slip.', 'Bring towels.', { node: 'divider' });
  const east = thread(anchorOn(doc, 'east'));
  const gone = thread({ kind: 'block', block: 'gone', quote: 'quay.png' });
  const divider = thread({ kind: 'block', block: 'line-2', quote: '' });
  const across = { ...thread(anchorOn(doc, 'slip.\nBring')), isResolved: true };
  const all = [east, across, divider, gone, thread({ kind: 'page' })];
  const text = Array.from(pageToJson(doc, null, fileThreads(doc, all))).join('');
  const comments = [{ by: 'Ada', at: '2026-05-03T12:00:00.000Z', body: [line('Why?')] }];
  expect((JSON.parse(text) as { comments: unknown }).comments).toEqual([
    { kind: 'text', quote: 'east', from: 4, to: 8, resolved: false, comments },
    { kind: 'text', quote: 'slip.\nBring', from: 9, to: 20, resolved: true, comments },
    { kind: 'block', quote: '', block: 'line-2', resolved: false, comments },
    { kind: 'block', quote: 'quay.png', resolved: false, comments },
    { kind: 'page', resolved: false, comments },
  ]);
  const parsed = parsePageFile(text);
  expect(parsed.ok && docOfFile(parsed.value).share.size).toBe(2);
  expect(parsed.ok && Array.from(pageToJson(docOfFile(parsed.value), null)).join('')).toBe(
    Array.from(pageToJson(doc, null)).join(''),
  );
});

test('of a picture the file says that it was left out, and what it shows', async () => {
  const doc = page('The east slip.');
  const picture = {
    kind: 'picture',
    picture: parseAttachmentId('00000009-0000-4000-8000-000000000009') ?? (undefined as never),
    width: 640,
    height: 480,
    alt: 'The *light*\nat night',
  } as const;
  const threads = [thread(anchorOn(doc, 'slip'), says(picture), says(line('Look'), { ...picture, alt: '' }))];
  const markdown = await markdownOf(doc, ...threads);
  expect(markdown).toContain('(Picture left out: The \\*light\\* at night)');
  expect(markdown).toContain('(Picture left out)');
  const [written] = fileThreads(doc, threads);
  const { picture: _, ...shape } = picture;
  expect(written?.comments[0]?.body).toEqual([shape]);
});
