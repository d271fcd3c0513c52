// The blocks of a page for views: parsed once, and again after a change.
import { expect, onTestFinished, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { elementsOfBlocks, fillPage } from 'weft-document/body/fill-page.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import * as Y from 'yjs';

function pageOf(length: number): Y.Doc {
  const doc = new Y.Doc();
  const lines = Array.from({ length }, (_line, at) => textBlock({}, [plainRun(`Line ${at}`)]));
  fillPage(doc, '', elementsOfBlocks(lines));
  return doc;
}

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

test('a row that changes many blocks asks for no path to any of them: each takes as long as the page', () => {
  const doc = pageOf(100);
  const view = bodyViewOf(doc);
  const before = view.get();
  const path = vi.spyOn(Y.YEvent.prototype, 'path', 'get');
  onTestFinished(() => path.mockRestore());
  doc.transact(() => {
    for (const block of bodyOf(doc).toArray()) if (block instanceof Y.XmlElement) block.setAttribute('kind', 'quote');
  });
  expect(view.get().some((block) => before.includes(block))).toBe(false);
  expect(path).not.toHaveBeenCalled();
});
