// What the runner asks a process of clients to do: its one argument.
import * as v from 'valibot';
import { serverAddress } from './servers/say-address.ts';
import { SYSTEMS } from './systems/connect.ts';

export const task = v.object({
  measure: v.string(),
  system: v.picklist(SYSTEMS),
  server: serverAddress,
  serverPid: v.nullable(v.number()),
  isQuick: v.boolean(),
});
export type Task = v.InferOutput<typeof task>;
