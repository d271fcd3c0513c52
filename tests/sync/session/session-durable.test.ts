// Edits get into the log and rows into the document: rules I*, D*.
import { describe, expect, test } from 'vitest';
import type { Append } from 'weft-sync/ports.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import * as Y from 'yjs';
import { ok } from '../../../src/lib/result.ts';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

const two = async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  await harness.run(100);
  return { harness, alice, bob };
};

/** Writes to the log past every client, as a forger or a bug could. */
async function writeRaw(
  harness: SyncHarness,
  update: Uint8Array<ArrayBuffer>,
  { clientId = 77_777, dependencies = [] as Append['dependencies'] } = {},
): Promise<void> {
  const mallory = harness.userId('mallory');
  harness.server.setRole(DOCUMENT, mallory, 'editor');
  const log = harness.server.log(mallory);
  const session = seededRandom(harness.nextSeed()).session();
  await log.startSession({ document: DOCUMENT, session, clientId, schemaVersion: 1 });
  const appended = await log.append({
    document: DOCUMENT,
    session,
    nFrom: 1,
    nTo: 1,
    update,
    dependencies,
    knownSeq: 0,
    schemaVersion: 1,
    livePeers: null,
  });
  expect(appended.ok).toBe(true);
}

function updateOf(clientId: number, write: (doc: Y.Doc) => void): Uint8Array<ArrayBuffer> {
  const doc = new Y.Doc();
  doc.clientID = clientId;
  write(doc);
  return new Uint8Array(Y.encodeStateAsUpdate(doc));
}

describe('receipts', () => {
  test('[I1] [I5] what alice types is in the log when her receipt says saved', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    expect(alice.view).toMatchObject({ phase: 'ready', receipt: 'saved', editable: true });
    const seen: string[] = [];
    alice.session.subscribe(() => seen.push(`${alice.view.receipt} ${harness.logText}`));
    alice.type('hello');
    expect(alice.view).toMatchObject({ receipt: 'sending', unsent: { edits: 1 }, lastN: 1, ackedN: 0 });
    await harness.clock.until(() => alice.view.receipt === 'saved');
    expect(harness.logText).toBe('hello');
    expect(seen.filter((line) => line.startsWith('saved'))).toEqual(['saved hello']);
    expect(alice.view).toMatchObject({
      lastN: 1,
      ackedN: 1,
      unsent: { edits: 0, oldestAt: null },
      lastSaved: { seq: 1 },
    });
  });

  test('[I5] "up to date" is separate from "saved"', async () => {
    const { harness, alice, bob } = await two();
    bob.faults.before = (name) => (name === 'append' ? OFFLINE : null);
    bob.type('unsent');
    await harness.run(20);
    expect(bob.view).toMatchObject({ receipt: 'device', upToDate: true });
    alice.type('x');
    await harness.run(50);
    expect(bob.view).toMatchObject({ receipt: 'device', upToDate: true });
  });

  test('[I5] while an append is unanswered the receipt does not say saved, however long it takes', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.after = (name) => (name === 'append' ? 'never' : null);
    alice.type('a');
    await harness.run(20_000);
    expect(harness.logText).toBe('a');
    expect(alice.view.receipt).toBe('sending');
  });
});

describe('appending', () => {
  test('[D2] with others on the page an edit is appended at once, and further ones at most every 50 ms', async () => {
    const { harness, alice, bob } = await two();
    alice.type('h');
    await harness.run(5);
    expect(bob.text).toBe('h');
    for (let i = 0; i < 20; i++) {
      alice.type('x');
      await harness.run(10);
    }
    await harness.run(100);
    const appends = alice.calls.filter((name) => name === 'append').length;
    expect(appends).toBeGreaterThanOrEqual(4);
    expect(appends).toBeLessThanOrEqual(6);
    expect(bob.text).toBe(alice.text);
  });

  test('[D2] alone, a burst of typing is one row, sent after 150 ms without typing', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    alice.type('a');
    await harness.run(100);
    alice.type('b');
    await harness.run(140);
    expect(harness.server.rows(DOCUMENT).length).toBe(0);
    await harness.run(20);
    expect(harness.server.rows(DOCUMENT)).toMatchObject([{ nFrom: 1, nTo: 2 }]);
  });

  test('[D2] alone, no edit waits longer than 300 ms', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    for (let i = 0; i < 4; i++) {
      alice.type('a');
      await harness.run(100);
    }
    expect(harness.server.rows(DOCUMENT)).toMatchObject([{ nFrom: 1, nTo: 3 }]);
  });

  test('[D2] one append is in flight, and merging stops at 512 KiB', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.goOffline();
    for (let i = 0; i < 5; i++) alice.type('x'.repeat(200 * 1024));
    let inFlight = 0;
    let most = 0;
    alice.goOnline();
    alice.faults.before = (name) => {
      if (name === 'append') most = Math.max(most, ++inFlight);
      return null;
    };
    alice.faults.after = (name) => {
      if (name === 'append') inFlight -= 1;
      return null;
    };
    await harness.clock.until(() => alice.view.receipt === 'saved');
    expect(most).toBe(1);
    expect(harness.server.rows(DOCUMENT).map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([
      [1, 2],
      [3, 4],
      [5, 5],
    ]);
  });

  test('[D1] an append whose answer was lost is sent again with newer edits, and nothing is doubled', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.after = (name) => (name === 'append' ? OFFLINE : null);
    alice.type('ab');
    await harness.run(200);
    expect(alice.view.receipt).toBe('device');
    alice.type('cd');
    alice.faults.after = () => null;
    await harness.clock.until(() => alice.view.receipt === 'saved');
    expect(harness.server.rows(DOCUMENT).map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(harness.logText).toBe('abcd');
  });

  test('[ID1] deletions are numbered edits too', async () => {
    const { harness, alice, bob } = await two();
    alice.type('abc');
    await harness.run(100);
    bob.delete(1);
    await harness.run(100);
    expect(bob.view).toMatchObject({ lastN: 1, ackedN: 1, receipt: 'saved' });
    expect([alice.text, harness.logText]).toEqual(['ac', 'ac']);
  });

  test('[D1] [HI3] numbers that the server lost and the page no longer has are not guessed: the session starts anew', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.type('a');
    await harness.run(500);
    const answer = await harness.server.log(user.user).rowsSince(DOCUMENT, 0, 10);
    alice.faults.before = () => null;
    // The database was set back: it does not know number 1.
    const { head, epoch, role } = answer.ok ? answer.value : { head: 0, epoch: '', role: 'editor' as const };
    const forgetful = ok({
      seq: null,
      lastN: 0,
      head,
      epoch,
      role,
      rows: [],
      more: false,
      unpublished: false,
      publishIn: 0,
    });
    alice.answerAppendWith = () => forgetful;
    alice.type('b');
    await harness.run(500);
    alice.answerAppendWith = null;
    await harness.run(10_000);
    // It cannot be told which edits these numbers were, so all of them are put back.
    expect([alice.view.receipt, harness.logText]).toEqual(['saved', 'ab']);
  });

  test('[D2] a page being hidden sends its whole range at once, even beside an append in flight', async () => {
    const { harness, alice } = await two();
    alice.type('a');
    await harness.run(100);
    alice.faults.before = (name) => (name === 'append' ? 'never' : null);
    alice.type('b');
    await harness.run(60);
    alice.faults.before = () => null;
    alice.type('c');
    alice.environment.set('hidden');
    await harness.run(1);
    expect(harness.logText).toBe('abc');
    expect(alice.keepalives).toBe(1);
    expect(alice.view.receipt).toBe('saved');
  });

  test('[D2] a range too large for a request that outlives the page goes the ordinary way', async () => {
    const { harness, alice } = await two();
    alice.type('a');
    await harness.run(100);
    alice.type('x'.repeat(50 * 1024));
    alice.environment.set('hidden');
    await harness.run(10);
    expect(alice.keepalives).toBe(0);
    expect(alice.view.receipt).toBe('saved');
  });

  test('[D4] [I11] missing rows that an append builds on are fetched first', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    const first = await alice.opened();
    first.type('first');
    await harness.run(500);
    first.die();
    // The device has the row and a new tab builds on it; then the device's copy of the log disappears.
    const tab = await alice.opened();
    tab.type('!');
    await harness.run(500);
    expect(harness.logText).toBe('first!');
    expect(tab.view.damaged).toEqual([]);
  });

  test('[I10] opening, looking and closing write nothing', async () => {
    const { harness, alice, bob } = await two();
    alice.session.awareness.setLocalStateField('cursor', null);
    await harness.run(40_000);
    await alice.session.close();
    await bob.session.close();
    expect(harness.server.rows(DOCUMENT)).toEqual([]);
    expect(harness.server.sessions(DOCUMENT)).toBe(0);
    for (const tab of [alice, bob]) {
      expect(tab.calls.filter((name) => name === 'startSession' || name === 'append' || name === 'saveText')).toEqual(
        [],
      );
    }
  });
});

describe('rows', () => {
  test('[I6] own rows that come back are only marked: the client id stays, nothing is applied twice', async () => {
    const { harness, alice, bob } = await two();
    const { clientID } = alice.session.doc;
    alice.type('hello');
    await harness.run(200);
    bob.type(' world');
    await harness.run(200);
    expect(alice.session.doc.clientID).toBe(clientID);
    expect([alice.text, bob.text]).toEqual(['hello world', 'hello world']);
    expect(alice.view.lastN).toBe(1);
  });

  test('[I6] an own row that comes back is not applied, whatever it holds', async () => {
    const { harness, alice, bob } = await two();
    const { clientID } = alice.session.doc;
    // The server stores more than alice has typed, which only a client that applies the row notices.
    const more = updateOf(clientID, (copy) => copy.getText('t').insert(0, 'mine and more'));
    alice.tamper = (append) => ({ ...append, update: more });
    alice.type('mine');
    await harness.run(200);
    expect([alice.text, bob.text]).toEqual(['mine', 'mine and more']);
    expect(alice.session.doc.clientID).toBe(clientID);
    expect(alice.view.receipt).toBe('saved');
  });

  test('[I6] when someone writes under our client id this session stops, and its edits are kept', async () => {
    const { harness, alice } = await two();
    alice.type('mine');
    await harness.run(100);
    const { sessionId, doc } = alice.session;
    const forged = updateOf(doc.clientID, (copy) => copy.getText('t').insert(0, 'mine and more'));
    // The forged edit comes as a dependency under alice's own session: the only way past the check of client ids.
    const part = { session: sessionId, clientId: doc.clientID, nFrom: 1, nTo: 99, update: forged };
    await writeRaw(
      harness,
      updateOf(77_777, (copy) => copy.getText('m').insert(0, 'x')),
      { dependencies: [part] },
    );
    await harness.run(1_000);
    expect(alice.view).toMatchObject({ receipt: 'refused', editable: false, error: { code: 'WF006' } });
  });

  test('[ID1] remote formatting makes no edit in a tab where no one typed', async () => {
    const { harness, alice, bob } = await two();
    const carol = await harness.user('carol').opened();
    alice.type('bold and plain');
    await harness.run(100);
    // At the same time, unseen by each other: Yjs finds one of the two marks superfluous and would remove it in every
    // tab.
    alice.session.doc.getText('t').format(0, 4, { bold: true });
    bob.session.doc.getText('t').format(0, 4, { bold: true });
    await harness.run(500);
    expect([carol.view.lastN, bob.view.lastN, alice.view.lastN]).toEqual([0, 1, 2]);
    expect(carol.session.doc.getText('t').toDelta()).toEqual(harness.replay().getText('t').toDelta());
  });

  test('[D8] a row that does not decode is skipped by everyone and reported', async () => {
    const { harness, alice, bob } = await two();
    await writeRaw(harness, Uint8Array.of(1, 2, 3, 250));
    alice.type('goes on');
    await harness.run(200);
    expect([alice.text, bob.text]).toEqual(['goes on', 'goes on']);
    expect([alice.view.damaged, bob.view.damaged]).toEqual([[1], [1]]);
  });

  test('[D8] a row with structs of another client id than its session registered is skipped', async () => {
    const { harness, alice } = await two();
    await writeRaw(
      harness,
      updateOf(88_888, (doc) => doc.getText('t').insert(0, 'forged')),
    );
    await harness.run(100);
    expect(alice.text).toBe('');
    expect(alice.view.damaged).toEqual([1]);
  });

  test('[D8] [I3] a row that is incomplete at its seq is skipped, and rows that build on it too; nothing stays pending', async () => {
    const { harness, alice, bob } = await two();
    const doc = new Y.Doc();
    doc.clientID = 77_777;
    doc.getText('t').insert(0, 'never logged');
    const before = Y.encodeStateVector(doc);
    doc.getText('t').insert(5, '!');
    await writeRaw(harness, new Uint8Array(Y.encodeStateAsUpdate(doc, before)));
    await harness.run(100);
    for (const tab of [alice, bob]) {
      expect(tab.text).toBe('');
      expect(tab.view.damaged).toEqual([1]);
      expect(tab.session.doc.store.pendingStructs).toBeNull();
    }
  });

  test('[D8] a session that finds an own row damaged stops writing and keeps the edits', async () => {
    const { harness, alice, bob } = await two();
    alice.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    alice.type('lost on the way');
    await harness.run(300);
    expect(bob.view.damaged).toEqual([1]);
    expect(alice.view).toMatchObject({ receipt: 'refused', editable: false, damaged: [1] });
  });

  test('[D8] an outbox whose row was skipped before its edits were recovered is refused, not saved', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const first = await user.opened();
    first.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    first.faults.after = (name) => (name === 'append' ? 'never' : null);
    first.lose = () => true;
    first.type('lost on the way');
    await harness.run(300);
    const second = await user.opened();
    expect(second.view.damaged).toEqual([1]);
    first.die();
    await harness.run(60_000);
    expect(second.view).toMatchObject({ receipt: 'refused', error: { code: 'WF005' } });
    // Nothing is written behind a damaged row, and the page goes on without it.
    expect([second.calls.includes('append'), second.view.editable, second.text]).toEqual([false, true, '']);
    const stored = await user.store.load(DOCUMENT);
    expect(stored?.outboxes.map(({ entries, refused }) => [entries.length, refused])).toEqual([[1, 'WF005']]);
  });

  test('[D8] so is one that only deletes, whose edits are missing nowhere', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const first = await user.opened();
    first.type('kept');
    await harness.run(1_000);
    first.die();
    const second = await user.opened();
    second.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    second.faults.after = (name) => (name === 'append' ? 'never' : null);
    second.lose = () => true;
    second.delete(0, 4);
    await harness.run(300);
    const third = await user.opened();
    second.die();
    await harness.run(60_000);
    expect(third.view).toMatchObject({ receipt: 'refused', damaged: [2], error: { code: 'WF005' } });
  });

  test('[D8] an outbox that seemed to be sent is refused when its row comes and is damaged', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const first = await user.opened();
    first.tamper = (append) => ({ ...append, update: Uint8Array.of(1, 2, 3, 250) });
    first.faults.after = (name) => (name === 'append' ? 'never' : null);
    first.lose = () => true;
    first.type('lost on the way');
    const second = user.open();
    second.lose = () => true;
    await harness.run(100);
    expect([second.view.phase, harness.server.rows(DOCUMENT)]).toEqual(['ready', []]);
    await harness.run(300);
    first.die();
    await harness.run(60_000);
    expect(second.view).toMatchObject({ receipt: 'refused', damaged: [1], editable: true, error: { code: 'WF005' } });
    const stored = await user.store.load(DOCUMENT);
    expect(stored?.outboxes.map(({ entries, refused }) => [entries.length, refused])).toEqual([[1, 'WF005']]);
  });

  test('[I3] rows that arrive before their predecessors wait for them', async () => {
    const { harness, alice, bob } = await two();
    bob.dropMessages = 1;
    alice.type('a');
    await harness.run(60);
    expect(bob.text).toBe('');
    alice.type('b');
    await harness.run(1);
    expect(bob.text).not.toBe('b');
    await harness.run(20);
    expect(bob.text).toBe('ab');
  });
});

describe('a device that was full for a while', () => {
  test('[SY12] rows that were not stored are stored when there is room again: the page opens offline with all of them', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    const bob = await harness.user('bob').opened();
    bob.type('one ');
    await harness.run(1_000);
    user.store.setBroken(true);
    bob.type('two ');
    await harness.run(1_000);
    user.store.setBroken(false);
    bob.type('three ');
    await harness.run(1_000);
    await alice.session.close();
    const again = user.open();
    again.faults.before = () => OFFLINE;
    await harness.run(2_000);
    expect(again.text).toBe('one two three ');
  });

  test('[SY12] [I2] edits acknowledged meanwhile no longer count as unsent on the device', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.type('sent');
    user.store.setBroken(true);
    await harness.run(1_000);
    expect(alice.view.receipt).toBe('saved');
    user.store.setBroken(false);
    expect(await user.store.unsent()).toMatchObject([{ edits: 1 }]);
    alice.environment.set('visible');
    await harness.run(10);
    expect(await user.store.unsent()).toEqual([]);
    await alice.session.close();
    const again = user.open();
    again.faults.before = () => OFFLINE;
    await harness.run(2_000);
    expect([again.text, again.view.unsent.edits]).toEqual(['sent', 0]);
  });

  test('[SY12] a device that stays full is not written to at every answer', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    const bob = await harness.user('bob').opened();
    user.store.setBroken(true);
    let writes = 0;
    const saveRows = user.store.saveRows.bind(user.store);
    user.store.saveRows = (...args) => {
      writes += args[2].length;
      return saveRows(...args);
    };
    for (let i = 0; i < 300; i++) {
      bob.type('x');
      await harness.run(300);
    }
    expect(alice.text.length).toBe(300);
    // Each row once when it arrives, and all that wait now and then.
    expect(writes).toBeLessThan(300 * 12);
  });
});
