import { expect, test } from 'vitest';
import { Outbox } from 'weft-sync/state/outbox.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import * as Y from 'yjs';

const key = { session: seededRandom(1).session(), clientId: 5000 };

function typed(count: number, size = 1): { outbox: Outbox; doc: Y.Doc } {
  const doc = new Y.Doc();
  const outbox = new Outbox(key);
  doc.on('update', (update: Uint8Array) => outbox.add(new Uint8Array(update), 1000 + outbox.lastN, []));
  for (let i = 0; i < count; i++) doc.getText('t').insert(doc.getText('t').length, 'x'.repeat(size));
  return { outbox, doc };
}

test('[ID1] edits are numbered from 1, one per update', () => {
  const { outbox } = typed(3);
  expect(outbox.entries.map(({ n, at }) => [n, at])).toEqual([
    [1, 1000],
    [2, 1001],
    [3, 1002],
  ]);
});

test('[D2] a batch begins with the first unacknowledged edit and holds as many as fit, at least one', () => {
  const { outbox, doc } = typed(4, 100);
  const all = outbox.batch(10_000);
  expect([all?.nFrom, all?.nTo]).toEqual([1, 4]);
  const copy = new Y.Doc();
  Y.applyUpdate(copy, all?.update ?? new Uint8Array());
  expect(copy.getText('t').toString()).toBe(doc.getText('t').toString());
  expect(outbox.batch(250)).toMatchObject({ nFrom: 1, nTo: 2 });
  expect(outbox.batch(1)).toMatchObject({ nFrom: 1, nTo: 1 });
});

test('[I2] an acknowledgement removes what it covers, never more than there is, and never goes back', () => {
  const { outbox } = typed(4);
  outbox.acknowledge(2);
  expect([outbox.ackedN, outbox.entries.map(({ n }) => n)]).toEqual([2, [3, 4]]);
  outbox.acknowledge(1);
  expect(outbox.ackedN).toBe(2);
  outbox.acknowledge(99);
  expect([outbox.ackedN, outbox.lastN, outbox.isEmpty, outbox.batch(1)]).toEqual([4, 4, true, null]);
});

test('[D6] an outbox from the store continues its numbers', () => {
  const { outbox } = typed(5);
  const again = new Outbox(key, outbox.entries.slice(2));
  expect([again.ackedN, again.lastN, again.batch(10_000)?.nFrom]).toEqual([2, 5, 3]);
});

test('[SY5] a file of nothing is an update that changes nothing', () => {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, mergeUpdates([]));
  expect(doc.store.clients.size).toBe(0);
});

test('[D2] many merged edits give the same text as one after the other', () => {
  const { outbox, doc } = typed(300);
  const copy = new Y.Doc();
  Y.applyUpdate(copy, outbox.merged());
  expect([copy.getText('t').toString(), copy.store.pendingStructs]).toEqual([doc.getText('t').toString(), null]);
});

test('[D5] stored dependencies are recognized in whatever parts they come again, until their entries leave', () => {
  const outbox = new Outbox(key);
  const { session } = { session: seededRandom(2).session() };
  const part = (nFrom: number, nTo: number) => ({ session, clientId: 6000, nFrom, nTo, update: new Uint8Array(0) });
  outbox.add(new Uint8Array(0), 0, [part(1, 1), part(4, 6)]);
  outbox.add(new Uint8Array(0), 0, [part(2, 2)]);
  expect([part(1, 2), part(2, 2), part(1, 3), part(5, 6), part(3, 4)].map((one) => outbox.isStoredWith(one))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  outbox.add(new Uint8Array(0), 0, [part(3, 3)]);
  expect([outbox.isStoredWith(part(1, 6)), outbox.isStoredWith({ ...part(1, 6), session: key.session })]).toEqual([
    true,
    false,
  ]);
  expect(outbox.after(1).map(({ n }) => n)).toEqual([2, 3]);
  outbox.acknowledge(1);
  expect([outbox.isStoredWith(part(4, 6)), outbox.isStoredWith(part(2, 3))]).toEqual([false, true]);
  expect(outbox.after(0).map(({ n }) => n)).toEqual([2, 3]);
});
