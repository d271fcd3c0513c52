import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecodedUpdate, clientIds, decodeUpdate, clockEnds } from 'weft-sync/updates/decoded-update.ts';
import { missingClocks } from 'weft-sync/updates/missing-clocks.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { prng } from '../../../src/lib/prng.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const bytes = (update: Uint8Array): Bytes => new Uint8Array(update);

function docOf(clientId: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = clientId;
  return doc;
}

/** The updates of `doc` as they are made, each with a description of the edit. */
function recording(doc: Y.Doc): Bytes[] {
  const updates: Bytes[] = [];
  doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (transaction.local) updates.push(bytes(update));
  });
  return updates;
}

function decoded(update: Bytes | undefined): DecodedUpdate {
  const one = update === undefined ? null : decodeUpdate(update);
  if (one === null) throw new Error('not an update');
  return one;
}

const have =
  (clocks: Record<number, number>) =>
  (client: number): number =>
    clocks[client] ?? 0;
const lacks = (update: Bytes | undefined, clocks: Record<number, number>) =>
  Object.fromEntries(missingClocks([decoded(update)], have(clocks)));

describe('[I3] missing', () => {
  const alice = docOf(1001);
  const bob = docOf(1002);
  const ofAlice = recording(alice);
  const ofBob = recording(bob);
  alice.getText('t').insert(0, 'abc');
  Y.applyUpdate(bob, ofAlice[0] ?? bytes(new Uint8Array()));
  bob.getText('t').insert(2, 'XY');
  bob.getText('t').delete(0, 1);
  alice.getText('t').insert(3, 'd');
  bob.getMap('m').set('k', new Y.Text());
  const [first, second] = ofAlice;
  const [insert, remove, map] = ofBob;

  test('a first update needs nothing', () => expect(lacks(first, {})).toEqual({}));
  test('a continuation needs what comes before it', () => {
    expect(lacks(second, {})).toEqual({ 1001: 4 });
    expect(lacks(second, { 1001: 2 })).toEqual({ 1001: 4 });
    expect(lacks(second, { 1001: 3 })).toEqual({});
  });
  test('origins on both sides count', () => {
    expect(lacks(insert, {})).toEqual({ 1001: 3 });
    expect(lacks(insert, { 1001: 2 })).toEqual({ 1001: 3 });
    expect(lacks(insert, { 1001: 3 })).toEqual({});
  });
  test('deleted ranges count, though a state vector does not see them', () => {
    expect(lacks(remove, {})).toEqual({ 1001: 1 });
    expect(lacks(remove, { 1001: 1 })).toEqual({});
  });
  test('parents count', () => {
    const nested = map;
    expect(lacks(nested, { 1002: 2 })).toEqual({});
    const child = docOf(1003);
    const ofChild = recording(child);
    for (const update of [...ofAlice, ...ofBob]) Y.applyUpdate(child, update);
    const inner = child.getMap('m').get('k');
    if (inner instanceof Y.Text) inner.insert(0, 'z');
    expect(lacks(ofChild[0], { 1001: 4, 1002: 2 })).toEqual({ 1002: 3 });
  });
  test('structs that are there already need nothing new: their causes are there too, or were invented', () => {
    expect(lacks(insert, { 1001: 3, 1002: 2 })).toEqual({});
    expect(lacks(insert, { 1002: 2 })).toEqual({ 1001: 3 });
  });
  test('updates applied together provide for each other, in any order', () => {
    expect(missingClocks([decoded(second), decoded(insert), decoded(first), decoded(remove)], have({})).size).toBe(0);
    expect(Object.fromEntries(missingClocks([decoded(insert), decoded(second)], have({})))).toEqual({ 1001: 4 });
  });
  test('a hole inside one update is seen', () => {
    alice.getText('t').insert(0, 'e');
    const holey = bytes(Y.mergeUpdates([first, ofAlice[2]].filter((one) => one !== undefined)));
    expect(lacks(holey, {})).toEqual({ 1001: 5 });
    expect(lacks(holey, { 1001: 4 })).toEqual({});
  });
  test('empty bytes are an update without content; anything else that is not an update is null', () => {
    expect(decodeUpdate(new Uint8Array(0))).toEqual({ structs: [], deletes: new Map() });
    expect(decodeUpdate(Uint8Array.of(1, 2, 3))).toBeNull();
    expect([...clientIds(decoded(insert))]).toEqual([1002]);
    expect(Object.fromEntries(clockEnds(decoded(insert)))).toEqual({ 1002: 2 });
  });
});

test('[GB1] clients that all wait for one cost time in proportion to their number', async () => {
  const many = allBeside(20_000);
  const few = allBeside(1_000);
  const work = (one: DecodedUpdate) => () => missingClocks([one], () => 0);
  expect(await timesAsLong(work(many), repeatedly(20, work(few)), 3)).toBeLessThan(8);
  expect(work(allBeside(150_000))().size).toBe(0);
});

/** The items of this many clients, each behind the item of one other client. */
function allBeside(clients: number): DecodedUpdate {
  const item = (client: number, left: Y.ID | null) =>
    new Y.Item(Y.createID(client, 0), null, left, null, null, null, null, new Y.ContentString('x'));
  const others = Array.from({ length: clients }, (_, at) => item(10_000 + at, Y.createID(5_000, 0)));
  return { structs: [item(5_000, null), ...others], deletes: new Map() };
}

test('[I3] missingClocks reports exactly when Yjs would hold something back', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = prng(seed);
    const docs = [1, 2, 3].map((n) => docOf(1000 + n));
    const updates: Bytes[] = [];
    for (const doc of docs)
      doc.on(
        'update',
        (update: Uint8Array, _o: unknown, _d: Y.Doc, tr: Y.Transaction) => tr.local && updates.push(bytes(update)),
      );
    for (let i = 0; i < 25; i++) {
      const doc = docs[Math.floor(next() * docs.length)];
      const text = doc?.getText('t');
      if (doc === undefined || text === undefined) continue;
      const at = Math.floor(next() * (text.length + 1));
      if (next() < 0.6 || text.length === 0) text.insert(at, 'ab');
      else text.delete(Math.min(at, text.length - 1), 1);
      for (const update of updates) if (next() < 0.3) applyIfComplete(doc, update);
    }
    const reader = docOf(5000);
    for (let i = 0; i < 60; i++) {
      const update = updates[Math.floor(next() * updates.length)];
      if (update === undefined) continue;
      const copy = docOf(6000);
      Y.applyUpdate(copy, Y.encodeStateAsUpdate(reader));
      const complete = missingClocks([decoded(update)], (client) => Y.getState(copy.store, client)).size === 0;
      Y.applyUpdate(copy, update);
      const isPending = copy.store.pendingStructs !== null || copy.store.pendingDs !== null;
      expect(complete, `seed ${seed}`).toBe(!isPending);
      if (complete) Y.applyUpdate(reader, update);
    }
  }
});

function applyIfComplete(doc: Y.Doc, update: Bytes): void {
  if (missingClocks([decoded(update)], (client) => Y.getState(doc.store, client)).size === 0)
    Y.applyUpdate(doc, update, 'row');
}

test('[D8] whatever the bytes, decoding answers and does not throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
      const one = decodeUpdate(bytes(raw));
      expect(one === null || missingClocks([one], () => 0) instanceof Map).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
