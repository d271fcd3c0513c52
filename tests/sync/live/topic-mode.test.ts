// Many readers: the live topic keeps eight sessions, the others watch on the view topic and come back when there is
// room.
import { describe, expect, test } from 'vitest';
import { LOOK_AGAIN_MS, UNLISTED_ASK_MS } from 'weft-sync/live/topic-mode.ts';
import { EVENTS, WATCH_AGAIN_MS } from 'weft-sync/protocol/topics.ts';
import * as Y from 'yjs';
import { DOCUMENT, type TestUser, type TestTab, SyncHarness } from '../sync-harness.ts';

const MINUTE_MS = 60_000;

async function crowd(readers: number, { liveUpdates = true } = {}) {
  const harness = new SyncHarness(1, { liveUpdates });
  const ada = harness.user('ada');
  const a = await ada.opened();
  const users: TestUser[] = [];
  const tabs: TestTab[] = [];
  for (let n = 0; n < readers; n += 1) {
    const reader = harness.user(`reader ${n}`, n % 2 === 0 ? 'viewer' : 'commenter');
    users.push(reader);
    tabs.push(await reader.opened());
  }
  await harness.run(10_000);
  return { harness, ada, a, users, tabs };
}

/** On the current topic. */
const onLive = (tabs: readonly TestTab[]) => tabs.filter((tab) => tab.topic.startsWith('d:'));
const onView = (tabs: readonly TestTab[]) => tabs.filter((tab) => tab.topic.startsWith('v:'));
const first = <T>(all: readonly T[]): T => {
  const [one] = all;
  if (one === undefined) throw new Error('none');
  return one;
};

const count = (tab: TestTab, name: string) => tab.calls.filter((call) => call === name).length;

async function closeAll(harness: SyncHarness, tabs: readonly TestTab[]) {
  const closing = Promise.all(tabs.map((tab) => tab.session.close()));
  await harness.run(30_000);
  await closing;
  expect([harness.clock.pending, harness.server.hub.channels]).toEqual([0, 0]);
}

describe('[VT1] leaving', () => {
  test('eight sessions stay; of twelve the readers leave until eight are left, and the editor stays', async () => {
    const few = await crowd(7);
    expect(onLive(few.tabs).length).toBe(7);
    const many = await crowd(11);
    expect(onView(many.tabs).length).toBe(4);
    expect(many.a.topic).toBe(many.harness.server.topic(DOCUMENT));
    expect(many.a.view.peers.length).toBe(8);
  });

  test('the newest reader leaves first, and readers who came together leave one by one', async () => {
    const { harness, tabs } = await crowd(7);
    const late = [];
    for (let n = 0; n < 6; n += 1) late.push(harness.user(`late ${n}`, 'viewer').open());
    await harness.run(15_000);
    expect([onLive(tabs).length, onLive(late).length]).toEqual([7, 0]);
    // All at the same time, and no one before them.
    const empty = new SyncHarness(2, { liveUpdates: true });
    const all = Array.from({ length: 20 }, (_, n) => empty.user(`reader ${n}`, 'viewer').open());
    await empty.run(15_000);
    expect(onLive(all).length).toBeGreaterThan(4);
    expect(onLive(all).length).toBeLessThanOrEqual(8);
  });

  test('editors never move; a reader leaves for the ninth editor', async () => {
    const { harness, tabs } = await crowd(7);
    const bob = await harness.user('bob').opened();
    await harness.run(10_000);
    expect([bob.topic.startsWith('d:'), onView(tabs).length, bob.view.peers.length]).toEqual([true, 1, 8]);
    const editors = new SyncHarness(3, { liveUpdates: true });
    const all = [];
    for (let n = 0; n < 12; n += 1) all.push(await editors.user(`editor ${n}`).opened());
    await editors.run(MINUTE_MS);
    expect(onLive(all).length).toBe(12);
  });

  test('a reader who becomes an editor is back on the live topic at once, and writes', async () => {
    const { harness, a, users, tabs } = await crowd(11);
    const tab = first(onView(tabs));
    const user = users[tabs.indexOf(tab)];
    if (user === undefined) throw new Error('no one');
    harness.server.setRole(DOCUMENT, user.user, 'editor');
    await harness.run(WATCH_AGAIN_MS + 500);
    expect([tab.topic, tab.view.editable]).toEqual([harness.server.topic(DOCUMENT), true]);
    tab.type('mine');
    await harness.run(1_000);
    expect([a.text, harness.logText]).toEqual(['mine', 'mine']);
    // And stays, although more than eight are there.
    await harness.run(MINUTE_MS);
    expect(tab.topic.startsWith('d:')).toBe(true);
  });
});

describe('[VT2] [VT3] on the view topic', () => {
  test.each([{ liveUpdates: true }, { liveUpdates: false }])(
    'rows come within a second or two, live updates: $liveUpdates',
    async (mode) => {
      const { harness, a, tabs } = await crowd(11, mode);
      const tab = first(onView(tabs));
      const received: string[] = [];
      tab.onMessage = (event) => received.push(event);
      const asked = tab.calls.length;
      for (let n = 0; n < 20; n += 1) {
        a.type('x');
        await harness.run(200);
      }
      await harness.run(2_000);
      expect(tab.text).toBe('x'.repeat(20));
      expect(new Set(received)).toEqual(new Set([EVENTS.rows]));
      // Four seconds of typing and what was left of it.
      expect(received.length).toBeLessThanOrEqual(7);
      // The messages brought everything: only the regular calls were made.
      expect(tab.calls.length - asked).toBeLessThanOrEqual(1);
      expect([tab.view.upToDate, tab.view.connection, tab.view.peers]).toEqual([true, 'live', []]);
    },
  );

  test('nothing is sent there, and no one on the live topic learns who watches', async () => {
    const { harness, a, tabs } = await crowd(11);
    const viewing = onView(tabs);
    const sent = viewing.map((tab) => tab.liveUpdatesSent);
    for (const { session } of viewing) session.awareness.setLocalStateField('cursor', { anchor: null, head: null });
    a.type('x');
    await harness.run(5_000);
    expect(viewing.map((tab) => tab.liveUpdatesSent)).toEqual(sent);
    const sessions = new Set(viewing.map(({ session }) => session.sessionId));
    expect(a.view.peers.filter((peer) => sessions.has(peer.session))).toEqual([]);
  });

  test('carets of those who stayed disappear with presence', async () => {
    const { harness, a, tabs } = await crowd(7);
    a.type('words');
    const place = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(a.session.doc.getText('t'), 2));
    a.session.awareness.setLocalStateField('cursor', { anchor: place, head: place });
    await harness.run(1_000);
    const tab = first(tabs);
    expect(tab.session.awareness.getStates().size).toBe(2);
    for (let n = 0; n < 8; n += 1) await harness.user(`editor ${n}`).opened();
    await harness.run(10_000);
    expect([tab.topic.startsWith('v:'), tab.session.awareness.getStates().size]).toEqual([true, 1]);
  });

  test('rows are fetched every 15 s while visible, and at once when it becomes visible', async () => {
    const { harness, tabs } = await crowd(11);
    const tab = first(onView(tabs));
    const before = count(tab, 'keepWatching');
    const rowsBefore = count(tab, 'rowsSince');
    await harness.run(MINUTE_MS);
    const asked = count(tab, 'keepWatching') - before;
    // Four of its own, and the head checks of every session.
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(asked).toBeLessThanOrEqual(7);
    expect(count(tab, 'rowsSince')).toBe(rowsBefore);
    tab.environment.set('hidden');
    const hidden = count(tab, 'keepWatching');
    await harness.run(MINUTE_MS);
    expect(count(tab, 'keepWatching')).toBe(hidden);
    tab.environment.set('visible');
    await harness.run(100);
    expect(count(tab, 'keepWatching')).toBe(hidden + 1);
    await harness.run(WATCH_AGAIN_MS + 500);
    expect(count(tab, 'keepWatching')).toBe(hidden + 2);
  });

  test('a hidden page has no timer', async () => {
    const { harness, a, tabs } = await crowd(11);
    for (const { environment } of [a, ...tabs]) environment.set('hidden');
    await harness.run(MINUTE_MS);
    expect([onView(tabs).length, harness.clock.pending]).toEqual([4, 0]);
  });

  test('edits made while a reader was on neither topic are there, and a gap is fetched at once', async () => {
    const { harness, a, tabs } = await crowd(11);
    const tab = first(onView(tabs));
    tab.lose = () => true;
    a.type('one');
    await harness.run(2_000);
    expect(tab.text).toBe('');
    tab.lose = () => false;
    a.type(' two');
    await harness.run(1_500);
    expect(tab.text).toBe('one two');
  });

  test('a lost channel is replaced, on the same topic', async () => {
    const { harness, a, tabs } = await crowd(11);
    const tab = first(onView(tabs));
    tab.link.close('closed', 'phx_close');
    a.type('meanwhile');
    await harness.run(5_000);
    expect([tab.topic.startsWith('v:'), tab.view.connection, tab.text]).toEqual([true, 'live', 'meanwhile']);
  });

  test('text of a live update that no row confirmed disappears on the view topic too', async () => {
    const { harness, a, tabs } = await crowd(7);
    a.type('a');
    await harness.run(3_000);
    a.faults.before = (name) => (name === 'append' ? 'never' : null);
    a.type(' lost');
    await harness.run(100);
    expect(tabs.map((tab) => tab.text)).toEqual(tabs.map(() => 'a lost'));
    a.die();
    // They may write and would relay, but none of their calls gets through.
    for (let n = 0; n < 3; n += 1) {
      const editor = await harness.user(`editor ${n}`).opened();
      editor.faults.before = (name) => (name === 'append' || name === 'startSession' ? 'never' : null);
    }
    await harness.run(7_000);
    const tab = first(onView(tabs));
    expect(tab.text).toBe('a lost');
    await harness.run(MINUTE_MS);
    expect([tab.topic.startsWith('v:'), tab.text]).toEqual([true, 'a']);
  });
});

describe('[VT4] coming back', () => {
  test('when there is room again, readers come back, as many as fit, and no one leaves for them', async () => {
    const { harness, a, tabs } = await crowd(15);
    const [stayed, gone] = [onLive(tabs), onView(tabs)];
    expect([stayed.length, gone.length]).toEqual([7, 8]);
    const leaving = stayed.slice(0, 5);
    for (const tab of leaving) void tab.session.close();
    await harness.run(LOOK_AGAIN_MS * 1.5 + 5_000);
    const staying = stayed.slice(5);
    expect(onLive(staying).length).toBe(2);
    expect(a.view.peers.length).toBe(6);
    expect(onLive(gone).length).toBe(3);
    await closeAll(harness, [a, ...tabs]);
  });

  test('a reader who finds no room goes back at once, and waits twice as long for the next look', async () => {
    const { harness, a, tabs } = await crowd(8);
    const tab = first(onView(tabs));
    const looks: number[] = [];
    const started = harness.clock.now();
    tab.onJoin = (topic) => topic.startsWith('d:') && void looks.push(harness.clock.now() - started);
    await harness.run(45 * MINUTE_MS);
    expect(looks.length).toBeGreaterThanOrEqual(3);
    expect(looks.length).toBeLessThanOrEqual(4);
    const waits = looks.map((at, n) => at - (looks[n - 1] ?? 0));
    expect(waits[0]).toBeLessThan(1.5 * LOOK_AGAIN_MS + 1_000);
    expect(waits[1]).toBeGreaterThan(2 * LOOK_AGAIN_MS - 1_000);
    expect(waits[2]).toBeGreaterThan(4 * LOOK_AGAIN_MS - 1_000);
    expect([tab.topic.startsWith('v:'), onLive(tabs).length, a.view.peers.length]).toEqual([true, 7, 8]);
    a.type('still here');
    await harness.run(2_500);
    expect(tab.text).toBe('still here');
  });

  test('a hidden page does not look', async () => {
    const { harness, tabs } = await crowd(8);
    const tab = first(onView(tabs));
    const looks: string[] = [];
    tab.onJoin = (topic) => void looks.push(topic);
    tab.environment.set('hidden');
    await harness.run(20 * MINUTE_MS);
    expect(looks).toEqual([]);
    // It is due.
    tab.environment.set('visible');
    await harness.run(1_000);
    expect(looks.length).toBe(2);
  });

  test('an edit during a look is not lost', async () => {
    const { harness, a, tabs } = await crowd(8);
    const tab = first(onView(tabs));
    const looks: string[] = [];
    tab.onJoin = (topic) => void looks.push(topic);
    for (let i = 0; i < 6000 && looks.length === 0; i += 1) await harness.run(100);
    for (let i = 0; i < 30; i += 1) {
      a.type('x');
      await harness.run(20);
    }
    await harness.run(2_500);
    expect(tab.text).toBe('x'.repeat(30));
  });
});

describe('[VT5] rights', () => {
  test('the view topic moves with the epoch, and rows continue', async () => {
    const { harness, a, tabs } = await crowd(11);
    const viewing = onView(tabs);
    harness.server.moveTopic(DOCUMENT);
    await harness.run(8_000);
    const topic = harness.server.topic(DOCUMENT).replace('d:', 'v:');
    expect(viewing.map((tab) => tab.topic)).toEqual(viewing.map(() => topic));
    a.type('after');
    await harness.run(2_500);
    expect(viewing.map((tab) => tab.text)).toEqual(viewing.map(() => 'after'));
  });

  test('a removed reader receives nothing more', async () => {
    const { harness, a, users, tabs } = await crowd(11);
    const tab = first(onView(tabs));
    const user = users[tabs.indexOf(tab)];
    if (user === undefined) throw new Error('no one');
    harness.server.setRole(DOCUMENT, user.user, null);
    await harness.run(8_000);
    const { text } = tab;
    a.type('secret');
    await harness.run(MINUTE_MS);
    expect([tab.text, tab.view.error?.code]).toEqual([text, 'WF001']);
    await closeAll(harness, [a, ...tabs]);
  });
});

test('[L4] a hidden session that presence does not list has no timer', async () => {
  const harness = new SyncHarness(4, { liveUpdates: true });
  const bob = harness.user('bob').open();
  bob.listPeers = () => [];
  await harness.run(2_000);
  bob.environment.set('hidden');
  await harness.run(MINUTE_MS);
  expect([bob.session.liveDiagnostics().isListed, harness.clock.pending]).toEqual([false, 0]);
});

test('[L4] a session that presence does not list asks for rows every 5 s, because nothing is published for it', async () => {
  const harness = new SyncHarness(4, { liveUpdates: true });
  const ada = await harness.user('ada').opened();
  const bob = harness.user('bob').open();
  for (const tab of [ada, bob]) tab.listPeers = (peers) => peers.filter((session) => session !== bob.session.sessionId);
  await harness.run(2_000);
  expect([ada.view.peers.length, bob.session.liveDiagnostics().isListed]).toEqual([1, false]);
  ada.type('unseen');
  await harness.run(UNLISTED_ASK_MS + 500);
  expect(bob.text).toBe('unseen');
  // Listed again: live updates, and no more questions.
  for (const tab of [ada, bob]) tab.listPeers = (peers) => peers;
  const carol = await harness.user('carol').opened();
  await harness.run(UNLISTED_ASK_MS + 500);
  const asked = count(bob, 'rowsSince');
  ada.type(' seen', 6);
  await harness.run(100);
  expect([bob.text, bob.session.liveDiagnostics()]).toMatchObject(['unseen seen', { isListed: true, others: 2 }]);
  await harness.run(UNLISTED_ASK_MS + 500);
  expect(count(bob, 'rowsSince') - asked).toBeLessThanOrEqual(1);
  expect(bob.session.liveDiagnostics()).toMatchObject({ shownLive: 1, shownByRow: 1, waiting: 0 });
  await closeAll(harness, [ada, bob, carol]);
});
