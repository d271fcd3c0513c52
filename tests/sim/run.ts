// `npm run sim`: runs simulated worlds in plain Node, prints how often each thing happened in them, stops at the first seed
// that fails, and says how to repeat it.
//
//   --seeds N   how many (200)          --log-only   edits travel as rows of the log only, without live updates
//   --from S    the first seed (1)      --mutants    runs the broken builds instead; each must fail
//   --going-back  backups of the server are restored
//   --harsh     stores fail, and words are erased, four times as often
//   --jobs J    processes at once       --only ID    only the mutants whose id begins like this
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Coverage, FLOORS_FOR_SEEDS, isKind } from './checks/coverage.ts';
import { runMutants } from './mutants/run-mutants.ts';
import type { Report } from './seeds/seed-worker.ts';
import { runSeeds } from './seeds/seed-workers.ts';

const PROGRESS_EVERY_MS = 10_000;
const SEEDS_PER_MUTANT = 200;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    'log-only': { type: 'boolean', default: false },
    'going-back': { type: 'boolean', default: false },
    harsh: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const liveUpdates = !values['log-only'];
const kindOfWorld = { liveUpdates, goesBack: values['going-back'], isHarsh: values.harsh };
const jobs = numberOf('jobs', values.jobs);

if (values.mutants) await mutants();
else await sim(numberOf('seeds', values.seeds), numberOf('from', values.from));

async function mutants(): Promise<void> {
  const survived = await runMutants({ jobs, seeds: SEEDS_PER_MUTANT, only: values.only ?? null, print });
  if (survived > 0) process.exitCode = 1;
}

async function sim(count: number, first: number): Promise<void> {
  const coverage = new Coverage();
  const began = performance.now();
  let ended = 0;
  let failed: Report | null = null;
  let printedAt = began;
  const seconds = () => (performance.now() - began) / 1000;
  const speed = () => `${(ended / seconds()).toFixed(1)} seeds per second`;
  await runSeeds({
    seeds: range(first, first + count),
    jobs,
    options: kindOfWorld,
    onEnd: (report) => {
      ended += 1;
      for (const [kind, times] of Object.entries(report.counts)) if (isKind(kind)) coverage.count(kind, times);
      if (report.problems.length > 0) failed ??= report;
      if (performance.now() > printedAt + PROGRESS_EVERY_MS) {
        printedAt = performance.now();
        print(`${ended} of ${count} seeds, ${speed()}`);
      }
      return failed === null;
    },
  });
  for (const [kind, times] of Object.entries(coverage.toJSON())) print(`${String(times).padStart(9)}  ${kind}`);
  print(`${ended} seeds from ${first} on in ${seconds().toFixed(0)} s, ${speed()}, ${jobs} at a time`);
  printFailure(failed);
  const tooRare = ended < FLOORS_FOR_SEEDS ? [] : coverage.tooRare(ended, kindOfWorld);
  for (const line of tooRare) print(`✗ too rare: ${line}`);
  if (failed !== null || tooRare.length > 0) process.exitCode = 1;
  else print('✓ no edit was lost');
}

function printFailure(failed: Report | null): void {
  if (failed === null) return;
  print(`✗ seed ${failed.seed}`);
  for (const problem of failed.problems) print(`  ${problem}`);
  print(
    `repeat it: npm run sim -- --seeds 1 --from ${failed.seed}${liveUpdates ? '' : ' --log-only'}${values['going-back'] ? ' --going-back' : ''}${values.harsh ? ' --harsh' : ''}`,
  );
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${option} takes a number from 1, not ${text}`);
  return number;
}

function* range(low: number, high: number): Generator<number> {
  for (let seed = low; seed < high; seed++) yield seed;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
