import { describe, expect, test } from 'vitest';
import { PRESENT_AGAIN_MS } from 'weft-sync/live/presenting.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { DOCUMENT, OFFLINE, SyncHarness } from '../sync-harness.ts';

const TOP: Place = { block: 'top', offset: 0 };
const END: Place = { block: 'end', offset: 7 };
const GONE_MS = 20_000;

/** Alice and bob may edit, carol reads, and someone watches by link. */
async function page() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.watchLink();
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  const carol = await harness.user('carol', 'viewer').opened();
  const watcher = harness.watch();
  await harness.run(2_000);
  return { harness, alice, bob, carol, watcher, user: harness.userId('alice') };
}

/** Counts the messages about presenting that reach a tab. */
function countMessages(tab: { onMessage: (event: string, payload: Uint8Array) => void }) {
  const count = { messages: 0 };
  tab.onMessage = (event) => void (count.messages += event === EVENTS.presenting ? 1 : 0);
  return count;
}

describe('[PR1] who presents', () => {
  test('an editor presents: everyone learns it at once, members by name', async () => {
    const { harness, alice, bob, carol, watcher, user } = await page();
    alice.session.present(TOP);
    await harness.run(300);
    expect(alice.view.presenter).toEqual({ user, place: TOP, isOwn: true });
    expect(bob.view.presenter).toEqual({ user, place: TOP, isOwn: false });
    expect(carol.view.presenter).toEqual({ user, place: TOP, isOwn: false });
    expect(watcher.view.presenter).toEqual({ user: null, place: TOP, isOwn: false });
  });

  test('the view keeps the presenter’s identity while nothing changes', async () => {
    const { harness, alice, bob, watcher } = await page();
    alice.session.present(TOP);
    await harness.run(300);
    const before = [alice, bob, watcher].map(({ view }) => view.presenter);
    await harness.run(30_000);
    expect([alice, bob, watcher].every(({ view }, at) => view.presenter === before[at])).toBe(true);
  });

  test('the presenter stops: no one presents', async () => {
    const { harness, alice, bob, watcher } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    alice.session.stopPresenting();
    expect([alice.view.presenter, alice.view.followers]).toEqual([null, null]);
    await harness.run(300);
    expect([bob.view.presenter, watcher.view.presenter]).toEqual([null, null]);
    await harness.run(60_000);
    expect([alice.view.presenter, bob.view.presenter]).toEqual([null, null]);
  });

  test('a person who comes later learns it from the answer that opens the page', async () => {
    const { harness, alice, user } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    const dave = harness.user('dave', 'viewer').open();
    dave.lose = (event) => event === EVENTS.presenting;
    const late = harness.watch();
    await harness.run(300);
    expect(dave.view.presenter).toEqual({ user, place: TOP, isOwn: false });
    expect(late.view.presenter).toEqual({ user: null, place: TOP, isOwn: false });
  });
});

describe('[PR2] lost, doubled and reordered messages', () => {
  test('a message older than one that is known says nothing', async () => {
    const { harness, alice, bob } = await page();
    const messages: Bytes[] = [];
    bob.onMessage = (event, payload) => void (event === EVENTS.presenting && messages.push(new Uint8Array(payload)));
    alice.session.present(TOP);
    await harness.run(1_000);
    alice.session.present(END);
    await harness.run(1_000);
    alice.session.stopPresenting();
    await harness.run(300);
    expect(messages).toHaveLength(3);
    for (const message of messages.toReversed()) {
      harness.server.hub.publish(harness.server.topic(DOCUMENT), EVENTS.presenting, message);
      await harness.run(10);
      expect(bob.view.presenter).toBeNull();
    }
  });

  test('the next call of a watcher repairs what a lost message said', async () => {
    const { harness, alice, watcher } = await page();
    watcher.drop = Number.POSITIVE_INFINITY;
    alice.session.present(TOP);
    await harness.run(15_100);
    expect(watcher.view.presenter?.place).toEqual(TOP);
    alice.session.stopPresenting();
    await harness.run(15_100);
    expect(watcher.view.presenter).toBeNull();
  });

  test('a person who has presented does not show the one before them again', async () => {
    const { harness, alice, bob } = await page();
    bob.session.present(TOP);
    await harness.run(1_000);
    alice.lose = (event) => event === EVENTS.presenting;
    bob.session.stopPresenting();
    await harness.run(300);
    alice.session.present(END);
    await harness.run(1_000);
    expect(alice.view.presenter?.isOwn).toBe(true);
    alice.session.stopPresenting();
    expect(alice.view.presenter).toBeNull();
  });
});

describe('[PR3] a presenter who vanishes', () => {
  test('a tab that dies ends the presentation for everyone after 20 s', async () => {
    const { harness, alice, bob, watcher } = await page();
    alice.session.present(TOP);
    await harness.run(400);
    alice.die();
    await harness.run(GONE_MS - 1_000);
    expect([bob.view.presenter?.place, watcher.view.presenter?.place]).toEqual([TOP, TOP]);
    // Someone who comes now learns how old it is.
    const late = harness.watch();
    await harness.run(100);
    expect(late.view.presenter?.place).toEqual(TOP);
    await harness.run(900);
    expect([bob.view.presenter, watcher.view.presenter, late.view.presenter]).toEqual([null, null, null]);
    bob.session.present(END);
    await harness.run(300);
    expect(bob.view.presenter).toMatchObject({ isOwn: true });
  });

  test('a presentation survives lost calls that are shorter, and goes on after longer ones', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(400);
    alice.faults.before = (name) => (name === 'present' ? OFFLINE : null);
    await harness.run(12_000);
    alice.faults.before = () => null;
    await harness.run(10_000);
    expect(bob.view.presenter).not.toBeNull();
    alice.faults.before = (name) => (name === 'present' ? OFFLINE : null);
    await harness.run(30_000);
    expect(bob.view.presenter).toBeNull();
    alice.faults.before = () => null;
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect([bob.view.presenter?.isOwn, alice.view.presenter?.isOwn]).toEqual([false, true]);
  });
});

describe('[PR4] rights', () => {
  test('a presenter who may no longer edit presents no longer, for watchers by link too', async () => {
    const { harness, alice, bob, watcher, user } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    harness.server.setRole(DOCUMENT, user, 'viewer');
    await harness.run(100);
    expect(watcher.view.presenter).toBeNull();
    await harness.run(3_000);
    expect([alice.view.presenter, bob.view.presenter]).toEqual([null, null]);
    expect(alice.view.presentError?.code).toBe('WF002');
  });

  test('someone else’s lost right does not interrupt a presentation', async () => {
    const { harness, alice, carol, watcher } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    harness.server.setRole(DOCUMENT, harness.userId('bob'), null);
    await harness.run(3_000);
    expect([alice, carol, watcher].map(({ view }) => view.presenter?.place)).toEqual([TOP, TOP, TOP]);
  });

  test('a reader cannot present', async () => {
    const { harness, carol } = await page();
    carol.session.present(TOP);
    await harness.run(300);
    expect([carol.view.presenter, carol.view.presentError?.code]).toEqual([null, 'WF002']);
    expect(carol.calls).not.toContain('present');
  });

  test('no one but the database names a presenter', async () => {
    const { harness, alice, bob } = await page();
    let name = '';
    alice.session.present(TOP);
    bob.onMessage = (event, payload) => {
      if (event === EVENTS.presenting) name = new TextDecoder().decode(payload);
    };
    await harness.run(300);
    alice.session.stopPresenting();
    await harness.run(300);
    const forged = new TextEncoder().encode(name.replace(/"at":\d+/u, '"at":9999999999999'));
    const channel = harness.server.hub
      .link(harness.userId('alice'))
      .join(
        harness.server.topic(DOCUMENT),
        { presence: null },
        { joined: () => undefined, lost: () => undefined, message: () => undefined, peers: () => undefined },
      );
    await harness.run(50);
    channel.send(EVENTS.presenting, forged);
    await harness.run(50);
    expect(bob.view.presenter).toBeNull();
  });
});

describe('[PR5] one presenter', () => {
  test('while someone presents, another editor is refused and learns who it is', async () => {
    const { harness, alice, bob, user } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    bob.session.present(END);
    await harness.run(300);
    expect(bob.view).toMatchObject({
      presenter: { user, isOwn: false },
      presentError: weftError('WF015', user),
    });
    expect(alice.view.presenter?.isOwn).toBe(true);
    alice.session.stopPresenting();
    await harness.run(300);
    bob.session.present(END);
    await harness.run(300);
    expect([bob.view.presenter?.isOwn, bob.view.presentError]).toEqual([true, null]);
  });

  test('the same person begins in another tab: the first one ends', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    const other = await harness.user('alice').opened();
    await harness.run(1_000);
    other.session.present(END);
    await harness.run(300);
    expect([other.view.presenter?.isOwn, alice.view.presenter?.isOwn]).toEqual([true, false]);
    expect(alice.view.presentError?.code).toBe('WF015');
    await harness.run(30_000);
    expect(bob.view.presenter?.place).toEqual(END);
  });

  test('also when the first tab learns of it before the answer to its own call', async () => {
    const { harness, alice } = await page();
    const other = await harness.user('alice').opened();
    await harness.run(1_000);
    let release = () => {};
    alice.holdAnswer = (name) => (name === 'present' ? new Promise((resolve) => (release = () => resolve())) : null);
    alice.session.present(TOP);
    await harness.run(1_000);
    other.session.present(END);
    await harness.run(300);
    alice.holdAnswer = () => null;
    release();
    await harness.run(10);
    expect(alice.view).toMatchObject({ presenter: { place: END, isOwn: false }, presentError: { code: 'WF015' } });
    expect(other.view.presenter?.isOwn).toBe(true);
  });
});

test('[PR8] a call that was under way does not bring a stopped presentation back', async () => {
  const { harness, alice, bob } = await page();
  alice.session.present(TOP);
  await harness.run(1_000);
  let release = () => {};
  alice.hold = (name) => (name === 'present' ? new Promise((resolve) => (release = () => resolve())) : null);
  alice.session.present(END);
  await harness.run(1_000);
  alice.hold = () => null;
  alice.session.stopPresenting();
  await harness.run(1_000);
  expect(bob.view.presenter?.place).toEqual(TOP);
  release();
  await harness.run(10);
  expect([alice.view.presenter, bob.view.presenter]).toEqual([null, null]);
  // The same tab may begin again at once.
  alice.session.present(TOP);
  await harness.run(1_000);
  expect([alice.view.presenter?.isOwn, bob.view.presenter?.place]).toEqual([true, TOP]);
});

test('[PR8] a presentation goes on although the one before was stopped while a stop was under way', async () => {
  const { harness, alice, bob, user } = await page();
  alice.session.present(TOP);
  await harness.run(1_000);
  let release = () => {};
  alice.hold = (name) => (name === 'present' ? new Promise((resolve) => (release = () => resolve())) : null);
  alice.session.stopPresenting();
  await harness.run(100);
  alice.session.present(TOP);
  alice.session.stopPresenting();
  alice.hold = () => null;
  release();
  await harness.run(6_000);
  expect([alice.view.presenter, bob.view.presenter]).toEqual([null, null]);
  alice.session.present(END);
  for (let seconds = 0; seconds < 12; seconds += 1) {
    await harness.run(1_000);
    expect(harness.server.presenter(DOCUMENT)?.user).toBe(user);
    expect([alice.view.presenter?.isOwn, bob.view.presenter?.place]).toEqual([true, END]);
  }
});

describe('[PR6] places', () => {
  test('places go out at most twice a second, and the newest one wins', async () => {
    const { harness, alice, bob, watcher } = await page();
    const count = countMessages(bob);
    for (let n = 0; n <= 100; n += 1) {
      alice.session.present({ block: 'top', offset: n });
      await harness.run(50);
    }
    expect(count.messages).toBeLessThanOrEqual(11);
    expect(count.messages).toBeGreaterThanOrEqual(9);
    await harness.run(600);
    const last = { block: 'top', offset: 100 };
    expect([bob.view.presenter?.place, watcher.view.presenter?.place]).toEqual([last, last]);
  });

  test('a presenter who stays where they are says so every 5 s', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(400);
    const count = countMessages(bob);
    await harness.run(30_000);
    expect(count.messages).toBe(6);
  });

  test('a place that the database did not publish goes out with the next call', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(300);
    // Alone on a fast network, two calls arrive closer to each other than they were made.
    let late = true;
    alice.hold = (name) => (name === 'present' && late ? harness.clock.run(0).then(() => undefined) : null);
    alice.session.present(END);
    await harness.run(450);
    late = false;
    await harness.run(1_000);
    expect(bob.view.presenter?.place).toEqual(END);
  });

  test('they count within the budget: with many watchers they go out more rarely, but every 5 s', async () => {
    const { harness, alice, bob } = await page();
    harness.liveBudget = 1;
    const dave = await harness.user('dave').opened();
    await harness.run(1_000);
    const count = countMessages(bob);
    for (let n = 0; n <= 200; n += 1) {
      dave.session.present({ block: 'top', offset: n });
      await harness.run(100);
    }
    expect(count.messages).toBeGreaterThanOrEqual(4);
    expect(count.messages).toBeLessThanOrEqual(5);
    expect(alice.view.presenter?.user).toBe(dave.session.user);
  });
});

describe('who watches', () => {
  test('[WC2] a presenter learns who follows and who declines: members by name, links as a number', async () => {
    const { harness, alice, bob, carol, watcher } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    bob.session.setStance('follows');
    carol.session.setStance('declined');
    watcher.session.setStance('follows');
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect(alice.view.followers).toEqual({
      people: [harness.userId('bob')],
      links: 1,
      declined: [harness.userId('carol')],
    });
    const before = alice.view.followers;
    await harness.run(2 * PRESENT_AGAIN_MS);
    expect(alice.view.followers).toBe(before);
    bob.session.setStance('none');
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect(alice.view.followers?.people).toEqual([]);
  });

  test('[WC1] a person who follows no longer is not counted, although the call that says so is lost', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    bob.session.setStance('follows');
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect(alice.view.followers?.people).toEqual([bob.session.user]);
    bob.faults.before = (name) => (name === 'rowsSince' ? OFFLINE : null);
    bob.session.setStance('none');
    await harness.run(100);
    bob.faults.before = () => null;
    await harness.run(45_000);
    expect(alice.view.followers?.people).toEqual([]);
  });

  test('[WC3] a follower of one presenter has chosen nothing about the next, although the end was lost', async () => {
    const { harness, alice, bob, carol } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    carol.session.setStance('follows');
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect(alice.view.followers?.people).toEqual([carol.session.user]);
    carol.lose = (event) => event === EVENTS.presenting;
    alice.session.stopPresenting();
    await harness.run(300);
    carol.lose = () => false;
    bob.session.present(END);
    await harness.run(300);
    expect(carol.view.presenter?.user).toBe(bob.session.user);
    await harness.run(60_000);
    expect(bob.view.followers?.people).toEqual([]);
  });

  test('[WC1] [WC2] readers are counted without a call of their own', async () => {
    const { harness, alice, bob, carol, watcher } = await page();
    const calls = carol.calls.length;
    const { asked } = watcher;
    await harness.run(60_000);
    expect(alice.view.watchers).toEqual({ people: [harness.userId('carol')], links: 1 });
    expect(bob.view.watchers).toEqual(alice.view.watchers);
    expect(carol.calls.length - calls).toBe(2);
    expect(watcher.asked - asked).toBe(4);
    carol.die();
    watcher.session.close();
    await harness.run(150_000);
    expect(alice.view.watchers).toEqual({ people: [], links: 0 });
  });

  test('[WC3] a stance ends with the presentation', async () => {
    const { harness, alice, bob } = await page();
    alice.session.present(TOP);
    await harness.run(1_000);
    bob.session.setStance('declined');
    await harness.run(1_000);
    alice.session.stopPresenting();
    await harness.run(60_000);
    alice.session.present(END);
    await harness.run(PRESENT_AGAIN_MS + 100);
    expect(alice.view.followers).toMatchObject({ people: [], declined: [] });
  });
});

test('[I9] closing leaves no timer, whether the tab presents or sees someone present', async () => {
  const { harness, alice, bob, carol, watcher } = await page();
  alice.session.present(TOP);
  await harness.run(1_000);
  watcher.session.close();
  const closing = Promise.all([alice, bob, carol].map(({ session }) => session.close()));
  await harness.run(1_000);
  await closing;
  expect(harness.clock.pending).toBe(0);
});

test('[PR7] a place of another form is not presented, and the one before stays', async () => {
  const { harness, alice, bob } = await page();
  const odd = { block: 'from elsewhere', offset: 0 };
  alice.session.present(odd);
  await harness.run(1_000);
  expect([alice.calls.includes('present'), alice.view.presenter]).toEqual([false, null]);
  alice.session.present(TOP);
  await harness.run(1_000);
  alice.session.present(odd);
  await harness.run(6_000);
  expect([alice.view.presenter?.place, bob.view.presenter?.place]).toEqual([TOP, TOP]);
});

test('[PR5] a call that fails for a reason that stays ends the presentation and says why', async () => {
  const { harness, alice } = await page();
  const missing = weftError('unknown', 'PGRST202');
  alice.faults.before = (name) => (name === 'present' ? missing : null);
  alice.session.present(TOP);
  await harness.run(30_000);
  expect([alice.view.presenter, alice.view.presentError]).toEqual([null, missing]);
  expect(alice.calls.filter((name) => name === 'present')).toHaveLength(1);
});

test('[PR7] a hostile place does no harm', async () => {
  const { harness, alice, bob } = await page();
  const publish = async (payload: unknown) => {
    const bytes = payload instanceof Uint8Array ? payload : new TextEncoder().encode(JSON.stringify(payload));
    harness.server.hub.publish(harness.server.topic(DOCUMENT), EVENTS.presenting, new Uint8Array(bytes));
    await harness.run(10);
  };
  const user = harness.userId('alice');
  const at = harness.clock.now();
  for (const place of [
    { block: '', offset: 0 },
    { block: 'x'.repeat(65), offset: 0 },
    { block: '<b>', offset: 0 },
    { block: 'top', offset: -1 },
    { block: 'top', offset: 2 ** 31 },
    { block: 'top', offset: 0.5 },
    { block: 'top', offset: 0, more: 1 },
    { block: 'top' },
    'top',
    [],
  ])
    await publish({ at: at + 1, user, place });
  for (const bytes of [new Uint8Array(0), Uint8Array.of(0xff, 0xfe), new Uint8Array(2_000).fill(0x20)])
    await publish(bytes);
  await publish({ at: 'soon', user, place: TOP });
  await publish({ at: -1, user, place: TOP });
  expect(bob.view.presenter).toBeNull();
  await publish({ at: at + 1, user, place: { block: 'nowhere', offset: 2 ** 31 - 1 } });
  expect(bob.view.presenter?.place?.block).toBe('nowhere');
  alice.type('still here');
  await harness.run(500);
  expect(bob.text).toBe('still here');
});
