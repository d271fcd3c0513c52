// A hundred seeds that no one has run: fixed ones find nothing any more. A failure names the command that repeats it.
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { SimOptions } from '../world/sim-world.ts';
import { runSeed } from './run-seed.ts';

type Kind = { readonly name: string; readonly flags: string; readonly options: SimOptions };

const MOST = 1_000_000_000;
const from = Number(process.env['WEFT_SIM_FROM'] ?? Math.floor(Math.random() * MOST));
const PER_TEST = 10;
const KINDS: readonly (Kind & { readonly tests: number })[] = [
  { tests: 4, name: 'ordinary', flags: '', options: { liveUpdates: true } },
  { tests: 3, name: 'harsh', flags: ' --harsh', options: { liveUpdates: true, isHarsh: true } },
  { tests: 2, name: 'going back', flags: ' --going-back', options: { liveUpdates: true, goesBack: true } },
  { tests: 1, name: 'without live updates', flags: ' --log-only', options: { liveUpdates: false } },
];
const RUNS = KINDS.flatMap(({ tests, ...kind }) => Array.from({ length: tests }, () => kind)).map((kind, at) => ({
  ...kind,
  first: from + at * PER_TEST,
}));

describe('[I7] simulated worlds that no one has seen', () => {
  test.each(RUNS)(`$name from $first (WEFT_SIM_FROM=${from})`, async ({ first, flags, options }) => {
    for (let seed = first; seed < first + PER_TEST; seed++) {
      const { problems } = await runSeed(seed, options);
      expect(problems, `npm run sim -- --seeds 1 --from ${seed}${flags}`).toEqual([]);
    }
  });
});
