import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { bodyOf } from '../../src/document/names.ts';
import { createUndo } from '../../src/document/undo.ts';
import { newDoc } from '../../src/sync/updates/new-doc.ts';

const LEVELS = 20_000;
/** It takes 300 ms; Yjs's own way up from each level takes 6 s. */
const MAX_MS = 2_000;

test('an element in which a hostile person nested thousands is deleted and put back at once', () => {
  const doc = newDoc();
  let inner: Y.XmlFragment = bodyOf(doc);
  doc.transact(() => {
    for (let at = 0; at < LEVELS; at++) {
      const next = new Y.XmlElement('block');
      inner.insert(0, [next]);
      inner = next;
    }
  });
  const editor = {};
  const undo = createUndo(doc, editor);
  const before = performance.now();
  doc.transact(() => bodyOf(doc).delete(0, 1), editor);
  expect(bodyOf(doc).length).toBe(0);
  undo.undo();
  expect(bodyOf(doc).length).toBe(1);
  expect(performance.now() - before).toBeLessThan(MAX_MS);
});
