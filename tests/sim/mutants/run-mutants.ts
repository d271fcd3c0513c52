// Runs every deliberately broken build until a seed notices it, and prints which check did.
import { runSeeds } from '../seeds/seed-workers.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

type Options = {
  readonly jobs: number;
  readonly seeds: number;
  readonly only: string | null;
  readonly print: (line: string) => void;
};

/** Returns how many survived. */
export async function runMutants({ jobs, seeds, only, print }: Options): Promise<number> {
  let survived = 0;
  for (const mutant of MUTANTS.filter(({ id }) => only === null || id.startsWith(only))) {
    const caught = await hunt(mutant, jobs, seeds);
    if (caught === null) survived += 1;
    const outcome = caught === null ? `SURVIVED ${seeds} seeds` : `caught at seed ${caught.seed} by ${caught.check}`;
    print(`${caught === null ? '✗' : '✓'} ${mutant.id.padEnd(28)} ${outcome}`);
  }
  print(survived === 0 ? '✓ every mutant was caught' : `✗ ${survived} survived`);
  return survived;
}

type Caught = { readonly seed: number; readonly check: string };

export async function hunt(mutant: Mutant, jobs: number, seeds: number): Promise<Caught | null> {
  let caught: Caught | null = null;
  await runSeeds({
    seeds: Array.from({ length: seeds }, (_, at) => at + 1),
    jobs,
    options: { liveUpdates: mutant.mode !== 'logOnly' },
    mutant: mutant.id,
    ended: ({ seed, problems: [first] }) => {
      if (first !== undefined) caught ??= { seed, check: first.split('\n')[0]?.slice(0, 120) ?? '' };
      return caught === null;
    },
  });
  return caught;
}
