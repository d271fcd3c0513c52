// What a session is and says, from opening to closing: rules SY*, with I8, I9, L6.
import { describe, expect, test } from 'vitest';
import { weftError } from '../../../src/protocol/errors.ts';
import { DOCUMENT, OFFLINE, World } from '../sync-harness.ts';

describe('opening', () => {
  test('[SY1] the editor may bind only when every row up to the head of the open answer is there', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    // More than one answer may hold.
    for (let i = 0; i < 3; i++) {
      alice.type('x'.repeat(400 * 1024));
      await world.run(500);
    }
    const bob = world.person('bob').open();
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
    await world.run(50);
    expect(lengths[0]).toBe(3 * 400 * 1024);
  });

  test('[SY1] a device that holds the page shows it after a second without an answer', async () => {
    const world = new World();
    const alice = world.person('alice');
    const first = await alice.opened();
    first.type('kept');
    await world.run(500);
    await first.session.close();
    const again = alice.open();
    again.faults.before = () => 'never';
    await world.run(900);
    expect(again.view.phase).toBe('opening');
    await world.run(200);
    expect(again.view).toMatchObject({ phase: 'ready', editable: true });
    expect(again.text).toBe('kept');
  });

  test('[SY1] a device that holds the page shows it at once when the call fails, and one that does not waits', async () => {
    const world = new World();
    const alice = world.person('alice');
    const first = await alice.opened();
    first.type('kept');
    await world.run(500);
    await first.session.close();
    const again = alice.open();
    again.faults.before = () => OFFLINE;
    await world.run(10);
    expect(again.view).toMatchObject({
      phase: 'ready',
      connection: 'offline',
      error: { code: 'WF011' },
      editable: true,
    });
    const bob = world.person('bob').open();
    bob.faults.before = () => OFFLINE;
    await world.run(5_000);
    expect(bob.view).toMatchObject({ phase: 'opening', connection: 'offline', error: { code: 'WF011' } });
    bob.faults.before = () => null;
    bob.session.retry();
    await world.run(50);
    expect([bob.view.phase, bob.text]).toEqual(['ready', 'kept']);
  });

  test('[SY1] the document opens and closes a thousand times a day without leaving anything', async () => {
    const world = new World();
    const alice = world.person('alice');
    for (let i = 0; i < 20; i++) {
      const tab = alice.open();
      await world.run(i * 3);
      void tab.session.close();
      await world.run(100);
      expect(tab.view.phase).toBe('closed');
      expect(tab.surroundings.listeners).toBe(0);
    }
    expect([world.clock.pending, world.server.hub.channels, alice.locks.held]).toEqual([0, 0, 0]);
  });

  test('[SY8] no access and no such page fail before anything is shown', async () => {
    const world = new World();
    const stranger = await world.person('stranger', null).opened();
    expect(stranger.view).toMatchObject({ phase: 'failed', editable: false, error: { code: 'WF001' } });
    await world.run(60_000);
    expect(stranger.calls).toEqual(['open']);
    expect(world.clock.pending).toBe(0);
  });

  test('[SY2] a page of a newer schema is read-only when the editor binds, and the binding writes nothing', async () => {
    const world = new World();
    const person = world.person('alice');
    world.server.setSchemaVersion(DOCUMENT, 2);
    const alice = await person.opened(1);
    expect(alice.view).toMatchObject({
      phase: 'ready',
      receipt: 'readonly',
      editable: false,
      error: { code: 'WF004' },
    });
    alice.type('what a binding might tidy up');
    await world.run(5_000);
    expect(alice.view).toMatchObject({ lastN: 0, receipt: 'readonly' });
    expect(world.server.rows(DOCUMENT)).toEqual([]);
    expect(await person.store.unsent()).toEqual([]);
  });

  test('[SY2] the same offline: a page of a newer schema is not shown from the device', async () => {
    const world = new World();
    const person = world.person('alice');
    const newer = await person.opened(2);
    newer.type('x');
    world.server.setSchemaVersion(DOCUMENT, 2);
    await world.run(500);
    await newer.session.close();
    const reader = await person.opened(2);
    await reader.session.close();
    const older = person.open(1);
    older.faults.before = () => OFFLINE;
    await world.run(3_000);
    expect(older.view.phase).toBe('opening');
  });

  test('[SY2] a page that becomes newer while it is open turns read-only, and what was typed stays on the device', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened(1);
    world.server.setSchemaVersion(DOCUMENT, 2);
    alice.type('from an old app');
    await world.run(1_000);
    expect(alice.view).toMatchObject({ editable: false, receipt: 'device', error: { code: 'WF004' } });
    await alice.session.close();
    const reloaded = await person.opened(2);
    await world.run(500);
    expect(reloaded.view.receipt).toBe('saved');
    expect(world.logText).toBe('from an old app');
  });

  test('[SY10] a client id that the document already knows is drawn anew before the first edit', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('a');
    await world.run(500);
    const bob = world.person('bob').open();
    bob.session.doc.clientID = alice.session.doc.clientID;
    await world.run(50);
    expect(bob.session.doc.clientID).not.toBe(alice.session.doc.clientID);
    expect(bob.session.awareness.clientID).toBe(bob.session.doc.clientID);
    bob.type('b');
    await world.run(500);
    expect([world.logText, bob.view.receipt]).toEqual(['ab', 'saved']);
  });
});

describe('rights', () => {
  test('[SY9] a viewer reads along, and what a binding changes in the document is no edit', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    const viewer = await world.person('viewer', 'viewer').opened();
    await world.run(100);
    expect(viewer.view).toMatchObject({
      phase: 'ready',
      receipt: 'readonly',
      editable: false,
      role: 'viewer',
      error: { code: 'WF002' },
    });
    expect(viewer.view.connection).toBe('live');
    alice.type('news');
    await world.run(50);
    expect(viewer.text).toBe('news');
    viewer.type('!');
    await world.run(2_000);
    expect(viewer.view).toMatchObject({ lastN: 0, receipt: 'readonly' });
    expect(world.logText).toBe('news');
  });

  test('[SY9] a viewer who opens offline does not type into the void', async () => {
    const world = new World();
    const person = world.person('viewer', 'viewer');
    const alice = await world.person('alice').opened();
    alice.type('x');
    await world.run(500);
    const first = await person.opened();
    await first.session.close();
    const again = person.open();
    again.faults.before = () => OFFLINE;
    await world.run(100);
    expect(again.view).toMatchObject({ phase: 'ready', editable: false, role: 'viewer' });
  });

  test('[SY3] [I8] [L6] losing the right to write: read-only at once, nothing more is written, edits stay and come back', async () => {
    const world = new World();
    const alice = world.person('alice');
    const tab = await alice.opened();
    await world.run(100);
    world.server.setRole(DOCUMENT, alice.user, 'viewer');
    tab.type('too late');
    await world.run(2_500);
    expect(tab.view).toMatchObject({
      editable: false,
      receipt: 'refused',
      role: 'viewer',
      error: { code: 'WF002' },
      unsent: { edits: 1 },
    });
    expect(tab.view.connection).toBe('live');
    expect(world.server.rows(DOCUMENT)).toEqual([]);
    expect(tab.session.unsentFile().length).toBeGreaterThan(5);
    const appends = tab.calls.filter((name) => name === 'append' || name === 'startSession').length;
    await world.run(60_000);
    expect(tab.calls.filter((name) => name === 'append' || name === 'startSession').length).toBe(appends);
    world.server.setRole(DOCUMENT, alice.user, 'editor');
    tab.session.retry();
    await world.run(1_000);
    expect(tab.view).toMatchObject({ editable: true, receipt: 'saved' });
    expect(world.logText).toBe('too late');
  });

  test('[SY8] [I8] losing access: read-only, off the topic, no timer; access that returns is found when the user tries', async () => {
    const world = new World();
    const alice = world.person('alice');
    const tab = await alice.opened();
    tab.type('before');
    await world.run(500);
    world.server.setRole(DOCUMENT, alice.user, null);
    await world.run(3_000);
    expect(tab.view).toMatchObject({ phase: 'ready', editable: false, receipt: 'readonly', error: { code: 'WF001' } });
    expect([world.clock.pending, world.server.hub.channels]).toEqual([0, 0]);
    world.server.setRole(DOCUMENT, alice.user, 'editor');
    tab.session.retry();
    await world.run(100);
    expect(tab.view).toMatchObject({ editable: true, receipt: 'saved', connection: 'live' });
  });

  test('[SY4] a token that is over changes nothing for who types; after signing in everything is sent', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.faults.before = () => weftError('WF003', 'JWT expired');
    alice.type('signed out');
    await world.run(10_000);
    alice.type(' and typing');
    expect(alice.view).toMatchObject({
      editable: true,
      receipt: 'device',
      connection: 'offline',
      error: { code: 'WF003', detail: 'JWT expired' },
    });
    alice.faults.before = () => null;
    alice.session.retry();
    await world.run(500);
    expect([alice.view.receipt, world.logText]).toEqual(['saved', 'signed out and typing']);
  });

  for (const code of ['WF005', 'WF006', 'WF007'] as const) {
    test(`[SY5] ${code} keeps the edits, offers them and stops writing, also after a reload`, async () => {
      const world = new World();
      const person = world.person('alice');
      const alice = await person.opened();
      alice.faults.before = (name) =>
        name === (code === 'WF006' ? 'startSession' : 'append') ? weftError(code) : null;
      alice.type('unwelcome');
      await world.run(1_000);
      expect(alice.view).toMatchObject({ editable: false, receipt: 'refused', error: { code }, unsent: { edits: 1 } });
      await alice.session.close();
      const again = await person.opened();
      await world.run(2_000);
      expect(again.view).toMatchObject({ receipt: 'refused', error: { code }, unsent: { edits: 1 } });
      expect(again.text).toBe('');
      expect(again.calls).not.toContain('append');
      expect(again.session.unsentFile()).toEqual(alice.session.unsentFile());
    });
  }
});

describe('connection', () => {
  test('[SY6] [SY13] offline: edits are on the device, then everything goes out by itself', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.goOffline();
    alice.type('on the train');
    await world.run(100);
    expect(alice.view).toMatchObject({
      receipt: 'device',
      connection: 'offline',
      editable: true,
      error: { code: 'WF011' },
    });
    await world.run(3 * 60_000);
    expect(alice.view.retryAt).toBeGreaterThan(world.clock.now() - 1);
    expect(alice.view.retryAt).toBeLessThanOrEqual(world.clock.now() + 30_000);
    alice.goOnline();
    await world.run(500);
    expect(alice.view).toMatchObject({ receipt: 'saved', connection: 'live', retryAt: null, error: null });
    expect(world.logText).toBe('on the train');
  });

  test('[SY6] a network that comes back unnoticed is found within 30 s', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.faults.before = () => OFFLINE;
    alice.type('x');
    await world.run(10 * 60_000);
    const calls = alice.calls.length;
    expect(calls).toBeLessThan(10 * 60);
    alice.faults.before = () => null;
    await world.run(30_000);
    expect(alice.view.receipt).toBe('saved');
  });

  for (const way of ['online', 'visible', 'retry'] as const) {
    test(`[SY6] it is tried at once on ${way}`, async () => {
      const world = new World();
      const alice = await world.person('alice').opened();
      alice.faults.before = () => OFFLINE;
      alice.type('x');
      await world.run(5 * 60_000);
      alice.faults.before = () => null;
      if (way === 'retry') alice.session.retry();
      else alice.surroundings.say(way);
      await world.run(100);
      expect(alice.view.receipt).toBe('saved');
    });
  }

  test('[SY6] an append that fails for ever is not tried more often than the backoff allows', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.faults.before = (name) => (name === 'append' ? weftError('unknown', 'P0001: bug') : null);
    alice.type('x');
    await world.run(5 * 60_000);
    expect(alice.view).toMatchObject({ receipt: 'device' });
    expect(alice.calls.filter((name) => name === 'append').length).toBeLessThan(45);
  });

  test('[SY15] a server that asks for patience gets it, and nobody is called offline', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.faults.before = (name) => (name === 'append' ? weftError('WF008', '429') : null);
    alice.type('x');
    await world.run(180);
    expect(alice.view).toMatchObject({ connection: 'reconnecting', receipt: 'device', error: { code: 'WF008' } });
    alice.faults.before = () => null;
    await world.run(5_000);
    expect(alice.view).toMatchObject({ connection: 'live', receipt: 'saved', error: null });
  });

  test('[SY15] and as long as the server says, unless the user asks', async () => {
    for (const code of ['WF008', 'WF011'] as const) {
      const world = new World();
      const alice = await world.person('alice').opened();
      const busy = { ...weftError(code, 'busy'), retryAfterMs: 20_000 };
      alice.faults.before = (name) => (name === 'append' || name === 'open' ? busy : null);
      alice.type('x');
      await world.run(200);
      const { length } = alice.calls;
      alice.faults.before = () => null;
      await world.run(19_500);
      expect([alice.calls.length, alice.view.receipt]).toEqual([length, 'device']);
      await world.run(2_000);
      expect([alice.view.receipt, alice.view.connection]).toEqual(['saved', 'live']);

      alice.faults.before = (name) => (name === 'append' || name === 'open' ? busy : null);
      alice.type('y');
      await world.run(1_000);
      alice.faults.before = () => null;
      alice.session.retry();
      await world.run(500);
      expect(alice.view.receipt).toBe('saved');
    }
  });

  test('[SY7] a channel that the server closed is replaced by a new one, and nothing of the gap is missing', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    const bob = await world.person('bob').opened();
    await world.run(100);
    bob.link.close('closed');
    expect(bob.view).toMatchObject({ connection: 'reconnecting', roster: [], receipt: 'saved' });
    expect(bob.view.retryAt).not.toBeNull();
    alice.type('meanwhile');
    await world.run(1_100);
    expect(bob.view.connection).toBe('live');
    expect(bob.view.roster.length).toBe(2);
    expect(bob.text).toBe('meanwhile');
    expect(world.server.hub.channels).toBe(2);
  });

  test('[SY7] edits go out while the topic is being joined again', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.link.close('closed');
    alice.type('x');
    await world.run(1);
    expect(alice.view).toMatchObject({ connection: 'reconnecting', receipt: 'sending' });
    await world.run(400);
    expect(alice.view.receipt).toBe('saved');
  });

  test('[SY14] a channel that is closed again and again is joined ever more slowly', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    let joins = 0;
    for (let i = 0; i < 600; i++) {
      if (alice.view.connection === 'live') {
        joins += 1;
        alice.link.close('closed');
      }
      await world.run(1_000);
    }
    expect(joins).toBeLessThan(80);
    await world.run(60_000);
    expect(alice.view.connection).toBe('live');
    alice.link.close('closed');
    await world.run(1_100);
    expect(alice.view.connection).toBe('live');
  });

  test('[L6] a move takes everybody to the new topic within two seconds, one by one', async () => {
    const world = new World();
    const tabs = [];
    for (const name of ['alice', 'bob', 'carol']) tabs.push(await world.person(name).opened());
    await world.run(100);
    const [alice, bob, carol] = tabs;
    world.server.moveTopic(DOCUMENT);
    const back: number[] = [];
    for (const tab of tabs) tab.session.subscribe(() => tab.view.connection === 'live' && back.push(world.clock.now()));
    alice?.type('during the move');
    await world.run(2_200);
    for (const tab of tabs) expect(tab.view).toMatchObject({ connection: 'live', receipt: 'saved' });
    expect(new Set(back).size).toBeGreaterThan(1);
    expect([bob?.text, carol?.text]).toEqual(['during the move', 'during the move']);
    expect(world.server.hub.channels).toBe(3);
  });

  test('[L6] who missed "moved" learns it from the next answer', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    const bob = await world.person('bob').opened();
    await world.run(100);
    bob.dropMessages = 1;
    world.server.moveTopic(DOCUMENT);
    bob.type('x');
    await world.run(3_000);
    expect([alice.view.connection, bob.view.connection]).toEqual(['live', 'live']);
    expect([alice.text, alice.view.roster.length]).toEqual(['x', 2]);
  });
});

describe('the device', () => {
  test('[D5] an entry is in the store before the update event has returned', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.type('x');
    const unsent = person.store.unsent();
    expect(await unsent).toMatchObject([{ document: DOCUMENT, edits: 1 }]);
  });

  test('[I2] [I4] the device keeps rows and outboxes, nothing of frames, and lets entries go with their rows', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    const bob = await world.person('bob').opened();
    await world.run(100);
    bob.session.awareness.setLocalStateField('cursor', null);
    alice.type('x');
    await world.run(100);
    bob.type('y');
    await world.run(100);
    const stored = await person.store.load(DOCUMENT);
    expect(stored?.rows).toEqual(world.server.rows(DOCUMENT));
    expect(stored?.outboxes).toEqual([]);
    expect(stored?.meta).toEqual({ seq: 2, schemaVersion: 1, title: '', role: 'editor' });
  });

  test('[SY12] a store that fails: the receipt says "tab", edits go out all the same', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.goOffline();
    person.store.setBroken(true);
    alice.type('only here');
    await world.run(10);
    expect(alice.view).toMatchObject({ receipt: 'tab', error: { code: 'WF012' } });
    alice.goOnline();
    await world.run(500);
    expect([alice.view.receipt, alice.view.error, world.logText]).toEqual(['saved', null, 'only here']);
  });

  test('[SY12] a store that works again gets what it missed before the next entry', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.goOffline();
    alice.type('a');
    person.store.setBroken(true);
    alice.type('b');
    await world.run(10);
    expect(alice.view.receipt).toBe('tab');
    person.store.setBroken(false);
    alice.type('c');
    await world.run(10);
    expect(alice.view.receipt).toBe('device');
    const stored = await person.store.load(DOCUMENT);
    expect(stored?.outboxes[0]?.entries.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test('[SY12] a store that has room again gets what it missed without another key', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.goOffline();
    person.store.setBroken(true);
    alice.type('only here');
    await world.run(10);
    expect(alice.view.receipt).toBe('tab');
    person.store.setBroken(false);
    await world.run(40_000);
    expect(alice.view.receipt).toBe('device');
    expect((await person.store.load(DOCUMENT))?.outboxes[0]?.entries.length).toBe(1);
  });

  test('[SY13] nothing is said to be on the device before the store has said so', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.goOffline();
    const told: string[] = [];
    alice.session.subscribe(() => told.push(alice.view.receipt));
    alice.type('x');
    expect(alice.view.receipt).toBe('sending');
    await world.run(1);
    expect(told).toEqual(['sending', 'device']);
  });

  test('[SY12] a device that cannot even be read opens from the server', async () => {
    const world = new World();
    const person = world.person('alice');
    person.store.setBroken(true);
    const alice = await person.opened();
    alice.type('x');
    await world.run(500);
    expect([alice.view.phase, alice.view.receipt, world.logText]).toEqual(['ready', 'saved', 'x']);
  });
});

describe('closing and the view', () => {
  test('[SY11] closing in mid-typing brings the last word out', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('last word');
    const closing = alice.session.close();
    expect(alice.view.phase).toBe('closed');
    await world.run(100);
    await closing;
    expect(world.logText).toBe('last word');
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'last word', seq: 1 });
  });

  test('[SY11] [I9] closing offline leaves the edits in the store and nothing else anywhere', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.goOffline();
    alice.type('later');
    await alice.session.close();
    expect(await person.store.unsent()).toMatchObject([{ edits: 1 }]);
    expect([world.clock.pending, world.server.hub.channels, person.locks.held, alice.surroundings.listeners]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test('[I9] closing in any state at any moment leaves nothing', async () => {
    for (let moment = 0; moment < 40; moment++) {
      const world = new World(moment + 1);
      const person = world.person('alice');
      const bob = await world.person('bob').opened();
      const alice = person.open();
      await world.run(moment % 7);
      if (alice.view.editable) alice.type('x');
      if (moment % 3 === 1) alice.link.close('closed');
      if (moment % 5 === 2) alice.goOffline();
      if (moment % 4 === 3) world.server.moveTopic(DOCUMENT);
      await world.run(moment * 11);
      const closing = Promise.all([alice.session.close(), bob.session.close()]);
      await world.run(20);
      await closing;
      await world.run(20);
      expect([world.clock.pending, world.server.hub.channels, person.locks.held, alice.surroundings.listeners]).toEqual(
        [0, 0, 0, 0],
      );
    }
  });

  test('[SY16] title and text are copied by who edits, once, 2 s after the last edit', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    const bob = await world.person('bob').opened();
    await world.run(100);
    for (const word of ['hel', 'lo ', 'wor', 'ld']) {
      alice.type(word);
      await world.run(1_500);
    }
    expect(alice.calls).not.toContain('saveText');
    await world.run(600);
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 4 });
    await world.run(60_000);
    expect(alice.calls.filter((name) => name === 'saveText').length).toBe(1);
    expect(bob.calls).not.toContain('saveText');
  });

  test('[SY16] a page being hidden copies them at once, beside its last edits', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('hello');
    await world.run(3_000);
    alice.type(' world');
    alice.surroundings.say('hidden');
    alice.surroundings.say('hidden');
    await world.run(1);
    alice.die();
    await world.run(100);
    expect(world.logText).toBe('hello world');
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 1 });
    expect(alice.keepalives).toBeGreaterThan(0);
    expect(alice.calls.filter((name) => name === 'saveText').length).toBe(2);
  });

  test('[SY16] what was on its way then is copied again with its seq when the page lived on', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('hello');
    await world.run(3_000);
    alice.type(' world');
    alice.surroundings.say('hidden');
    await world.run(5_000);
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'hello world', seq: 2 });
  });

  test('[SY16] the copy waits for the acknowledgement', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.goOffline();
    alice.type('x');
    await world.run(10_000);
    expect(alice.calls).not.toContain('saveText');
    alice.faults.before = (name) => (name === 'append' ? 'never' : null);
    alice.surroundings.say('online');
    await world.run(5_000);
    expect(alice.view).toMatchObject({ receipt: 'sending', connection: 'live' });
    expect(alice.calls).not.toContain('saveText');
    alice.surroundings.say('hidden');
    alice.goOnline();
    alice.surroundings.say('hidden');
    await world.run(3_000);
    expect(world.server.text(DOCUMENT)).toMatchObject({ title: 'Notes', bodyText: 'x', seq: 1 });
  });

  test('[SY16] a copy that is lost on the way is tried again; one that is refused is not', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.faults.before = (name) => (name === 'saveText' ? OFFLINE : null);
    alice.type('x');
    await world.run(10_000);
    expect(world.server.text(DOCUMENT)).toMatchObject({ bodyText: '', seq: 0 });
    alice.faults.before = () => null;
    await world.run(30_000);
    expect(world.server.text(DOCUMENT)).toMatchObject({ bodyText: 'x', seq: 1 });
    const copies = () => alice.calls.filter((name) => name === 'saveText').length;
    expect(copies()).toBe(2);
    alice.faults.before = (name) => (name === 'saveText' ? weftError('WF005') : null);
    alice.type('y');
    await world.run(120_000);
    expect(copies()).toBe(3);
  });

  test('[SY16] a copy that was due when the network went is made when it is back', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('x');
    await world.run(1_000);
    expect(alice.view.receipt).toBe('saved');
    alice.goOffline();
    await world.run(5_000);
    alice.goOnline();
    await world.run(5_000);
    expect(world.server.text(DOCUMENT)).toMatchObject({ bodyText: 'x', seq: 1 });
  });

  test('[SY16] a session that is closed before it could copy says so, and the next one makes up for it', async () => {
    const world = new World();
    const person = world.person('alice');
    const alice = await person.opened();
    alice.type('x');
    await world.run(1_000);
    expect(alice.view.receipt).toBe('saved');
    alice.goOffline();
    await alice.session.close();
    expect([alice.session.isCopyDue, world.server.text(DOCUMENT).seq]).toEqual([true, 0]);
    const next = await person.opened();
    const closing = next.session.close();
    await world.run(100);
    await closing;
    expect(next.session.isCopyDue).toBe(false);
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'x', seq: 1 });
  });

  test('[SY16] what a tab that is gone left is copied by who takes it over', async () => {
    const world = new World();
    const person = world.person('alice');
    const gone = await person.opened();
    gone.goOffline();
    gone.type('words');
    await world.run(100);
    gone.die();
    const next = await person.opened();
    await world.run(5_000);
    expect(next.view.lastN).toBe(0);
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'words', seq: 1 });
  });

  test('[SY16] a copy that nobody made is made up for by the next one who opens the page and may edit', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    alice.type('words');
    await world.run(500);
    alice.die();
    const reader = world.person('bob', 'viewer');
    await reader.opened();
    await world.run(5_000);
    expect(world.server.text(DOCUMENT).seq).toBe(0);
    const carol = await world.person('carol').opened();
    await world.run(3_000);
    expect(world.server.text(DOCUMENT)).toEqual({ title: 'Notes', bodyText: 'words', seq: 1 });
    const dora = await world.person('dora').opened();
    await world.run(60_000);
    expect(carol.calls.filter((name) => name === 'saveText').length).toBe(1);
    expect(dora.calls).not.toContain('saveText');
  });

  test('[SY17] the view is frozen and stays the same object until something in it changes', async () => {
    const world = new World();
    const alice = await world.person('alice').opened();
    await world.run(100);
    const before = alice.view;
    let told = 0;
    alice.session.subscribe(() => told++);
    await world.run(5 * 60_000);
    expect(alice.view).toBe(before);
    expect(told).toBe(0);
    expect(Object.isFrozen(before) && Object.isFrozen(before.unsent) && Object.isFrozen(before.roster)).toBe(true);
    alice.type('x');
    expect(alice.view).not.toBe(before);
    expect(told).toBe(1);
    expect(alice.view.roster).toBe(before.roster);
  });

  test('[SY19] the author publishes for watchers when the second is over', async () => {
    const world = new World();
    world.watchLink();
    const watch = world.watch();
    const alice = await world.person('alice').opened();
    await world.run(100);
    alice.type('a');
    await world.run(400);
    alice.type('b');
    await world.run(400);
    expect(watch.text).toBe('a');
    await world.run(1_100);
    expect(watch.text).toBe('ab');
    expect(alice.calls.filter((name) => name === 'publishTail').length).toBe(1);
  });

  test('[SY19] two who write at once: the last words of both reach the watchers', async () => {
    const world = new World();
    world.watchLink();
    const watch = world.watch();
    const alice = await world.person('alice').opened();
    const bob = await world.person('bob').opened();
    await world.run(100);
    alice.type('a');
    await world.run(100);
    bob.type('b');
    await world.run(940);
    alice.type('c');
    await world.run(30);
    // Bob's turn is due in a moment, and alice has just taken it.
    bob.type('d');
    await world.run(2_500);
    expect([...watch.text].sort().join('')).toBe('abcd');
  });
});
