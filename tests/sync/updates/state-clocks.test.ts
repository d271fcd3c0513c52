// A state that does not stand alone is recognized before anything of it is applied.
import * as encoding from 'lib0/encoding';
import { describe, expect, test } from 'vitest';
import { Replica } from 'weft-sync/state/replica.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { clocksOfState } from 'weft-sync/updates/state-clocks.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const docOf = (clientId: number): Y.Doc => newDoc(clientId);
const stateOf = (doc: Y.Doc, since?: Uint8Array) => new Uint8Array(Y.encodeStateAsUpdateV2(doc, since));

/** Several people who write into each other's text. */
function busyDoc(seed: number): Y.Doc {
  const next = prng(seed);
  const docs = [docOf(2001), docOf(2002), docOf(2003)];
  for (let step = 0; step < 150; step++) {
    const doc = docs[Math.floor(next() * docs.length)];
    const other = docs[Math.floor(next() * docs.length)];
    if (doc === undefined || other === undefined) continue;
    const text = doc.getText('t');
    const at = Math.floor(next() * (text.length + 1));
    if (next() < 0.3 && text.length > at) text.delete(at, 1);
    else if (next() < 0.2) doc.getMap('m').set(`k${Math.floor(next() * 4)}`, step);
    else if (next() < 0.3) doc.getXmlFragment('x').insert(0, [new Y.XmlElement('p')]);
    else text.insert(at, 'abc');
    if (next() < 0.4) Y.applyUpdateV2(doc, Y.encodeStateAsUpdateV2(other));
  }
  for (const one of docs) for (const other of docs) Y.applyUpdateV2(one, Y.encodeStateAsUpdateV2(other));
  return docs[0] ?? docOf(1);
}

describe('states that stand alone', () => {
  test('[SN6] their clocks are those of the document they make', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const doc = busyDoc(seed);
      expect(clocksOfState(stateOf(doc))).toEqual(Y.decodeStateVector(Y.encodeStateVector(doc)));
    }
  });

  test('[SN6] an empty document stands alone', () => {
    expect(clocksOfState(stateOf(docOf(5)))).toEqual(new Map());
  });
});

describe('states that do not', () => {
  const before = docOf(3001);
  before.getText('t').insert(0, 'hello world');
  const since = Y.encodeStateVector(before);

  const tail = docOf(3002);
  Y.applyUpdate(tail, Y.encodeStateAsUpdate(before));
  tail.getText('t').insert(5, '!');

  const deletion = docOf(3003);
  Y.applyUpdate(deletion, Y.encodeStateAsUpdate(before));
  deletion.getText('t').delete(0, 3);

  const continued = docOf(3004);
  continued.getText('t').insert(0, 'a');
  const half = Y.encodeStateVector(continued);
  continued.getMap('m').set('k', 1);

  const inside = docOf(3005);
  const map = new Y.Map<number>();
  inside.getMap('m').set('child', map);
  const withChild = Y.encodeStateAsUpdate(inside);
  const childOf = docOf(3006);
  Y.applyUpdate(childOf, withChild);
  const child = childOf.getMap('m').get('child');
  if (child instanceof Y.Map) child.set('x', 1);

  test.each([
    ['items beside items that are not there', stateOf(tail, since)],
    ['deletions of what is not there', stateOf(deletion, since)],
    ['clocks that begin in the middle', stateOf(continued, half)],
    ['children without their parent', stateOf(childOf, Y.encodeStateVector(inside))],
    ['a hole between two updates of one client', holed()],
    ['V1 instead of V2', new Uint8Array(Y.encodeStateAsUpdate(busyDoc(3)))],
    ['no update at all', Uint8Array.of(1, 2, 3, 250)],
    ['nothing', new Uint8Array(0)],
  ])('[SN6] %s: null, and a replica applies nothing of it', (_name, state) => {
    expect(clocksOfState(state)).toBeNull();
    const doc = docOf(9);
    const replica = new Replica(doc, null);
    let updates = 0;
    doc.on('update', () => updates++);
    expect(replica.applySnapshot(7, state)).toBe(false);
    expect([replica.seq, updates, doc.store.clients.size]).toEqual([0, 0, 0]);
    expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null]);
  });

  test('[SN6] a state that was cut anywhere is refused or stands alone, and never leaves anything pending', () => {
    const state = stateOf(busyDoc(8));
    for (let end = 0; end < state.length; end++) {
      const doc = docOf(9);
      new Replica(doc, null).applySnapshot(1, state.slice(0, end));
      expect([doc.store.pendingStructs, doc.store.pendingDs]).toEqual([null, null]);
    }
  });
});

test('[SN6] two clients whose items stand between each other’s can never be put in order: refused, and it ends', () => {
  // Each begins beside the other's item, which no Yjs client can have written.
  const doc = docOf(9);
  const replica = new Replica(doc, null);
  expect(replica.applySnapshot(1, circle('left'))).toBe(false);
  expect(replica.applySnapshot(1, circle('right'))).toBe(false);
  expect([doc.store.clients.size, doc.store.pendingStructs]).toEqual([0, null]);
});

test('[SN6] [GB1] clients that wait for each other one by one cost time in proportion to their number', async () => {
  const many = chain(20_000);
  const few = chain(1_000);
  expect(clocksOfState(many)?.size).toBe(20_000);
  const times = await timesAsLong(
    () => clocksOfState(many),
    repeatedly(20, () => clocksOfState(few)),
    3,
  );
  expect(times).toBeLessThan(4);
});

/** A struct of each of this many clients: each is behind that of the next client, and the last one is garbage. */
function chain(clients: number): Uint8Array<ArrayBuffer> {
  const encoder = new Y.UpdateEncoderV2();
  encoding.writeVarUint(encoder.restEncoder, clients);
  for (let at = 1; at <= clients; at++) {
    const [id, next] = [Y.createID(5_000 + at, 0), Y.createID(5_001 + at, 0)];
    const content = new Y.ContentString('x');
    encoding.writeVarUint(encoder.restEncoder, 1);
    encoder.writeClient(id.client);
    encoding.writeVarUint(encoder.restEncoder, 0);
    const struct = at === clients ? new Y.GC(id, 1) : new Y.Item(id, null, next, null, null, null, null, content);
    struct.write(encoder, 0);
  }
  encoding.writeVarUint(encoder.restEncoder, 0);
  return new Uint8Array(encoder.toUint8Array());
}

/** Items of two clients, each with the other as its neighbor on one side. */
function circle(side: 'left' | 'right'): Uint8Array<ArrayBuffer> {
  const encoder = new Y.UpdateEncoderV2();
  encoding.writeVarUint(encoder.restEncoder, 2);
  for (const [client, other] of [
    [5_001, 5_002],
    [5_002, 5_001],
  ] as const) {
    encoding.writeVarUint(encoder.restEncoder, 1);
    encoder.writeClient(client);
    encoding.writeVarUint(encoder.restEncoder, 0);
    const beside = Y.createID(other, 0);
    const [left, right] = side === 'left' ? [beside, null] : [null, beside];
    new Y.Item(Y.createID(client, 0), null, left, null, right, null, null, new Y.ContentString('x')).write(encoder, 0);
  }
  encoding.writeVarUint(encoder.restEncoder, 0);
  return new Uint8Array(encoder.toUint8Array());
}

/** Clocks 0 and 2 of one client, without 1: merging leaves a Skip. */
function holed(): Uint8Array<ArrayBuffer> {
  const doc = docOf(4001);
  const updates: Uint8Array[] = [];
  doc.on('updateV2', (update: Uint8Array) => updates.push(update));
  for (const key of ['a', 'b', 'c']) doc.getMap('m').set(key, key);
  const [first, , third] = updates;
  return new Uint8Array(Y.mergeUpdatesV2([first ?? new Uint8Array(), third ?? new Uint8Array()]));
}
