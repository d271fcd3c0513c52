// Second phase: the faults end, each device gets a tab again, and everyone must come to agree and then stay quiet.
import { DOCUMENT } from '../../sync/sync-harness.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** Longer than calls that began during the faults can still take. */
const REST_MS = 20_000;
/** Longer than it takes to relay live updates or to give them up (D7). */
const STAY_QUIET_MS = 20_000;

export async function heal(world: SimWorld): Promise<void> {
  const { network, devices, people, clock } = world;
  network.isHealed = true;
  world.startServer();
  for (const device of devices) device.store.setBroken(false);
  for (const { user } of devices) if (people.chance(0.6)) world.restoreRole(user);
  for (const tab of world.openTabs()) tab.recover();
  for (const device of devices) world.openTab(device);
  await world.becomeQuiet();
  // Calls in flight when the faults ended may still fail, and a tab that seemed settled may not have been.
  await clock.run(REST_MS);
  await world.becomeQuiet();
  await clock.run(REST_MS);
  await checkStaysQuiet(world);
}

/** While no one types, nothing is appended and no document is rebuilt. */
async function checkStaysQuiet(world: SimWorld): Promise<void> {
  const { checker, clock, server } = world;
  const rows = server.rows(DOCUMENT).length;
  const rebuilds = world.openTabs().map(({ session }) => session.getView().rebuilds);
  await clock.run(STAY_QUIET_MS);
  checker.expectSame('[D7] rows appended while no one types', server.rows(DOCUMENT).length - rows, 0);
  for (const [at, tab] of world.openTabs().entries())
    checker.expectSame(
      `[L6] rebuilds of ${tab.name} while nothing happens`,
      tab.session.getView().rebuilds,
      rebuilds[at],
    );
}
