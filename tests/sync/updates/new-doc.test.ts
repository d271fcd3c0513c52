import { describe, expect, test } from 'vitest';
import { FIRST_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import { randomClientId, newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';

/** Two people make the same text bold at once; returns the local updates with which `receiver` answers. */
function answersTo(receiver: Y.Doc): Uint8Array[] {
  const base = new Y.Doc();
  base.getText('t').insert(0, 'abcdefgh');
  const state = Y.encodeStateAsUpdate(base);
  const bold = (): Uint8Array => {
    const author = new Y.Doc();
    Y.applyUpdate(author, state);
    const before = Y.encodeStateVector(author);
    author.getText('t').format(0, 8, { bold: true });
    return Y.encodeStateAsUpdate(author, before);
  };
  receiver.getText('t');
  const answers: Uint8Array[] = [];
  receiver.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) answers.push(update);
  });
  for (const update of [state, bold(), bold()]) Y.applyUpdate(receiver, update, 'row');
  return answers;
}

describe('[ID1] formatting cleanup', () => {
  test('a plain Y.Doc answers remote formatting with a local update: the reason for newDoc', () => {
    expect(answersTo(new Y.Doc()).length).toBeGreaterThan(0);
  });

  test('newDoc stays silent', () => {
    expect(answersTo(newDoc())).toEqual([]);
  });

  test('newDoc still cleans up after its own user', () => {
    const doc = newDoc();
    const text = doc.getText('t');
    text.insert(0, 'abc');
    text.format(0, 3, { bold: true });
    text.format(0, 3, { bold: null });
    expect(text.toDelta()).toEqual([{ insert: 'abc' }]);
  });
});

test('[SY10] client ids lie above the reserved ones and within 32 bits', () => {
  const next = prng(1);
  const ids = Array.from({ length: 1000 }, () => randomClientId(next));
  expect(Math.min(...ids)).toBeGreaterThanOrEqual(FIRST_CLIENT_ID);
  expect(Math.max(...ids)).toBeLessThan(2 ** 32);
  expect(randomClientId(() => 0)).toBe(FIRST_CLIENT_ID);
  expect(randomClientId(() => 1 - 2 ** -32)).toBeLessThan(2 ** 32);
  expect(new Set(ids).size).toBe(1000);
});
