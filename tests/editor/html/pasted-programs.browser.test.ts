// Clipboard content of other programs in its original form; and nothing of it runs or loads.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block } from 'weft-document/blocks/block.ts';
import { type DetachedBlock, textBlock, plainRun } from 'weft-document/blocks/detached-block.ts';
import { blocksToHtml } from 'weft-document/html/blocks-to-html.ts';
import { isMarkdown } from 'weft-document/markdown/is-markdown.ts';
import { blocksOfHtml, bodyOfHtml } from '../../../src/editor/html/blocks-of-html.ts';
import { parseHtmlBlocks } from '../../../src/editor/html/parse-html-blocks.ts';
import { loadMarkdown } from '../../../src/editor/paste/pasted-markdown.ts';
import { anyBlocks } from '../../support/editor/any-blocks.ts';
import { pasteInto } from '../../support/editor/clipboard.ts';
import { linesOf, openPage } from '../../support/editor/opened-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { pageSession } from '../../support/editor/page-session.ts';
import { caretInCell, gridOf, tableSeed } from '../../support/editor/tables.ts';
import googleDocs from './fixtures/google-docs.html?raw';
import notionClipboard from './fixtures/notion-clipboard.html?raw';
import notionExport from './fixtures/notion-export.html?raw';
import word from './fixtures/word.html?raw';

function pasted(data: Readonly<Record<string, string>>): readonly string[] {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, data);
  return linesOf(session);
}

// First in this file: no page was open yet that could have loaded the parser.
test('Markdown pasted before its parser is loaded is inserted a moment later, where it was pasted', async () => {
  const session = pageSession(pageSeed('first', 'second'));
  const page = openPage(session);
  page.caret(0, -1);
  pasteInto(page, { 'text/plain': '# one\n\n- two' });
  expect(linesOf(session)).toEqual(['paragraph: first', 'paragraph: second']);
  page.caret(1, -1);
  await expect
    .poll(() => linesOf(session))
    .toEqual(['paragraph: first', 'heading1: one', 'bullet: two', 'paragraph: second']);
});

describe('pasting from', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'Google Docs',
      googleDocs,
      [
        'heading1: Trip to Oslo',
        'paragraph: We go by <bold:train><italic: if we can><highlight:, soon>: see <https://www.vy.no/en:the trains>',
        'bullet: Tickets',
        'bullet>1: Two seats',
        'numbered: Pack',
        'taskx: <strike:Passport>',
        'task: Socks',
        'table Day\tPlace\n1\tBergen\nVoss',
        'embed The fjord',
        '---',
        'paragraph: End',
      ],
    ],
    [
      'Word',
      word,
      [
        'heading1: Minutes',
        'heading2: Present',
        'paragraph: Ada <bold:led> the meeting, <highlight:as ever>. See <https://example.org/agenda:agenda>.',
        'bullet: First point',
        'bullet>1: Below it',
        'numbered: Numbered',
        'quote: Said someone',
        'table Who\tWhat\nBert',
        'paragraph: Done.',
      ],
    ],
    [
      'Notion',
      notionClipboard,
      [
        'heading1: Launch',
        'paragraph: Some <bold:bold> and <italic:italic> and <code:code> and <https://example.org/:a link>.',
        'bullet: One',
        'bullet>1: Nested',
        'numbered>2: Numbered',
        'task: To do',
        'taskx: Done',
        'callout(tip): Mind the gap',
        'toggle: Toggle me',
        'paragraph>1: Inside',
        'bullet>1: A bullet inside',
        'code(javascript): const x = 1 < 2;\n  y()',
        'table Name\tStatus\nShip\tDone',
        'math E = mc^2',
        'quote: A quote',
        '---',
        'embed diagram.png',
      ],
    ],
    [
      'an export of Notion',
      notionExport,
      [
        'heading1: Launch',
        'heading2: Plan',
        'taskx: Write',
        'task: Send',
        'toggle: More',
        'paragraph>1: Hidden words',
        'callout(care): Careful here',
        'math x^2',
        'numbered: First',
        'numbered: Second',
        'quote: Quoted',
        'code(Python): print(1)',
      ],
    ],
  ])('%s', (_name, html, lines) => {
    expect(pasted({ 'text/html': html, 'text/plain': 'unused' })).toEqual(lines);
  });
});

describe('what one program writes in its own way', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'GitHub’s alert is one callout, and its tone says "Note"',
      '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>One</p><p>Two</p></div><p>End</p>',
      ['callout(note): One', 'paragraph>1: Two', 'paragraph: End'],
    ],
    [
      'an admonition keeps a title of its own',
      '<div class="admonition warning"><p class="admonition-title">Low water</p><p>Mind the steps</p></div>',
      ['callout(care): Low water', 'paragraph>1: Mind the steps'],
    ],
    [
      'the style of a block is that of its text; its background is not',
      '<p style="font-weight:bold">a <i>b</i></p><div style="font-style:italic;background-color:rgb(255,255,0)">c</div><h2 style="font-weight:700">d</h2>',
      ['paragraph: <bold:a ><bold,italic:b>', 'paragraph: <italic:c>', 'heading2: d'],
    ],
    [
      'tasks of Confluence, as shown and as copied from its editor',
      '<ul class="inline-task-list"><li data-inline-task-id="1" class="checked"><span>a</span></li><li data-inline-task-id="2"><span>b</span></li></ul><div data-node-type="actionList"><div data-task-local-id="x" data-task-state="DONE">c</div><div data-task-state="TODO">d</div></div>',
      ['taskx: a', 'task: b', 'taskx: c', 'task: d'],
    ],
    [
      'tasks of Joplin',
      '<ul><li class="md-checkbox joplin-checkbox"><div class="checkbox-wrapper"><input type="checkbox" checked=""><label>a</label></div></li><li class="md-checkbox joplin-checkbox"><div class="checkbox-wrapper"><input type="checkbox"><label>b</label></div></li></ul>',
      ['taskx: a', 'task: b'],
    ],
    [
      'links of Google’s programs lead where they say',
      '<p><a href="https://www.google.com/url?q=https://weft.example/a%3Fb%3D1&amp;sa=D&amp;usg=x">a</a> <a href="https://www.google.com/url?q=javascript:alert(1)">b</a></p>',
      ['paragraph: <https://weft.example/a?b=1:a> <https://www.google.com/url?q=javascript:alert(1):b>'],
    ],
    [
      'a code span of blanks stays',
      '<p>a <code>  </code></p><p><code> </code></p>',
      ['paragraph: a <code: >', 'paragraph: <code: >'],
    ],
    [
      'a toggle without content stays',
      '<details><summary>a</summary></details><details></details><p>b</p>',
      ['toggle: a', 'toggle: ', 'paragraph: b'],
    ],
  ])('%s', (_name, html, lines) => {
    expect(pasted({ 'text/html': html, 'text/plain': 'unused' })).toEqual(lines);
  });
});

test('the style of a cell is that of its text', () => {
  const session = pageSession(pageSeed(''));
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { 'text/html': '<table><tr><td style="font-weight:bold">a</td><td>b</td></tr></table>' });
  expect(gridOf(session)).toEqual(['<bold>a</bold> b']);
});

describe('pasted Markdown', () => {
  test('becomes blocks', async () => {
    await loadMarkdown();
    const text =
      '# Plan\n\nSome **bold** words\n\n- [x] done\n- [ ] open\n  - below\n\n> [!TIP]\n> Try\n\n| a | b |\n| - | - |\n| c | d |\n';
    expect(pasted({ 'text/plain': text })).toEqual([
      'heading1: Plan',
      'paragraph: Some <bold:bold> words',
      'taskx: done',
      'task: open',
      'bullet>1: below',
      'callout(tip): Try',
      'table a\tb\nc\td',
    ]);
  });

  test.each<[string, string, readonly string[]]>([
    ['an alert', '> [!NOTE]\n>\n> One\n>\n> Two\n\nEnd', ['callout(note): One', 'paragraph>1: Two', 'paragraph: End']],
    [
      'a line of a table that has too many cells',
      '| a | b |\n| - | - |\n| c | d | **e** | f |\n| g |\n',
      ['table a\tb\nc\td | e | f\ng'],
    ],
    [
      'code spans of blanks',
      'a `  ` b\n\n`  `\n\n- ` `',
      ['paragraph: a <code:  > b', 'paragraph: <code:  >', 'bullet: <code: >'],
    ],
    [
      'toggles without content',
      '# T\n\n<details>\n<summary>a</summary>\n\n</details>\n\n<details><summary></summary></details>\n\nb',
      ['heading1: T', 'toggle: a', 'toggle: ', 'paragraph: b'],
    ],
  ])('%s', async (_name, text, lines) => {
    await loadMarkdown();
    expect(pasted({ 'text/plain': text })).toEqual(lines);
  });

  test('stays plain text with Shift', async () => {
    await loadMarkdown();
    const session = pageSession();
    const page = openPage(session);
    page.caret(0, 0);
    page.editor.view.dom.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'V', ctrlKey: true, shiftKey: true, bubbles: true }),
    );
    pasteInto(page, { 'text/plain': '# two\n**three**', 'text/html': '<h1>two</h1>' });
    expect(linesOf(session)).toEqual(['paragraph: # two', 'paragraph: **three**']);
  });

  test.each([
    ['# Title', true],
    ['- a\n- b', true],
    ['1. one', true],
    ['say **this** now', true],
    ['see [this](https://weft.dev)', true],
    ['| a | b |\n| - | - |', true],
    ['plain words', false],
    ['2 * 3 * 4 = 24', false],
    ['snake_case_words and __init__', false],
    ['#hashtag', false],
    ['-5 degrees', false],
    ['a > b', false],
    ['https://weft.dev/a_b_c', false],
  ])('%j is recognized as Markdown: %s', (text, is) => {
    expect(isMarkdown(text)).toBe(is);
  });

  test('HTML in it becomes blocks, and unsafe HTML is dropped', async () => {
    await loadMarkdown();
    const text =
      '# T\n\n<table><caption>C</caption><tr><td>a</td><td>b</td></tr></table>\n\n<img src=x onerror="alert(1)">\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))';
    expect(pasted({ 'text/plain': text })).toEqual([
      'heading1: T',
      'paragraph: C',
      'table a\tb',
      'image',
      'code(html): <script>alert(1)</script>',
      'paragraph: x',
    ]);
  });

  test('in a cell fills the cells if it is a table, and is plain text otherwise', async () => {
    await loadMarkdown();
    const session = pageSession(tableSeed(['a b', 'c d']));
    const page = openPage(session);
    caretInCell(page, 1, 0);
    pasteInto(page, { 'text/plain': '| x | **y** |\n| - | - |\n| z | w |' });
    expect(gridOf(session)).toEqual(['a b', 'x <bold>y</bold>', 'z w']);
    caretInCell(page, 0, 0);
    pasteInto(page, { 'text/plain': '- one\n- **two**' });
    expect(gridOf(session)[0]).toBe('aone\n<bold>two</bold> b');
  });

  test('copied in a program that colors it is still read as Markdown', async () => {
    await loadMarkdown();
    const data = {
      'text/plain': '# two',
      'text/html': '<div style="color:#000"><span># two</span></div>',
      'vscode-editor-data': '{"version":1,"mode":"markdown"}',
    };
    expect(pasted(data)).toEqual(['heading1: two']);
  });
});

describe('HTML in Markdown', () => {
  test.each([
    ['a form', '<form><input value="x"></form>'],
    ['a script', '<p>a</p><script>b</script>'],
    ['a component of some program', '<Tabs>\n<Tab title="a">b</Tab>\n</Tabs>'],
    ['the end of one', '</Tabs>'],
    ['what plays', '<video src="a.mp4"></video>'],
    ['a comment', '<!-- mind this -->'],
    ['a picture among others that says nothing', '<p><img src="https://a.example/1.png"><img src="b.png"></p>'],
  ])('that a page cannot represent completely stays as it was written: %s', (_name, html) => {
    expect(blocksOfHtml(html)).toBeNull();
  });

  test('is read if a page can represent it; a picture beside it waits for its file', () => {
    const blocks = blocksOfHtml(
      '<h1 align="center"><img src="docs/a%20b.png" alt="Logo"><br>Name</h1><p data-weft=\'{"type":"file","file":"x"}\'>y</p><figure><img src="https://a.example/1.png" alt="One"><figcaption>Two</figcaption></figure><p><img src="c.png"></p>',
    );
    expect(
      blocks?.map((block) => ('runs' in block ? [block.type, ...block.runs.map(({ text }) => text)] : block)),
    ).toEqual([
      ['image', 'Logo'],
      ['block', 'Name'],
      ['block', 'y'],
      { type: 'embed', url: 'https://a.example/1.png', title: 'One' },
      ['block', 'Two'],
      ['image'],
    ]);
  });
});

test('blocks pasted where only text is allowed become text', () => {
  const session = pageSession(tableSeed(['a b']));
  const page = openPage(session);
  caretInCell(page, 0, 0);
  pasteInto(page, { 'text/html': '<h1>x</h1><ul><li>y</li></ul>' });
  expect(gridOf(session)).toEqual(['ax\ny b']);
  const captioned = pageSession(pageSeed({ node: 'image', file: crypto.randomUUID(), text: 'A swan' }));
  const caption = openPage(captioned);
  caption.caret(0, -1);
  pasteInto(caption, { 'text/html': '<h1>, or</h1><p>two</p>' });
  expect(linesOf(captioned)).toEqual(['image A swan, or\ntwo']);
});

const bare = (blocks: readonly (Block | DetachedBlock)[]): unknown =>
  JSON.parse(
    JSON.stringify(blocks, (name, value: unknown) => (['key', 'id', 'document'].includes(name) ? undefined : value)),
  );

/** Rows that lack a cell get one on the way. */
const mended = (blocks: readonly DetachedBlock[]): readonly DetachedBlock[] =>
  blocks.map((block) => {
    if (block.type !== 'table') return block;
    const { widths = [], alignments = [], rows, ...table } = block;
    const given = <T>(values: readonly (T | null)[]) => (values.some((value) => value !== null) ? values : []);
    const whole = rows.map((row) => widths.map((_, at) => row[at] ?? { runs: [] }));
    return { ...table, widths: given(widths), alignments: given(alignments), rows: whole };
  });

test('any blocks copied here come back the same', () => {
  fc.assert(
    fc.property(anyBlocks, (blocks) => {
      const back = parseHtmlBlocks(bodyOfHtml(blocksToHtml(blocks, { roundTrip: true })));
      expect(bare(back)).toEqual(bare(mended(blocks)));
    }),
    { numRuns: 300 },
  );
});

describe('hostile HTML', () => {
  test('ten thousand nested elements are read in finite time', () => {
    const html = `${'<div><blockquote><ul><li>'.repeat(10_000)}deep`;
    expect(parseHtmlBlocks(bodyOfHtml(html)).length).toBeGreaterThan(0);
  });

  test('a huge table becomes lines of text', () => {
    const html = `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(20_000)}</table>`;
    const blocks = parseHtmlBlocks(bodyOfHtml(html));
    expect([blocks.length, blocks[0]]).toEqual([20_000, textBlock({}, [plainRun('a\tb')])]);
  });

  test('a cell that claims a million columns makes no table', () => {
    const html = '<table><tr><td colspan="1000000">a</td><td>b</td></tr></table>';
    expect(parseHtmlBlocks(bodyOfHtml(html))).toEqual([textBlock({}, [plainRun('a\tb')])]);
  });

  test('HTML that claims to be Weft’s is checked like any other', () => {
    const html = `<p data-weft='{"type":"embed","url":"javascript:alert(1)","title":"x"}'>x</p><p data-weft='{"type":"block","kind":"evil","indent":99}'>y</p><p data-weft='[]'>z</p>`;
    expect(bare(parseHtmlBlocks(bodyOfHtml(html)))).toEqual(
      bare([
        { type: 'embed', url: null, title: 'x' },
        textBlock({ indent: 8 }, [plainRun('y')]),
        textBlock({}, [plainRun('z')]),
      ]),
    );
  });
});
