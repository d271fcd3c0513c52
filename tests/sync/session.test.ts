import { expect, test } from 'vitest';
import { World } from './world.ts';

test('[I1] what alice types is in the log when her receipt says saved', async () => {
  const world = new World();
  const alice = await world.person('alice').opened();
  expect(alice.view.phase).toBe('ready');
  expect(alice.view.receipt).toBe('saved');
  alice.type('hello');
  expect(alice.view.receipt).toBe('sending');
  await world.clock.until(() => alice.view.receipt === 'saved');
  expect(world.logText).toBe('hello');
});

test('[D2] with company an edit is there at once', async () => {
  const world = new World();
  const alice = await world.person('alice').opened();
  const bob = await world.person('bob').opened();
  await world.run(100);
  expect(alice.view.roster.length).toBe(2);
  alice.type('hi');
  await world.run(10);
  expect(bob.text).toBe('hi');
  bob.type('!');
  await world.run(10);
  expect(alice.text).toBe('hi!');
  expect(world.logText).toBe('hi!');
  await alice.session.close();
  await bob.session.close();
  await world.run(10);
  expect(world.clock.pending).toBe(0);
  expect(world.server.hub.channels).toBe(0);
});
