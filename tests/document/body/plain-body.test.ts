// The plain text of any block, a page's length, and deleting blocks without an editor.
import { expect, test } from 'vitest';
import { deletionsOf } from 'weft-document/body/block-deletions.ts';
import { MAX_EDITOR_UNITS, MAX_READER_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import { plainBodyOf } from 'weft-document/body/plain-body.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';

type Node = Y.XmlElement | Y.XmlText;

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): Y.XmlElement {
  const made = new Y.XmlElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (children.length > 0) made.insert(0, Array.from(children));
  return made;
}
const text = (words: string) => new Y.XmlText(words);

function docOf(...nodes: readonly Node[]): Y.Doc {
  const doc = new Y.Doc();
  bodyOf(doc).insert(0, Array.from(nodes));
  return doc;
}

const read = (doc: Y.Doc, characters = 100) =>
  plainBodyOf(doc)
    .get()
    .blocks(0, 100, () => characters)
    .map(({ name, text: words, hasMore }) => [name, words, hasMore]);

const keysOf = (doc: Y.Doc) => {
  const body = plainBodyOf(doc).get();
  return Array.from({ length: body.count }, (_, at) => body.keyAt(at) ?? '');
};

test('each node has a text: cells, attributes, text between blocks, nodes that no one knows', () => {
  const cell = (words: string) => element('tableCell', {}, text(words));
  const doc = docOf(
    element('block', { kind: 'heading' }, text('one')),
    element('table', {}, element('tableRow', {}, cell('a'), cell('b')), element('tableRow', {}, cell('c'))),
    text('loose'),
    element('embed', { url: 'https://weft.example', title: 'A card' }),
    element('later', {}, element('inner', {}, text('kept'))),
    element('x'.repeat(1_000), {}),
  );
  expect(read(doc)).toEqual([
    ['heading', 'one', false],
    ['table', 'a\tb\nc', false],
    [null, 'loose', false],
    ['embed', 'A card https://weft.example', false],
    ['later', 'kept', false],
    ['x'.repeat(40), '', false],
  ]);
});

test('only as much is read as is shown', () => {
  const doc = docOf(element('block', {}, text('x'.repeat(1_000_000))), element('block', {}, text('😀😀')));
  expect(read(doc, 3)).toEqual([
    ['block', 'xxx', true],
    ['block', '😀', true],
  ]);
});

test('nodes nested 5,000 deep are read and deleted', async () => {
  const doc = docOf(element('list', {}), element('block', {}, text('after')));
  doc.transact(() => {
    let parent = bodyOf(doc).get(0);
    for (let depth = 0; depth < 5_000 && parent instanceof Y.XmlElement; depth++) {
      const child: Y.XmlElement = element('list', {});
      parent.insert(0, [child]);
      parent = child;
    }
    if (parent instanceof Y.XmlElement) parent.insert(0, [text('deep')]);
  });
  expect(read(doc, 10_000)[0]).toEqual(['list', 'deep', false]);
  await deletionsOf(doc).delete(new Set(keysOf(doc).slice(0, 1)));
  expect(read(doc)).toEqual([['block', 'after', false]]);
});

test('a deletion in several transactions leaves what others add, and is taken back as a whole', async () => {
  const numbered = Array.from({ length: 2_000 }, (_, at) => element('block', {}, text(String(at))));
  const doc = docOf(...numbered);
  const deletions = deletionsOf(doc);
  let transactions = 0;
  doc.on('afterTransaction', ({ origin }: Y.Transaction) => {
    if (origin === null) return;
    transactions += 1;
    // Someone writes between two of them.
    if (transactions === 1) queueMicrotask(() => bodyOf(doc).insert(0, [element('block', {}, text('new'))]));
  });
  const keys = new Set(keysOf(doc).slice(1));
  expect(await deletions.delete(keys)).toBe(1_999);
  expect(transactions).toBeGreaterThan(2);
  expect(read(doc).map(([, words]) => words)).toEqual(['new', '0']);
  expect(deletions.canUndo()).toBe(true);
  await deletions.undo();
  expect(plainBodyOf(doc).get().count).toBe(2_001);
  expect(
    read(doc)
      .map(([, words]) => words)
      .slice(0, 4),
  ).toEqual(['new', '0', '1', '2']);
  expect(deletions.canUndo()).toBe(false);
});

test('a table of 20,000 rows is deleted in several transactions', async () => {
  const rows = Array.from({ length: 20_000 }, () => element('tableRow', {}));
  const doc = docOf(element('table', {}, ...rows), element('block', {}));
  const sizes: number[] = [];
  doc.on('afterTransaction', ({ deleteSet }: Y.Transaction) => {
    sizes.push([...deleteSet.clients.values()].flat().reduce((sum, { len }) => sum + len, 0));
  });
  await deletionsOf(doc).delete(new Set(keysOf(doc).slice(0, 1)));
  expect(read(doc)).toEqual([['block', '', false]]);
  expect(Math.max(...sizes)).toBeLessThan(1_100);
});

test('others make a page too long, own edits never; shortened it stays a list until the person leaves it', () => {
  const doc = docOf(element('block', {}));
  const length = pageLengthOf(doc, 10);
  const add = (count: number) =>
    bodyOf(doc).insert(
      0,
      Array.from({ length: count }, () => element('block', {})),
    );
  add(20);
  expect(length.get()).toBe('short');
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
  bodyOf(other).insert(0, [element('block', {})]);
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(other));
  expect(length.get()).toBe('long');
  bodyOf(doc).delete(0, 15);
  expect(length.get()).toBe('shortened');
  length.reset();
  expect(length.get()).toBe('short');
});

test('a table of 100,000 cells is too long to be drawn, also if most of them are missing ones', () => {
  const rowOf = (length: number) => element('tableRow', {}, ...Array.from({ length }, () => element('tableCell', {})));
  const full = element('table', {}, ...Array.from({ length: 1_000 }, () => rowOf(100)));
  const ragged = element('table', {}, rowOf(1_000), ...Array.from({ length: 99 }, () => rowOf(1)));
  for (const table of [full, ragged]) {
    const doc = docOf(table);
    expect(pageLengthOf(doc, MAX_EDITOR_UNITS).get()).toBe('long');
    expect(pageLengthOf(doc, MAX_READER_UNITS).get()).toBe('long');
  }
});

test('cells and marks make a page long too', () => {
  const cells = () => Array.from({ length: 3 }, () => element('tableCell', {}));
  expect(pageLengthOf(docOf(element('table', {}, element('tableRow', {}, ...cells()))), 6).get()).toBe('long');
  // Three rows of three columns are drawn.
  const rows = [element('tableRow', {}, ...cells()), element('tableRow', {}), element('tableRow', {})];
  expect(pageLengthOf(docOf(element('table', {}, ...rows)), 17).get()).toBe('long');
  const words = text('');
  words.applyDelta(Array.from({ length: 10 }, (_, at) => ({ insert: 'x', attributes: at % 2 ? { bold: {} } : {} })));
  expect(pageLengthOf(docOf(element('block', {}, words)), 8).get()).toBe('long');
  expect(pageLengthOf(docOf(element('block', {}, text('plain'))), 8).get()).toBe('short');
});

test('a code block makes a page as long as fifteen paragraphs', () => {
  const blocks = (kind: string) => Array.from({ length: 10 }, () => element('block', { kind }));
  const stateOf = (kind: string, max: number) => pageLengthOf(docOf(...blocks(kind)), max).get();
  expect([stateOf('paragraph', 10), stateOf('code', 150), stateOf('code', 149)]).toEqual(['short', 'short', 'long']);
});
