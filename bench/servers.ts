// Starts the servers of the benchmarks, each in a process of its own.
import { constants, setPriority } from 'node:os';
import * as v from 'valibot';
import type { Plan } from '../backend/realtime/limits/plans.ts';
import { Child } from './child.ts';
import { type ServerAddress, serverAddress } from './servers/server-address.ts';
import type { ServerName } from './systems/connect.ts';

/**
 * Delay to the server (ms each way), whether it stores its data on disk, the Supabase plan whose limits its Realtime has, and
 * whether it runs at low priority, because a server on another machine would take no CPU from the measured page.
 */
export type ServerSetup = {
  readonly delayMs?: number;
  readonly onDisk?: boolean;
  readonly plan?: Plan;
  readonly isLowPriority?: boolean;
};
export type RunningServer = { readonly child: Child; readonly address: ServerAddress };

/** As `npm start` has it. */
const WEFT_NODE_FLAGS = ['--max-semi-space-size=4'];

export const startServer = (
  name: ServerName,
  { onDisk = false, plan, isLowPriority: givesWay = false }: ServerSetup,
): Promise<RunningServer> => {
  const args = [...(onDisk ? ['--disk'] : []), ...(plan === undefined ? [] : ['--plan', plan])];
  return start(`servers/${name}.ts`, args, givesWay, name === 'weft' ? WEFT_NODE_FLAGS : []);
};

/** A proxy in front of the server; null if `delayMs` is 0. */
export async function startDelayProxy(
  { address }: RunningServer,
  { delayMs = 0 }: ServerSetup,
): Promise<RunningServer | null> {
  const { url, anonKey } = address;
  return delayMs === 0 ? null : start('delay-proxy.ts', ['--to', url, '--ms', String(delayMs), '--key', anonKey]);
}

async function start(
  file: string,
  args: readonly string[],
  givesWay = false,
  nodeFlags: readonly string[] = [],
): Promise<RunningServer> {
  const child = new Child(file, args, nodeFlags);
  // Set the priority before the server creates threads: a thread inherits the priority of its creator.
  if (givesWay && child.pid !== null) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return { child, address: v.parse(serverAddress, await child.answer()) };
}
