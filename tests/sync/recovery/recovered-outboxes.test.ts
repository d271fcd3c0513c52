// Tabs that are gone and what they left on the device: rule D6. The last four were found by the simulated world.
import * as Y from 'yjs';
import { describe, expect, test } from 'vitest';
import { DOCUMENT, OFFLINE, type Tab, World } from '../sync-harness.ts';

/** Alice typed offline in a tab that was killed. */
const leftBehind = async (text = 'left behind') => {
  const world = new World();
  const person = world.person('alice');
  const dead = await person.opened();
  dead.goOffline();
  dead.type(text);
  await world.run(10);
  dead.die();
  return { world, person, dead };
};

const hasPending = ({ session: { doc } }: Tab): boolean =>
  doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

describe('[D6] orphans', () => {
  test('a new tab shows them, sends them under their own session and number, and lets go of them', async () => {
    const { world, person, dead } = await leftBehind();
    const tab = await person.opened();
    expect(tab.text).toBe('left behind');
    await world.run(500);
    expect(world.server.rows(DOCUMENT)).toMatchObject([{ session: dead.session.sessionId, nFrom: 1, nTo: 1 }]);
    expect(tab.view).toMatchObject({ receipt: 'saved', lastN: 0, unsent: { edits: 0 } });
    expect(person.locks.held).toBe(1);
    expect(await person.store.unsent()).toEqual([]);
  });

  test('offline they are shown and counted, and own edits may build on them', async () => {
    const { world, person } = await leftBehind('abc');
    const tab = person.open();
    tab.faults.before = () => OFFLINE;
    await world.run(50);
    expect(tab.view).toMatchObject({ phase: 'opening', receipt: 'device', unsent: { edits: 1 } });
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    tab.session.retry();
    await world.run(5);
    expect([tab.text, tab.view.editable]).toEqual(['abc', true]);
    tab.type('X', 1);
    tab.delete(0);
    tab.faults.before = () => null;
    tab.session.retry();
    await world.run(1_000);
    expect([tab.text, world.logText, tab.view.receipt]).toEqual(['Xbc', 'Xbc', 'saved']);
    expect(world.server.rows(DOCUMENT).map(({ session }) => session === tab.session.sessionId)).toEqual([false, true]);
  });

  test('[I3] what a tab that lives has not sent is shown in the other tabs, and sent by itself alone', async () => {
    const world = new World();
    const person = world.person('alice');
    const first = await person.opened();
    first.goOffline();
    first.type('mine');
    await world.run(10);
    const second = await person.opened();
    await world.run(1_000);
    expect(second.text).toBe('mine');
    expect([second.view.unsent.edits, second.view.lastN, second.view.receipt]).toEqual([1, 0, 'sending']);
    expect(world.server.rows(DOCUMENT)).toEqual([]);
    first.goOnline();
    await world.run(1_000);
    expect([second.text, first.view.receipt]).toEqual(['mine', 'saved']);
  });

  test('a tab that dies while another has the page open, or had only just died, is taken over', async () => {
    const world = new World();
    const person = world.person('alice');
    const first = await person.opened();
    first.goOffline();
    first.type('mine');
    await world.run(10);
    const second = await person.opened();
    second.type('own ');
    await world.run(100);
    first.die();
    // As long as the timers of the tab that is gone.
    await world.run(3_000);
    expect([...second.text].sort().join('').trim()).toBe('eimnnow');
    expect([second.view.receipt, second.view.unsent.edits]).toEqual(['saved', 0]);
    expect(world.logText).toBe(second.text);
    expect(person.locks.held).toBe(1);
    await second.session.close();
    expect([world.clock.pending, person.locks.held]).toEqual([0, 0]);
  });

  test('closing while a locked outbox is asked for leaves nothing', async () => {
    for (let moment = 290; moment < 310; moment++) {
      const world = new World();
      const person = world.person('alice');
      const first = await person.opened();
      first.goOffline();
      first.type('mine');
      await world.run(10);
      const second = await person.opened();
      await world.run(moment - 15);
      first.die();
      await world.run(15);
      await second.session.close();
      expect(person.locks.held).toBe(0);
      const calls = second.calls.length;
      await world.run(60_000);
      expect([person.locks.held, second.calls.length]).toEqual([0, calls]);
    }
  });

  test('what builds on rows that this device does not hold waits for them', async () => {
    const world = new World();
    const person = world.person('alice');
    const bob = await world.person('bob').opened();
    const dead = await person.opened();
    await world.run(100);
    // Rows are shown, but never stored: the tab dies before.
    person.store.dropRows = true;
    bob.type('from bob');
    await world.run(50);
    dead.faults.before = () => OFFLINE;
    dead.type('!');
    await world.run(10);
    dead.die();
    person.store.dropRows = false;
    const tab = person.open();
    tab.faults.before = () => 'never';
    await world.run(2_000);
    expect([tab.text, hasPending(tab)]).toEqual(['', false]);
    tab.die();
    const again = await person.opened();
    await world.run(1_000);
    expect([again.text, world.logText, again.view.receipt]).toEqual(['from bob!', 'from bob!', 'saved']);
  });

  test('what can never become complete is kept and offered, not sent', async () => {
    const world = new World();
    const person = world.person('alice');
    const updates: Uint8Array<ArrayBuffer>[] = [];
    const doc = new Y.Doc();
    doc.clientID = 9_999;
    doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
    doc.getText('t').insert(0, 'abc');
    doc.getText('t').insert(1, 'Z');
    // The first edit is gone from the device and was never sent.
    const key = { session: world.ghostSession(), clientId: 9_999 };
    await person.store.addEntry(DOCUMENT, key, { n: 2, update: updates[1] ?? new Uint8Array(), at: 1, buildsOn: [] });
    const tab = await person.opened();
    await world.run(1_000);
    expect(tab.view).toMatchObject({ receipt: 'refused', error: { code: 'WF005' }, unsent: { edits: 1 } });
    expect([tab.text, hasPending(tab)]).toEqual(['', false]);
    expect(tab.session.unsentFile()).toEqual(updates[1]);
    expect(world.server.rows(DOCUMENT)).toEqual([]);
  });

  test('an outbox with a hole is adopted up to the hole', async () => {
    const world = new World();
    const person = world.person('alice');
    const dead = await person.opened();
    dead.goOffline();
    dead.type('a');
    person.store.setBroken(true);
    dead.type('b');
    await world.run(5);
    dead.die();
    person.store.setBroken(false);
    const stored = (await person.store.load(DOCUMENT))?.outboxes[0];
    if (stored === undefined) throw new Error('no outbox');
    await person.store.addEntry(DOCUMENT, stored, { n: 3, update: Uint8Array.of(0, 0), at: 1, buildsOn: [] });
    const tab = await person.opened();
    await world.run(1_000);
    expect(world.logText).toBe('a');
    expect(tab.text).toBe('a');
  });

  test('two tabs that open at once adopt each outbox once', async () => {
    const { world, person } = await leftBehind();
    const tabs = [person.open(), person.open()];
    await world.run(2_000);
    expect(world.server.rows(DOCUMENT).length).toBe(1);
    for (const tab of tabs) expect([tab.text, tab.view.receipt]).toEqual(['left behind', 'saved']);
  });

  test('seed 26, 127: what a thawed tab adds while it is adopted is shown and sent before what is built on it', async () => {
    const { world, person, dead } = await leftBehind('abc');
    const tab = person.open();
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    await world.run(50);
    expect(tab.text).toBe('abc');
    // The dead tab was only frozen: it writes one more entry, then it is gone.
    dead.type('!');
    tab.faults.before = () => null;
    tab.session.retry();
    await world.clock.until(() => tab.text === 'abc!');
    tab.type('?');
    await world.run(2_000);
    expect([world.logText, tab.view.receipt]).toEqual(['abc!?', 'saved']);
    expect(await person.store.unsent()).toEqual([]);
  });

  test('seed 5750: what was adopted and had to wait for a row is sent when the row comes, without being asked', async () => {
    const { world, person, dead } = await leftBehind('abc');
    const bob = await world.person('bob').opened();
    const tab = person.open();
    tab.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    await world.run(50);
    bob.goOffline();
    bob.type('bob ', 0);
    // The dead tab was only frozen, saw what bob has not sent yet, and built on it.
    Y.applyUpdate(dead.session.doc, Y.encodeStateAsUpdate(bob.session.doc), 'row');
    dead.type('!', dead.text.indexOf('bob') + 3);
    tab.faults.before = () => null;
    tab.session.retry();
    await world.clock.until(() => world.logText === 'abc' && tab.view.unsent.edits === 1);
    bob.goOnline();
    await world.run(3_000);
    expect(world.logText).toContain('bob!');
    expect([tab.text, tab.view.receipt]).toEqual([world.logText, 'saved']);
    expect(await person.store.unsent()).toEqual([]);
  });

  test('what the tab wrote between our reading and our lock is adopted with the rest', async () => {
    const { world, person, dead } = await leftBehind();
    let loads = 0;
    person.store.onLoad = () => {
      loads += 1;
      if (loads === 1) dead.type('!');
    };
    const tab = await person.opened();
    await world.run(1_000);
    expect(tab.text).toBe('left behind!');
    expect(world.server.rows(DOCUMENT)).toMatchObject([{ nFrom: 1, nTo: 2 }]);
  });

  test('seed 577: an outbox that the server turns out to hold already is let go of', async () => {
    const { world, person } = await leftBehind();
    // The append was executed, its answer never came.
    const outbox = (await person.store.load(DOCUMENT))?.outboxes[0];
    if (outbox === undefined) throw new Error('no outbox');
    const log = world.server.log(person.user);
    const of = { document: DOCUMENT, session: outbox.session, schemaVersion: 1 };
    await log.startSession({ ...of, clientId: outbox.clientId });
    const update = outbox.entries[0]?.update ?? new Uint8Array();
    await log.append({ ...of, nFrom: 1, nTo: 1, update, dependencies: [], knownSeq: 0, joined: null });
    const tab = await person.opened();
    await world.run(1_000);
    expect(person.locks.held).toBe(1);
    expect(await person.store.unsent()).toEqual([]);
    expect([tab.text, world.server.rows(DOCUMENT).length]).toEqual(['left behind', 1]);
  });

  test('seed 831: a lock taken for an outbox that is empty by then is given back', async () => {
    const { person, dead } = await leftBehind();
    const stored = await person.store.load(DOCUMENT);
    let loads = 0;
    person.store.onLoad = () => {
      loads += 1;
      // Between the first reading and the lock, the frozen tab woke up and was acknowledged.
      if (loads === 1 && stored !== null) {
        queueMicrotask(() => void person.store.acknowledge(DOCUMENT, dead.session.sessionId, 1, stored.meta, []));
      }
    };
    const tab = await person.opened();
    expect(loads).toBe(2);
    expect(person.locks.held).toBe(1);
    await tab.session.close();
    expect(person.locks.held).toBe(0);
  });
});
