// `npm run sim -- --seeds N [--from S] [--jobs J] [--rows] | --mutants [--only id]`: simulated worlds on plain Node,
// with counts of what happened in them and their speed. Stops at the first failure and says how to repeat it.
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runSeeds } from './seeds/seed-workers.ts';
import { runMutants } from './mutants/run-mutants.ts';
import { FLOORS_FOR_SEEDS, Coverage, isKind } from './checks/coverage.ts';
import type { Report } from './seeds/seed-worker.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    rows: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const [seeds, from, jobs] = [values.seeds, values.from, values.jobs].map(Number);
if (!seeds || from === undefined || !jobs || Number.isNaN(from)) throw new Error('numbers, please');

if (values.mutants) await mutants();
else await sim(seeds, from, jobs);

async function mutants(): Promise<void> {
  const survived = await runMutants({ jobs: jobs ?? 1, seeds: 200, only: values.only ?? null, print });
  if (survived > 0) process.exitCode = 1;
}

async function sim(count: number, first: number, hands: number): Promise<void> {
  const coverage = new Coverage();
  const began = performance.now();
  let ended = 0;
  let failed: Report | null = null;
  let saidAt = began;
  const seconds = () => (performance.now() - began) / 1000;
  const speed = () => `${(ended / seconds()).toFixed(1)} seeds per second`;
  await runSeeds({
    seeds: range(first, first + count),
    jobs: hands,
    options: { liveUpdates: !values.rows },
    mutant: null,
    ended: (report) => {
      ended += 1;
      for (const [kind, times] of Object.entries(report.counts)) if (isKind(kind)) coverage.count(kind, times);
      if (report.problems.length > 0) failed ??= report;
      if (performance.now() > saidAt + 10_000) {
        saidAt = performance.now();
        print(`${ended} of ${count} seeds, ${speed()}`);
      }
      return failed === null;
    },
  });
  for (const [kind, times] of Object.entries(coverage.toJSON())) print(`${String(times).padStart(9)}  ${kind}`);
  print(`${ended} seeds from ${first} on in ${seconds().toFixed(0)} s, ${speed()}, ${hands} at a time`);
  reportFailure(failed);
  const tooRare = ended < FLOORS_FOR_SEEDS ? [] : coverage.tooRare(ended, !values.rows);
  for (const line of tooRare) print(`✗ too rare: ${line}`);
  if (failed !== null || tooRare.length > 0) process.exitCode = 1;
  else print('✓ no edit was lost');
}

function reportFailure(failed: Report | null): void {
  if (failed === null) return;
  print(`✗ seed ${failed.seed}`);
  for (const problem of failed.problems) print(`  ${problem}`);
  print(`again: npm run sim -- --seeds 1 --from ${failed.seed}${values.rows ? ' --rows' : ''}`);
}

function* range(low: number, high: number): Generator<number> {
  for (let seed = low; seed < high; seed++) yield seed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
