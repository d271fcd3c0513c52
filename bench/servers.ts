// The servers that clients are measured against, each alone in its process.
import { constants, setPriority } from 'node:os';
import * as v from 'valibot';
import { Child } from './child.ts';
import { type ServerAddress, serverAddress } from './servers/say-address.ts';
import type { ServerName } from './systems/connect.ts';

/**
 * How far the server is (ms each way), whether it keeps its data on disk, and whether it has the processors after others
 * only, as a server on another machine would not take them from the page that is measured.
 */
export type Place = { readonly delayMs?: number; readonly onDisk?: boolean; readonly givesWay?: boolean };
export type Running = { readonly child: Child; readonly address: ServerAddress };

export const startServer = (name: ServerName, { onDisk = false, givesWay = false }: Place): Promise<Running> =>
  start(`servers/${name}.ts`, onDisk ? ['--disk'] : [], givesWay);

/** Null when nothing lies between. */
export async function startSlowWay({ address }: Running, { delayMs = 0 }: Place): Promise<Running | null> {
  const { url, anonKey } = address;
  return delayMs === 0 ? null : start('delay-proxy.ts', ['--to', url, '--ms', String(delayMs), '--key', anonKey]);
}

async function start(file: string, args: readonly string[], givesWay = false): Promise<Running> {
  const child = new Child(file, args);
  // Before it has threads: each has the priority of the one that made it.
  if (givesWay && child.pid !== null) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return { child, address: v.parse(serverAddress, await child.answer()) };
}
