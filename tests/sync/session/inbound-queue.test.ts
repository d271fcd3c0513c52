// What waits while an editor cannot take it, and what it hears before. Rules SY20 and SY21.
import { describe, expect, test } from 'vitest';
import { SimClock } from '../../memory/sim-clock.ts';
import { Gate } from '../../../src/sync/session/inbound-queue.ts';
import { type Tab, World } from '../sync-harness.ts';

const MS = 2_000;

async function two(frames: boolean): Promise<{ world: World; alice: Tab; bob: Tab }> {
  const world = new World(1, { frames });
  const alice = await world.person('alice').opened();
  const bob = await world.person('bob').opened();
  await world.run(100);
  return { world, alice, bob };
}

test.each([
  ['frames', true],
  ['rows', false],
])(
  '[SY20] held back, others’ edits come neither by messages nor by answers; own edits go out: %s',
  async (_name, on) => {
    const { world, alice, bob } = await two(on);
    const release = alice.session.holdOthers(MS);
    bob.type('b');
    await world.run(300);
    alice.type('a');
    await world.run(600);
    expect(alice.text).toBe('a');
    expect([...bob.text].toSorted()).toEqual(['a', 'b']);
    release();
    await world.run(0);
    expect(alice.text).toBe(bob.text);
    await world.run(1_000);
    expect(alice.session.getView().receipt).toBe('saved');
  },
);

test('[SY20] held for longer than it said, nothing waits any more', async () => {
  const { world, alice, bob } = await two(true);
  alice.session.holdOthers(MS);
  bob.type('b');
  await world.run(MS - 10);
  expect(alice.text).toBe('');
  await world.run(20);
  expect(alice.text).toBe('b');
  bob.type('c');
  await world.run(100);
  expect(alice.text).toBe('bc');
});

test('[SY20] a closed page waits for nobody, and what it wrote is saved', async () => {
  const { world, alice, bob } = await two(true);
  alice.session.holdOthers(60_000);
  bob.type('b');
  await world.run(200);
  alice.type('a');
  const closed = alice.session.close();
  await world.run(1_000);
  await closed;
  expect([...bob.text].toSorted()).toEqual(['a', 'b']);
  expect(alice.session.holdOthers(MS)).not.toThrow();
});

test('[SY20] what waited goes through in its order, before what comes by it, until the next who holds', () => {
  const clock = new SimClock();
  const gate = new Gate(clock);
  const came: string[] = [];
  const first = gate.hold(MS);
  gate.pass(() => {
    came.push('a');
    gate.pass(() => came.push('d'));
  });
  gate.pass(() => came.push('b'));
  gate.pass(() => {
    came.push('c');
    gate.hold(MS);
  });
  expect(came).toEqual([]);
  first();
  first();
  expect(came).toEqual(['a', 'b', 'c']);
  gate.openForGood();
  expect(came).toEqual(['a', 'b', 'c', 'd']);
});

test('[SY20] what is thrown by one of those that waited keeps none back', () => {
  const gate = new Gate(new SimClock());
  const came: string[] = [];
  const release = gate.hold(MS);
  gate.pass(() => {
    throw new Error('broken');
  });
  gate.pass(() => came.push('next'));
  expect(release).toThrow('broken');
  expect(came).toEqual(['next']);
});

describe('[SY21] the editor is told before anything comes from outside', () => {
  test.each([
    ['frames', true],
    ['rows', false],
  ])('before others’ edits, and what it writes then is its own: %s', async (_name, on) => {
    const { world, alice, bob } = await two(on);
    let told = 0;
    const stop = alice.session.beforeOthers(() => {
      told += 1;
      if (told > 1) return;
      expect(alice.text).toBe('');
      alice.type('a');
    });
    bob.type('b');
    await world.run(1_000);
    expect(told).toBeGreaterThan(0);
    expect([...alice.text].toSorted()).toEqual(['a', 'b']);
    expect(bob.text).toBe(alice.text);
    expect(alice.session.getView().ackedN).toBe(1);
    stop();
    const before = told;
    bob.type('c');
    await world.run(1_000);
    expect([told, alice.text.length]).toEqual([before, 3]);
  });
});
