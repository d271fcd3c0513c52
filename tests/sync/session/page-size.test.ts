import { expect, test } from 'vitest';
import { MEASURE_QUIET_MS, PageSize } from 'weft-sync/session/page-size.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { stateBytes } from 'weft-sync/updates/state-bytes.ts';
import * as Y from 'yjs';

const LIMITS = { largeBytes: 10_000, fullBytes: 20_000 };

/** A page with its real size, and how often it was measured. */
function sized() {
  const clock = new SimClock();
  const doc = newDoc(3000);
  const undo = new Y.UndoManager(doc.getText('t'), { captureTimeout: 0 });
  const received: string[] = [];
  let measured = 0;
  const measure = () => {
    measured += 1;
    return stateBytes(doc);
  };
  const size = new PageSize(measure, () => void received.push(size.level), clock, LIMITS);
  doc.on('update', (update: Uint8Array) => size.changed(update.length));
  const text = doc.getText('t');
  return {
    clock,
    doc,
    undo,
    size,
    received,
    text,
    get measured() {
      return measured;
    },
    write: (bytes: number) => text.insert(text.length, 'x'.repeat(bytes)),
  };
}

test('[SZ2] a page far below the limits is never measured, and has no timer', async () => {
  const page = sized();
  page.write(5_000);
  await page.clock.run(120_000);
  expect([page.size.level, page.measured, page.clock.pending, page.size.mayGrow(1_000)]).toEqual([
    'ordinary',
    0,
    0,
    true,
  ]);
});

test('[SZ2] a page above the first limit is large once no one types, and ordinary again when text is deleted', async () => {
  const page = sized();
  page.write(12_000);
  expect(page.size.level).toBe('ordinary');
  await page.clock.run(MEASURE_QUIET_MS + 1);
  expect([page.size.level, page.measured]).toEqual(['large', 1]);
  page.text.delete(0, 6_000);
  await page.clock.run(60_000);
  expect([page.size.level, page.received, page.clock.pending]).toEqual(['ordinary', ['large', 'ordinary'], 0]);
});

test('[SZ2] during continuous typing a page is measured all the same, at most every ten seconds', async () => {
  const page = sized();
  page.write(9_990);
  for (let key = 0; key < 100; key++) {
    page.write(1);
    await page.clock.run(500);
  }
  expect(page.size.level).toBe('large');
  expect(page.measured).toBeGreaterThan(0);
  expect(page.measured).toBeLessThanOrEqual(5);
});

test('[SZ2] the bytes that keys cost in the log are not taken for the size of the page', async () => {
  const page = sized();
  for (let key = 0; key < 1_000; key++) page.write(1);
  await page.clock.run(MEASURE_QUIET_MS + 1);
  expect([page.measured, page.size.level]).toEqual([1, 'ordinary']);
});

test('[SZ3] an edit without room is refused as a whole, a smaller one is not', async () => {
  const page = sized();
  page.write(15_000);
  await page.clock.run(MEASURE_QUIET_MS + 1);
  expect([page.size.mayGrow(6_000), page.size.level]).toEqual([false, 'full']);
  expect([page.size.mayGrow(100), page.size.level]).toEqual([true, 'large']);
});

test('[SZ3] near the limit the page is measured before anything is refused', () => {
  const page = sized();
  // In the log this is more than the limit, in the page a fraction of it.
  for (let key = 0; key < 1_500; key++) page.write(1);
  expect([page.size.mayGrow(1), page.measured]).toEqual([true, 1]);
});

test('[SZ3] a full page has room again when text is deleted, though undo still keeps it here', async () => {
  const page = sized();
  page.write(21_000);
  await page.clock.run(MEASURE_QUIET_MS + 1);
  expect([page.size.level, page.size.mayGrow(1)]).toEqual(['full', false]);
  page.text.delete(0, 15_000);
  expect(Y.encodeStateAsUpdateV2(page.doc).length).toBeGreaterThan(20_000);
  await page.clock.run(MEASURE_QUIET_MS + 1);
  expect([page.size.level, page.size.mayGrow(1_000)]).toEqual(['ordinary', true]);
});

test('[I9] nothing is measured any more after stopping', async () => {
  const page = sized();
  page.write(12_000);
  page.size.stop();
  page.write(12_000);
  await page.clock.run(60_000);
  expect([page.measured, page.clock.pending]).toEqual([0, 0]);
});

test('[SZ2] deleted text and blocks that undo keeps do not count: the size is what everyone else has', () => {
  const doc = newDoc(3000);
  const body = doc.getXmlFragment('body');
  const undo = new Y.UndoManager(body, { captureTimeout: 0 });
  const fill = (blocks: number) =>
    doc.transact(() => {
      for (let at = 0; at < blocks; at++) {
        const block = new Y.XmlElement('block');
        block.setAttribute('id', `b${at}`);
        block.insert(0, [new Y.XmlText('some words of a block')]);
        body.insert(at, [block]);
      }
    });
  const elsewhere = () => {
    const copy = newDoc(3001);
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc));
    return Y.encodeStateAsUpdateV2(copy).length;
  };
  const sizes = [];
  fill(500);
  undo.undo();
  sizes.push([stateBytes(doc), elsewhere()] as const);
  undo.redo();
  sizes.push([stateBytes(doc), elsewhere()] as const);
  const block = body.get(7);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (text instanceof Y.XmlText) text.delete(5, 6);
  body.delete(100, 200);
  sizes.push([stateBytes(doc), elsewhere()] as const);
  expect(sizes.every(([, there]) => there > 500)).toBe(true);
  for (const [here, there] of sizes) expect(Math.abs(here - there)).toBeLessThan(0.02 * there + 20);
});
