// The text that live updates repeat while edits wait: all of it, whatever was typed and deleted, and fast.
import { expect, test } from 'vitest';
import { Backlog } from 'weft-sync/live/backlog.ts';
import { Outbox } from 'weft-sync/state/outbox.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';

const random = seededRandom(3);
const key = { session: random.session(), clientId: 4_711 };

/** Updates of someone who types and deletes. */
function writer() {
  const doc = newDoc(key.clientId);
  const text = doc.getText('t');
  let last: Bytes = new Uint8Array();
  doc.on('update', (update: Uint8Array) => (last = new Uint8Array(update)));
  return {
    text,
    next(): Bytes {
      const at = Math.floor(random.next() * (text.length + 1));
      if (text.length > 5 && random.next() < 0.3) text.delete(at === text.length ? at - 1 : at, 1);
      else text.insert(at, 'k');
      return last;
    },
  };
}

const textOf = (updates: readonly Uint8Array[]): string => {
  const doc = newDoc();
  for (const update of updates) Y.applyUpdate(doc, update);
  expect(doc.store.pendingStructs).toBe(null);
  return doc.getText('t').toString();
};

test('[L1] the backlog holds all unacknowledged edits, whatever was typed and acknowledged in between', () => {
  const { next, text } = writer();
  const outbox = new Outbox(key);
  const backlog = new Backlog();
  const acknowledged: Bytes[] = [];
  expect(backlog.of(outbox)).toBe(null);
  for (let round = 0; round < 200; round++) {
    for (let i = Math.floor(random.next() * 4); i >= 0; i--) outbox.add(next(), 0, []);
    const batch = backlog.of(outbox);
    expect([batch?.nFrom, batch?.nTo]).toEqual([outbox.ackedN + 1, outbox.lastN]);
    expect(textOf([...acknowledged, ...(batch === null ? [] : [batch.update])])).toBe(text.toString());
    expect(backlog.of(outbox)).toBe(batch);
    if (random.next() < 0.3) {
      const upTo = outbox.ackedN + Math.ceil(random.next() * (outbox.lastN - outbox.ackedN));
      acknowledged.push(...outbox.entries.filter(({ n }) => n <= upTo).map(({ update }) => update));
      outbox.acknowledge(upTo);
    }
  }
});

test('[L1] a backlog too large for a live update is null until enough of it is acknowledged', () => {
  const { next } = writer();
  const outbox = new Outbox(key);
  const backlog = new Backlog();
  for (let n = 1; n <= 3_000; n++) outbox.add(next(), 0, []);
  expect(backlog.of(outbox)).toBe(null);
  outbox.add(next(), 0, []);
  expect(backlog.of(outbox)).toBe(null);
  outbox.acknowledge(2_990);
  expect(backlog.of(outbox)).toMatchObject({ nFrom: 2_991, nTo: 3_001 });
});

test('[L1] a key on top of a thousand waiting edits costs no more than one on top of few', () => {
  const { next } = writer();
  const cost = (waiting: number): number => {
    const outbox = new Outbox(key);
    const backlog = new Backlog();
    for (let n = 1; n <= waiting; n++) outbox.add(next(), 0, []);
    backlog.of(outbox);
    let merges = 0;
    const { after } = outbox;
    outbox.after = (n) => {
      const entries = after.call(outbox, n);
      merges += entries.length;
      return entries;
    };
    for (let k = 0; k < 20; k++) {
      outbox.add(next(), 0, []);
      expect(backlog.of(outbox)).not.toBe(null);
    }
    return merges;
  };
  expect(cost(600)).toBe(cost(5));
});
