// Edits of others that are held until they are in the log, without a session around them.
import { expect, test } from 'vitest';
import { HeldUpdates } from 'weft-sync/state/held-updates.ts';
import { KnownSessions } from 'weft-sync/state/known-sessions.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { mergeUpdates } from 'weft-sync/updates/merge-updates.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';

const CLIENT = 5000;
const session = seededRandom(1).session();
const other = seededRandom(2).session();

/** One edit per character. */
function pieces(characters: string) {
  const doc = newDoc(CLIENT);
  const updates: Uint8Array<ArrayBuffer>[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
  for (const character of characters) doc.getText('t').insert(doc.getText('t').length, character);
  return updates.map((update, at) => ({ session, clientId: CLIENT, nFrom: at + 1, nTo: at + 1, update }));
}

function setup() {
  const doc = newDoc();
  const replica = new Replica(doc, null);
  const received = { contradictions: 0 };
  const liveUpdates = new HeldUpdates(replica, () => (received.contradictions += 1));
  return { replica, liveUpdates, received, text: () => doc.getText('t').toString() };
}

test('[L2] [L3] parts of one session are merged without holes in their numbers', () => {
  const { liveUpdates, text } = setup();
  const parts = pieces('x'.repeat(130));
  // The numbers 101 to 109 were deletions that never came.
  for (const part of parts) {
    const shift = part.nFrom > 100 ? 9 : 0;
    liveUpdates.receive({ ...part, nFrom: part.nFrom + shift, nTo: part.nTo + shift }, 0);
  }
  expect(text().length).toBe(130);
  const ranges = liveUpdates.shown.map(({ part }) => [part.nFrom, part.nTo]);
  expect(ranges.length).toBeLessThan(64);
  expect(ranges.some(([from, to]) => (from ?? 0) < 105 && (to ?? 0) > 105)).toBe(false);
});

test('[L2] a waiting part gives way to one that reaches further back (simulation, seed 10481)', () => {
  const { liveUpdates, replica, text } = setup();
  const before = newDoc(6000);
  before.getText('t').insert(0, 'z');
  const row = new Uint8Array(Y.encodeStateAsUpdate(before));
  const doc = newDoc(CLIENT);
  Y.applyUpdate(doc, row, 'row');
  const updates: Uint8Array<ArrayBuffer>[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
  for (const character of 'abc') doc.getText('t').insert(doc.getText('t').length, character);
  const part = (nFrom: number, nTo: number) => ({
    session,
    clientId: CLIENT,
    nFrom,
    nTo,
    update: mergeUpdates(updates.slice(nFrom - 1, nTo)),
  });
  // The newest part, as it was stored with an entry; then everything; then one part again; all before the row.
  for (const one of [part(3, 3), part(1, 3), part(2, 3)]) liveUpdates.receive(one, 0);
  expect(liveUpdates.waiting.map((held) => [held.part.nFrom, held.part.nTo])).toEqual([[1, 3]]);
  replica.take([{ session: other, clientId: 6000, nFrom: 1, nTo: 1, update: row, seq: 1, dependencies: [] }]);
  liveUpdates.settle();
  expect(text()).toBe('zabc');
});

test('[L3] the numbers of a dependency release nothing whose structs the log lacks', () => {
  const { liveUpdates, replica } = setup();
  const [first] = pieces('a');
  if (first === undefined) throw new Error('no edit');
  liveUpdates.receive(first, 0);
  const lie = { ...first, nTo: 99, update: Uint8Array.of(0, 0) };
  const row = { session: other, clientId: 6000, nFrom: 1, nTo: 1, update: Uint8Array.of(0, 0) };
  replica.take([{ ...row, seq: 1, dependencies: [lie] }]);
  liveUpdates.settle();
  expect([replica.loggedN(session), replica.appendedN(session), liveUpdates.shown.length]).toEqual([99, 0, 1]);
  replica.take([{ ...row, nFrom: 2, nTo: 2, seq: 2, dependencies: [{ ...first }] }]);
  liveUpdates.settle();
  expect(liveUpdates.shown.length).toBe(0);
});

test('[L3] [D7] a relayed part is released although edits before it never came (simulation, seed 12097)', () => {
  const { liveUpdates, replica } = setup();
  // The first two only deleted, and died with their tab.
  const [one, two] = pieces('ab').map((part) => ({ ...part, nFrom: part.nFrom + 2, nTo: part.nTo + 2 }));
  if (one === undefined || two === undefined) throw new Error('no edits');
  for (const part of [one, two]) liveUpdates.receive(part, 0);
  const row = { session: other, clientId: 6000, nFrom: 0, nTo: 0, update: new Uint8Array(0) };
  replica.take([{ ...row, seq: 1, dependencies: [one] }]);
  liveUpdates.settle();
  expect(liveUpdates.shown.map(({ part }) => part.nTo)).toEqual([4]);
  const both = { ...one, nTo: two.nTo, update: mergeUpdates([one.update, two.update]) };
  replica.take([{ ...row, seq: 2, dependencies: [both] }]);
  liveUpdates.settle();
  expect(liveUpdates.shown).toEqual([]);
});

test('[L3] a row of the author counts whatever was before it: the rows before may be in a snapshot', () => {
  const { replica } = setup();
  replica.take([
    { session, clientId: CLIENT, nFrom: 50, nTo: 52, update: Uint8Array.of(0, 0), seq: 1, dependencies: [] },
  ]);
  expect(replica.loggedN(session)).toBe(52);
});

test('[L3] a session that sent the log less than the others is no longer trusted', () => {
  const { liveUpdates, replica, received } = setup();
  const [first, second] = pieces('ab');
  if (first === undefined || second === undefined) throw new Error('no edit');
  const both = new Uint8Array(Y.mergeUpdates([first.update, second.update]));
  liveUpdates.receive({ ...first, nTo: 2, update: both }, 0);
  replica.take([{ ...first, nTo: 2, seq: 1, dependencies: [] }]);
  liveUpdates.settle();
  expect([
    received.contradictions,
    liveUpdates.shown.length,
    liveUpdates.receive({ ...second, nFrom: 3, nTo: 3 }, 0),
  ]).toEqual([1, 0, false]);
});

test('[L2] a client id is learned from the database; a tab of this browser never changes it', () => {
  const known = new KnownSessions();
  known.learnFromTab({ session, clientId: 1 });
  const [part] = pieces('a');
  expect([known.clientIdOf(session), known.unregistered(part === undefined ? [] : [part]).length]).toEqual([1, 1]);
  known.learnRegistered({ session, clientId: CLIENT });
  known.learnFromTab({ session, clientId: 1 });
  expect([known.clientIdOf(session), known.unregistered(part === undefined ? [] : [part]).length]).toEqual([CLIENT, 0]);
});
