// Runs the clients of benchmarks in a process of their own. Takes one JSON argument and prints its figures as one line of JSON.
import process from 'node:process';
import * as v from 'valibot';
import type { Figures } from './benchmark.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { removePage } from './editor/build-page.ts';
import { connect } from './systems/connect.ts';
import { task } from './task.ts';
import '../src/yjs/install.ts';

const { system: systemName, isQuick, jobs } = v.parse(task, JSON.parse(process.argv[2] ?? ''));
const results: Record<string, Figures> = {};
for (const { benchmark, ...environment } of jobs) {
  const system = connect(systemName, environment.server);
  const figures = await BENCHMARKS[benchmark]?.run({ ...environment, isQuick, systemName, system });
  if (figures === undefined) throw new Error(`there is no benchmark "${benchmark}"`);
  results[benchmark] = figures;
  await system.close();
}
await removePage();
// Some clients leave timers running; exit once their figures are printed.
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
