// `npm run bench [-- name …] [--quick] [--rounds N] [--out DIR]`: runs the measures. Each system runs alone with its
// server, in an order that rotates from round to round. Prints the goals beside the figures and writes them as JSON.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import type { Line } from './measure.ts';
import { MEASURES } from './measures.ts';
import { runAlone, runQuickly, shortened } from './runner.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' }, out: { type: 'string' } },
});
const isChosen = (name: string) => names.some((one) => name === one || (one === 'sync' && name.startsWith('sync-')));
const unknown = names.filter((name) => !(name in MEASURES));
if (unknown.length > 0) {
  process.stderr.write(
    `No measurement is called ${unknown.join(', ')}; there are: ${Object.keys(MEASURES).join(', ')}.\n`,
  );
  process.exit(1);
}
const out = options.out ?? join(import.meta.dirname, 'results');
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
const chosen = Object.entries(MEASURES).filter(([name]) => names.length === 0 || isChosen(name));
const quickly = options.quick ? await runQuickly(chosen) : null;
let isEverythingReached = true;
for (const [name, measure] of chosen) {
  print(`\n${measure.title}`);
  const rounds = quickly === null ? Number(options.rounds ?? measure.rounds) : 1;
  const measured = quickly?.[name] ?? (await runAlone(name, measure, rounds));
  const lines = measure.judge(measured);
  for (const line of lines) print(textOf(line));
  isEverythingReached &&= lines.every((line) => line.isReached !== false);
  await mkdir(out, { recursive: true });
  const result = { machine, rounds, isQuick: options.quick, goals: lines, figures: shortened(measured) };
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
