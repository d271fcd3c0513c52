// One seed from beginning to end.
import { type SimOptions, Simulation } from '../world/sim-world.ts';
import type { Coverage } from '../checks/coverage.ts';

export type Outcome = {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly coverage: Coverage;
  readonly trace: number;
};

export async function runSeed(seed: number, options: SimOptions): Promise<Outcome> {
  const simulation = new Simulation(seed, options);
  await simulation.live();
  await simulation.heal();
  await simulation.probe();
  await simulation.check();
  await simulation.close();
  return {
    seed,
    problems: simulation.checker.problems,
    coverage: simulation.coverage,
    trace: simulation.network.trace,
  };
}
