// The servers that clients are measured against: each alone in its process, a fresh one for every measurement. A smoke
// run keeps them, in memory: starting is most of its time.
import * as v from 'valibot';
import { Child } from './child.ts';
import { type ServerAddress, serverAddress } from './servers/say-address.ts';
import type { ServerName } from './systems/connect.ts';

export type Place = { readonly delayMs?: number; readonly onDisk?: boolean };
type Running = { readonly child: Child; readonly address: ServerAddress };

export class Servers {
  readonly #isKept: boolean;
  readonly #kept = new Map<string, Running>();

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Runs something against a server; `delayMs` each way lie between. */
  async with<T>(
    name: ServerName,
    { delayMs = 0, onDisk = false }: Place,
    run: (address: ServerAddress, pid: number | null) => Promise<T>,
  ): Promise<T> {
    const server =
      this.#kept.get(name) ?? (await start(`servers/${name}.ts`, onDisk && !this.#isKept ? ['--disk'] : []));
    if (this.#isKept) this.#kept.set(name, server);
    const { url, anonKey } = server.address;
    const way = ['--to', url, '--ms', String(delayMs), '--key', anonKey];
    const proxy = delayMs > 0 ? await start('delay-proxy.ts', way) : null;
    try {
      return await run(proxy?.address ?? server.address, server.child.pid);
    } finally {
      await proxy?.child.stop();
      if (!this.#isKept) await server.child.stop();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ child }) => child.stop()));
    this.#kept.clear();
  }
}

async function start(file: string, args: readonly string[]): Promise<Running> {
  const child = new Child(file, args);
  return { child, address: v.parse(serverAddress, await child.answer()) };
}
