// The blocks and rows that the reading views draw at a time. Unchanged ones stay the same object, which React
// skips.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import type { Block } from 'weft-document/blocks/block.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { type DrawnBlock, type Slice, useSlices } from '../../../src/editor/reading/use-slices.ts';
import { type PageLine, pageSeed } from '../../support/editor/page-seed.ts';

function readerOf(doc: Y.Doc) {
  const slices: Slice[] = [];
  const react = createRoot(document.createElement('div'));
  onTestFinished(() => react.unmount());
  function Probe({ blocks }: { readonly blocks: readonly Block[] }) {
    const slice = useSlices(blocks);
    if (slices.at(-1) !== slice) slices.push(slice);
    return null;
  }
  return {
    /** Draws the page as it is now. Returns the first slice of it. */
    draw(): Slice {
      const from = slices.length;
      flushSync(() => react.render(<Probe blocks={bodyViewOf(doc).get()} />));
      return slices[from] ?? fail();
    },
    async whole(): Promise<Slice> {
      await expect.poll(() => slices.at(-1)?.isWhole, { interval: 1 }).toBe(true);
      return slices.at(-1) ?? fail();
    },
  };
}

function fail(): never {
  throw new Error('nothing is drawn');
}

function docOf(...lines: readonly PageLine[]): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed(...lines));
  return doc;
}

const drawnIn = ({ groups }: Slice): readonly DrawnBlock[] => groups.flatMap(({ blocks }) => blocks);

const TONES = '\u{1F3FB}'.repeat(500);

test.each<[string, () => PageLine, number]>([
  ['code blocks', () => ({ kind: 'code', text: 'x' }), 60],
  ['cards with a costly title', () => ({ node: 'embed', title: TONES }), 2],
  ['files with a costly name', () => ({ node: 'file', name: TONES }), 2],
  ['unsupported blocks', () => ({ node: 'hologram', text: 'x' }), 10],
])('the first slice has few %s', async (_name, line, most) => {
  const reader = readerOf(docOf(...Array.from({ length: 100 }, line)));
  expect(drawnIn(reader.draw()).length).toBeLessThan(most);
  expect(drawnIn(await reader.whole()).length).toBe(100);
});

test('a changed block makes one new group, and so does a slice that adds a block to it', async () => {
  const doc = docOf(...Array.from({ length: 1_000 }, (_, at) => `line ${at}`));
  const reader = readerOf(doc);
  reader.draw();
  const before = new Set((await reader.whole()).groups);
  bodyOf(doc).get(500).setAttribute('kind', 'heading');
  reader.draw();
  const after = await reader.whole();
  expect(after.groups.filter((group) => !before.has(group)).length).toBe(1);
  expect(drawnIn(after).map(({ block }) => block)).toEqual(bodyViewOf(doc).get());
});

const rowOf = (columns: number, text: string) => {
  const row = new Y.XmlElement('tableRow');
  row.insert(
    0,
    Array.from({ length: columns }, () => {
      const cell = new Y.XmlElement('tableCell');
      cell.insert(0, [new Y.XmlText(text)]);
      return cell;
    }),
  );
  return row;
};

function tableDoc(rows: number): { readonly doc: Y.Doc; readonly table: Y.XmlElement } {
  const doc = new Y.Doc();
  const table = new Y.XmlElement('table');
  bodyOf(doc).insert(0, [table]);
  table.insert(
    0,
    Array.from({ length: rows }, () => rowOf(10, 'old')),
  );
  return { doc, table };
}

function writeIntoRow(row: unknown): void {
  if (!(row instanceof Y.XmlElement)) fail();
  const [cell] = row.toArray();
  const text: unknown = cell instanceof Y.XmlElement ? cell.get(0) : null;
  if (text instanceof Y.XmlText) text.insert(0, 'new ');
}

function rowsIn(slice: Slice) {
  const [drawn] = drawnIn(slice);
  return drawn?.block.type === 'table' ? drawn.block.rows.slice(0, drawn.parts) : fail();
}

const firstTexts = (slice: Slice) => rowsIn(slice).map((row) => row[0]?.runs[0]?.text);

test('a change of one cell makes one new row, and leaves the other cells of it', async () => {
  const { doc, table } = tableDoc(100);
  const reader = readerOf(doc);
  reader.draw();
  const before = rowsIn(await reader.whole());
  writeIntoRow(table.get(50));
  const after = rowsIn(reader.draw());
  expect(after.filter((row, y) => row !== before[y])).toEqual([after[50]]);
  expect(after[50]?.slice(1).every((cell, x) => cell === before[50]?.[x + 1])).toBe(true);
  expect(after[50]?.[0]?.runs[0]?.text).toBe('new old');
});

test('if every row of a large table changes, the rows are drawn anew in slices', async () => {
  const { doc, table } = tableDoc(300);
  const reader = readerOf(doc);
  reader.draw();
  await reader.whole();
  doc.transact(() => table.toArray().forEach(writeIntoRow));
  const first = firstTexts(reader.draw());
  expect(first.length).toBe(300);
  expect(first[0]).toBe('new old');
  expect(first.filter((text) => text === 'new old').length).toBeLessThan(60);
  expect(firstTexts(await reader.whole())).toEqual(Array.from({ length: 300 }, () => 'new old'));
});

test('rows that come and go while others change', async () => {
  const { doc, table } = tableDoc(200);
  const reader = readerOf(doc);
  reader.draw();
  doc.transact(() => {
    table.toArray().forEach(writeIntoRow);
    table.delete(0, 3);
    table.insert(
      0,
      Array.from({ length: 100 }, () => rowOf(10, 'added')),
    );
  });
  reader.draw();
  const whole = firstTexts(await reader.whole());
  expect(whole).toEqual([
    ...Array.from({ length: 100 }, () => 'added'),
    ...Array.from({ length: 197 }, () => 'new old'),
  ]);
  table.delete(0, table.length);
  reader.draw();
  expect(firstTexts(await reader.whole())).toEqual([]);
});
