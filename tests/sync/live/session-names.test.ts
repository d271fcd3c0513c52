// Presence only claims whose caret it is; the database knows the names.
import { describe, expect, test } from 'vitest';
import { packCaret } from 'weft-sync/live/caret.ts';
import type { Channel } from 'weft-sync/ports.ts';
import type { SessionId, UserId } from 'weft-sync/protocol/ids.ts';
import { encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { liveTopic } from 'weft-sync/protocol/topics.ts';
import { DOCUMENT, OFFLINE, SyncHarness, type TestTab } from '../sync-harness.ts';

const placeCaret = (tab: TestTab): void => {
  const at = { tname: 't', assoc: 0 };
  tab.session.awareness.setLocalStateField('cursor', { anchor: at, head: at });
};

/** The users under whose names this tab shows carets. */
function caretsOf(tab: TestTab): unknown[] {
  const { awareness } = tab.session;
  return [...awareness.getStates()].flatMap(([key, state]) => (key === awareness.clientID ? [] : [state['user']]));
}

const userListed = (tab: TestTab, session: SessionId): UserId | null | undefined =>
  tab.view.peers.find((peer) => peer.session === session)?.user;

/** Joins the live topic that `tab` is on and tracks any session. */
function claim(harness: SyncHarness, tab: TestTab, who: string, session: SessionId): Channel {
  return harness.server.hub
    .link(harness.userId(who))
    .join(
      liveTopic(DOCUMENT, tab.epoch),
      { presence: session },
      { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
    );
}

/** Mallory's claim is the first that others read: they joined before alice, whose session they claim. */
async function aliceAndMallory() {
  const harness = new SyncHarness();
  const carol = await harness.user('carol', 'viewer').opened();
  const alice = harness.user('alice').open();
  harness.user('mallory', 'viewer');
  claim(harness, carol, 'mallory', alice.session.sessionId);
  await harness.run(100);
  return { harness, alice };
}

describe('[CA5] a viewer who tracks an editor’s session', () => {
  test('changes neither name nor list for someone who opens the page later', async () => {
    const { harness, alice } = await aliceAndMallory();
    const bob = await harness.user('bob').opened();
    placeCaret(alice);
    await harness.run(500);
    expect(caretsOf(bob)).toEqual([harness.userId('alice')]);
    expect(userListed(bob, alice.session.sessionId)).toBe(harness.userId('alice'));
    expect(userListed(alice, alice.session.sessionId)).toBe(harness.userId('alice'));
  });

  test('does not take the place of someone who is listed and has not written', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    harness.user('mallory', 'viewer');
    const bob = await harness.user('bob').opened();
    await harness.run(1_000);
    expect(userListed(bob, alice.session.sessionId)).toBe(harness.userId('alice'));
    claim(harness, alice, 'mallory', alice.session.sessionId);
    await harness.server.log(harness.userId('mallory')).announce(DOCUMENT, alice.session.sessionId, false);
    await harness.run(1_000);
    expect(userListed(bob, alice.session.sessionId)).toBe(harness.userId('alice'));
    // Two people have announced it, and alice has not written.
    expect(userListed(await harness.user('carol').opened(), alice.session.sessionId)).toBeNull();
  });

  test('does not name the author of edits', async () => {
    const { harness, alice } = await aliceAndMallory();
    const bob = await harness.user('bob').opened();
    alice.type('hello');
    await harness.run(1_000);
    expect(userListed(bob, alice.session.sessionId)).toBe(harness.userId('alice'));
  });
});

describe('[CA5] a reader', () => {
  test('is listed under the name that the database has for them, and so is a person who has not written yet', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const vera = await harness.user('vera', 'viewer').opened();
    await harness.run(1_000);
    const names = ['alice', 'vera'].map((name) => harness.userId(name)).sort();
    for (const tab of [alice, vera]) expect(tab.view.peers.map(({ user }) => user).sort()).toEqual(names);
    for (const tab of [alice, vera]) expect(tab.calls).not.toContain('startSession');
  });

  test('announces nothing while no one else is there', async () => {
    const harness = new SyncHarness();
    const vera = await harness.user('vera', 'viewer').opened();
    await harness.run(60_000);
    expect(vera.calls.filter((call) => call === 'announce' || call === 'sessionInfo')).toEqual([]);
  });

  test('gets a name also when the announcement is lost at first', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const vera = harness.user('vera', 'viewer').open();
    let lost = 0;
    vera.faults.before = (name) => (name === 'announce' && lost++ < 2 ? OFFLINE : null);
    await harness.run(10_000);
    expect([lost, userListed(alice, vera.session.sessionId)]).toEqual([3, harness.userId('vera')]);
  });

  test('gets a name also when the announcement is lost while the server cannot be reached', async () => {
    const harness = new SyncHarness();
    const alice = await harness.user('alice').opened();
    const vera = harness.user('vera', 'viewer').open();
    let isAway = false;
    vera.faults.before = (name) => (isAway || name === 'announce' ? OFFLINE : null);
    await harness.run(1_000);
    isAway = true;
    vera.session.retry();
    await harness.run(1_500);
    expect([vera.view.connection, userListed(alice, vera.session.sessionId)]).toEqual(['offline', null]);
    vera.faults.before = () => null;
    vera.session.retry();
    await harness.run(10_000);
    expect([vera.view.connection, userListed(alice, vera.session.sessionId)]).toEqual(['live', harness.userId('vera')]);
  });
});

test('[CA5] someone who announces the session of another cannot put their name on its caret', async () => {
  const harness = new SyncHarness();
  const alice = harness.user('alice').open();
  const log = harness.server.log(harness.user('mallory', 'viewer').user);
  await log.announce(DOCUMENT, alice.session.sessionId, false);
  const bob = await harness.user('bob').opened();
  await harness.run(2_000);
  // Two people claim it.
  expect(userListed(bob, alice.session.sessionId)).toBeNull();
  placeCaret(alice);
  await harness.run(2_000);
  expect([caretsOf(bob), userListed(bob, alice.session.sessionId)]).toEqual([
    [harness.userId('alice')],
    harness.userId('alice'),
  ]);
});

test('[CA5] a session that no one announces has no name, and a thousand of them cost few calls', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  harness.user('mallory', 'viewer');
  for (let n = 0; n < 1_000; n++) {
    if (n % 5 === 0) await harness.run(100);
    claim(harness, alice, 'mallory', harness.unopenedSession());
  }
  await harness.run(10_000);
  const named = alice.view.peers.filter(({ user }) => user !== null);
  expect([alice.view.peers.length, named.length]).toEqual([1_000, 1]);
  // 30 seconds, at most a call in each.
  expect(alice.calls.filter((call) => call === 'sessionInfo').length).toBeLessThanOrEqual(30);
});

test('[CA5] the first caret registers the session, once, and is shown then', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  placeCaret(alice);
  await harness.run(300);
  expect(caretsOf(bob)).toEqual([harness.userId('alice')]);
  alice.type('a');
  await harness.run(1_000);
  expect(alice.calls.filter((call) => call === 'startSession')).toHaveLength(1);
});

test('[CA5] [I10] a caret registers nothing while no one else is there, nor for someone who may only read', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  placeCaret(alice);
  await harness.run(1_000);
  expect(alice.calls).not.toContain('startSession');
  const bob = await harness.user('bob', 'viewer').opened();
  placeCaret(bob);
  await harness.run(1_000);
  expect(bob.calls).not.toContain('startSession');
});

test('[CA5] a caret waits for the name, and a session that the database does not know is asked about ever more rarely', async () => {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  const session = harness.unopenedSession();
  const channel = claim(harness, alice, 'bob', session);
  harness.user('bob');
  await harness.run(50);
  const caret = packCaret({ anchor: { tname: 't' }, head: { tname: 't' } });
  const asked = () => alice.calls.filter((call) => call === 'sessionInfo').length;
  const before = asked();
  for (let n = 0; n < 300; n++) {
    channel.send(
      'live-update',
      encodeLiveUpdate({ session, nFrom: 0, nTo: 0, head: 0, update: new Uint8Array(0), caret }),
    );
    await harness.run(100);
  }
  expect(caretsOf(alice)).toEqual([]);
  // After 0, 1, 3, 7 and 15 s.
  expect(asked() - before).toBe(5);
  await harness.server
    .log(harness.userId('bob'))
    .startSession({ document: DOCUMENT, session, clientId: 70_000, schemaVersion: 1 });
  await harness.run(16_000);
  expect(caretsOf(alice)).toEqual([harness.userId('bob')]);
});
