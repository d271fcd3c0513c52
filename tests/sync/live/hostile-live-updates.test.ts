// Hostile editors and bad luck with live updates: no acknowledged edit is lost, no one is locked out.
import { describe, expect, test } from 'vitest';
import type { Append } from 'weft-sync/ports.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SEED_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import type { Part } from 'weft-sync/protocol/row.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { DOCUMENT, type TestTab, SyncHarness } from '../sync-harness.ts';

const NOTHING = new Uint8Array(0);

async function aliceAndBob() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const [alice, bob] = [harness.user('alice'), harness.user('bob')];
  const a = await alice.opened();
  const b = await bob.opened();
  await harness.run(100);
  a.type('a');
  await harness.run(500);
  b.type('b');
  await harness.run(5_000);
  expect([a.text, b.text, harness.logText]).toEqual(['ab', 'ab', 'ab']);
  return { harness, alice, bob, a, b };
}
const cutHttp = (tab: TestTab) => (tab.faults.before = () => weftError('WF011', 'cut'));

/** Text of a client from its first clock on, as one update. */
function words(clientId: number, text: string, base?: Uint8Array): Uint8Array<ArrayBuffer> {
  const doc = newDoc();
  if (base !== undefined) Y.applyUpdate(doc, base, 'row');
  // Only afterwards, because Yjs changes an id that it meets.
  doc.clientID = clientId;
  const before = Y.encodeStateVector(doc);
  doc.getText('t').insert(doc.getText('t').length, text);
  return new Uint8Array(Y.encodeStateAsUpdate(doc, before));
}

/** The text of a page after applying a file of unsent edits. */
function textOf(file: Uint8Array, base: Uint8Array): string {
  const doc = newDoc();
  for (const update of [base, file]) Y.applyUpdate(doc, update);
  return doc.getText('t').toString();
}

/** Other text in place of the next edit of this tab. */
function forged(tab: TestTab, base: Uint8Array): Part {
  const { sessionId: session, doc } = tab.session;
  return { session, clientId: doc.clientID, nFrom: 2, nTo: 2, update: words(doc.clientID, 'lies!', base) };
}

/** Sends live updates on the live topic by hand. */
async function attacker(harness: SyncHarness, name = 'mallory') {
  const mallory = harness.user(name);
  const session = harness.unopenedSession();
  const clientId = 77_000;
  const log = harness.server.log(mallory.user);
  await log.startSession({ document: DOCUMENT, session, clientId, schemaVersion: 1 });
  const link = harness.server.hub.link(mallory.user, (deliver) => void harness.clock.after(1, deliver));
  const channel = link.join(
    harness.server.topic(DOCUMENT),
    { presence: session },
    {
      joined: () => {},
      lost: () => {},
      message: () => {},
      peers: () => {},
    },
  );
  await harness.run(50);
  const send = (over: Partial<Parameters<typeof encodeLiveUpdate>[0]>) =>
    channel.send(
      EVENTS.liveUpdate,
      encodeLiveUpdate({ session, nFrom: 1, nTo: 1, head: 0, update: NOTHING, caret: NOTHING, ...over }),
    );
  const append = async (over: Partial<Append>) => {
    const numbers = { nFrom: 1, nTo: 1, dependencies: [], knownSeq: 0, schemaVersion: 1, livePeers: null };
    const answer = await log.append({ document: DOCUMENT, session, ...numbers, update: NOTHING, ...over });
    if (!answer.ok) throw new Error(`${answer.error.code} ${answer.error.detail}`);
  };
  return { session, clientId, append, send };
}

describe('handmade live updates', () => {
  test.each([
    ['nFrom 0', { nFrom: 0, nTo: 1 }],
    ['n beyond int4', { nFrom: 1, nTo: 2 ** 40 }],
  ])('[L2] numbers that no row can hold are no live update: %s', async (_what, numbers) => {
    const { harness, b } = await aliceAndBob();
    const m = await attacker(harness);
    await harness.run(100);
    m.send({ ...numbers, update: words(m.clientId, 'evil') });
    await harness.run(200);
    b.type('x', b.text.length);
    await harness.run(4_000);
    expect([b.view.receipt, b.text, harness.logText]).toEqual(['saved', 'abx', 'abx']);
    await harness.run(60_000);
    expect(b.view.receipt).toBe('saved');
  });

  test('[L2] no one can write in the name of the seed', async () => {
    const { harness, b } = await aliceAndBob();
    const m = await attacker(harness);
    m.send({ session: SEED_SESSION, nFrom: 5, nTo: 5, update: words(SEED_CLIENT_ID, 'evil') });
    await harness.run(2_000);
    b.type('x', b.text.length);
    await harness.run(4_000);
    expect([b.view.receipt, b.text, harness.logText]).toEqual(['saved', 'abx', 'abx']);
  });
});

describe('saying one thing to the log and another to the others', () => {
  test('[D8] an own row that others cannot apply gives no receipt: its edits stay here', async () => {
    const { harness, bob, b } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    m.send({ update: words(m.clientId, 'long word', base) });
    await harness.run(20);
    expect(b.text).toBe('ablong word');
    // Sends the log something shorter, just before bob's append.
    b.lose = () => true;
    let release = () => {};
    b.hold = (name) => (name === 'append' ? new Promise((go) => (release = go)) : null);
    b.type('MINE');
    await harness.run(400);
    await m.append({ update: words(m.clientId, 'l', base) });
    b.hold = () => null;
    release();
    await harness.run(3_000);
    const stored = await bob.store.load(DOCUMENT);
    expect([b.view.receipt, b.view.unsent.edits, stored?.outboxes[0]?.refused]).toEqual(['refused', 1, 'WF005']);
  });

  test('[L3] a view that differs from the log is corrected', async () => {
    const { harness, b } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    m.send({ update: words(m.clientId, 'one', base) });
    await harness.run(20);
    expect(b.text).toBe('abone');
    await m.append({ update: words(m.clientId, 'two', base) });
    await harness.run(3_000);
    expect([b.text, harness.logText]).toEqual(['abtwo', 'abtwo']);
    b.type('x');
    await harness.run(1_000);
    expect([b.text, harness.logText, b.view.receipt]).toEqual(['abtwox', 'abtwox', 'saved']);
  });
});

describe('forged dependencies', () => {
  test('[I6] other edits under my session in someone’s row: no receipt, and mine stay here', async () => {
    const { harness, alice, a } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    a.goOffline();
    a.type('truth');
    await harness.run(100);
    await m.append({ update: words(m.clientId, '.', base), dependencies: [forged(a, base)] });
    await harness.run(500);
    expect(harness.logText).toContain('lies!');
    a.goOnline();
    await harness.run(8_000);
    const stored = await alice.store.load(DOCUMENT);
    expect(stored?.outboxes.map(({ entries, refused }) => [entries.length, refused])).toEqual([[1, 'WF006']]);
    expect([a.view.receipt, a.view.error?.code, a.view.editable]).toEqual(['refused', 'WF006', false]);
    expect(textOf(a.session.unsentFile(), base)).toBe('abtruth');
  });

  test('[I6] also when the answer to the own append was too long to include that row', async () => {
    const { harness, alice, a } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    a.goOffline();
    a.type('truth');
    await harness.run(100);
    for (const n of [1, 2]) {
      const update = new Uint8Array(Y.mergeUpdates([words(m.clientId, 'z'.repeat(900_000 * n), base)]));
      const dependencies = n === 1 ? [] : [forged(a, base)];
      if (n === 1) await m.append({ update, dependencies });
      else await m.append({ nFrom: 2, nTo: 2, update: words(m.clientId, '', base), dependencies });
    }
    // Answers of appends hold one row at a time.
    a.goOnline();
    await harness.run(20_000);
    const stored = await alice.store.load(DOCUMENT);
    expect(stored?.outboxes.map(({ entries, refused }) => [entries.length, refused])).toEqual([[1, 'WF006']]);
    expect([a.view.receipt, textOf(a.session.unsentFile(), base)]).toEqual(['refused', 'abtruth']);
  });

  test('[I6] [D6] the same for the outbox of a dead tab: it is kept, and the page stays open', async () => {
    const { harness, alice, a } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    a.goOffline();
    a.type('truth');
    await harness.run(100);
    a.die();
    await m.append({ update: words(m.clientId, '.', base), dependencies: [forged(a, base)] });
    const again = await alice.opened();
    await harness.run(3_000);
    expect([again.view.receipt, again.view.error?.code, again.view.editable]).toEqual(['refused', 'WF006', true]);
    expect([again.text.includes('lies!'), textOf(again.session.unsentFile(), base)]).toEqual([true, 'abtruth']);
  });

  test('[I6] a live update in the name of the own session with other edits ends it; an echo does not', async () => {
    const { harness, a } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    cutHttp(a);
    a.type('truth');
    await harness.run(100);
    const { sessionId } = a.session;
    m.send({ session: sessionId, nFrom: 2, nTo: 2, update: a.session.unsentFile() });
    await harness.run(100);
    expect(a.view.editable).toBe(true);
    m.send({ session: sessionId, nFrom: 2, nTo: 2, update: forged(a, base).update });
    await harness.run(100);
    expect([a.view.receipt, a.view.error?.code, a.view.editable]).toEqual(['refused', 'WF006', false]);
  });

  test('[I8] false numbers of a dependency lock no one out who builds on its author', async () => {
    const { harness, a, b } = await aliceAndBob();
    const m = await attacker(harness);
    const base = Y.encodeStateAsUpdate(harness.replay());
    cutHttp(a);
    a.type('word');
    await harness.run(30);
    expect(b.text).toBe('abword');
    const part = {
      session: a.session.sessionId,
      clientId: a.session.doc.clientID,
      nFrom: 2,
      nTo: 1_000_000,
      update: words(m.clientId, '', base),
    };
    await m.append({ update: words(m.clientId, '.', base), dependencies: [part] });
    await harness.run(100);
    b.type('!', b.text.indexOf('word') + 4);
    await harness.run(4_000);
    expect([b.view.receipt, harness.logText.includes('word!')]).toEqual(['saved', true]);
  });
});
