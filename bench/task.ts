// What the runner asks a process of clients to do: its one argument. And its answer.
import * as v from 'valibot';
import { figures } from './measure.ts';
import { serverAddress } from './servers/say-address.ts';
import { SYSTEMS } from './systems/connect.ts';

export const task = v.object({
  system: v.picklist(SYSTEMS),
  isQuick: v.boolean(),
  /** One in a whole run: every measurement has its own server and its own clients. */
  jobs: v.array(v.object({ measure: v.string(), server: serverAddress, serverPid: v.nullable(v.number()) })),
});
export type Task = v.InferOutput<typeof task>;
export type Job = Task['jobs'][number];

export const done = v.record(v.string(), figures);
