// The ports of one tab, in memory and on a memory server; `snapshots` is left out.
import type { Clock, Locks, Ports, Random, Store, Environment, Tabs } from '../ports.ts';
import type { UserId } from '../protocol/ids.ts';
import { MemoryEnvironment } from './memory-environment.ts';
import type { Transport, MemoryLink } from './memory-hub.ts';
import { MemoryLocks } from './memory-locks.ts';
import type { MemoryServer } from './memory-server.ts';
import { MemoryStore } from './memory-store.ts';
import { MemoryTabs } from './memory-tabs.ts';

export type MemoryPortsOptions = {
  readonly user: UserId;
  readonly clock: Clock;
  readonly random: Random;
  /** The tabs of one device share a store, locks and tabs. Without these, each tab is on its own device. */
  readonly store?: Store;
  readonly locks?: Locks;
  readonly tabs?: Tabs;
  readonly environment?: Environment;
  readonly transport?: Transport;
};

export function memoryPorts(server: MemoryServer, options: MemoryPortsOptions): Ports & { readonly link: MemoryLink } {
  return {
    clock: options.clock,
    random: options.random,
    log: server.log(options.user),
    link: server.hub.link(options.user, options.transport),
    store: options.store ?? new MemoryStore(),
    locks: options.locks ?? new MemoryLocks().tab(),
    tabs: options.tabs ?? new MemoryTabs(options.clock).tab(),
    environment: options.environment ?? new MemoryEnvironment(),
  };
}
