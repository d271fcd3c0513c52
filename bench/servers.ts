// The servers that clients are measured against, each alone in its process.
import * as v from 'valibot';
import { Child } from './child.ts';
import { type ServerAddress, serverAddress } from './servers/say-address.ts';
import type { ServerName } from './systems/connect.ts';

/** How far the server is (ms each way), and whether it keeps its data on disk. */
export type Place = { readonly delayMs?: number; readonly onDisk?: boolean };
export type Running = { readonly child: Child; readonly address: ServerAddress };

export const startServer = (name: ServerName, { onDisk = false }: Place): Promise<Running> =>
  start(`servers/${name}.ts`, onDisk ? ['--disk'] : []);

/** Null when nothing lies between. */
export async function startSlowWay({ address }: Running, { delayMs = 0 }: Place): Promise<Running | null> {
  const { url, anonKey } = address;
  return delayMs === 0 ? null : start('delay-proxy.ts', ['--to', url, '--ms', String(delayMs), '--key', anonKey]);
}

async function start(file: string, args: readonly string[]): Promise<Running> {
  const child = new Child(file, args);
  return { child, address: v.parse(serverAddress, await child.answer()) };
}
