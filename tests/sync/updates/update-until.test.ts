import { expect, test } from 'vitest';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { updateUntil } from 'weft-sync/updates/update-until.ts';
import * as Y from 'yjs';

const MINE = 5000;
const OTHERS = 6000;

function written(): Y.Doc {
  const doc = newDoc(MINE);
  doc.getText('t').insert(0, 'mine');
  doc.clientID = OTHERS;
  doc.getText('t').insert(4, ' others 😀');
  doc.getText('t').delete(0, 1);
  return doc;
}

const textOf = (update: Uint8Array | null): string => {
  const doc = newDoc();
  if (update !== null) Y.applyUpdate(doc, update);
  expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null]);
  return doc.getText('t').toJSON();
};

test('[HI3] the part of an update below some clocks is complete, and deletes nothing beyond them', () => {
  const doc = written();
  const all = new Uint8Array(Y.encodeStateAsUpdate(doc));
  const until = (clock: number) => updateUntil(all, (client) => (client === OTHERS ? clock : 4));
  expect([0, 3, 7, 8, 10].map((clock) => textOf(until(clock)))).toEqual([
    'ine',
    'ine ot',
    'ine others',
    'ine others ',
    'ine others 😀',
  ]);
  doc.getText('t').delete(3, 4);
  const shorter = new Uint8Array(Y.encodeStateAsUpdate(doc));
  expect(textOf(updateUntil(shorter, (client) => (client === OTHERS ? 2 : 4)))).toBe('ine');
  expect(updateUntil(Uint8Array.of(9, 9), () => 0)).toBe(null);
});
