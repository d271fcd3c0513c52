import { expect, test } from 'vitest';
import { bodyOf, RESTORE_ORIGIN } from 'weft-document/names.ts';
import { createUndo } from 'weft-document/undo.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { repeatedly, timesAsLong } from '../support/times-as-long.ts';

test('an earlier state that was put back is a step of its own, between two characters typed in a moment', () => {
  const doc = newDoc();
  const text = new Y.XmlText();
  bodyOf(doc).insert(0, [text]);
  const editor = {};
  const undo = createUndo(doc, editor);
  doc.transact(() => text.insert(0, 'a'), editor);
  doc.transact(() => text.insert(1, ' restored'), RESTORE_ORIGIN);
  doc.transact(() => text.insert(10, '!'), editor);
  const states = [1, 2, 3].map(() => {
    undo.undo();
    return text.toJSON();
  });
  expect(states).toEqual(['a restored', 'a', '']);
});

test('an edit that changes nothing is no step, and what was undone can still be redone', () => {
  const doc = newDoc();
  const text = new Y.XmlText();
  bodyOf(doc).insert(0, [text]);
  const undo = createUndo(doc, {});
  doc.transact(() => text.insert(0, 'a'), RESTORE_ORIGIN);
  undo.undo();
  doc.transact(() => undefined, RESTORE_ORIGIN);
  expect(undo.undoStack).toEqual([]);
  undo.redo();
  expect(text.toJSON()).toBe('a');
});

/** A page with an element in which as many others are nested, each in the one before. */
function nestedPage(levels: number): Y.Doc {
  const doc = newDoc();
  let inner: Y.XmlFragment = bodyOf(doc);
  doc.transact(() => {
    for (let at = 0; at < levels; at++) {
      const next = new Y.XmlElement('block');
      inner.insert(0, [next]);
      inner = next;
    }
  });
  return doc;
}

function deleteAndPutBack(doc: Y.Doc): void {
  const editor = {};
  const undo = createUndo(doc, editor);
  doc.transact(() => bodyOf(doc).delete(0, 1), editor);
  expect(bodyOf(doc).length).toBe(0);
  undo.undo();
  expect(bodyOf(doc).length).toBe(1);
  undo.destroy();
}

test('an element in which a hostile person nested thousands is deleted and put back as fast as its parts', async () => {
  const deep = Array.from({ length: 2 }, () => nestedPage(20_000));
  const flat = Array.from({ length: 2 * 40 }, () => nestedPage(500));
  const next = (pages: Y.Doc[]) => deleteAndPutBack(pages.pop() ?? newDoc());
  const times = await timesAsLong(
    () => next(deep),
    repeatedly(40, () => next(flat)),
    2,
  );
  // Yjs's own way up from each level makes it 40 times.
  expect(times).toBeLessThan(10);
});
