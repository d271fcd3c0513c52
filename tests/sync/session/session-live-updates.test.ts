// Live updates between real sessions on the memory server: what is shown before it is a row, and what happens to it
// when rows, authors or rights do not come.
import { describe, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { decodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import * as Y from 'yjs';
import { DOCUMENT, type TestTab, SyncHarness } from '../sync-harness.ts';

/** Two users on a page, registered and known to each other; bob's text is at the end. */
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

const liveUpdates = (tab: TestTab) => {
  const received: { nFrom: number; nTo: number; bytes: number; caret: number }[] = [];
  tab.onMessage = (event, payload) => {
    const liveUpdate = event === EVENTS.liveUpdate ? decodeLiveUpdate(payload) : null;
    if (liveUpdate?.ok === true) {
      const { nFrom, nTo, update, caret } = liveUpdate.value;
      received.push({ nFrom, nTo, bytes: update.length, caret: caret.length });
    }
  };
  return received;
};

const rows = (harness: SyncHarness) => harness.server.rows(DOCUMENT);

/** No call of this tab gets through any more; its messages do. */
const cutHttp = (tab: TestTab) => (tab.faults.before = () => weftError('WF011', 'cut'));

describe('showing', () => {
  test('[L1] [L2] an edit is shown before it is a row, and its row is not published', async () => {
    const { harness, a, b } = await aliceAndBob();
    const before = rows(harness).length;
    const received: string[] = [];
    b.onMessage = (event) => received.push(event);
    a.type('!');
    await harness.run(5);
    expect([b.text, rows(harness).length]).toEqual(['ab!', before]);
    await harness.run(400);
    expect([rows(harness).length, received.filter((event) => event === EVENTS.rows)]).toEqual([before + 1, []]);
  });

  test('[L1] the first edit of a session waits for its registration, then it is sent', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const a = await harness.user('alice').opened();
    const b = await harness.user('bob').opened();
    await harness.run(100);
    const received = liveUpdates(b);
    a.type('x');
    await harness.run(1);
    expect(received.filter(({ nTo }) => nTo > 0)).toEqual([]);
    await harness.run(400);
    expect(received.filter(({ nTo }) => nTo > 0).length).toBe(1);
    expect(b.text).toBe('x');
  });

  test('[L1] alone, nothing is sent', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const a = await harness.user('alice').opened();
    a.type('one');
    await harness.run(1_000);
    a.type('two');
    await harness.run(1_000);
    expect([a.liveUpdatesSent, a.view.receipt]).toEqual([0, 'saved']);
  });

  test('[L1] an edit and the caret after it go out in one live update of at most 64 bytes', async () => {
    const { harness, a, b } = await aliceAndBob();
    const text = a.session.doc.getText('t');
    const sizes: number[] = [];
    b.onMessage = (event, payload) => event === EVENTS.liveUpdate && void sizes.push(payload.length);
    a.session.doc.transact(() => a.type('x'));
    const head = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, text.length - 1));
    a.session.awareness.setLocalStateField('cursor', { anchor: head, head });
    await harness.run(40);
    expect(sizes.length).toBe(1);
    expect(sizes[0]).toBeLessThanOrEqual(64);
  });

  test('[L1] live updates repeat everything unacknowledged; above 16 KiB they hold no text', async () => {
    const { harness, a, b } = await aliceAndBob();
    const received = liveUpdates(b);
    cutHttp(a);
    a.type('x');
    await harness.run(60);
    a.type('y');
    await harness.run(60);
    expect(received.map(({ nFrom, nTo }) => nTo - nFrom)).toEqual([0, 1]);
    a.type('z'.repeat(20_000));
    await harness.run(60);
    expect([received.filter(({ nTo }) => nTo > 0).length, b.text.length]).toEqual([2, 4]);
  });

  test('[LR1] a burst of keys makes at most one live update per 50 ms', async () => {
    const { harness, a, b } = await aliceAndBob();
    // Bob counts as a writer no more.
    await harness.run(6_000);
    const received = liveUpdates(b);
    for (let i = 0; i < 40; i++) {
      a.type('x');
      await harness.run(25);
    }
    expect(received.length).toBeGreaterThan(15);
    expect(received.length).toBeLessThanOrEqual(21);
  });

  test('[LR2] "too many messages" halves the rate, a minute without doubles it again', async () => {
    const { harness, a, b } = await aliceAndBob();
    const burst = async () => {
      const received = liveUpdates(b);
      for (let i = 0; i < 40; i++) {
        a.type('x');
        await harness.run(25);
      }
      return received.length;
    };
    for (let i = 0; i < 4; i++) {
      a.link.close('closed', 'Too many messages per second');
      await harness.run(20_000);
    }
    expect([a.view.connection, a.view.pace, b.view.pace]).toEqual(['live', 'slowed', 'full']);
    expect(await burst()).toBeLessThan(8);
    await harness.run(5 * 60_000);
    expect(await burst()).toBeGreaterThan(15);
    expect(a.view.pace).toBe('full');
  });

  test('[L2] a live update that lacks something waits, and is shown together with it', async () => {
    const { harness, a, b } = await aliceAndBob();
    cutHttp(a);
    b.dropMessages = 1;
    // Lost together with the caret: only the second live update, which holds both edits, arrives.
    a.type('x');
    await harness.run(60);
    expect(b.text).toBe('ab');
    a.type('y');
    await harness.run(60);
    expect(b.text).toBe('abxy');
  });

  test('[L2] [L6] live updates of an unknown session are shown once its client id is known', async () => {
    const { harness, a } = await aliceAndBob();
    const c = await harness.user('carol').opened();
    await harness.run(100);
    // Registered, but none of its rows is in what carol holds: she asks for its client id.
    a.type('z');
    await harness.run(30);
    expect(c.text).toBe('abz');
    await harness.run(1_000);
    const asked = c.calls.filter((name) => name === 'sessionInfo').length;
    expect(asked).toBeLessThanOrEqual(1);
  });

  test('[L5] a client with unsaved edits sends them to newcomers', async () => {
    const { harness, a } = await aliceAndBob();
    cutHttp(a);
    a.type('unsaved');
    await harness.run(100);
    const c = await harness.user('carol').opened();
    await harness.run(300);
    expect(c.text).toBe('abunsaved');
  });
});

describe('building on what is not in the log', () => {
  test('[D3] [I11] an append takes along the live update it builds on, and every prefix of the log is complete', async () => {
    const { harness, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type('word');
    await harness.run(30);
    b.type('!', b.text.length);
    await harness.run(500);
    const last = rows(harness).at(-1);
    expect(last?.session).toBe(b.session.sessionId);
    expect(last?.dependencies.map(({ session }) => session)).toEqual([a.session.sessionId]);
    expect(harness.logText).toBe('abword!');
    a.faults.before = () => null;
    a.session.retry();
    await harness.run(5_000);
    expect([a.view.receipt, harness.logText, a.text]).toEqual(['saved', 'abword!', 'abword!']);
  });

  test('[D3] deleting someone’s unsaved text builds on it', async () => {
    const { harness, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type('word');
    await harness.run(30);
    b.delete(2, 4);
    await harness.run(500);
    expect(rows(harness).at(-1)?.dependencies.length).toBe(1);
    expect(harness.logText).toBe('ab');
  });

  test('[I4] [D5] [D6] the dependencies of an edit are stored with it: another tab appends both after a crash', async () => {
    const { harness, bob, a, b } = await aliceAndBob();
    cutHttp(a);
    cutHttp(b);
    a.type('word');
    await harness.run(30);
    b.type('!');
    b.type('?');
    await harness.run(30);
    const stored = await bob.store.load(DOCUMENT);
    expect(stored?.outboxes[0]?.entries.map(({ buildsOn }) => buildsOn.length)).toEqual([1, 0]);
    b.die();
    a.die();
    const again = await bob.opened();
    await harness.run(3_000);
    expect([again.text, harness.logText, again.view.receipt]).toEqual(['abword!?', 'abword!?', 'saved']);
  });

  test('[L3] a shown live update is held until its row is here, and no longer', async () => {
    const { harness, a, b } = await aliceAndBob();
    a.type('x');
    await harness.run(3_500);
    // It is confirmed, so an edit on top of it has no dependencies.
    b.type('y');
    await harness.run(500);
    expect(rows(harness).at(-1)?.dependencies).toEqual([]);
  });
});

describe('authors who are gone', () => {
  test('[L4] a live update that stays unconfirmed for two seconds is fetched', async () => {
    const { harness, a, b } = await aliceAndBob();
    a.type('x');
    await harness.run(20);
    b.calls.length = 0;
    b.dropMessages = 1_000;
    await harness.run(1_900);
    expect(b.calls).toEqual([]);
    await harness.run(300);
    expect(b.calls).toContain('rowsSince');
    b.dropMessages = 0;
  });

  test('[D7] after 5 to 8 seconds someone who stays relays the author’s last edits', async () => {
    const { harness, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type('last words');
    await harness.run(30);
    a.die();
    await harness.run(4_500);
    expect(harness.logText).toBe('ab');
    await harness.run(4_500);
    expect(harness.logText).toBe('ablast words');
    const relay = rows(harness).at(-1);
    expect([relay?.nTo, relay?.update.length, relay?.session]).toEqual([0, 0, b.session.sessionId]);
  });

  test('[D7] a client that may not write drops them after 15 seconds', async () => {
    const { harness, alice, bob, a, b } = await aliceAndBob();
    const viewer = await harness.user('vera', 'viewer').opened();
    await harness.run(100);
    cutHttp(a);
    a.type('last words');
    await harness.run(30);
    expect(viewer.text).toBe('ablast words');
    a.die();
    b.die();
    expect([alice.name, bob.name]).toEqual(['alice', 'bob']);
    await harness.run(14_000);
    expect([viewer.text, viewer.view.rebuilds]).toEqual(['ablast words', 0]);
    await harness.run(2_000);
    expect([viewer.text, viewer.view.rebuilds]).toEqual(['ab', 1]);
    // The document that is shown now can be edited.
    const carol = await harness.user('carol').opened();
    carol.type('!');
    await harness.run(1_000);
    expect(viewer.text).toBe('ab!');
  });
});

describe('rights', () => {
  test('[L6] [I8] unsaved edits of a removed user vanish, own ones stay and are saved', async () => {
    const { harness, alice, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type(' secret');
    await harness.run(30);
    expect(b.text).toBe('ab secret');
    b.type('mine ', 0);
    const { lastN } = b.view;
    harness.server.setRole(DOCUMENT, alice.user, null);
    await harness.run(6_000);
    expect([b.text, b.view.rebuilds, b.view.receipt, b.view.lastN]).toEqual(['mine ab', 1, 'saved', lastN]);
    expect(harness.logText).toBe('mine ab');
    b.type('!', b.text.length);
    await harness.run(1_000);
    expect([b.text, harness.logText, b.view.receipt]).toEqual(['mine ab!', 'mine ab!', 'saved']);
  });

  test('[L6] [I8] an edit that an own edit builds on stays, and goes into the log with it', async () => {
    const { harness, alice, a, b } = await aliceAndBob();
    cutHttp(a);
    cutHttp(b);
    a.type(' secret');
    await harness.run(30);
    b.type('!', b.text.length);
    harness.server.setRole(DOCUMENT, alice.user, 'viewer');
    await harness.run(100);
    b.faults.before = () => null;
    b.session.retry();
    await harness.run(8_000);
    expect([b.text, harness.logText, b.view.rebuilds]).toEqual(['ab secret!', 'ab secret!', 0]);
    const row = rows(harness).at(-1);
    expect([row?.session, row?.dependencies[0]?.session]).toEqual([b.session.sessionId, a.session.sessionId]);
  });

  test('[L6] a key struck in the old document right after a rebuild is an edit of the new one', async () => {
    const { harness, alice, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type(' secret');
    await harness.run(30);
    const old = b.session.doc;
    const stop = b.session.subscribe(() => {
      if (b.session.doc === old) return;
      stop();
      old.getText('t').insert(0, 'k');
    });
    harness.server.setRole(DOCUMENT, alice.user, null);
    await harness.run(6_000);
    expect([b.text, harness.logText, b.view.receipt]).toEqual(['kab', 'kab', 'saved']);
  });

  test('[L6] a key in the old document after one in the new is not an edit: its clock is taken', async () => {
    const { harness, alice, a, b } = await aliceAndBob();
    cutHttp(a);
    a.type(' secret');
    await harness.run(30);
    const old = b.session.doc;
    harness.server.setRole(DOCUMENT, alice.user, null);
    await harness.run(6_000);
    expect(b.session.doc).not.toBe(old);
    b.type('new');
    old.getText('t').insert(0, 'a longer word');
    b.type('er');
    await harness.run(2_000);
    const c = await harness.user('carol').opened();
    await harness.run(500);
    expect([b.text, harness.logText, c.text, b.view.receipt]).toEqual(['abnewer', 'abnewer', 'abnewer', 'saved']);
  });
});

describe('tabs of one browser', () => {
  test('[NB1] [I3] two tabs write together without any network', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const user = harness.user('alice');
    const [one, two] = [await user.opened(), await user.opened()];
    for (const tab of [one, two]) tab.goOffline();
    one.type('one');
    await harness.run(10);
    two.type(' two');
    await harness.run(10);
    one.type('!');
    await harness.run(10);
    expect([one.text, two.text, rows(harness).length]).toEqual(['one two!', 'one two!', 0]);
    expect([one.view.unsent.edits, two.view.unsent.edits]).toEqual([3, 3]);
    expect([one.view.lastN, two.view.lastN]).toEqual([2, 1]);
    for (const tab of [two, one]) tab.goOnline();
    await harness.run(8_000);
    expect([one.text, two.text, harness.logText]).toEqual(['one two!', 'one two!', 'one two!']);
    expect([one.view.receipt, two.view.receipt]).toEqual(['saved', 'saved']);
  });

  test('[NB1] [D3] a tab that builds on a session known only to this browser registers it', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const user = harness.user('alice');
    const [one, two] = [await user.opened(), await user.opened()];
    for (const tab of [one, two]) tab.goOffline();
    one.type('one');
    await harness.run(10);
    two.type(' two');
    await harness.run(10);
    // The first tab stays offline, so the other one brings both.
    two.goOnline();
    await harness.run(3_000);
    expect([harness.logText, two.view.receipt, one.view.receipt]).toEqual(['one two', 'saved', 'device']);
    one.goOnline();
    await harness.run(5_000);
    expect([one.text, harness.logText, one.view.receipt]).toEqual(['one two', 'one two', 'saved']);
  });

  test('[NB1] a tab that opens offline asks the others', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const user = harness.user('alice');
    const one = await user.opened();
    one.type('saved');
    await harness.run(1_000);
    one.goOffline();
    one.type(' and not');
    await harness.run(10);
    const two = user.open();
    two.goOffline();
    await harness.run(2_000);
    expect([two.text, two.view.unsent.edits, two.view.lastN]).toEqual(['saved and not', 1, 0]);
  });
});
