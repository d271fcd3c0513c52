import { expect, test } from 'vitest';
import { headingAbove, outlineOf } from 'weft-document/blocks/outline.ts';
import { bodyText, textOfBlocks, countWords } from 'weft-document/body/body-text.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { findUnknown } from 'weft-document/body/find-unknown.ts';
import { freshText } from 'weft-document/body/fresh-text.ts';
import { parseBody, parseDay } from 'weft-document/body/parse-body.ts';
import { bodyOf } from 'weft-document/names.ts';
import { welcomeSeed } from 'weft-document/seed.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';
import { inSteps } from '../../../src/lib/async/in-steps.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';

const docOf = (update: Uint8Array) => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, update);
  return doc;
};

test('the welcome page parses into its blocks', () => {
  const blocks = parseBody(docOf(welcomeSeed()));
  expect(blocks.map((block) => (block.type === 'block' ? block.kind[0] : '-')).join('')).toBe(
    'phtttthpchbbbhphbbbbp-p',
  );
  expect(outlineOf(blocks).map(({ text }) => text)).toEqual([
    'Try these first',
    'The receipt',
    'Write together',
    'Let others watch',
    'Keys worth knowing',
  ]);
  expect(blocks[2]).toMatchObject({
    type: 'block',
    id: 'welcome-3',
    kind: 'task',
    checked: false,
    runs: [{ text: 'Tick this box. ' }, { text: 'Ctrl Enter', code: true }, { text: ' does it from the keyboard.' }],
  });
});

test('invalid attributes get their default, newer nodes are named and kept', () => {
  const doc = docOf(
    pageSeed(
      { kind: 'slide', level: 9, indent: -3, checked: 'yes', tone: 'loud', language: 5, text: 'a' },
      { indent: 12.7, level: 3, kind: 'heading', text: 'b' },
      { node: 'hologram' },
    ),
  );
  bodyOf(doc).push([new Y.XmlText('loose')]);
  const blocks = parseBody(doc);
  expect(blocks[0]).toMatchObject({
    kind: 'paragraph',
    level: 1,
    indent: 0,
    checked: false,
    tone: 'note',
    language: null,
  });
  expect(blocks[1]).toMatchObject({ kind: 'heading', level: 3, indent: 8 });
  expect(blocks.slice(2).map((block) => [block.type, block.type === 'unknown' && block.name])).toEqual([
    ['unknown', 'hologram'],
    ['unknown', null],
  ]);
  expect(textOfBlocks(blocks)).toBe('a\nb');
});

test('keys tell blocks apart even if ids are equal or missing', () => {
  const blocks = parseBody(docOf(pageSeed({ id: 'same', text: 'a' }, { id: 'same', text: 'b' }, { id: 7, text: 'c' })));
  expect(blocks.map((block) => block.id)).toEqual(['same', 'same', null]);
  expect(new Set(blocks.map((block) => block.key)).size).toBe(3);
});

test('a link with a forbidden URL is plain text', () => {
  const [block] = parseBody(docOf(pageSeed({ text: 'x', marks: { link: { href: 'javascript:alert(1)' }, bold: {} } })));
  expect(block?.type === 'block' && block.runs).toMatchObject([{ text: 'x', bold: true, link: null }]);
});

test('findUnknown finds nodes, marks and objects that the editor lacks, wherever they are', () => {
  const unknownOf = (update: Uint8Array) => findUnknown(bodyOf(docOf(update)).toArray());
  expect(unknownOf(welcomeSeed())).toBeNull();
  expect(unknownOf(pageSeed('a', { node: 'hologram' }))).toBe('node hologram');
  expect(unknownOf(pageSeed('a', { node: 'tableRow' }))).toBe('node tableRow in the body');
  expect(unknownOf(pageSeed({ text: 'a', marks: { glow: {} } }))).toBe('mark glow');
  const doc = docOf(pageSeed('a'));
  const block = bodyOf(doc).get(0);
  if (block instanceof Y.XmlElement) block.insert(1, [new Y.XmlElement('image')]);
  expect(findUnknown(bodyOf(doc).toArray())).toBe('node in a block');
  const other = docOf(pageSeed('a'));
  const first = bodyOf(other).get(0);
  const text = first instanceof Y.XmlElement ? first.get(0) : null;
  if (text instanceof Y.XmlText) text.insertEmbed(0, { formula: 'x' });
  expect(findUnknown(bodyOf(other).toArray())).toBe('object in a text');
});

test('a view keeps the objects of unchanged blocks, and the array while nothing changed', () => {
  const doc = docOf(pageSeed('a', 'b', 'c'));
  const view = bodyViewOf(doc);
  let calls = 0;
  const cancel = view.subscribe(() => (calls += 1));
  const before = view.get();
  expect(view.get()).toBe(before);
  expect(bodyViewOf(doc)).toBe(view);
  const block = bodyOf(doc).get(1);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) text.insert(1, '!');
  const after = view.get();
  expect(calls).toBe(1);
  expect(after.map((one, at) => one === before[at])).toEqual([true, false, true]);
  expect(textOfBlocks(after)).toBe('a\nb!\nc');
  doc.getText('title').insert(0, 'Plan');
  expect(view.get()).toBe(after);
  cancel();
  bodyOf(doc).delete(0, 1);
  expect(calls).toBe(1);
  expect(textOfBlocks(view.get())).toBe('b!\nc');
});

test('fresh text is the added text, in its block', () => {
  const doc = docOf(pageSeed('one two', 'three', 'gone'));
  const before = parseBody(doc);
  const block = bodyOf(doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) {
    text.delete(0, 1);
    text.insert(6, ' and more');
  }
  bodyOf(doc).delete(2, 1);
  const after = parseBody(doc);
  expect(freshText(before, after).map(({ from, to }) => [from, to])).toEqual([[0, 15]]);
  if (text instanceof Y.XmlText) text.delete(0, 3);
  expect(freshText(after, parseBody(doc))).toEqual([]);
});

test('the heading above a block is the last one before it', () => {
  const blocks = parseBody(docOf(pageSeed('a', { kind: 'heading', text: 'H' }, 'b')));
  expect(blocks.map((block) => headingAbove(blocks, block.key)?.text)).toEqual([undefined, 'H', 'H']);
});

test('only the beginning of names and other attributes is read', () => {
  const long = 'x'.repeat(1_000_000);
  const [file, card, code] = parseBody(
    docOf(
      pageSeed(
        { node: 'file', name: long, mime: long },
        { node: 'embed', url: `https://weft.dev/${long}`, title: long },
        { kind: 'code', language: long },
      ),
    ),
  );
  const beginning = 'x'.repeat(1000);
  expect(file).toMatchObject({ name: beginning, mime: beginning });
  expect(card).toMatchObject({ url: null, title: beginning });
  expect(code).toMatchObject({ language: beginning });
});

test('the copy of a text has no characters that the database refuses', () => {
  expect(bodyText(docOf(pageSeed('a\0b', 'c\uD83Dd')))).toBe('ab\nc\uFFFDd');
});

test('words are counted as people count them', async () => {
  expect(await inSteps(countWords('Tide at nine, don’t wait.\nNext  line'))).toBe(7);
  expect(await inSteps(countWords(''))).toBe(0);
});

test('pictures, files, tables, formulas and cards are plain values; invalid parts count as missing', () => {
  const doc = docOf(pageSeed());
  const createNode = (
    name: string,
    attributes: Record<string, string | number | boolean>,
    ...children: Y.XmlElement[]
  ) => {
    const node = new Y.XmlElement(name);
    for (const [key, value] of Object.entries(attributes)) setAttribute(node, key, value);
    node.insert(0, children);
    return node;
  };
  const cell = (words: string) => {
    const node = new Y.XmlElement('tableCell');
    node.insert(0, [new Y.XmlText(words)]);
    return node;
  };
  const picture = createNode('image', { file: 'f1', name: 'a.png', width: 640, height: -1, size: 500 });
  picture.insert(0, [new Y.XmlText('The quay')]);
  const formula = createNode('math', {});
  formula.insert(0, [new Y.XmlText('x^2')]);
  const table = createNode(
    'table',
    { headRow: true },
    createNode('tableRow', {}, cell('a'), cell('b')),
    createNode('tableRow', {}, cell('c')),
  );
  const card = createNode('embed', { url: 'javascript:alert(1)', title: 'A card' });
  bodyOf(doc).insert(0, [picture, createNode('file', { file: 'f2', name: 'b.pdf', bytes: 12 }), table, formula, card]);
  const blocks = parseBody(doc);
  expect(findUnknown(bodyOf(doc).toArray())).toBeNull();
  expect(blocks).toMatchObject([
    { type: 'image', file: 'f1', name: 'a.png', width: 640, height: 0, size: null, runs: [{ text: 'The quay' }] },
    { type: 'file', file: 'f2', name: 'b.pdf', bytes: 12, mime: 'application/octet-stream' },
    { type: 'table', headRow: true, headColumn: false, rows: [[{}, {}], [{ runs: [{ text: 'c' }] }]] },
    { type: 'math', tex: 'x^2' },
    { type: 'embed', url: null, title: 'A card' },
  ]);
  expect(textOfBlocks(blocks)).toBe('The quay\nb.pdf\na\tb\nc\nx^2\nA card');
});

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026-02-31', null],
  ['2026-13-01', null],
  ['tomorrow', null],
])('the day %s is read as %s in every browser', (value, day) => {
  expect(parseDay(value)).toBe(day);
});
