import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import type { WatchStart } from 'weft-sync/session/watched-page.ts';
import * as Y from 'yjs';
import { timelyMaker } from '../snapshot/timely-maker.ts';
import { DOCUMENT, OFFLINE, SECRET, SyncHarness, type TestWatcher } from '../sync-harness.ts';

const watched = async () => {
  const harness = new SyncHarness();
  harness.watchLink();
  const alice = await harness.user('alice').opened();
  alice.type('hello');
  await harness.run(500);
  const watcher = harness.watch();
  await harness.run(50);
  return { harness, alice, watcher };
};

/** In whole seconds, as views have it. */
const newestRowAt = (harness: SyncHarness) => Math.floor((harness.server.rows(DOCUMENT).at(-1)?.at ?? 0) / 1000) * 1000;

describe('watching', () => {
  test('[WA1] a watcher sees the page and follows it', async () => {
    const { harness, alice, watcher } = await watched();
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
    expect(watcher.text).toBe('hello');
    alice.type(' world');
    await harness.run(400);
    expect(watcher.text).toBe('hello world');
    alice.type(', again');
    await harness.run(2_000);
    expect(watcher.text).toBe('hello world, again');
    expect(watcher.view.changedAt).toBeGreaterThan(harness.clock.now() - 3_000);
  });

  test('[WA1] a link to edit shows the title alone, and its topic is not joined', async () => {
    const harness = new SyncHarness();
    harness.server.createLink(DOCUMENT, SECRET, 'editor');
    const watcher = harness.watch();
    await harness.run(50);
    expect(harness.server.hub.channels).toBe(0);
    await harness.run(40_000);
    expect(watcher.view).toMatchObject({ role: 'editor', phase: 'opening', error: null });
    expect(watcher.asked).toBeGreaterThan(2);
    harness.server.revokeLink(SECRET);
    await harness.run(20_000);
    expect(watcher.view.phase).toBe('ended');
  });

  test('[WA7] the time of the last change is that of the newest row, not of its arrival', async () => {
    const { harness, alice } = await watched();
    const changedAt = newestRowAt(harness);
    await harness.run(60_000);
    const late = harness.watch();
    await harness.run(50);
    expect([late.view.phase, late.view.changedAt]).toEqual(['live', changedAt]);
    await harness.run(60_000);
    expect(late.view.changedAt).toBe(changedAt);
    alice.type('!');
    await harness.run(1_500);
    expect(late.view.changedAt).toBe(newestRowAt(harness));
    expect(newestRowAt(harness)).toBeGreaterThan(changedAt + 110_000);
  });

  test('[WA7] an answer without rows says when the page was changed', async () => {
    const { harness, alice } = await watched();
    for (let i = 0; i < 40; i++) alice.type('x'.repeat(4_000));
    await harness.run(60_000);
    const late = harness.watch();
    await harness.run(50);
    expect(late.view.changedAt).toBe(newestRowAt(harness));
  });

  test('[WA7] a device whose clock is wrong shows the time by its own clock, and none in the future', async () => {
    const { harness } = await watched();
    const at = harness.server.rows(DOCUMENT).at(-1)?.at ?? 0;
    const { clock } = harness;
    const shown = async (fromServer?: (at: number) => number) => {
      const now = () => clock.now() - 3_600_000;
      const after = (ms: number, run: () => void) => clock.after(ms, run);
      const slow = harness.watch(() => null, { now, after, ...(fromServer === undefined ? {} : { fromServer }) });
      await harness.run(50);
      return [slow.view.changedAt, Math.floor(now() / 1000) * 1000];
    };
    await harness.run(10_000);
    const [known] = await shown((time) => time - 3_600_000);
    expect(known).toBe(Math.floor((at - 3_600_000) / 1000) * 1000);
    const [unknown, now] = await shown();
    expect(unknown).toBe(now);
  });

  test('[WA1] rows and "ended" that people send are ignored', async () => {
    const { harness, watcher } = await watched();
    const forger = harness.server.hub
      .link(harness.userId('alice'))
      .join(
        `w:${SECRET}`,
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
      );
    await harness.run(10);
    forger.send('ended', new Uint8Array(0));
    forger.send('rows', encodeRows({ kind: 'rows', head: 99, rows: [] }));
    await harness.run(100);
    expect(watcher.view.phase).toBe('live');
    expect(watcher.asked).toBe(2);
    forger.leave();
  });

  test('[WA2] the link is asked for again every 15 s, on focus and when the network comes back', async () => {
    const { harness, watcher } = await watched();
    expect(watcher.asked).toBe(2);
    await harness.run(45_000);
    expect(watcher.asked).toBe(5);
    watcher.environment.set('visible');
    await harness.run(5);
    expect(watcher.asked).toBe(6);
    watcher.environment.set('online');
    await harness.run(5);
    expect(watcher.asked).toBe(7);
    watcher.environment.set('hidden');
    await harness.run(5);
    expect(watcher.asked).toBe(7);
  });

  test('[WA2] a lost message is noticed with the next one and fetched at once', async () => {
    const { harness, alice, watcher } = await watched();
    watcher.drop = 1;
    alice.type('1');
    await harness.run(1_500);
    expect(watcher.text).toBe('hello');
    alice.type('2');
    await harness.run(400);
    expect(watcher.text).toBe('hello12');
  });

  test('[WA2] without any call after the first one, everything that is published arrives', async () => {
    const { harness, alice, watcher } = await watched();
    watcher.refuse = () => OFFLINE;
    for (let i = 0; i < 10; i++) {
      alice.type(String(i));
      await harness.run(700);
    }
    await harness.run(2_000);
    expect(watcher.text).toBe('hello0123456789');
    expect(watcher.view.phase).toBe('live');
  });

  test('[WA10] the view has the newest change of the comments while the link shows them, by message and by answer', async () => {
    const { harness, watcher } = await watched();
    expect(watcher.view.comments).toBeNull();
    const shown = [];
    for (const change of [0, 7, null, 8]) {
      harness.server.setComments(DOCUMENT, change);
      await harness.run(10);
      shown.push(watcher.view.comments);
    }
    expect(shown).toEqual([0, 7, null, 8]);
    watcher.drop = 1;
    harness.server.setComments(DOCUMENT, null);
    await harness.run(10);
    expect(watcher.view.comments).toBe(8);
    await harness.run(15_100);
    expect(watcher.view.comments).toBeNull();
    harness.server.setComments(DOCUMENT, 9);
    await harness.run(10);
    harness.server.revokeLink(SECRET);
    await harness.run(10);
    expect(watcher.view).toMatchObject({ phase: 'ended', comments: null });
  });

  test('[WA10] a message that people send, or that is none, changes nothing', async () => {
    const { harness, watcher } = await watched();
    harness.server.setComments(DOCUMENT, 7);
    await harness.run(10);
    for (const json of ['{"change":"8"}', '{}', 'x', '{"change":-1}'])
      harness.server.hub.publish(`w:${SECRET}`, EVENTS.comments, new TextEncoder().encode(json));
    const forger = harness.server.hub
      .link(harness.userId('alice'))
      .join(
        `w:${SECRET}`,
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
      );
    await harness.run(10);
    forger.send(EVENTS.comments, new TextEncoder().encode('{"change":null}'));
    await harness.run(10);
    expect(watcher.view.comments).toBe(7);
  });

  test('[WA3] revoking ends it at once: no text, no title, nothing running', async () => {
    const { harness, watcher } = await watched();
    let seenByListeners = '';
    watcher.session.subscribe(() => (seenByListeners = watcher.text));
    expect(watcher.view.showsHistory).toBe(true);
    harness.server.revokeLink(SECRET);
    await harness.run(2);
    expect(watcher.view).toEqual({
      phase: 'ended',
      rebuilds: 0,
      documentId: null,
      title: '',
      role: null,
      changedAt: null,
      presenter: null,
      showsHistory: false,
      comments: null,
      error: weftError('WF009'),
    });
    expect([watcher.text, seenByListeners]).toEqual(['', '']);
    expect(watcher.environment.listeners).toBe(0);
    const asked = watcher.asked;
    watcher.session.retry();
    await harness.run(60_000);
    expect(watcher.asked).toBe(asked);
  });

  test('[WA3] a revocation whose message was lost is found by the next call', async () => {
    const { harness, watcher } = await watched();
    watcher.drop = Number.POSITIVE_INFINITY;
    harness.server.revokeLink(SECRET);
    await harness.run(15_100);
    expect([watcher.view.phase, watcher.text]).toEqual(['ended', '']);
  });

  test('[WA3] a link that never worked fails', async () => {
    const harness = new SyncHarness();
    const watcher = harness.watch();
    await harness.run(50);
    expect(watcher.view).toMatchObject({ phase: 'ended', error: { code: 'WF009' } });
    expect(harness.clock.pending).toBe(0);
  });

  test('[WA4] a closed channel is replaced, and what came in between is fetched', async () => {
    const { harness, alice, watcher } = await watched();
    watcher.link.close('closed');
    expect(watcher.view.phase).toBe('reconnecting');
    alice.type('!');
    await harness.run(1_500);
    expect([watcher.view.phase, watcher.text]).toEqual(['live', 'hello!']);
  });

  test('[WA4] without network the view says so, and the watcher reconnects by itself', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const watcher = harness.watch(() => OFFLINE);
    await harness.run(5_000);
    expect(watcher.view).toMatchObject({ phase: 'opening', error: { code: 'WF011' } });
    watcher.refuse = () => null;
    await harness.run(15_000);
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
  });

  test('[WA4] a device that is offline does not say “live”, although its connection has not noticed yet', async () => {
    const { harness, alice, watcher } = await watched();
    watcher.refuse = () => OFFLINE;
    watcher.environment.set('offline');
    expect(watcher.view.phase).toBe('reconnecting');
    await harness.run(20_000);
    expect(watcher.view.phase).toBe('reconnecting');
    watcher.refuse = () => null;
    watcher.environment.set('online');
    await harness.run(100);
    expect(watcher.view).toMatchObject({ phase: 'live', error: null });
    // A browser may be wrong: what the database publishes proves it.
    watcher.refuse = () => OFFLINE;
    watcher.environment.set('offline');
    alice.type('!');
    await harness.run(1_500);
    expect([watcher.view.phase, watcher.text]).toEqual(['live', 'hello!']);
  });

  test('[WA5] closing leaves nothing, at any moment', async () => {
    for (let moment = 0; moment < 20; moment++) {
      const harness = new SyncHarness();
      harness.watchLink();
      const watcher = harness.watch();
      await harness.run(moment);
      if (moment % 3 === 0) watcher.link.close('closed');
      watcher.session.close();
      await harness.run(30);
      expect([harness.clock.pending, harness.server.hub.channels, watcher.environment.listeners]).toEqual([0, 0, 0]);
      expect(harness.server.rows(DOCUMENT)).toEqual([]);
    }
  });

  test('[WA6] a page of a newer app is not shown', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    harness.server.setSchemaVersion(DOCUMENT, 2);
    const watcher = harness.watch();
    await harness.run(50);
    expect(watcher.view).toMatchObject({ phase: 'failed', error: { code: 'WF004' } });
    expect([harness.clock.pending, watcher.text]).toEqual([0, '']);
  });

  test('[WA2] a long page comes in pieces', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const alice = await harness.user('alice').opened();
    for (let i = 0; i < 3; i++) {
      alice.type('x'.repeat(400 * 1024));
      await harness.run(500);
    }
    const watcher = harness.watch();
    await harness.run(50);
    expect(watcher.text.length).toBe(3 * 400 * 1024);
  });
});

describe('following the log', () => {
  /** Writes down each reported row with the text that the document has at that moment. */
  const followed = (harness: SyncHarness, from?: WatchStart, rowsUntilFull = Number.POSITIVE_INFINITY) => {
    const steps: { since: number; seq: number; at: number | null; text: string }[] = [];
    let caughtUp = 0;
    let room = rowsUntilFull;
    const watcher: TestWatcher = harness.watch(() => null, harness.clock, {
      ...(from === undefined ? {} : { from }),
      log: {
        advanced: ({ since, seq, at }) => {
          steps.push({ since, seq, at, text: watcher.text });
          room -= 1;
          return room > 0;
        },
        replaced: () => undefined,
        caughtUp: () => void (caughtUp += 1),
      },
    });
    const makeRoom = () => {
      room = rowsUntilFull;
      watcher.session.retry();
    };
    return { watcher, steps, makeRoom, timesCaughtUp: () => caughtUp };
  };

  const typed = async (harness: SyncHarness, words: readonly string[]) => {
    const alice = await harness.user('alice').opened();
    for (const word of words) {
      alice.type(word);
      await harness.run(2_000);
    }
    return alice;
  };

  test('[WA8] each row is reported once, in order, with its time and with the document as of then', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const alice = await typed(harness, ['a', 'b', 'c']);
    const { steps, timesCaughtUp } = followed(harness);
    await harness.run(100);
    alice.type('d');
    await harness.run(2_000);
    const rows = harness.server.rows(DOCUMENT);
    expect(steps.map(({ since, seq, at }) => [since, seq, at])).toEqual(
      rows.map(({ seq, at }) => [seq - 1, seq, at ?? null]),
    );
    expect(steps.slice(-4).map(({ text }) => text)).toEqual(['a', 'ab', 'abc', 'abcd']);
    expect(timesCaughtUp()).toBeGreaterThan(0);
  });

  test('[WA8] a watcher begins where an earlier one stopped, with the page of then or with its rows', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const alice = await typed(harness, ['a', 'b']);
    const first = followed(harness);
    await harness.run(100);
    const state = new Uint8Array(Y.encodeStateAsUpdateV2(first.watcher.session.doc));
    const seq = first.steps.at(-1)?.seq ?? 0;
    first.watcher.session.close();
    for (const word of ['c', 'd']) {
      alice.type(word);
      await harness.run(2_000);
    }
    const withPage = followed(harness, { seq, state });
    const withoutPage = followed(harness, { seq, state: null });
    const damaged = followed(harness, { seq, state: new Uint8Array([1, 2, 3]) });
    await harness.run(100);
    expect(withPage.steps.map(({ since, text }) => [since, text])).toEqual([
      [seq, 'abc'],
      [seq + 1, 'abcd'],
    ]);
    for (const { steps } of [withoutPage, damaged]) {
      expect(steps.map((step) => step.seq)).toEqual(harness.server.rows(DOCUMENT).map((row) => row.seq));
      expect(steps.filter((step) => step.seq > seq)).toEqual(withPage.steps);
    }
  });

  test('[WA8] a snapshot is reported as one step', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    harness.maker = timelyMaker();
    const alice = await harness.user('alice').opened();
    for (let i = 0; i < 40; i++) {
      alice.type('x'.repeat(4_000));
      await harness.run(300);
    }
    await harness.run(60_000);
    alice.type('!');
    await harness.run(2_000);
    const { steps } = followed(harness);
    await harness.run(100);
    expect(steps[0]).toMatchObject({ since: 0 });
    expect(steps[0]?.seq).toBeGreaterThan(1);
    expect(steps.every(({ since }, at) => since === (steps[at - 1]?.seq ?? 0))).toBe(true);
    expect(steps.at(-1)?.text).toHaveLength(160_001);
  });

  test('[WA8] a follower without room gets no further row, and all of them later', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    const alice = await typed(harness, ['a', 'b', 'c', 'd']);
    const { steps, makeRoom } = followed(harness, undefined, 2);
    await harness.run(100);
    expect(steps).toHaveLength(2);
    alice.type('e');
    await harness.run(60_000);
    expect(steps).toHaveLength(2);
    for (let i = 0; i < 5; i++) {
      makeRoom();
      await harness.run(100);
    }
    expect(steps.map(({ seq }) => seq)).toEqual(harness.server.rows(DOCUMENT).map(({ seq }) => seq));
    expect(steps.at(-1)?.text).toBe('abcde');
  });

  test('[WA8] the end of the link is reported without room too', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    await typed(harness, ['a', 'b']);
    const { watcher } = followed(harness, undefined, 1);
    await harness.run(100);
    harness.server.revokeLink(SECRET);
    await harness.run(100);
    expect(watcher.view.phase).toBe('ended');
  });

  test('[WA8] a place beyond the end of the log is of another history', async () => {
    const harness = new SyncHarness();
    harness.watchLink();
    await typed(harness, ['a']);
    const { watcher, steps } = followed(harness, { seq: 1_000, state: null });
    await harness.run(100);
    expect(watcher.view).toMatchObject({ phase: 'failed', error: { code: 'unknown' } });
    expect(steps).toEqual([]);
  });
});
