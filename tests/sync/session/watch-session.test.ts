import { describe, expect, test } from 'vitest';
import { weftError } from '../../../src/protocol/errors.ts';
import { encodeRows } from '../../../src/protocol/row.ts';
import { DOCUMENT, OFFLINE, SECRET, World } from '../sync-harness.ts';

const watched = async () => {
  const world = new World();
  world.watchLink();
  const alice = await world.person('alice').opened();
  alice.type('hello');
  await world.run(500);
  const watcher = world.watch();
  await world.run(50);
  return { world, alice, watcher };
};

describe('watching', () => {
  test('[WA1] a watcher sees what is there and follows', async () => {
    const { world, alice, watcher } = await watched();
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
    expect(watcher.text).toBe('hello');
    alice.type(' world');
    await world.run(400);
    expect(watcher.text).toBe('hello world');
    alice.type(', again');
    await world.run(2_000);
    expect(watcher.text).toBe('hello world, again');
    expect(watcher.view.changedAt).toBeGreaterThan(world.clock.now() - 2_000);
  });

  test('[WA1] rows and "ended" that people send are ignored', async () => {
    const { world, watcher } = await watched();
    const forger = world.server.hub
      .link(world.user('alice'))
      .join(
        `w:${SECRET}`,
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, roster: () => {} },
      );
    await world.run(10);
    forger.send('ended', new Uint8Array(0));
    forger.send('rows', encodeRows({ kind: 'rows', head: 99, rows: [] }));
    await world.run(100);
    expect(watcher.view.phase).toBe('live');
    expect(watcher.asked).toBe(2);
    forger.leave();
  });

  test('[WA2] it asks again every 15 s, on focus and when the network comes back', async () => {
    const { world, watcher } = await watched();
    expect(watcher.asked).toBe(2);
    await world.run(45_000);
    expect(watcher.asked).toBe(5);
    watcher.surroundings.say('visible');
    await world.run(5);
    expect(watcher.asked).toBe(6);
    watcher.surroundings.say('online');
    await world.run(5);
    expect(watcher.asked).toBe(7);
    watcher.surroundings.say('hidden');
    await world.run(5);
    expect(watcher.asked).toBe(7);
  });

  test('[WA2] a lost message is noticed with the next one and fetched at once', async () => {
    const { world, alice, watcher } = await watched();
    watcher.drop = 1;
    alice.type('1');
    await world.run(1_500);
    expect(watcher.text).toBe('hello');
    alice.type('2');
    await world.run(400);
    expect(watcher.text).toBe('hello12');
  });

  test('[WA2] without any call after the first one, everything that is published arrives', async () => {
    const { world, alice, watcher } = await watched();
    watcher.refuse = () => OFFLINE;
    for (let i = 0; i < 10; i++) {
      alice.type(String(i));
      await world.run(700);
    }
    await world.run(2_000);
    expect(watcher.text).toBe('hello0123456789');
    expect(watcher.view.phase).toBe('live');
  });

  test('[WA3] revoking ends it at once: no text, no title, nothing running', async () => {
    const { world, watcher } = await watched();
    let seenByListeners = '';
    watcher.session.subscribe(() => (seenByListeners = watcher.text));
    world.server.revokeWatchLink(SECRET);
    await world.run(2);
    expect(watcher.view).toEqual({ phase: 'ended', title: '', role: null, changedAt: null, error: weftError('WF009') });
    expect([watcher.text, seenByListeners]).toEqual(['', '']);
    expect(watcher.surroundings.listeners).toBe(0);
    const asked = watcher.asked;
    watcher.session.retry();
    await world.run(60_000);
    expect(watcher.asked).toBe(asked);
  });

  test('[WA3] a revocation whose message was lost is found by the next call', async () => {
    const { world, watcher } = await watched();
    watcher.drop = Number.POSITIVE_INFINITY;
    world.server.revokeWatchLink(SECRET);
    await world.run(15_100);
    expect([watcher.view.phase, watcher.text]).toEqual(['ended', '']);
  });

  test('[WA3] a link that never worked says so', async () => {
    const world = new World();
    const watcher = world.watch();
    await world.run(50);
    expect(watcher.view).toMatchObject({ phase: 'ended', error: { code: 'WF009' } });
    expect(world.clock.pending).toBe(0);
  });

  test('[WA4] a closed channel is replaced, and what came in between is fetched', async () => {
    const { world, alice, watcher } = await watched();
    watcher.link.close('closed');
    expect(watcher.view.phase).toBe('reconnecting');
    alice.type('!');
    await world.run(1_500);
    expect([watcher.view.phase, watcher.text]).toEqual(['live', 'hello!']);
  });

  test('[WA4] without network it says so and comes back by itself', async () => {
    const world = new World();
    world.watchLink();
    const watcher = world.watch(() => OFFLINE);
    await world.run(5_000);
    expect(watcher.view).toMatchObject({ phase: 'opening', error: { code: 'WF011' } });
    watcher.refuse = () => null;
    await world.run(15_000);
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
  });

  test('[WA5] closing leaves nothing, at any moment', async () => {
    for (let moment = 0; moment < 20; moment++) {
      const world = new World();
      world.watchLink();
      const watcher = world.watch();
      await world.run(moment);
      if (moment % 3 === 0) watcher.link.close('closed');
      watcher.session.close();
      await world.run(30);
      expect([world.clock.pending, world.server.hub.channels, watcher.surroundings.listeners]).toEqual([0, 0, 0]);
      expect(world.server.rows(DOCUMENT)).toEqual([]);
    }
  });

  test('[WA6] a page of a newer app is not shown', async () => {
    const world = new World();
    world.watchLink();
    world.server.setSchemaVersion(DOCUMENT, 2);
    const watcher = world.watch();
    await world.run(50);
    expect(watcher.view).toMatchObject({ phase: 'failed', error: { code: 'WF004' } });
    expect([world.clock.pending, watcher.text]).toEqual([0, '']);
  });

  test('[WA2] a long page comes in pieces', async () => {
    const world = new World();
    world.watchLink();
    const alice = await world.person('alice').opened();
    for (let i = 0; i < 3; i++) {
      alice.type('x'.repeat(400 * 1024));
      await world.run(500);
    }
    const watcher = world.watch();
    await world.run(50);
    expect(watcher.text.length).toBe(3 * 400 * 1024);
  });
});
