// The argument that the runner passes to a process of clients, and the answer it returns.
import * as v from 'valibot';
import { figures } from './measure.ts';
import { serverAddress } from './servers/say-address.ts';
import { SYSTEMS } from './systems/connect.ts';

export const task = v.object({
  system: v.picklist(SYSTEMS),
  isQuick: v.boolean(),
  /** The round of a whole run; every measure has its own server and clients. */
  jobs: v.array(v.object({ measure: v.string(), server: serverAddress, serverPid: v.nullable(v.number()) })),
});
export type Task = v.InferOutput<typeof task>;
export type Job = Task['jobs'][number];

export const done = v.record(v.string(), figures);
