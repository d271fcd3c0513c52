// The process of a measurement's clients. Gets one JSON argument, says its figures as one line of JSON.
import process from 'node:process';
import * as v from 'valibot';
import { MEASURES } from './measures.ts';
import { connect } from './systems/connect.ts';
import { task } from './task.ts';

const { measure: name, system: systemName, ...rest } = v.parse(task, JSON.parse(process.argv[2] ?? ''));
const measure = MEASURES[name];
if (measure === undefined) throw new Error(`no measurement is called ${name}`);
const system = connect(systemName, rest.server);
const figures = await measure.run({ ...rest, systemName, system });
await system.close();
// Clients of several makes leave timers behind; what they measured is all that is wanted of them.
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
