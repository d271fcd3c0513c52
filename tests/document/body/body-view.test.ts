// The blocks of a page for views: parsed once, and again after a change.
import { expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

function pageOf(length: number): Y.Doc {
  const doc = new Y.Doc();
  const lines = Array.from({ length }, (_line, at) => textBlock({}, [plainRun(`Line ${at}`)]));
  fillPage(doc, '', elementsOfBlocks(lines));
  return doc;
}

const changeAll = (doc: Y.Doc) =>
  doc.transact(() => {
    for (const block of bodyOf(doc).toArray()) if (block instanceof Y.XmlElement) block.setAttribute('kind', 'quote');
  });

test('a block that did not change is the same object, and a new title changes none', () => {
  const doc = pageOf(3);
  const view = bodyViewOf(doc);
  let changes = 0;
  view.subscribe(() => (changes += 1));
  const before = view.get();
  titleOf(doc).insert(0, 'Plan');
  expect([view.get(), changes]).toEqual([before, 0]);
  expect(view.get()).toBe(before);
  const second = bodyOf(doc).get(1);
  if (second instanceof Y.XmlElement) second.setAttribute('kind', 'quote');
  const after = view.get();
  expect(after.map((block, at) => block === before[at])).toEqual([true, false, true]);
  expect(changes).toBe(1);
});

test('a row that changes 20,000 blocks takes as long as ten that change 2,000', async () => {
  const change = (length: number) => {
    const doc = pageOf(length);
    bodyViewOf(doc).get();
    return () => changeAll(doc);
  };
  expect(await timesAsLong(change(20_000), repeatedly(10, change(2_000)), 2)).toBeLessThan(3);
});
