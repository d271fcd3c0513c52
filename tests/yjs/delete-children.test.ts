import { expect, test } from 'vitest';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { insertMark } from '../support/hostile-marks.ts';

/** A body with characters, formatted as a text, before, between and behind two blocks. */
function bodyWithCharacters(): Y.XmlFragment {
  const blocks = new Y.Doc();
  blocks.getXmlFragment('body').insert(0, [new Y.XmlElement('a'), new Y.XmlElement('b')]);
  const hostile = new Y.Doc();
  Y.applyUpdate(hostile, Y.encodeStateAsUpdate(blocks));
  const text = hostile.getText('body');
  text.insert(2, 'end', { bold: {} });
  text.insert(1, 'be', { bold: {}, italic: {} });
  text.insert(3, 'tween', { underline: {} });
  text.insert(0, 'start', { link: { href: 'x' } });
  const doc = newDoc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(hostile));
  return doc.getXmlFragment('body');
}

const childrenOf = (body: Y.XmlFragment) =>
  (body.toArray() as readonly unknown[]).map((one) => (one instanceof Y.XmlElement ? one.nodeName : one)).join(' ');

test('every part of a body is deleted whole, whatever marks stand in it', () => {
  const all = childrenOf(bodyWithCharacters()).split(' ');
  expect(all.join('')).toBe('startabetweenbend');
  for (let from = 0; from < all.length; from++) {
    for (let to = from; to <= all.length; to++) {
      const body = bodyWithCharacters();
      body.delete(from, to - from);
      expect(childrenOf(body)).toBe(all.toSpliced(from, to - from).join(' '));
    }
  }
});

test('a block behind marks that mark nothing is deleted', () => {
  const body = newDoc().getXmlFragment('body');
  body.insert(0, [new Y.XmlElement('a'), new Y.XmlElement('b'), new Y.XmlElement('c')]);
  for (const index of [0, 1, 1, 2, 3]) insertMark(body, index);
  body.delete(1);
  expect(childrenOf(body)).toBe('a c');
  body.delete(0, 2);
  expect(childrenOf(body)).toBe('');
  expect(() => body.delete(0)).toThrow('Length exceeded!');
});

test('the children of an element are deleted, and undo brings them back', () => {
  const doc = newDoc();
  const table = new Y.XmlElement('table');
  doc.getXmlFragment('body').insert(0, [table]);
  table.insert(0, [new Y.XmlElement('row1'), new Y.XmlElement('row2'), new Y.XmlElement('row3')]);
  for (let count = 0; count < 10; count++) insertMark(table, 1);
  const undo = new Y.UndoManager(table);
  table.delete(1, 2);
  expect(childrenOf(table)).toBe('row1');
  undo.undo();
  expect(childrenOf(table)).toBe('row1 row2 row3');
  undo.redo();
  expect(childrenOf(table)).toBe('row1');
});

test('an element that is in no document yet loses its children too', () => {
  const element = new Y.XmlElement('block');
  element.insert(0, [new Y.XmlText('a'), new Y.XmlText('b')]);
  element.delete(0);
  newDoc().getXmlFragment('body').insert(0, [element]);
  expect(element.toString()).toBe('<block>b</block>');
});
