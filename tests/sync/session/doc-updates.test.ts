import { expect, test } from 'vitest';
import { DocUpdates } from 'weft-sync/session/doc-updates.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

/** A document, and the bytes of which its listeners heard. */
function listened() {
  const clock = new SimClock();
  const doc = newDoc(3000);
  const edits: number[] = [];
  const received: number[] = [];
  const docs = new DocUpdates(doc, clock, {
    edited: (update) => void edits.push(update.length),
    received: (bytes) => void received.push(bytes),
  });
  const replica = new Replica(doc, null);
  return { clock, doc, docs, replica, edits, received };
}

const stateOf = (write: (text: Y.Text) => void) => {
  const doc = newDoc(4000);
  write(doc.getText('t'));
  return { v1: new Uint8Array(Y.encodeStateAsUpdate(doc)), v2: new Uint8Array(Y.encodeStateAsUpdateV2(doc)) };
};

test('[SZ2] what comes from outside is counted by its own bytes; Yjs does not encode it again', () => {
  const { doc, replica, edits, received } = listened();
  doc.getText('t').insert(0, 'typed ');
  const { v2 } = stateOf((text) => text.insert(0, 'a snapshot'));
  expect(replica.applySnapshot(5, v2)).toBe(true);
  // Yjs encodes a transaction when someone listens at its end.
  expect(doc._observers.has('update')).toBe(false);
  const { v1 } = stateOf((text) => text.insert(0, 'a snapshot, and more'));
  expect(replica.show([v1])).toBe(true);
  expect(doc._observers.has('update')).toBe(false);
  expect(edits).toHaveLength(1);
  expect(received).toEqual([v2.length, expect.any(Number)]);
  expect(received[1]).toBeLessThanOrEqual(v1.length);

  doc.getText('t').insert(0, 'typed ');
  expect(edits).toHaveLength(2);
});

test('[SZ2] nothing is counted for a transaction that brings nothing', () => {
  const { doc, replica, received } = listened();
  const { v1 } = stateOf((text) => text.insert(0, 'words'));
  replica.show([v1]);
  replica.show([v1]);
  Y.transact(doc, () => {}, 'row', false);
  expect(received.every((bytes) => bytes > 0)).toBe(true);
  expect(received[0]).toBe(v1.length);
});

test('[L6] a key struck in a document that a rebuild has replaced is heard for ten seconds', async () => {
  const { clock, doc, docs, edits } = listened();
  docs.replaceDoc(newDoc(3000));
  doc.getText('t').insert(0, 'late');
  expect(edits).toHaveLength(1);
  await clock.run(11_000);
  docs.replaceDoc(newDoc(3000));
  doc.getText('t').insert(0, 'too late');
  expect(edits).toHaveLength(1);
});
