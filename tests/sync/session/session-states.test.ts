// States and views of a session, from opening to closing: rules SY*, with I8, I9, L6.
import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

describe('opening', () => {
  test('[SY1] the editor may bind only when every row up to the head of the open answer is there', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    // More rows than one answer may hold.
    for (let i = 0; i < 3; i++) {
      alice.type('x'.repeat(400 * 1024));
      await harness.run(500);
    }
    const bob = harness.user('bob').open();
    expect(bob.view).toMatchObject({
      phase: 'opening',
      receipt: 'opening',
      editable: false,
      connection: 'reconnecting',
    });
    const lengths: number[] = [];
    bob.session.subscribe(() => {
      if (bob.view.phase === 'ready') lengths.push(bob.text.length);
    });
    await harness.run(50);
    expect(lengths[0]).toBe(3 * 400 * 1024);
  });

  test('[SY1] a device that holds the page shows it after a second without an answer', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    const first = await alice.opened();
    first.type('kept');
    await harness.run(500);
    await first.session.close();
    const again = alice.open();
    again.faults.before = () => 'never';
    await harness.run(900);
    expect(again.view.phase).toBe('opening');
    await harness.run(200);
    expect(again.view).toMatchObject({ phase: 'ready', editable: true });
    expect(again.text).toBe('kept');
  });

  test('[SY1] a device that holds the page shows it at once when the call fails; another device waits', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    const first = await alice.opened();
    first.type('kept');
    await harness.run(500);
    await first.session.close();
    const again = alice.open();
    again.faults.before = () => OFFLINE;
    await harness.run(10);
    expect(again.view).toMatchObject({
      phase: 'ready',
      connection: 'offline',
      error: { code: 'WF011' },
      editable: true,
    });
    const bob = harness.user('bob').open();
    bob.faults.before = () => OFFLINE;
    await harness.run(5_000);
    expect(bob.view).toMatchObject({ phase: 'opening', connection: 'offline', error: { code: 'WF011' } });
    bob.faults.before = () => null;
    bob.session.retry();
    await harness.run(50);
    expect([bob.view.phase, bob.text]).toEqual(['ready', 'kept']);
  });

  test('[SY1] opening and closing the document again and again leaves nothing behind', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    for (let i = 0; i < 20; i++) {
      const tab = alice.open();
      await harness.run(i * 3);
      void tab.session.close();
      await harness.run(100);
      expect(tab.view.phase).toBe('closed');
      expect(tab.environment.listeners).toBe(0);
    }
    expect([harness.clock.pending, harness.server.hub.channels, alice.locks.held]).toEqual([0, 0, 0]);
  });

  test('[SY8] without access, and for a missing page, opening fails before anything is shown', async () => {
    const harness = new SyncHarness();
    const unknown = await harness.user('stranger', null).opened();
    expect(unknown.view).toMatchObject({ phase: 'failed', editable: false, error: { code: 'WF001' } });
    await harness.run(60_000);
    expect(unknown.calls).toEqual(['open']);
    expect(harness.clock.pending).toBe(0);
  });

  test('[SY2] a page of a newer schema is read-only when the editor binds, and the binding writes nothing', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    harness.server.setSchemaVersion(DOCUMENT, 2);
    const alice = await user.opened(1);
    expect(alice.view).toMatchObject({
      phase: 'ready',
      receipt: 'readonly',
      editable: false,
      error: { code: 'WF004' },
    });
    alice.type('what a binding might tidy up');
    await harness.run(5_000);
    expect(alice.view).toMatchObject({ lastN: 0, receipt: 'readonly' });
    expect(harness.server.rows(DOCUMENT)).toEqual([]);
    expect(await user.store.unsent()).toEqual([]);
  });

  test('[SY2] offline, a page of a newer schema is not shown from the device', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const newer = await user.opened(2);
    newer.type('x');
    harness.server.setSchemaVersion(DOCUMENT, 2);
    await harness.run(500);
    await newer.session.close();
    const reader = await user.opened(2);
    await reader.session.close();
    const older = user.open(1);
    older.faults.before = () => OFFLINE;
    await harness.run(3_000);
    expect(older.view.phase).toBe('opening');
  });

  test('[SY2] a page that becomes newer while it is open turns read-only, and edits stay on the device', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened(1);
    harness.server.setSchemaVersion(DOCUMENT, 2);
    alice.type('from an old app');
    await harness.run(1_000);
    expect(alice.view).toMatchObject({ editable: false, receipt: 'device', error: { code: 'WF004' } });
    await alice.session.close();
    const reloaded = await user.opened(2);
    await harness.run(500);
    expect(reloaded.view.receipt).toBe('saved');
    expect(harness.logText).toBe('from an old app');
  });

  test('[SY10] a client id that the document already contains is replaced before the first edit', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('a');
    await harness.run(500);
    const bob = harness.user('bob').open();
    bob.session.doc.clientID = alice.session.doc.clientID;
    await harness.run(50);
    expect(bob.session.doc.clientID).not.toBe(alice.session.doc.clientID);
    expect(bob.session.awareness.clientID).toBe(bob.session.doc.clientID);
    bob.type('b');
    await harness.run(500);
    expect([harness.logText, bob.view.receipt]).toEqual(['ab', 'saved']);
  });
});

describe('rights', () => {
  test('[SY9] a viewer follows the page, and what a binding changes in the document is not an edit', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const viewer = await harness.user('viewer', 'viewer').opened();
    await harness.run(100);
    expect(viewer.view).toMatchObject({
      phase: 'ready',
      receipt: 'readonly',
      editable: false,
      role: 'viewer',
      error: { code: 'WF002' },
    });
    expect(viewer.view.connection).toBe('live');
    alice.type('news');
    await harness.run(50);
    expect(viewer.text).toBe('news');
    viewer.type('!');
    await harness.run(2_000);
    expect(viewer.view).toMatchObject({ lastN: 0, receipt: 'readonly' });
    expect(harness.logText).toBe('news');
  });

  test('[SY9] a viewer who opens the page offline cannot type', async () => {
    const harness = new SyncHarness();
    const user = harness.user('viewer', 'viewer');
    const alice = await harness.user('alice').opened();
    alice.type('x');
    await harness.run(500);
    const first = await user.opened();
    await first.session.close();
    const again = user.open();
    again.faults.before = () => OFFLINE;
    await harness.run(100);
    expect(again.view).toMatchObject({ phase: 'ready', editable: false, role: 'viewer' });
  });

  test('[SY3] [I8] [L6] losing the right to write: read-only at once, nothing more is written, edits stay and are sent when it returns', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    const tab = await alice.opened();
    await harness.run(100);
    harness.server.setRole(DOCUMENT, alice.user, 'viewer');
    tab.type('too late');
    await harness.run(2_500);
    expect(tab.view).toMatchObject({
      editable: false,
      receipt: 'refused',
      role: 'viewer',
      error: { code: 'WF002' },
      unsent: { edits: 1 },
    });
    expect(tab.view.connection).toBe('live');
    expect(harness.server.rows(DOCUMENT)).toEqual([]);
    expect(tab.session.unsentFile().length).toBeGreaterThan(5);
    const appends = tab.calls.filter((name) => name === 'append' || name === 'startSession').length;
    await harness.run(60_000);
    expect(tab.calls.filter((name) => name === 'append' || name === 'startSession').length).toBe(appends);
    harness.server.setRole(DOCUMENT, alice.user, 'editor');
    tab.session.retry();
    await harness.run(1_000);
    expect(tab.view).toMatchObject({ editable: true, receipt: 'saved' });
    expect(harness.logText).toBe('too late');
  });

  test('[SY8] [I8] losing access: read-only, off the topic, no timer; restored access is found when the user tries', async () => {
    const harness = new SyncHarness();
    const alice = harness.user('alice');
    const tab = await alice.opened();
    tab.type('before');
    await harness.run(500);
    harness.server.setRole(DOCUMENT, alice.user, null);
    await harness.run(3_000);
    expect(tab.view).toMatchObject({ phase: 'ready', editable: false, receipt: 'readonly', error: { code: 'WF001' } });
    expect([harness.clock.pending, harness.server.hub.channels]).toEqual([0, 0]);
    harness.server.setRole(DOCUMENT, alice.user, 'editor');
    tab.session.retry();
    await harness.run(100);
    expect(tab.view).toMatchObject({ editable: true, receipt: 'saved', connection: 'live' });
  });

  test('[SY4] an expired token does not disturb typing; after signing in everything is sent', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.before = () => weftError('WF003', 'JWT expired');
    alice.type('signed out');
    await harness.run(10_000);
    alice.type(' and typing');
    expect(alice.view).toMatchObject({
      editable: true,
      receipt: 'device',
      connection: 'offline',
      error: { code: 'WF003', detail: 'JWT expired' },
    });
    alice.faults.before = () => null;
    alice.session.retry();
    await harness.run(500);
    expect([alice.view.receipt, harness.logText]).toEqual(['saved', 'signed out and typing']);
  });

  for (const code of ['WF005', 'WF006', 'WF007', 'WF020'] as const) {
    test(`[SY5] ${code} keeps the edits, offers them and stops writing, also after a reload`, async () => {
      const harness = new SyncHarness();
      const user = harness.user('alice');
      const alice = await user.opened();
      alice.faults.before = (name) =>
        name === (code === 'WF006' ? 'startSession' : 'append') ? weftError(code) : null;
      alice.type('unwelcome');
      await harness.run(1_000);
      expect(alice.view).toMatchObject({ editable: false, receipt: 'refused', error: { code }, unsent: { edits: 1 } });
      await alice.session.close();
      const again = await user.opened();
      await harness.run(2_000);
      expect(again.view).toMatchObject({ receipt: 'refused', error: { code }, unsent: { edits: 1 } });
      expect(again.text).toBe('');
      expect(again.calls).not.toContain('append');
      expect(again.session.unsentFile()).toEqual(alice.session.unsentFile());
    });
  }
});

describe('connection', () => {
  test('[SY6] [SY13] offline, edits are on the device; later everything goes out automatically', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.goOffline();
    alice.type('on the train');
    await harness.run(100);
    expect(alice.view).toMatchObject({
      receipt: 'device',
      connection: 'offline',
      editable: true,
      error: { code: 'WF011' },
    });
    await harness.run(3 * 60_000);
    expect(alice.view.retryAt).toBeGreaterThan(harness.clock.now() - 1);
    expect(alice.view.retryAt).toBeLessThanOrEqual(harness.clock.now() + 30_000);
    alice.goOnline();
    await harness.run(500);
    expect(alice.view).toMatchObject({ receipt: 'saved', connection: 'live', retryAt: null, error: null });
    expect(harness.logText).toBe('on the train');
  });

  test('[SY6] a network that comes back unnoticed is found within 30 s', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.before = () => OFFLINE;
    alice.type('x');
    await harness.run(10 * 60_000);
    const calls = alice.calls.length;
    expect(calls).toBeLessThan(10 * 60);
    alice.faults.before = () => null;
    await harness.run(30_000);
    expect(alice.view.receipt).toBe('saved');
  });

  for (const way of ['online', 'visible', 'retry'] as const) {
    test(`[SY6] calls are tried at once on ${way}`, async () => {
      const harness = new SyncHarness();
      const alice = await harness.user('alice').opened();
      alice.faults.before = () => OFFLINE;
      alice.type('x');
      await harness.run(5 * 60_000);
      alice.faults.before = () => null;
      if (way === 'retry') alice.session.retry();
      else alice.environment.set(way);
      await harness.run(100);
      expect(alice.view.receipt).toBe('saved');
    });
  }

  test('[SY6] an append that keeps failing is not tried more often than the backoff allows', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.before = (name) => (name === 'append' ? weftError('unknown', 'P0001: bug') : null);
    alice.type('x');
    await harness.run(5 * 60_000);
    expect(alice.view).toMatchObject({ receipt: 'device' });
    expect(alice.calls.filter((name) => name === 'append').length).toBeLessThan(45);
  });

  test('[SY15] a busy server gets time, and the view does not say offline', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.before = (name) => (name === 'append' ? weftError('WF008', '429') : null);
    alice.type('x');
    await harness.run(180);
    expect(alice.view).toMatchObject({ connection: 'reconnecting', receipt: 'device', error: { code: 'WF008' } });
    alice.faults.before = () => null;
    await harness.run(5_000);
    expect(alice.view).toMatchObject({ connection: 'live', receipt: 'saved', error: null });
  });

  test('[SY15] an account that has appended the day’s quota keeps its edits, says why, and sends them when it may again', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const bob = await harness.user('bob').opened();
    await harness.run(1_000);
    alice.faults.before = (name) => (name === 'append' ? weftError('WF018', '16777216 bytes today') : null);
    alice.type('x');
    await harness.run(180);
    expect(alice.view).toMatchObject({ connection: 'reconnecting', receipt: 'device', error: { code: 'WF018' } });
    bob.faults.before = alice.faults.before; // Bob can’t pass it on either: that would exceed his quota.
    await harness.run(24 * 3_600_000);
    expect(alice.view.unsent.edits).toBe(1);
    expect([alice.view.receipt, alice.view.error?.code]).not.toContain('refused');
    for (const user of [alice, bob]) user.faults.before = () => null;
    await harness.run(60_000);
    for (const user of [alice, bob])
      expect(user.view).toMatchObject({ connection: 'live', receipt: 'saved', error: null, upToDate: true });
    expect([alice.text, bob.text]).toEqual(['x', 'x']);
  });

  test('[SY15] and as much time as it asks for, unless the user retries', async () => {
    for (const code of ['WF008', 'WF011'] as const) {
      const harness = new SyncHarness();
      const alice = await harness.user('alice').opened();
      const busy = { ...weftError(code, 'busy'), retryAfterMs: 20_000 };
      alice.faults.before = (name) => (name === 'append' || name === 'open' ? busy : null);
      alice.type('x');
      await harness.run(200);
      const { length } = alice.calls;
      alice.faults.before = () => null;
      await harness.run(19_500);
      expect([alice.calls.length, alice.view.receipt]).toEqual([length, 'device']);
      await harness.run(2_000);
      expect([alice.view.receipt, alice.view.connection]).toEqual(['saved', 'live']);

      alice.faults.before = (name) => (name === 'append' || name === 'open' ? busy : null);
      alice.type('y');
      await harness.run(1_000);
      alice.faults.before = () => null;
      alice.session.retry();
      await harness.run(500);
      expect(alice.view.receipt).toBe('saved');
    }
  });

  test('[SY7] a channel that the server closed is replaced by a new one, and nothing of the gap is missing', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    bob.link.close('closed');
    expect(bob.view).toMatchObject({ connection: 'reconnecting', peers: [], receipt: 'saved' });
    expect(bob.view.retryAt).not.toBeNull();
    alice.type('meanwhile');
    await harness.run(1_100);
    expect(bob.view.connection).toBe('live');
    expect(bob.view.peers.length).toBe(2);
    expect(bob.text).toBe('meanwhile');
    expect(harness.server.hub.channels).toBe(2);
  });

  test('[SY7] edits go out while the topic is being joined again', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.link.close('closed');
    alice.type('x');
    await harness.run(1);
    expect(alice.view).toMatchObject({ connection: 'reconnecting', receipt: 'sending' });
    await harness.run(400);
    expect(alice.view.receipt).toBe('saved');
  });

  test('[SY14] a channel that is closed again and again is joined ever more slowly', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    let joins = 0;
    for (let i = 0; i < 600; i++) {
      if (alice.view.connection === 'live') {
        joins += 1;
        alice.link.close('closed');
      }
      await harness.run(1_000);
    }
    expect(joins).toBeLessThan(80);
    await harness.run(60_000);
    expect(alice.view.connection).toBe('live');
    alice.link.close('closed');
    await harness.run(1_100);
    expect(alice.view.connection).toBe('live');
  });

  test('[L6] a move takes everyone to the new topic within two seconds, one by one', async () => {
    const harness = new SyncHarness();
    const tabs = [];
    for (const name of ['alice', 'bob', 'carol']) tabs.push(await harness.user(name).opened());
    await harness.run(100);
    const [alice, bob, carol] = tabs;
    harness.server.moveTopic(DOCUMENT);
    const back: number[] = [];
    for (const tab of tabs)
      tab.session.subscribe(() => tab.view.connection === 'live' && back.push(harness.clock.now()));
    alice?.type('during the move');
    await harness.run(2_200);
    for (const tab of tabs) expect(tab.view).toMatchObject({ connection: 'live', receipt: 'saved' });
    expect(new Set(back).size).toBeGreaterThan(1);
    expect([bob?.text, carol?.text]).toEqual(['during the move', 'during the move']);
    expect(harness.server.hub.channels).toBe(3);
  });

  test('[L6] a client that missed "moved" learns of it from the next answer', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    bob.dropMessages = 1;
    harness.server.moveTopic(DOCUMENT);
    bob.type('x');
    await harness.run(3_000);
    expect([alice.view.connection, bob.view.connection]).toEqual(['live', 'live']);
    expect([alice.text, alice.view.peers.length]).toEqual(['x', 2]);
  });
});

describe('the device', () => {
  test('[D5] the write of an entry has started before the update event returns', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.type('x');
    const unsent = user.store.unsent();
    expect(await unsent).toMatchObject([{ document: DOCUMENT, edits: 1 }]);
  });

  test('[I2] [I4] the device stores rows and outboxes, no live updates, and deletes entries together with their rows', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    bob.session.awareness.setLocalStateField('cursor', null);
    alice.type('x');
    await harness.run(100);
    bob.type('y');
    await harness.run(100);
    const stored = await user.store.load(DOCUMENT);
    expect(stored?.rows).toMatchObject(harness.server.rows(DOCUMENT));
    expect(stored?.rows.at(-1)?.follows).toBe(stored?.rows.at(-2)?.at);
    expect(stored?.outboxes).toEqual([]);
    const changedAt = stored?.rows.at(-1)?.at;
    expect(stored?.meta).toEqual({ seq: 2, schemaVersion: 1, title: '', role: 'editor', changedAt });
  });

  test('[I2] an edit stays in the outbox until its row is here, where an answer has not all rows', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    const bob = await harness.user('bob').opened();
    alice.dropMessages = Number.POSITIVE_INFINITY;
    for (const character of 'abcdef') {
      bob.type(character);
      await harness.run(1_000);
    }
    harness.server.rowsPerAnswer = 3;
    let answered = 0;
    alice.faults.before = (name) => (name !== 'append' && answered > 0 ? OFFLINE : null);
    alice.faults.after = (name) => {
      answered += name === 'append' ? 1 : 0;
      return null;
    };
    alice.type('mine');
    await harness.run(1_000);
    expect([answered > 0, harness.logText, alice.view.receipt]).toEqual([true, 'abcdefmine', 'device']);
    alice.die();
    const again = user.open();
    again.goOffline();
    await harness.run(1_000);
    expect(again.text).toContain('mine');
    again.goOnline();
    await harness.run(10_000);
    expect([again.text, again.view.receipt, harness.logText]).toEqual(['abcdefmine', 'saved', 'abcdefmine']);
  });

  test('[SY12] when the store fails the receipt says "tab", and edits go out all the same', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.goOffline();
    user.store.setBroken(true);
    alice.type('only here');
    await harness.run(10);
    expect(alice.view).toMatchObject({ receipt: 'tab', error: { code: 'WF012' } });
    alice.goOnline();
    await harness.run(500);
    expect([alice.view.receipt, alice.view.error, harness.logText]).toEqual(['saved', null, 'only here']);
  });

  test('[SY12] a store that works again gets the missed entries before the next one', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.goOffline();
    alice.type('a');
    user.store.setBroken(true);
    alice.type('b');
    await harness.run(10);
    expect(alice.view.receipt).toBe('tab');
    user.store.setBroken(false);
    alice.type('c');
    await harness.run(10);
    expect(alice.view.receipt).toBe('device');
    const stored = await user.store.load(DOCUMENT);
    expect(stored?.outboxes[0]?.entries.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test('[SY12] a store that has room again gets the missed entries without another key', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.goOffline();
    user.store.setBroken(true);
    alice.type('only here');
    await harness.run(10);
    expect(alice.view.receipt).toBe('tab');
    user.store.setBroken(false);
    await harness.run(40_000);
    expect(alice.view.receipt).toBe('device');
    expect((await user.store.load(DOCUMENT))?.outboxes[0]?.entries.length).toBe(1);
  });

  test('[SY13] nothing counts as being on the device before the store has confirmed it', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.goOffline();
    const received: string[] = [];
    alice.session.subscribe(() => received.push(alice.view.receipt));
    alice.type('x');
    expect(alice.view.receipt).toBe('sending');
    await harness.run(1);
    expect(received).toEqual(['sending', 'device']);
    alice.type('y');
    expect([alice.view.receipt, alice.view.unsent.edits]).toEqual(['device', 1]);
    await harness.run(1);
    expect([alice.view.receipt, alice.view.unsent.edits]).toEqual(['device', 2]);
  });

  test('[SY12] a device that cannot even be read opens the page from the server', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    user.store.setBroken(true);
    const alice = await user.opened();
    alice.type('x');
    await harness.run(500);
    expect([alice.view.phase, alice.view.receipt, harness.logText]).toEqual(['ready', 'saved', 'x']);
  });
});

describe('closing and the view', () => {
  test('[SY11] closing while typing still sends the last word', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('last word');
    const closing = alice.session.close();
    expect(alice.view.phase).toBe('closed');
    await harness.run(100);
    await closing;
    expect(harness.logText).toBe('last word');
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'last word', seq: 1 });
  });

  test('[SY11] [I9] closing offline leaves the edits in the store and nothing else anywhere', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.goOffline();
    alice.type('later');
    await alice.session.close();
    expect(await user.store.unsent()).toMatchObject([{ edits: 1 }]);
    expect([harness.clock.pending, harness.server.hub.channels, user.locks.held, alice.environment.listeners]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test('[I9] closing in any state at any moment leaves nothing', async () => {
    for (let moment = 0; moment < 40; moment++) {
      const harness = new SyncHarness(moment + 1);
      const user = harness.user('alice');
      const bob = await harness.user('bob').opened();
      const alice = user.open();
      await harness.run(moment % 7);
      if (alice.view.editable) alice.type('x');
      if (moment % 3 === 1) alice.link.close('closed');
      if (moment % 5 === 2) alice.goOffline();
      if (moment % 4 === 3) harness.server.moveTopic(DOCUMENT);
      await harness.run(moment * 11);
      const closing = Promise.all([alice.session.close(), bob.session.close()]);
      await harness.run(20);
      await closing;
      await harness.run(20);
      expect([
        harness.clock.pending,
        harness.server.hub.channels,
        user.locks.held,
        alice.environment.listeners,
      ]).toEqual([0, 0, 0, 0]);
    }
  });

  test('[SY16] an editing client copies title and text once, 2 s after the last edit', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    for (const word of ['hel', 'lo ', 'wor', 'ld']) {
      alice.type(word);
      await harness.run(1_500);
    }
    expect(alice.calls).not.toContain('saveText');
    await harness.run(600);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 4 });
    await harness.run(60_000);
    expect(alice.calls.filter((name) => name === 'saveText').length).toBe(1);
    expect(bob.calls).not.toContain('saveText');
  });

  test('[SY16] a page being hidden copies them at once, beside its last edits', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('hello');
    await harness.run(3_000);
    alice.type(' world');
    alice.environment.set('hidden');
    alice.environment.set('hidden');
    await harness.run(1);
    alice.die();
    await harness.run(100);
    expect(harness.logText).toBe('hello world');
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 1 });
    expect(alice.keepalives).toBeGreaterThan(0);
    expect(alice.calls.filter((name) => name === 'saveText').length).toBe(2);
  });

  test('[SY16] a page being hidden copies them again while no answer came to a copy: unloading cancels that call', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('hello');
    // The browser cancels the first call before it reaches the server.
    alice.faults.before = (name) => (name === 'saveText' ? 'never' : null);
    await harness.run(3_000);
    expect(alice.calls.filter((name) => name === 'saveText').length).toBe(1);
    alice.faults.before = () => null;
    alice.environment.set('hidden');
    await harness.run(1);
    alice.die();
    await harness.run(100);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello', seq: 1 });
  });

  test('[SY16] edits in flight at that moment are copied again with their seq if the page lives on', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('hello');
    await harness.run(3_000);
    alice.type(' world');
    alice.environment.set('hidden');
    await harness.run(5_000);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 2 });
  });

  test('[SY16] the copy waits for the acknowledgement', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.goOffline();
    alice.type('x');
    await harness.run(10_000);
    expect(alice.calls).not.toContain('saveText');
    alice.goOnline((name) => (name === 'append' ? 'never' : null));
    await harness.run(5_000);
    expect(alice.view).toMatchObject({ receipt: 'sending', connection: 'live' });
    expect(alice.calls).not.toContain('saveText');
    alice.environment.set('hidden');
    alice.goOnline();
    alice.environment.set('hidden');
    await harness.run(3_000);
    expect(harness.server.text(DOCUMENT)).toMatchObject({ title: 'Notes', bodyText: 'x', seq: 1 });
  });

  test('[SY16] a copy that is lost on the way is tried again; a refused one is not', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.faults.before = (name) => (name === 'saveText' ? OFFLINE : null);
    alice.type('x');
    await harness.run(10_000);
    expect(harness.server.text(DOCUMENT)).toMatchObject({ bodyText: '', seq: 0 });
    alice.faults.before = () => null;
    await harness.run(30_000);
    expect(harness.server.text(DOCUMENT)).toMatchObject({ bodyText: 'x', seq: 1 });
    const copies = () => alice.calls.filter((name) => name === 'saveText').length;
    expect(copies()).toBe(2);
    alice.faults.before = (name) => (name === 'saveText' ? weftError('WF005') : null);
    alice.type('y');
    await harness.run(120_000);
    expect(copies()).toBe(3);
  });

  test('[SY16] a copy that was due when the network went is made when it is back', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('x');
    await harness.run(1_000);
    expect(alice.view.receipt).toBe('saved');
    alice.goOffline();
    await harness.run(5_000);
    alice.goOnline();
    await harness.run(5_000);
    expect(harness.server.text(DOCUMENT)).toMatchObject({ bodyText: 'x', seq: 1 });
  });

  test('[SY16] a session closed before it could copy reports that, and the next one makes up for it', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const alice = await user.opened();
    alice.type('x');
    await harness.run(1_000);
    expect(alice.view.receipt).toBe('saved');
    alice.goOffline();
    await alice.session.close();
    expect([alice.session.isCopyDue, harness.server.text(DOCUMENT).seq]).toEqual([true, 0]);
    const next = await user.opened();
    const closing = next.session.close();
    await harness.run(100);
    await closing;
    expect(next.session.isCopyDue).toBe(false);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'x', seq: 1 });
  });

  test('[SY16] the tab that recovers an outbox also copies its text', async () => {
    const harness = new SyncHarness();
    const user = harness.user('alice');
    const gone = await user.opened();
    gone.goOffline();
    gone.type('words');
    await harness.run(100);
    gone.die();
    const next = await user.opened();
    await harness.run(5_000);
    expect(next.view.lastN).toBe(0);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'words', seq: 1 });
  });

  test('[SY16] a missing copy is made by the next session that opens the page and may edit', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    alice.type('words');
    await harness.run(500);
    alice.die();
    const reader = harness.user('bob', 'viewer');
    await reader.opened();
    await harness.run(5_000);
    expect(harness.server.text(DOCUMENT).seq).toBe(0);
    const carol = await harness.user('carol').opened();
    await harness.run(3_000);
    expect(harness.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'words', seq: 1 });
    const dora = await harness.user('dora').opened();
    await harness.run(60_000);
    expect(carol.calls.filter((name) => name === 'saveText').length).toBe(1);
    expect(dora.calls).not.toContain('saveText');
  });

  test('[SY17] the view is frozen and stays the same object until something in it changes', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    const before = alice.view;
    let received = 0;
    alice.session.subscribe(() => received++);
    await harness.run(5 * 60_000);
    expect(alice.view).toBe(before);
    expect(received).toBe(0);
    expect(Object.isFrozen(before) && Object.isFrozen(before.unsent) && Object.isFrozen(before.peers)).toBe(true);
    alice.type('x');
    expect(alice.view).not.toBe(before);
    expect(received).toBe(1);
    expect(alice.view.peers).toBe(before.peers);
  });

  test('[SY19] the author publishes for watchers when the second is over', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const watch = harness.watch();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    alice.type('a');
    await harness.run(400);
    alice.type('b');
    await harness.run(400);
    expect(watch.text).toBe('a');
    await harness.run(1_100);
    expect(watch.text).toBe('ab');
    expect(alice.calls.filter((name) => name === 'publishPending').length).toBe(1);
  });

  test('[LR3][SY19] with many watchers the database publishes less often, and the author publishes the rest after that pause', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const watch = harness.watch();
    const alice = await harness.user('alice').opened();
    await harness.run(100);
    // Half of 8 messages a second are this page's, and 3 of them the watchers': 1 + 11 messages take 4 s.
    harness.server.messagesPerSecond = 8;
    await harness.watchedBy(11);
    alice.type('a');
    await harness.run(300);
    expect(watch.text).toBe('a');
    alice.type('b');
    await harness.run(3_000);
    expect(watch.text).toBe('a');
    await harness.run(1_200);
    expect(watch.text).toBe('ab');
    expect(alice.calls.filter((name) => name === 'publishPending').length).toBe(1);
  });

  test('[SY19] with two writers at once, the last edits of both reach the watchers', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const watch = harness.watch();
    const alice = await harness.user('alice').opened();
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    alice.type('a');
    await harness.run(100);
    bob.type('b');
    await harness.run(940);
    alice.type('c');
    await harness.run(30);
    // Bob's turn is due in a moment, and alice has just taken it.
    bob.type('d');
    await harness.run(2_500);
    expect([...watch.text].sort().join('')).toBe('abcd');
  });
});
