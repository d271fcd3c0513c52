// Rows are fetched where the topic has no room for what others write.
import { expect, test } from 'vitest';
import { SyncHarness } from '../sync-harness.ts';

/** Three on a page, of whom one writes; each may send every six seconds. */
async function three() {
  const harness = new SyncHarness(1, { liveUpdates: true });
  harness.liveBudget = 0.5;
  const alice = await harness.user('alice').opened();
  const bob = await harness.user('bob').opened();
  const carol = await harness.user('carol').opened();
  await harness.run(10_000);
  const write = async (keys: number, run: () => void = () => {}) => {
    for (let key = 0; key < keys; key++) {
      alice.type('x');
      await harness.run(200);
      run();
    }
  };
  return { harness, alice, bob, carol, write };
}

test('[L8] readers of a slow topic fetch, so that they follow within a second', async () => {
  const { alice, bob, write } = await three();
  await write(25);
  const behind: number[] = [];
  const before = bob.calls.length;
  await write(50, () => behind.push(alice.text.length - bob.text.length));
  // Keys of a second, and of the append.
  expect(Math.max(...behind)).toBeLessThanOrEqual(7);
  expect(bob.calls.length - before).toBeLessThanOrEqual(25);
});

test('[L8] whoever appends has the answers, and fetches nothing beside them', async () => {
  const { alice, bob, write } = await three();
  await write(25, () => bob.type('y'));
  const fetches = () => alice.calls.filter((name) => name === 'rowsSince').length;
  const before = fetches();
  await write(50, () => bob.type('y'));
  expect(fetches() - before).toBeLessThanOrEqual(1);
});

test('[L8] no one fetches on a hidden page, nor when no one writes any more', async () => {
  const { harness, bob, carol, write } = await three();
  await write(25);
  bob.environment.set('hidden');
  const hidden = bob.calls.length;
  await write(25);
  expect(bob.calls.length - hidden).toBeLessThanOrEqual(1);
  await harness.run(10_000);
  const quiet = carol.calls.length;
  await harness.run(20_000);
  expect(carol.calls.length - quiet).toBeLessThanOrEqual(1);
});
