// Remote changes that wait while the editor cannot take them, and the call before each of them. Rules SY20 and SY21.
import { describe, expect, test } from 'vitest';
import { InboundQueue } from 'weft-sync/session/inbound-queue.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { type TestTab, SyncHarness } from '../sync-harness.ts';

const MS = 2_000;

async function two(liveUpdates: boolean): Promise<{ harness: SyncHarness; alice: TestTab; bob: TestTab }> {
  const harness = new SyncHarness(1, { liveUpdates });
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  await harness.run(100);
  return { harness, alice, bob };
}

test.each([
  ['live updates', true],
  ['rows', false],
])(
  '[SY20] held back, others’ edits come neither by messages nor by answers; own edits go out: %s',
  async (_name, on) => {
    const { harness, alice, bob } = await two(on);
    const release = alice.session.pauseRemote(MS);
    bob.type('b');
    await harness.run(300);
    alice.type('a');
    await harness.run(600);
    expect(alice.text).toBe('a');
    expect([...bob.text].toSorted()).toEqual(['a', 'b']);
    release();
    await harness.run(0);
    expect(alice.text).toBe(bob.text);
    await harness.run(1_000);
    expect(alice.session.getView().receipt).toBe('saved');
  },
);

test('[SY20] a pause ends after the time it asked for', async () => {
  const { harness, alice, bob } = await two(true);
  alice.session.pauseRemote(MS);
  bob.type('b');
  await harness.run(MS - 10);
  expect(alice.text).toBe('');
  await harness.run(20);
  expect(alice.text).toBe('b');
  bob.type('c');
  await harness.run(100);
  expect(alice.text).toBe('bc');
});

test('[SY20] a page that closes during a pause does not wait, and its edits are saved', async () => {
  const { harness, alice, bob } = await two(true);
  alice.session.pauseRemote(60_000);
  bob.type('b');
  await harness.run(200);
  alice.type('a');
  const closed = alice.session.close();
  await harness.run(1_000);
  await closed;
  expect([...bob.text].toSorted()).toEqual(['a', 'b']);
  expect(alice.session.pauseRemote(MS)).not.toThrow();
});

test('[SY20] changes that waited are delivered in order, before later ones, until the next pause', () => {
  const clock = new SimClock();
  const queue = new InboundQueue(clock);
  const came: string[] = [];
  const first = queue.pause(MS);
  queue.deliver(() => {
    came.push('a');
    queue.deliver(() => came.push('d'));
  });
  queue.deliver(() => came.push('b'));
  queue.deliver(() => {
    came.push('c');
    queue.pause(MS);
  });
  expect(came).toEqual([]);
  first();
  first();
  expect(came).toEqual(['a', 'b', 'c']);
  queue.openForever();
  expect(came).toEqual(['a', 'b', 'c', 'd']);
});

test('[SY20] an error thrown by one change does not keep the others back', () => {
  const queue = new InboundQueue(new SimClock());
  const came: string[] = [];
  const release = queue.pause(MS);
  queue.deliver(() => {
    throw new Error('broken');
  });
  queue.deliver(() => came.push('next'));
  expect(release).toThrow('broken');
  expect(came).toEqual(['next']);
});

describe('[SY21] the editor is called before any remote change', () => {
  test.each([
    ['live updates', true],
    ['rows', false],
  ])('before others’ edits, and what it writes then is its own: %s', async (_name, on) => {
    const { harness, alice, bob } = await two(on);
    let received = 0;
    const stop = alice.session.onBeforeRemote(() => {
      received += 1;
      if (received > 1) return;
      expect(alice.text).toBe('');
      alice.type('a');
    });
    bob.type('b');
    await harness.run(1_000);
    expect(received).toBeGreaterThan(0);
    expect([...alice.text].toSorted()).toEqual(['a', 'b']);
    expect(bob.text).toBe(alice.text);
    expect(alice.session.getView().ackedN).toBe(1);
    stop();
    const before = received;
    bob.type('c');
    await harness.run(1_000);
    expect([received, alice.text.length]).toEqual([before, 3]);
  });
});
