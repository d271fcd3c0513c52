import { expect, test } from 'vitest';
import { BlockSelection } from '../../../src/editor/blocks/block-selection.ts';
import { copyFrom, pasteInto } from '../../support/editor/clipboard.ts';
import { idsOf, linesOf, openPage } from '../../support/editor/opened-page.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';
import { type PageSession, pageSession } from '../../support/editor/page-session.ts';

/** The content of a blank page after pasting this HTML. */
function pasted(html: string): readonly string[] {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { 'text/html': html, 'text/plain': 'unused' });
  return linesOf(session);
}

test.each<[string, string, readonly string[]]>([
  [
    'paragraphs and headings',
    '<h1>A</h1><h2>B</h2><h5>C</h5><p>D</p>',
    ['heading1: A', 'heading2: B', 'heading3: C', 'paragraph: D'],
  ],
  [
    'marks, and several at once',
    '<p>a <b>b</b> <em>c</em> <u>d</u> <s>e</s> <code>f</code> <strong><i>g</i></strong></p>',
    ['paragraph: a <bold:b> <italic:c> <underline:d> <strike:e> <code:f> <bold,italic:g>'],
  ],
  [
    'links, and only those a page may hold',
    '<p><a href="https://weft.dev/a">a</a> <a href="javascript:alert(1)">b</a> <a href="/c">c</a></p>',
    ['paragraph: <https://weft.dev/a:a> b </c:c>'],
  ],
  [
    'nested lists',
    '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li><p>d</p><p>more</p></li></ul>',
    ['bullet: a', 'bullet>1: b', 'numbered>2: c', 'bullet: d', 'paragraph>1: more'],
  ],
  ['lists in lists as old editors write them', '<ul><li>a</li><ul><li>b</li></ul></ul>', ['bullet: a', 'bullet>1: b']],
  [
    'tasks of GitHub and of others',
    '<ul><li><input type="checkbox" checked disabled> a</li><li data-type="taskItem" data-checked="false"><label><input type="checkbox"></label><div><p>b</p></div></li></ul>',
    ['taskx: a', 'task: b'],
  ],
  [
    'Google Docs, which wraps all in a <b> that is not bold',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700">bold</span><span style="font-weight:400"> plain </span><span style="font-style:italic;text-decoration:underline">both</span></p><br><ul><li dir="ltr" aria-level="1"><p role="presentation"><span>item</span></p></li></ul></b>',
    ['paragraph: <bold:bold> plain <italic,underline:both>', 'bullet: item'],
  ],
  [
    'quotes, rules and code',
    '<blockquote><p>a</p><p>b</p></blockquote><hr><pre><code class="language-ts">let x\n  = 1</code></pre>',
    ['quote: a', 'quote: b', '---', 'code(ts): let x\n  = 1'],
  ],
  ['line breaks', '<p>a<br>b</p>', ['paragraph: a\nb']],
  ['a table', '<table><tr><td>a</td><td>b</td></tr><tr><td><p>c</p></td><td>d</td></tr></table>', ['table a\tb\nc\td']],
  [
    'layout without its layout',
    '<div>\n  <div>a</div>\n  <section> b <span> c</span>\n</section></div>',
    ['paragraph: a', 'paragraph: b c'],
  ],
  [
    'nothing that runs or loads',
    '<p>a<script>alert(1)</script><img src="https://evil.example/x.png" alt="a swan"><style>p{}</style></p>',
    ['paragraph: aa swan'],
  ],
])('pasting %s', (_name, html, lines) => {
  expect(pasted(html)).toEqual(lines);
});

/** Counts requests to other servers. Files that this page loads itself (syntax colors) do not count. */
const remoteRequests = () =>
  performance.getEntriesByType('resource').filter(({ name }) => new URL(name).origin !== location.origin).length;

test('pasting a remote image sends no request', async () => {
  const before = remoteRequests();
  pasted('<p><img src="https://192.0.2.1/x.png" srcset="https://192.0.2.1/y.png 2x"></p>');
  await new Promise((done) => setTimeout(done, 50));
  expect(remoteRequests()).toBe(before);
});

test('lines of plain text become blocks, a line that is only a URL a link', () => {
  const session = pageSession();
  const page = openPage(session);
  page.caret(0, 0);
  pasteInto(page, { 'text/plain': 'one\r\n\r\n#two\nhttps://weft.dev/a?b=c\n' });
  expect(linesOf(session)).toEqual([
    'paragraph: one',
    'paragraph: ',
    'paragraph: #two',
    'paragraph: <https://weft.dev/a?b=c:https://weft.dev/a?b=c>',
  ]);
  expect(new Set(idsOf(session)).size).toBe(4);
});

test('a URL pasted over selected text makes it a link', () => {
  const session = pageSession(pageSeed('see here now'));
  const page = openPage(session);
  page.editor.commands.setTextSelection({ from: 5, to: 9 });
  pasteInto(page, { 'text/plain': 'https://weft.dev', 'text/html': '<a href="https://weft.dev">https://weft.dev</a>' });
  expect(linesOf(session)).toEqual(['paragraph: see <https://weft.dev:here> now']);
});

test('several paragraphs pasted in the middle of one: the first joins its start, the rest of it follows the last', () => {
  const session = pageSession(pageSeed('startend'));
  const page = openPage(session);
  page.caret(0, 5);
  pasteInto(page, { 'text/html': '<p>A</p><h2>B</h2><p>C</p>' });
  expect(linesOf(session)).toEqual(['paragraph: startA', 'heading2: B', 'paragraph: Cend']);
  expect(page.editor.state.selection.$from.parentOffset).toBe(1);
  expect(idsOf(session)[0]).toBe('line-0');
});

test.each([
  [0, 0, ['paragraph: A', 'paragraph: B', 'heading2: two', 'paragraph: three']],
  [1, 1, ['paragraph: one', 'paragraph: A', 'paragraph: B', 'paragraph: three']],
  [1, 2, ['paragraph: one', 'paragraph: A', 'paragraph: B']],
  [0, 2, ['paragraph: A', 'paragraph: B']],
])('blocks pasted over blocks %i to %i take their place', (from, to, lines) => {
  const session = pageSession(pageSeed('one', { kind: 'heading', level: 2, text: 'two' }, 'three'));
  const page = openPage(session);
  const { state, view } = page.editor;
  view.dispatch(state.tr.setSelection(BlockSelection.between(state.doc, from, to)));
  pasteInto(page, { 'text/html': '<p>A</p><p>B</p>' });
  expect(linesOf(session)).toEqual(lines);
  expect(page.editor.state.selection.$from.parent.textContent).toBe('B');
});

test('a line pasted over a block takes its place', () => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  const { state, view } = page.editor;
  view.dispatch(state.tr.setSelection(BlockSelection.between(state.doc, 1, 1)));
  pasteInto(page, { 'text/html': '<p>A</p>' });
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: A', 'paragraph: three']);
});

test.each([
  [-1, ['paragraph: one', 'paragraph: two', 'paragraph: three', 'paragraph: one']],
  [2, ['paragraph: one', 'paragraph: two', 'paragraph: th', 'paragraph: one', 'paragraph: ree']],
  [0, ['paragraph: one', 'paragraph: two', 'paragraph: one', 'paragraph: three']],
])('a copied block is joined to no line: caret at %i', (offset, lines) => {
  const session = pageSession(pageSeed('one', 'two', 'three'));
  const page = openPage(session);
  const { state, view } = page.editor;
  view.dispatch(state.tr.setSelection(BlockSelection.between(state.doc, 0, 0)));
  const { html } = copyFrom(page);
  page.caret(2, offset);
  pasteInto(page, { 'text/html': html });
  expect(linesOf(session)).toEqual(lines);
});

test('a single pasted line keeps the kind of its block', () => {
  const session = pageSession(pageSeed({ kind: 'heading', level: 2, text: 'ab' }));
  const page = openPage(session);
  page.caret(0, 1);
  pasteInto(page, { 'text/html': '<p><b>X</b></p>' });
  expect(linesOf(session)).toEqual(['heading2: a<bold:X>b']);
});

test('in code everything is pasted as text', () => {
  const session = pageSession(pageSeed({ kind: 'code', text: 'a' }));
  const page = openPage(session);
  page.caret(0, -1);
  pasteInto(page, { 'text/plain': '\nb\n# c', 'text/html': '<p><b>b</b></p>' });
  expect(linesOf(session)).toEqual(['code: a\nb\n# c']);
});

test('a read-only page takes no paste', () => {
  const session = pageSession(pageSeed('a'));
  pasteInto(openPage(session, false), { 'text/plain': 'x' });
  expect(session.localUpdates).toEqual([]);
});

const EVERYTHING: readonly PageLine[] = [
  { kind: 'heading', level: 1, text: 'One' },
  { kind: 'bullet', text: 'a' },
  { kind: 'numbered', indent: 1, text: 'b' },
  { kind: 'bullet', text: 'c', marks: { bold: {}, italic: {} } },
  { kind: 'task', checked: true, text: 'done' },
  { kind: 'callout', tone: 'care', text: 'mind' },
  '',
  { kind: 'quote', text: 'said\nagain' },
  { kind: 'code', language: 'ts', text: 'x < 1\n  && y' },
  { node: 'divider' },
  { text: 'link', marks: { link: { href: 'https://weft.dev' } } },
  { node: 'subpages' },
];

test('copied blocks are pasted unchanged, with new ids', () => {
  const from = pageSession(pageSeed(...EVERYTHING));
  const source = openPage(from);
  source.editor.commands.selectAll();
  const { html, text } = copyFrom(source);
  const to: PageSession = pageSession();
  const target = openPage(to);
  target.caret(0, 0);
  pasteInto(target, { 'text/html': html, 'text/plain': text });
  expect(linesOf(to)).toEqual(linesOf(from));
  expect(idsOf(to).filter((id) => idsOf(from).includes(id))).toEqual([]);
});

test('copying writes clean HTML with real lists, and plain text', () => {
  const page = openPage(pageSession(pageSeed(...EVERYTHING)));
  page.editor.commands.selectAll();
  const { html, text } = copyFrom(page);
  const clean = html
    .replace(/ data-[\w-]+="[^"]*"/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
  expect(clean).toBe(
    '<h2>One</h2><ul><li>a<ol><li>b</li></ol></li><li><strong><em>c</em></strong></li>' +
      '<li><input type="checkbox" checked="">done</li></ul><p class="callout care">mind</p><p></p><blockquote>said<br>again</blockquote>' +
      '<pre><code class="language-ts">x < 1\n  && y</code></pre><hr><p><a href="https://weft.dev">link</a></p><p></p>',
  );
  expect(text).toBe('One\na\nb\nc\ndone\nmind\n\nsaid\nagain\nx < 1\n  && y\nlink');
});

test('cutting removes the text in one undo step', () => {
  const session = pageSession(pageSeed('one two'));
  const page = openPage(session);
  page.editor.commands.setTextSelection({ from: 4, to: 8 });
  page.editor.view.dom.dispatchEvent(
    new ClipboardEvent('cut', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true }),
  );
  expect(linesOf(session)).toEqual(['paragraph: one']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: one two']);
});

test('text dropped from another program is inserted where it falls, like a paste', () => {
  const session = pageSession(pageSeed('one', 'two'));
  const page = openPage(session);
  page.caret(0, 0);
  const second = page.editor.view.coordsAtPos(9);
  const dataTransfer = new DataTransfer();
  dataTransfer.setData('text/html', '<h2>A</h2><p onclick="x()">B <img src="https://weft.dev/x.png" alt="c"></p>');
  dataTransfer.setData('text/plain', 'unused');
  const drop = new DragEvent('drop', {
    dataTransfer,
    bubbles: true,
    cancelable: true,
    clientX: second.left,
    clientY: second.top + 2,
  });
  page.editor.view.dom.dispatchEvent(drop);
  expect(drop.defaultPrevented).toBe(true);
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: two', 'heading2: A', 'paragraph: B c']);
  page.undo.undo();
  expect(linesOf(session)).toEqual(['paragraph: one', 'paragraph: two']);
});

test('a dropped file does not replace the page in the browser', () => {
  const session = pageSession(pageSeed('one'));
  const page = openPage(session);
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['x'], 'x.pdf', { type: 'application/pdf' }));
  const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  page.editor.view.dom.dispatchEvent(drop);
  expect([drop.defaultPrevented, linesOf(session)]).toEqual([true, ['paragraph: one']]);
});
