// A tab's store: writes reach the disk in order, some moments later, or never if the tab is killed before.
import type { MemoryStore } from '../../memory/memory-store.ts';
import type { Store } from '../../../src/sync/ports.ts';
import type { TabScheduler } from './tab-scheduler.ts';
import type { Network } from './network.ts';
import type { LogChecker } from '../checks/log-checker.ts';

/** IndexedDB writes of the last moments before a kill are lost. */
export const MAX_WRITE_MS = 15;

export function simStore(store: MemoryStore, scheduler: TabScheduler, network: Network, checker: LogChecker): Store {
  let last = 0;
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    last = Math.max(last, scheduler.now() + network.random() * MAX_WRITE_MS);
    await scheduler.wait(last - scheduler.now());
    if (scheduler.isDead) {
      network.coverage.count('write lost with its tab');
      return new Promise(() => {});
    }
    try {
      return await scheduler.pass(await run());
    } catch (error) {
      checker.failed(store);
      await scheduler.pass(null);
      throw error;
    }
  };
  return {
    load: (document) => write(() => store.load(document)),
    saveRows: (...args) => write(() => store.saveRows(...args)),
    addEntry: (document, outbox, entry) =>
      write(async () => {
        await store.addEntry(document, outbox, entry);
        checker.stored(store, outbox.session, entry.n);
      }),
    acknowledge: (document, session, lastN, meta, rows) =>
      write(async () => {
        checker.acknowledging(session, lastN);
        await store.acknowledge(document, session, lastN, meta, rows);
      }),
    refuse: (...args) => write(() => store.refuse(...args)),
    forget: (document) => write(() => store.forget(document)),
    forgetAll: () => write(() => store.forgetAll()),
    unsent: () => write(() => store.unsent()),
  };
}
