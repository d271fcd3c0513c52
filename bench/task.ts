// The argument that the runner passes to a process of clients, and the answer it returns.
import * as v from 'valibot';
import { figures } from './benchmark.ts';
import { serverAddress } from './servers/server-address.ts';
import { SYSTEMS } from './systems/connect.ts';

export const task = v.object({
  system: v.picklist(SYSTEMS),
  isQuick: v.boolean(),
  /** One job in a full run; all benchmarks of a system in a quick run. */
  jobs: v.array(v.object({ benchmark: v.string(), server: serverAddress, serverPid: v.nullable(v.number()) })),
});
export type Task = v.InferOutput<typeof task>;
export type Job = Task['jobs'][number];

export const taskResult = v.record(v.string(), figures);
