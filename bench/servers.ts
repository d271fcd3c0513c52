// The servers under measurement, each alone in its process.
import { constants, setPriority } from 'node:os';
import * as v from 'valibot';
import { Child } from './child.ts';
import { type ServerAddress, serverAddress } from './servers/say-address.ts';
import type { ServerName } from './systems/connect.ts';

/**
 * Delay to the server (ms each way), whether it stores its data on disk, and whether it runs at low priority, because a
 * server on another machine would take no CPU from the measured page.
 */
export type Place = { readonly delayMs?: number; readonly onDisk?: boolean; readonly givesWay?: boolean };
export type Running = { readonly child: Child; readonly address: ServerAddress };

export const startServer = (name: ServerName, { onDisk = false, givesWay = false }: Place): Promise<Running> =>
  start(`servers/${name}.ts`, onDisk ? ['--disk'] : [], givesWay);

/** Null without a delay. */
export async function startSlowWay({ address }: Running, { delayMs = 0 }: Place): Promise<Running | null> {
  const { url, anonKey } = address;
  return delayMs === 0 ? null : start('delay-proxy.ts', ['--to', url, '--ms', String(delayMs), '--key', anonKey]);
}

async function start(file: string, args: readonly string[], givesWay = false): Promise<Running> {
  const child = new Child(file, args);
  // Before the server makes threads: a thread inherits the priority of its creator.
  if (givesWay && child.pid !== null) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return { child, address: v.parse(serverAddress, await child.answer()) };
}
