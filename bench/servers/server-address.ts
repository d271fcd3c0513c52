// The address of a benchmark's server, which the server prints as one line on standard output. The runner waits for it.
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import * as v from 'valibot';

export const serverAddress = v.object({ url: v.string(), anonKey: v.optional(v.string(), '') });
export type ServerAddress = v.InferOutput<typeof serverAddress>;

export const printAddress = (address: v.InferInput<typeof serverAddress>): void =>
  void process.stdout.write(`${JSON.stringify(address)}\n`);

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
