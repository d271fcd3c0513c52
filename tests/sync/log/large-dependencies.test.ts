// An edit that builds on more of another tab than one row may carry.
import { expect, test } from 'vitest';
import { World } from '../sync-harness.ts';

test('[D3] what two tabs wrote offline reaches the log though it is more than one row may carry', async () => {
  const world = new World(1, { frames: true });
  const person = world.person('alice');
  const [one, two] = [await person.opened(), await person.opened()];
  for (const tab of [one, two]) tab.goOffline();
  for (let i = 0; i < 30; i++) {
    one.type('x'.repeat(200_000));
    await world.run(5);
  }
  await world.run(100);
  expect(two.text.length).toBe(6_000_000);
  two.type('!');
  await world.run(10);
  two.goOnline();
  await world.run(60_000);
  expect([two.view.receipt, world.logText.length]).toEqual(['saved', 6_000_001]);
  one.goOnline();
  await world.run(60_000);
  expect([one.view.receipt, world.logText.length]).toEqual(['saved', 6_000_001]);
}, 60_000);
