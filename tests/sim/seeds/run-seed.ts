// The life of one simulated world, phase by phase.
import type { Coverage } from '../checks/coverage.ts';
import { checkWorld, closeWorld } from '../phases/final-checks.ts';
import { probeGoingBack } from '../phases/going-back-probe.ts';
import { heal } from '../phases/heal.ts';
import { probe } from '../phases/probes.ts';
import { typeThroughFaults } from '../phases/type-through-faults.ts';
import { type SimOptions, SimWorld } from '../world/sim-world.ts';

export type Outcome = {
  readonly seed: number;
  /** Broken promises, each as one line. Empty if all is well. */
  readonly problems: readonly string[];
  readonly coverage: Coverage;
  /** A hash of everything that happened. The same seed must give the same hash. */
  readonly trace: number;
};

export async function runSeed(seed: number, options: SimOptions): Promise<Outcome> {
  const world = new SimWorld(seed, options);
  await typeThroughFaults(world);
  await heal(world);
  if (options.goesBack === true) await probeGoingBack(world);
  else await probe(world);
  await checkWorld(world);
  await closeWorld(world);
  return { seed, problems: world.checker.problems, coverage: world.coverage, trace: world.network.trace };
}
