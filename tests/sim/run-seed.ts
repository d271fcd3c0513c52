// One seed from beginning to end.
import { type SimOptions, SimWorld } from './simulation.ts';
import type { Tally } from './coverage.ts';

export type Outcome = {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly tally: Tally;
  readonly trace: number;
};

export async function runSeed(seed: number, options: SimOptions): Promise<Outcome> {
  const world = new SimWorld(seed, options);
  await world.live();
  await world.heal();
  await world.probe();
  await world.check();
  await world.close();
  return { seed, problems: world.witness.problems, tally: world.tally, trace: world.network.trace };
}
