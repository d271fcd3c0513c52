// First phase: for ten seconds people type while tabs, the network and the server fail at random.
import type { SimWorld } from '../world/sim-world.ts';
import { injectFaults } from './faults.ts';

const DURATION_MS = 10_000;

export async function typeThroughFaults(world: SimWorld): Promise<void> {
  const { clock, people } = world;
  const end = clock.now() + DURATION_MS;
  while (clock.now() < end) {
    const passedMs = 30 + people.random() * 170;
    await clock.run(passedMs);
    people.typeInSome(world.tabs);
    people.composeInSome(world.openTabs());
    people.presentInSome(world.openTabs(), world.watchers);
    injectFaults(world, passedMs);
  }
}
