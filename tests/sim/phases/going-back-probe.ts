// HI1–HI8 in a quiet world: the server goes back while everyone has the page open, some type before they can know of it, and all
// of it is there again soon.
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { textOf } from '../checks/document-content.ts';
import type { SimWorld } from '../world/sim-world.ts';

const REST_MS = 20_000;
/** D6: after a final restore no one puts back what an outbox builds on; it is refused after 45 s. */
const REFUSED_WITHIN_MS = 50_000;

export async function probeGoingBack(world: SimWorld): Promise<void> {
  const { checker, clock, network, server } = world;
  const writers = world.tabsShowingLog().filter(({ mayType, isSlowed }) => mayType && !isSlowed);
  const rows = server.rows(DOCUMENT);
  const seq = rows[Math.floor(network.random() * (rows.length - 1))]?.seq ?? 1;
  checker.goBack(seq, false);
  world.coverage.count('server went back');
  for (const [at, writer] of writers.entries())
    if (network.chance(0.6)) writer.act(() => textOf(writer.session.doc).insert(0, `probe ${at} `));
  await clock.run(REST_MS);
  await world.becomeQuiet();
  await clock.run(REFUSED_WITHIN_MS);
}
