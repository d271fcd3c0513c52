// The process of a measure's clients. Takes one JSON argument and prints its figures as one line of JSON.
import process from 'node:process';
import * as v from 'valibot';
import type { Figures } from './measure.ts';
import { MEASURES } from './measures.ts';
import { connect } from './systems/connect.ts';
import { task } from './task.ts';

const { system: systemName, isQuick, jobs } = v.parse(task, JSON.parse(process.argv[2] ?? ''));
const done: Record<string, Figures> = {};
for (const { measure, ...place } of jobs) {
  const system = connect(systemName, place.server);
  const figures = await MEASURES[measure]?.run({ ...place, isQuick, systemName, system });
  if (figures === undefined) throw new Error(`no measurement is called ${measure}`);
  done[measure] = figures;
  await system.close();
}
// Some clients leave timers running; exit once their figures are printed.
process.stdout.write(`${JSON.stringify(done)}\n`, () => process.exit(0));
