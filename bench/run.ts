// `npm run bench [-- name …] [--quick] [--rounds N] [--out DIR]`: runs the benchmarks. Each system runs alone with its
// server, in an order that rotates from round to round. Prints the goals beside the figures and writes them as JSON.
// `npm run bench -- --plot [--out DIR]` draws the results that are there, and runs nothing.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ROOT } from '../scripts/root.mjs';
import type { Line } from './benchmark.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { describeMachine } from './machine.ts';
import { drawPictures } from './plots/pictures.ts';
import { runAlone, runSmokeTest, summarized } from './runner.ts';
import '../src/yjs/install.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    out: { type: 'string' },
    plot: { type: 'boolean', default: false },
  },
});
const isChosen = (name: string) => names.some((one) => name === one || (one === 'sync' && name.startsWith('sync-')));
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown benchmark: ${unknown.join(', ')}. The benchmarks are: ${Object.keys(BENCHMARKS).join(', ')}.\n`,
  );
  process.exit(1);
}
const out = options.out ?? join(import.meta.dirname, 'results');
if (options.plot) {
  for (const file of await drawPictures(out, options.out ?? join(ROOT, 'docs', 'benchmarks'))) print(file);
  process.exit();
}
const machine = describeMachine();
print(
  `${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}, load ${machine.load}, ${machine.date}`,
);
print(
  Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', '),
);

// Child processes end with their parent, however it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const chosen = Object.entries(BENCHMARKS).filter(([name]) => names.length === 0 || isChosen(name));
const quickResults = options.quick ? await runSmokeTest(chosen) : null;
let isEverythingReached = true;
for (const [name, benchmark] of chosen) {
  print(`\n${benchmark.title}`);
  const rounds = quickResults === null ? Number(options.rounds ?? benchmark.rounds) : 1;
  const measured = quickResults?.[name] ?? (await runAlone(name, benchmark, rounds));
  const lines = benchmark.judge(measured);
  for (const line of lines) print(textOf(line));
  isEverythingReached &&= lines.every((line) => line.isReached !== false);
  await mkdir(out, { recursive: true });
  const result = { machine, rounds, isQuick: options.quick, goals: lines, figures: summarized(measured) };
  await writeFile(join(out, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}
// A missed goal is a figure, not a failure of the run.
print(isEverythingReached ? '\nAll goals reached.' : '\nNot all goals are reached.');

function textOf({ what, figure, goal, isReached }: Line): string {
  const mark = isReached === null ? '   ' : isReached ? 'ok ' : 'NOT';
  return `${mark} ${what}: ${figure}${goal === '' ? '' : `   [goal ${goal}]`}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
