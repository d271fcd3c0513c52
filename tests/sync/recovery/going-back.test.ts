// A server that goes back in time: a restored backup, a recovery to an earlier moment, a replica that was behind.
import { describe, expect, test } from 'vitest';
import type { StoredMeta } from 'weft-sync/ports.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { PUT_BACK_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import type { Part } from 'weft-sync/protocol/row.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { DOCUMENT, SyncHarness, type TestTab, type TestUser } from '../sync-harness.ts';

const HEALED_MS = 60_000;

/** Alice has written 'one' (rows 1 and 2) and 'two' (rows 3 and 4), and Bob shows it. */
async function written(liveUpdates: boolean) {
  const harness = new SyncHarness(1, { liveUpdates });
  const [alice, bob] = [harness.user('alice'), harness.user('bob')];
  const [a, b] = [await alice.opened(), await bob.opened()];
  for (const text of ['o', 'ne', ' t', 'wo']) {
    a.type(text, a.text.length);
    await harness.run(1_000);
  }
  expect(harness.server.rows(DOCUMENT)).toHaveLength(4);
  return { harness, alice, bob, a, b };
}

const putBackRows = ({ server }: SyncHarness) =>
  server.rows(DOCUMENT).filter(({ session }) => session === SEED_SESSION).length;

async function metaOf({ store }: TestUser): Promise<StoredMeta> {
  const stored = await store.load(DOCUMENT);
  if (stored === null) throw new Error('nothing stored');
  return stored.meta;
}

describe.each([true, false])('live updates: %s', (liveUpdates) => {
  test('[HI1] [HI4] a device that holds rows 1 to 4 shows the other rows 3 and 4, and puts its own back', async () => {
    const { harness, a, b } = await written(liveUpdates);
    await a.session.close();
    harness.server.goBack(DOCUMENT, 2);
    b.type('B', 0);
    await harness.run(HEALED_MS);
    // Bob had the page open, so it is he who puts it back.
    expect([harness.logText, b.text, b.view.receipt]).toEqual(['Bone two', 'Bone two', 'saved']);
  });

  test('[HI3] [HI4] [I1] no one is open: each device puts back what it has when it comes, once', async () => {
    const { harness, alice, bob, a, b } = await written(liveUpdates);
    await Promise.all([a.session.close(), b.session.close()]);
    harness.server.goBack(DOCUMENT, 2);
    const other = await harness.user('carol').opened();
    other.type('C', 0);
    await harness.run(1_000);
    expect(harness.logText).toBe('Cone');
    const [again, too] = [alice.open(), bob.open()];
    await harness.run(HEALED_MS);
    for (const tab of [again, too, other])
      expect([tab.text, tab.view.receipt, tab.view.upToDate]).toEqual(['Cone two', 'saved', true]);
    expect([harness.logText, putBackRows(harness)]).toEqual(['Cone two', 1]);
    expect((await alice.store.load(DOCUMENT))?.outboxes).toEqual([]);
  });

  test('[HI3] what was typed before the server went back and after is kept, and says that it is being put back', async () => {
    const { harness, alice, a, b } = await written(liveUpdates);
    a.goOffline();
    a.type('!', a.text.length);
    harness.server.goBack(DOCUMENT, 1);
    await harness.run(500);
    expect(a.view).toMatchObject({ isRestoring: false, receipt: 'device' });
    a.goOnline();
    a.faults.before = (name) => (name === 'putBack' ? weftError('WF011', 'lost') : null);
    await harness.run(5_000);
    expect(a.view).toMatchObject({ isRestoring: true, puttingBack: { after: 'restore' } });
    expect(a.view.receipt).not.toBe('saved');
    // What is not put back yet is on the device.
    expect((await alice.store.load(DOCUMENT))?.outboxes).toHaveLength(1);
    a.faults.before = () => null;
    await harness.run(HEALED_MS);
    for (const tab of [a, b]) expect([tab.text, tab.view.receipt]).toEqual(['one two!', 'saved']);
    expect(a.view).toMatchObject({ editable: true, isRestoring: false });
    a.type('?', a.text.length);
    await harness.run(5_000);
    expect([harness.logText, b.text]).toEqual(['one two!?', 'one two!?']);
  });

  test('[HI3] a key that is struck in the former document comes with it', async () => {
    const { harness, a } = await written(liveUpdates);
    const { doc } = a.session;
    harness.server.goBack(DOCUMENT, 1);
    a.type('!', a.text.length);
    await harness.run(400);
    doc.getText('t').insert(0, '¡');
    await harness.run(HEALED_MS);
    expect(a.session.doc).not.toBe(doc);
    expect([harness.logText, a.text]).toEqual(['¡one two!', '¡one two!']);
  });

  test('[HI3] typing goes on meanwhile, and what was typed stays when the tab is closed before the page is back', async () => {
    const { harness, alice, a } = await written(liveUpdates);
    harness.server.goBack(DOCUMENT, 1);
    a.type('!', a.text.length);
    a.faults.after = (name) => (name === 'append' || name === 'rowsSince' ? weftError('WF016') : null);
    a.faults.before = (name) => (name === 'open' ? weftError('WF011', 'cut') : null);
    await harness.run(1_000);
    expect(a.view).toMatchObject({ isRestoring: true, puttingBack: null, editable: true, receipt: 'device' });
    a.type('?', a.text.length);
    expect(a.view.receipt).toBe('tab');
    const closing = a.session.close();
    await harness.run(1_000);
    await closing;
    const again = alice.open();
    await harness.run(HEALED_MS);
    expect([again.text, again.view.receipt, harness.logText]).toEqual(['one two!?', 'saved', 'one two!?']);
  });

  test('[HI5] after a restore for good nothing is put back, and the device keeps it as a file', async () => {
    const { harness, alice, a, b } = await written(liveUpdates);
    harness.server.goBack(DOCUMENT, 2, true);
    b.type('B', 0);
    await harness.run(HEALED_MS);
    a.session.retry();
    await harness.run(HEALED_MS);
    expect([harness.logText.includes('two'), a.text.includes('two')]).toEqual([false, false]);
    expect(a.view).toMatchObject({ receipt: 'refused', error: { code: 'WF016' }, editable: true });
    const [kept] = (await alice.store.load(DOCUMENT))?.outboxes ?? [];
    expect([kept?.refused, a.session.unsentFile().length > 0]).toEqual(['WF016', true]);
    a.type('A', 0);
    await harness.run(5_000);
    expect([harness.logText.startsWith('A'), putBackRows(harness)]).toEqual([true, 0]);
  });

  test('[HI7] a session that was registered after the backup, and wrote nothing yet, writes', async () => {
    const { harness, b } = await written(liveUpdates);
    b.type('B', 0);
    await harness.run(1_000);
    const rows = harness.server.rows(DOCUMENT);
    harness.server.goBack(DOCUMENT, rows.length - 1);
    b.type('b', 1);
    await harness.run(HEALED_MS);
    expect([harness.logText, b.text, b.view.receipt]).toEqual(['Bbone two', 'Bbone two', 'saved']);
  });
});

test('[HI7] a session that the server forgot starts anew, although the row that it names is still there', async () => {
  const { harness, a, b } = await written(false);
  const gate = Promise.withResolvers<void>();
  b.lose = () => true;
  b.hold = (name) => (name === 'append' ? gate.promise : null);
  a.type('A', 0);
  await harness.run(1_000);
  b.type('B', 0);
  await harness.run(500);
  expect([harness.server.rows(DOCUMENT).length, b.text, b.calls.includes('startSession')]).toEqual([
    5,
    'Bone two',
    true,
  ]);
  harness.server.goBack(DOCUMENT, 4);
  b.hold = () => null;
  b.lose = () => false;
  gate.resolve();
  await harness.run(HEALED_MS);
  for (const tab of [a, b]) expect([tab.text, tab.view.receipt]).toEqual([harness.logText, 'saved']);
  expect([...harness.logText].toSorted()).toEqual([...'ABone two'].toSorted());
});

test('[HI2] rows of a log that has become another one are not taken: the log is asked', async () => {
  const { harness, a, b } = await written(true);
  // The connection to Realtime stays, as on a hosted project whose database was exchanged.
  harness.server.goBack(DOCUMENT, 3);
  const other = await harness.user('carol').opened();
  other.type('C', 0);
  await harness.run(300);
  other.type('c', 1);
  await harness.run(5_000);
  for (const tab of [a, b, other]) expect([tab.text, tab.view.damaged]).toEqual(['Ccone two', []]);
});

test('[HI2] a device whose tabs stored rows of two logs, because a message came late, finds it when it reads them', async () => {
  const { harness, alice, a } = await written(true);
  await a.session.close();
  harness.server.goBack(DOCUMENT, 3);
  const carol = harness.user('carol');
  const other = await carol.opened();
  for (const text of ['C', 'c']) {
    other.type(text, 0);
    await harness.run(1_000);
  }
  // As if one tab of Alice's had stored the new rows 4 and 5, and another one the lost row 4 over them.
  const stored = await carol.store.load(DOCUMENT);
  await alice.store.saveRows(DOCUMENT, await metaOf(alice), stored?.rows.filter(({ seq }) => seq === 5) ?? []);
  const again = alice.open();
  await harness.run(HEALED_MS);
  again.type('A', 0);
  await harness.run(5_000);
  for (const tab of [again, other])
    expect([tab.text, tab.view.receipt, tab.view.damaged]).toEqual(['AcCone two', 'saved', []]);
  expect(harness.logText).toBe('AcCone two');
});

test('[HI6] a tab that did not notice yet changes nothing in the copy that another tab has begun', async () => {
  const { harness, alice, a } = await written(false);
  const second = await alice.opened();
  second.faults.before = () => weftError('WF011', 'cut');
  second.goOffline();
  harness.server.goBack(DOCUMENT, 2);
  a.type('!', a.text.length);
  await harness.run(HEALED_MS);
  const copy = (await alice.store.load(DOCUMENT))?.meta.copy;
  expect(copy).toBeDefined();
  second.type('?', 0);
  second.faults.before = () => null;
  second.goOnline();
  await harness.run(HEALED_MS);
  const stored = await alice.store.load(DOCUMENT);
  const log = harness.server.rows(DOCUMENT);
  for (const row of stored?.rows ?? []) expect(row.at).toBe(log.find(({ seq }) => seq === row.seq)?.at);
  expect([harness.logText, stored?.outboxes]).toEqual(['?one two!', []]);
});

test('[HI6] a tab whose rows the store refused for long starts anew as soon as another tab has begun a new copy', async () => {
  const { harness, alice, a, b } = await written(true);
  const second = await alice.opened();
  alice.store.setBroken(true);
  for (let i = 0; i < 100; i++) {
    b.type('x', 0);
    await harness.run(1_000);
  }
  second.faults.before = () => weftError('WF011', 'cut');
  second.goOffline();
  alice.store.setBroken(false);
  await harness.run(100);
  harness.server.goBack(DOCUMENT, 2);
  a.type('!', a.text.length);
  await harness.run(5_000);
  expect([a.view.rebuilds, second.view.rebuilds]).toEqual([1, 1]);
});

test('[HI8] a watcher shows the page as it is now; one that follows the log ends and says why', async () => {
  const { harness, a, b } = await written(false);
  harness.watchLink();
  const shown = harness.watch();
  const following = harness.watch(undefined, undefined, {
    log: { advanced: () => true, replaced: () => {}, caughtUp: () => {} },
  });
  await harness.run(1_000);
  expect(shown.text).toBe('one two');
  // No one is there who would put it back.
  await Promise.all([a.session.close(), b.session.close()]);
  harness.server.goBack(DOCUMENT, 2);
  await harness.run(30_000);
  expect(shown.text).toBe('one');
  expect(following.view).toMatchObject({ phase: 'failed', error: { code: 'WF016' } });
});

test('[HI3] a tab whose server goes back again and again waits longer each time', async () => {
  const { harness, a } = await written(false);
  a.faults.after = (name) => (name === 'rowsSince' || name === 'append' ? weftError('WF016') : null);
  const { length } = a.calls;
  a.type('!', 0);
  await harness.run(120_000);
  expect(a.calls.length - length).toBeLessThan(60);
  a.faults.after = () => null;
  await harness.run(120_000);
  expect([harness.logText, a.view.receipt]).toEqual(['!one two', 'saved']);
});

test.each(['before', 'while'])(
  '[HI3] [I1] rows that another tab of the device stored %s this one sets its page aside are put back too',
  async (moment) => {
    const { harness, alice, a, b } = await written(true);
    await b.session.close();
    const other = await alice.opened();
    other.goOffline();
    other.isFrozenForTabs = true;
    a.type(' three', a.text.length);
    await harness.run(1_000);
    const late = harness.server.rows(DOCUMENT).slice(-1);
    const { meta } = (await alice.store.load(DOCUMENT)) ?? {};
    // An edit that builds on that row stays in the outbox of a tab that is gone.
    a.goOffline();
    a.type(' four', a.text.length);
    await harness.run(500);
    a.die();
    expect([harness.logText, other.text, late[0]?.seq, meta?.seq]).toEqual(['one two three', 'one two', 5, 5]);
    const setAside = alice.store.setAside.bind(alice.store);
    const load = alice.store.load.bind(alice.store);
    let isLate = moment === 'while';
    alice.store.load = async (document) => {
      const stored = await load(document);
      if (!isLate || stored === null) return stored;
      return { ...stored, meta: { ...stored.meta, seq: 4 }, rows: stored.rows.filter(({ seq }) => seq < 5) };
    };
    alice.store.setAside = async (...args) => {
      isLate = false;
      return setAside(...args);
    };
    harness.server.goBack(DOCUMENT, 2);
    other.goOnline();
    other.type('0', 0);
    await harness.run(2 * HEALED_MS);
    expect([harness.logText, other.view.receipt]).toEqual(['0one two three four', 'saved']);
    expect((await load(DOCUMENT))?.outboxes).toEqual([]);
  },
);

/** Bob's tab starts anew while it shows an edit of Alice that no row has. Resolves with what it sets aside. */
async function setAsideBeside(role: 'viewer' | 'editor', edit: (a: TestTab) => void) {
  const { harness, bob, a, b } = await written(true);
  harness.server.setRole(DOCUMENT, bob.user, role);
  await harness.run(HEALED_MS);
  const before = new Uint8Array(Y.encodeStateAsUpdate(b.session.doc));
  a.faults.before = (name) => (name === 'append' ? weftError('WF011') : null);
  edit(a);
  await harness.run(300);
  expect(b.text).toBe(a.text);
  a.die();
  harness.server.goBack(DOCUMENT, 2);
  b.faults.before = (name) => (name === 'open' ? weftError('WF011') : null);
  const setAside = await new Promise<Bytes>((resolve) => {
    const write = bob.store.setAside.bind(bob.store);
    bob.store.setAside = async (...args) => {
      resolve(args[5].update);
      return write(...args);
    };
    void harness.run(HEALED_MS);
  });
  return { before, setAside };
}

function textOf(...updates: readonly Bytes[]): string {
  const doc = new Y.Doc();
  for (const update of updates) Y.applyUpdate(doc, update);
  return doc.getText('t').toJSON();
}

test.each([
  ['viewer', 'one two'],
  ['editor', 'one two live'],
] as const)('[HI3] a %s’s tab sets aside what it could put back: %s', async (role, text) => {
  const { setAside } = await setAsideBeside(role, (a) => a.type(' live', a.text.length));
  expect(textOf(setAside)).toBe(text);
});

test.each(['viewer', 'editor'] as const)(
  '[HI3] [HI4] what a %s’s tab sets aside deletes the same for those who have the characters and those who lack them',
  async (role) => {
    const { before, setAside } = await setAsideBeside(role, (a) => a.session.doc.getText('t').delete(0, 4));
    expect([textOf(before), textOf(setAside), textOf(before, setAside)]).toEqual(['one two', 'two', 'two']);
  },
);

test('[HI3] a reader’s tab sets aside what its edits build on, also while that is put back by others and hidden here', async () => {
  const { harness, alice, bob, a, b } = await written(true);
  await harness.run(HEALED_MS);
  await b.session.close();
  a.faults.before = (name) => (name === 'putBack' || name === 'append' ? weftError('WF011') : null);
  a.type('?', a.text.length);
  harness.server.goBack(DOCUMENT, 2);
  a.session.retry();
  await harness.run(5_000);
  a.type('!', a.text.length);
  await harness.run(500);
  expect([a.text, harness.logText]).toEqual(['one two?!', 'one']);
  harness.server.setRole(DOCUMENT, alice.user, 'viewer');
  await harness.run(HEALED_MS);
  // Bob's device puts back the same. Alice's tab builds its page again without what it wanted to put back, and that takes a while.
  const gate = Promise.withResolvers<void>();
  const load = alice.store.load.bind(alice.store);
  alice.store.load = (document) => gate.promise.then(() => load(document));
  const again = await bob.opened();
  await harness.run(5_000);
  expect(harness.logText).toBe('one two');
  await again.session.close();
  harness.server.goBack(DOCUMENT, 1);
  a.session.retry();
  await harness.run(1_000);
  gate.resolve();
  const setAside = new Promise<Bytes>((resolve) => {
    const write = alice.store.setAside.bind(alice.store);
    alice.store.setAside = async (...args) => {
      resolve(args[5].update);
      return write(...args);
    };
  });
  await harness.run(HEALED_MS);
  expect(textOf(await setAside)).toBe('one two?!');
  a.faults.before = () => null;
  harness.server.setRole(DOCUMENT, alice.user, 'editor');
  a.session.retry();
  await harness.run(HEALED_MS);
  expect([harness.logText, a.view.receipt]).toEqual(['one two?!', 'saved']);
});

test('[HI3] [I9] a tab that is closed at any moment of its starts anew leaves nothing', async () => {
  for (let at = 0; at < 3_000; at += 43) {
    const { harness, alice, a, b } = await written(false);
    await b.session.close();
    const setAside = alice.store.setAside.bind(alice.store);
    alice.store.setAside = async (...args) => {
      await new Promise<void>((resolve) => void harness.clock.after(200, resolve));
      return setAside(...args);
    };
    a.faults.after = (name) => (name === 'rowsSince' || name === 'append' ? weftError('WF016') : null);
    a.type('!', 0);
    await harness.run(at);
    const closed = a.session.close();
    await harness.run(2_000);
    await closed;
    expect([at, a.environment.listeners, alice.locks.held, alice.browser.joined]).toEqual([at, 0, 0, 0]);
  }
});

test.each([0, 2])(
  '[HI1] an append from before, behind %i rows of another log, whose numbers are here, starts anew',
  async (others) => {
    const { harness, a, b } = await written(false);
    const gate = Promise.withResolvers<void>();
    a.hold = (name) => (name === 'append' ? gate.promise : null);
    a.type('!', a.text.length);
    await harness.run(500);
    b.type('?', 0);
    await harness.run(500);
    expect(a.text).toBe('?one two!');
    b.goOffline();
    harness.server.goBack(DOCUMENT, 4);
    const dave = await harness.user('dave').opened();
    for (let n = 0; n < others; n++) {
      dave.type('d', 0);
      await harness.run(1_000);
    }
    a.hold = () => null;
    gate.resolve();
    await harness.run(HEALED_MS);
    b.goOnline();
    await harness.run(HEALED_MS);
    for (const tab of [a, b, dave]) expect([tab.text, tab.view.receipt]).toEqual([harness.logText, 'saved']);
    expect([...harness.logText].toSorted()).toEqual([...`${'d'.repeat(others)}?one two!`].toSorted());
  },
);

test('[D6] what a reader could not send is not refused, whatever it builds on', async () => {
  const { harness, alice, a } = await written(false);
  const before = await alice.opened();
  before.goOffline();
  before.type('!', before.text.length);
  before.type('?', before.text.length);
  await harness.run(100);
  const stored = (await alice.store.load(DOCUMENT))?.outboxes.find(({ entries }) => entries.length > 0);
  before.die();
  await a.session.close();
  if (stored === undefined) throw new Error('nothing stored');
  // Another tab of hers has taken the first edit along.
  await alice.store.acknowledge(DOCUMENT, stored.session, 1, { ...(await metaOf(alice)) }, []);
  harness.server.setRole(DOCUMENT, alice.user, 'viewer');
  const reader = await alice.opened();
  await harness.run(2 * HEALED_MS);
  expect(reader.text).toBe('one two');
  expect((await alice.store.load(DOCUMENT))?.outboxes.map(({ refused }) => refused)).toEqual([null]);
});

describe('[HI4] [I6] someone puts back other edits under the client id of a session with unsent edits', () => {
  async function putBackBeside(text: string) {
    const { harness, a } = await written(false);
    a.goOffline();
    a.type('mine', a.text.length);
    const forged = harness.replay();
    const clocks = Y.encodeStateVector(forged);
    forged.clientID = a.session.doc.clientID;
    forged.getText('t').insert(forged.getText('t').length, text);
    const { rows } = { rows: harness.server.rows(DOCUMENT) };
    await harness.server.log(harness.userId('bob')).putBack({
      document: DOCUMENT,
      update: new Uint8Array(Y.encodeStateAsUpdate(forged, clocks)),
      knownSeq: rows.length,
      knownAt: rows.at(-1)?.at ?? null,
      schemaVersion: 1,
      livePeers: 0,
    });
    a.goOnline();
    await harness.run(10_000);
    return a;
  }

  test('its outbox is refused, because for everyone else these stand in their place', async () => {
    const a = await putBackBeside('fake');
    expect(a.view).toMatchObject({ receipt: 'refused', error: { code: 'WF006' } });
  });

  test('the same edits are its own, which someone had received', async () => {
    const a = await putBackBeside('mine');
    expect([a.text, a.view.receipt]).toEqual(['one twomine', 'saved']);
  });
});

test('[HI1] a page from an older app, without the times of its rows, opens offline, and is compared when there is network', async () => {
  const { harness, alice, a } = await written(false);
  await a.session.close();
  const stored = await alice.store.load(DOCUMENT);
  if (stored === null) throw new Error('nothing stored');
  await alice.store.forget(DOCUMENT);
  const rows = stored.rows.map(({ at: _at, ...row }) => row);
  await alice.store.saveRows(DOCUMENT, stored.meta, rows);
  const again = alice.open();
  again.goOffline();
  await harness.run(5_000);
  expect([again.text, again.view.phase]).toEqual(['one two', 'ready']);
  again.goOnline();
  await harness.run(10_000);
  expect([again.text, again.view.receipt, again.view.upToDate]).toEqual(['one two', 'saved', true]);
  expect(putBackRows(harness)).toBe(0);
});

/** Alice's page is closed, with outboxes as stores leave them that failed in between. */
async function closed() {
  const { harness, alice, a, b } = await written(true);
  await Promise.all([a.session.close(), b.session.close()]);
  const typed = (clientId: number, word: string, ...base: Bytes[]): Bytes => {
    const doc = harness.replay();
    for (const update of base) Y.applyUpdate(doc, update);
    const before = Y.encodeStateVector(doc);
    doc.clientID = clientId;
    doc.getText('t').insert(doc.getText('t').length, word);
    return new Uint8Array(Y.encodeStateAsUpdate(doc, before));
  };
  const add = (clientId: number, update: Bytes, live?: Bytes) =>
    alice.store.addEntry(
      DOCUMENT,
      { session: harness.unopenedSession(), clientId },
      { n: 1, at: harness.clock.now(), update, buildsOn: live === undefined ? [] : [livePart(live)] },
    );
  const livePart = (update: Bytes): Part => ({
    session: harness.unopenedSession(),
    clientId: 100_001,
    nFrom: 1,
    nTo: 1,
    update,
  });
  return { harness, alice, typed, add };
}

// Only what was typed later is stored with the words of the forgotten one.
test.each(['beside', 'after'])(
  '[HI4] what is put back brings along words of someone whom the server does not know, stored with what was typed %s it',
  async (where) => {
    const { harness, alice, typed, add } = await closed();
    const live = typed(100_001, ' live');
    const late = typed(100_002, '!', live);
    await add(PUT_BACK_CLIENT_ID, late);
    await add(100_003, typed(100_003, '?', live, ...(where === 'after' ? [late] : [])), live);
    const again = await alice.opened();
    await harness.run(HEALED_MS);
    expect([again.text, again.view.receipt, harness.logText]).toEqual(['one two live!?', 'saved', 'one two live!?']);
  },
);

test('[HI4] [L6] the page of a reader is not rebuilt again and again while what was set aside waits', async () => {
  const { harness, alice, typed, add } = await closed();
  const lost = typed(100_004, ' lost');
  await add(PUT_BACK_CLIENT_ID, typed(100_002, '!', lost));
  await add(100_003, typed(100_003, '?', lost), typed(100_001, ' live'));
  harness.server.setRole(DOCUMENT, alice.user, 'viewer');
  const reader = await alice.opened();
  await harness.run(2 * HEALED_MS);
  expect([reader.text, reader.view.rebuilds]).toEqual(['one two', 0]);
});

test('[HI6] [HI3] a tab that could not read the device does not store rows over those that only the device has', async () => {
  const { harness, alice, bob, a, b } = await written(true);
  a.die();
  b.die();
  await bob.store.forget(DOCUMENT);
  harness.server.goBack(DOCUMENT, 2);
  const other = await bob.opened();
  for (const word of ['1', '2', '3', '4']) {
    other.type(word, 0);
    await harness.run(1_000);
  }
  const load = alice.store.load.bind(alice.store);
  alice.store.load = () => {
    alice.store.load = load;
    return Promise.reject(new Error('the store does not answer'));
  };
  const again = await alice.opened();
  again.type('new ', 0);
  await harness.run(2 * HEALED_MS);
  expect([again.text, again.view.receipt, harness.logText]).toEqual(['new 4321one two', 'saved', 'new 4321one two']);
  expect((await alice.store.load(DOCUMENT))?.outboxes).toEqual([]);
});
