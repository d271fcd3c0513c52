// Runs seeds, or the tests of an adapter, in every deliberately broken build until a check fails, and prints which one did.
import { join } from 'node:path';
import { runSeeds } from '../seeds/seed-workers.ts';
import type { SimOptions } from '../world/sim-world.ts';
import { failedTests } from './adapter-tests.ts';
import { MUTANTS, type Mutant, ruleOf } from './mutants.ts';

type Options = {
  readonly jobs: number;
  readonly seeds: number;
  readonly only: string | null;
  readonly print: (line: string) => void;
};

/** Returns how many mutants no seed noticed. */
export async function runMutants({ jobs, seeds, only, print }: Options): Promise<number> {
  let survived = 0;
  for (const mutant of MUTANTS.filter(({ id }) => only === null || id.startsWith(only))) {
    const caught = await outcomeOf(mutant, jobs, seeds);
    if (caught === null) survived += 1;
    const outcome = caught === null ? 'SURVIVED' : `caught ${caught}`;
    print(`${caught === null ? '✗' : '✓'} ${mutant.id.padEnd(36)} ${outcome}`);
  }
  print(survived === 0 ? '✓ every mutant was caught' : `✗ ${survived} survived`);
  return survived;
}

/** Names the check or test that noticed the mutant, or null. */
async function outcomeOf(mutant: Mutant, jobs: number, seeds: number): Promise<string | null> {
  if (mutant.test === undefined) {
    const caught = await catchMutant(mutant, jobs, seeds);
    return caught === null ? null : `at seed ${caught.seed} by ${caught.check}`;
  }
  const failed = await failedTests(mutant.id, mutant.test);
  const title = failed.find((one) => one.includes(`[${ruleOf(mutant)}]`));
  return title === undefined ? null : `by ${mutant.test}: ${title}`;
}

const LOADER = join(import.meta.dirname, 'load-mutant.ts');

type Caught = { readonly seed: number; readonly check: string };

/** Runs seeds 1 to `seeds` until one fails. Null if none does. Another log comes about by a restore or by erasing (HI1 to HI10). */
export async function catchMutant(mutant: Mutant, jobs: number, seeds: number): Promise<Caught | null> {
  if (!ruleOf(mutant).startsWith('HI')) return catchIn({ liveUpdates: true }, mutant, jobs, seeds);
  const goesBack = { liveUpdates: true, goesBack: true };
  return (
    (await catchIn(goesBack, mutant, jobs, seeds)) ??
    (await catchIn({ liveUpdates: true, isHarsh: true }, mutant, jobs, seeds))
  );
}

async function catchIn(options: SimOptions, mutant: Mutant, jobs: number, seeds: number): Promise<Caught | null> {
  let caught: Caught | null = null;
  await runSeeds({
    seeds: Array.from({ length: seeds }, (_, at) => at + 1),
    jobs,
    options,
    preload: { module: LOADER, env: { WEFT_MUTANT: mutant.id } },
    onEnd: ({ seed, problems: [first] }) => {
      if (first !== undefined) caught ??= { seed, check: first.split('\n')[0]?.slice(0, 120) ?? '' };
      return caught === null;
    },
  });
  return caught;
}
