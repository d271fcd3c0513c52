// Tabs that are gone, and what they left on the device: rule D6. The simulation found the last four cases.
import { describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { DOCUMENT, OFFLINE, type TestTab, SyncHarness } from '../sync-harness.ts';

/** Alice typed offline in a tab that was killed. */
const leftBehind = async (text = 'left behind') => {
  const harness = new SyncHarness();
  const user = harness.user('alice');
  const dead = await user.opened();
  dead.goOffline();
  dead.type(text);
  await harness.run(10);
  dead.die();
  return { harness, user, dead };
};

const hasPending = ({ session: { doc } }: TestTab): boolean =>
  doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

describe('[D6] recovered outboxes', () => {
  test('a new tab shows them, sends them under their own session and number, and releases them', async () => {
    const { harness, user, dead } = await leftBehind();
    const tab = await user.opened();
    expect(tab.text).toBe('left behind');
    await harness.run(500);
    expect(harness.server.rows(DOCUMENT)).toMatchObject([{ session: dead.session.sessionId, nFrom: 1, nTo: 1 }]);
    expect(tab.view).toMatchObject({ receipt: 'saved', lastN: 0, unsent: { edits: 0 } });
    expect(user.locks.held).toBe(1);
    expect(await user.store.unsent()).toEqual([]);
  });

  test('offline they are shown and counted, and own edits may build on them', async () => {
    const { harness, user } = await leftBehind('abc');
    const tab = user.open();
    tab.faults.before = () => OFFLINE;
    await harness.run(50);
    expect(tab.view).toMatchObject({ phase: 'opening', receipt: 'device', unsent: { edits: 1 } });
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    tab.session.retry();
    await harness.run(5);
    expect([tab.text, tab.view.editable]).toEqual(['abc', true]);
    tab.type('X', 1);
    tab.delete(0);
    tab.faults.before = () => null;
    tab.session.retry();
    await harness.run(1_000);
    expect([tab.text, harness.logText, tab.view.receipt]).toEqual(['Xbc', 'Xbc', 'saved']);
    expect(harness.server.rows(DOCUMENT).map(({ session }) => session === tab.session.sessionId)).toEqual([
      false,
      true,
    ]);
  });

  test('[I3] unsent edits of a live tab are shown in the other tabs, and only that tab sends them', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const first = await user.opened();
    first.goOffline();
    first.type('mine');
    await harness.run(10);
    const second = await user.opened();
    await harness.run(1_000);
    expect(second.text).toBe('mine');
    expect([second.view.unsent.edits, second.view.lastN, second.view.receipt]).toEqual([1, 0, 'sending']);
    expect(harness.server.rows(DOCUMENT)).toEqual([]);
    first.goOnline();
    await harness.run(1_000);
    expect([second.text, first.view.receipt]).toEqual(['mine', 'saved']);
  });

  test('the outbox of a tab that dies while another has the page open, or died just before, is recovered', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const first = await user.opened();
    first.goOffline();
    first.type('mine');
    await harness.run(10);
    const second = await user.opened();
    second.type('own ');
    await harness.run(100);
    first.die();
    // Waits as long as the timers of the tab that is gone.
    await harness.run(3_000);
    expect([...second.text].sort().join('').trim()).toBe('eimnnow');
    expect([second.view.receipt, second.view.unsent.edits]).toEqual(['saved', 0]);
    expect(harness.logText).toBe(second.text);
    expect(user.locks.held).toBe(1);
    await second.session.close();
    expect([harness.clock.pending, user.locks.held]).toEqual([0, 0]);
  });

  test('closing while a locked outbox is waited for leaves nothing', async () => {
    for (let moment = 290; moment < 310; moment++) {
      const harness = new SyncHarness();
      const user = harness.user('alice');
      const first = await user.opened();
      first.goOffline();
      first.type('mine');
      await harness.run(10);
      const second = await user.opened();
      await harness.run(moment - 15);
      first.die();
      await harness.run(15);
      await second.session.close();
      expect(user.locks.held).toBe(0);
      const calls = second.calls.length;
      await harness.run(60_000);
      expect([user.locks.held, second.calls.length]).toEqual([0, calls]);
    }
  });

  test('an outbox that builds on rows this device does not hold waits for them', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const bob = await harness.user('bob').opened();
    const dead = await user.opened();
    await harness.run(100);
    // Rows are shown but never stored, because the tab dies before.
    user.store.dropRows = true;
    bob.type('from bob');
    await harness.run(50);
    dead.faults.before = () => OFFLINE;
    dead.type('!');
    await harness.run(10);
    dead.die();
    user.store.dropRows = false;
    const tab = user.open();
    tab.faults.before = () => 'never';
    await harness.run(2_000);
    expect([tab.text, hasPending(tab)]).toEqual(['', false]);
    tab.die();
    const again = await user.opened();
    await harness.run(1_000);
    expect([again.text, harness.logText, again.view.receipt]).toEqual(['from bob!', 'from bob!', 'saved']);
  });

  test('an outbox that can never become complete is kept and offered, not sent', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const updates: Uint8Array<ArrayBuffer>[] = [];
    const doc = new Y.Doc();
    doc.clientID = 9_999;
    doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
    doc.getText('t').insert(0, 'abc');
    doc.getText('t').insert(1, 'Z');
    // The first edit is gone from the device and was never sent.
    const key = { session: harness.unopenedSession(), clientId: 9_999 };
    await user.store.addEntry(DOCUMENT, key, { n: 2, update: updates[1] ?? new Uint8Array(), at: 1, buildsOn: [] });
    const tab = await user.opened();
    await harness.run(1_000);
    // HI4: another device may be about to put back what it builds on.
    expect(tab.view).toMatchObject({ error: null, unsent: { edits: 1 } });
    await harness.run(120_000);
    expect(tab.view).toMatchObject({ receipt: 'refused', error: { code: 'WF005' }, unsent: { edits: 1 } });
    expect([tab.text, hasPending(tab)]).toEqual(['', false]);
    expect(tab.session.unsentFile()).toEqual(updates[1]);
    expect(harness.server.rows(DOCUMENT)).toEqual([]);
  });

  test('an outbox with a hole is recovered up to the hole', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const dead = await user.opened();
    dead.goOffline();
    dead.type('a');
    user.store.setBroken(true);
    dead.type('b');
    await harness.run(5);
    dead.die();
    user.store.setBroken(false);
    const stored = (await user.store.load(DOCUMENT))?.outboxes[0];
    if (stored === undefined) throw new Error('no outbox');
    await user.store.addEntry(DOCUMENT, stored, { n: 3, update: Uint8Array.of(0, 0), at: 1, buildsOn: [] });
    const tab = await user.opened();
    await harness.run(1_000);
    expect(harness.logText).toBe('a');
    expect(tab.text).toBe('a');
  });

  test('two tabs that open at once recover each outbox once', async () => {
    const { harness, user } = await leftBehind();
    const tabs = [user.open(), user.open()];
    await harness.run(2_000);
    expect(harness.server.rows(DOCUMENT).length).toBe(1);
    for (const tab of tabs) expect([tab.text, tab.view.receipt]).toEqual(['left behind', 'saved']);
  });

  test('seed 26, 127: edits a thawed tab adds while it is recovered are shown and sent before edits that build on them', async () => {
    const { harness, user, dead } = await leftBehind('abc');
    const tab = user.open();
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    await harness.run(50);
    expect(tab.text).toBe('abc');
    // The dead tab was only frozen: it writes one more entry, then it is gone.
    dead.type('!');
    tab.faults.before = () => null;
    tab.session.retry();
    await harness.clock.until(() => tab.text === 'abc!');
    tab.type('?');
    await harness.run(2_000);
    expect([harness.logText, tab.view.receipt]).toEqual(['abc!?', 'saved']);
    expect(await user.store.unsent()).toEqual([]);
  });

  test('seed 5750: a recovered outbox that had to wait for a row is sent when the row comes, without a request', async () => {
    const { harness, user, dead } = await leftBehind('abc');
    const bob = await harness.user('bob').opened();
    const tab = user.open();
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    await harness.run(50);
    bob.goOffline();
    bob.type('bob ', 0);
    // The dead tab was only frozen, saw bob's unsent edits, and built on them.
    Y.applyUpdate(dead.session.doc, Y.encodeStateAsUpdate(bob.session.doc), 'row');
    dead.type('!', dead.text.indexOf('bob') + 3);
    tab.faults.before = () => null;
    tab.session.retry();
    await harness.clock.until(() => harness.logText === 'abc' && tab.view.unsent.edits === 1);
    bob.goOnline();
    await harness.run(3_000);
    expect(harness.logText).toContain('bob!');
    expect([tab.text, tab.view.receipt]).toEqual([harness.logText, 'saved']);
    expect(await user.store.unsent()).toEqual([]);
  });

  test('entries the tab wrote between our read and our lock are recovered with the rest', async () => {
    const { harness, user, dead } = await leftBehind();
    let loads = 0;
    user.store.onLoad = () => {
      loads += 1;
      if (loads === 1) dead.type('!');
    };
    const tab = await user.opened();
    await harness.run(1_000);
    expect(tab.text).toBe('left behind!');
    expect(harness.server.rows(DOCUMENT)).toMatchObject([{ nFrom: 1, nTo: 2 }]);
  });

  test('seed 577: an outbox that the server turns out to hold already is released', async () => {
    const { harness, user } = await leftBehind();
    // The append was executed, its answer never came.
    const outbox = (await user.store.load(DOCUMENT))?.outboxes[0];
    if (outbox === undefined) throw new Error('no outbox');
    const log = harness.server.log(user.user);
    const of = { document: DOCUMENT, session: outbox.session, schemaVersion: 1 };
    await log.startSession({ ...of, clientId: outbox.clientId });
    const update = outbox.entries[0]?.update ?? new Uint8Array();
    await log.append({ ...of, nFrom: 1, nTo: 1, update, dependencies: [], knownSeq: 0, livePeers: null });
    const tab = await user.opened();
    await harness.run(1_000);
    expect(user.locks.held).toBe(1);
    expect(await user.store.unsent()).toEqual([]);
    expect([tab.text, harness.server.rows(DOCUMENT).length]).toEqual(['left behind', 1]);
  });

  test('seed 831: a lock taken for an outbox that is empty by then is released', async () => {
    const { user, dead } = await leftBehind();
    const stored = await user.store.load(DOCUMENT);
    let loads = 0;
    user.store.onLoad = () => {
      loads += 1;
      // Between the first read and the lock, the frozen tab woke up and was acknowledged.
      if (loads === 1 && stored !== null) {
        queueMicrotask(() => void user.store.acknowledge(DOCUMENT, dead.session.sessionId, 1, stored.meta, []));
      }
    };
    const tab = await user.opened();
    expect(loads).toBe(2);
    expect(user.locks.held).toBe(1);
    await tab.session.close();
    expect(user.locks.held).toBe(0);
  });
});
