// A tab's store. Each call takes effect in order after some milliseconds, or never if the tab is killed before.
import type { Store } from 'weft-sync/ports.ts';
import type { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import type { LogChecker } from '../checks/log-checker.ts';
import type { Network } from './network.ts';
import type { TabScheduler } from './tab-scheduler.ts';

/** A write that began so shortly before a kill may be lost, as in IndexedDB. */
export const MAX_WRITE_MS = 15;

export function simStore(store: MemoryStore, scheduler: TabScheduler, network: Network, checker: LogChecker): Store {
  let lastAt = 0;
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    lastAt = Math.max(lastAt, scheduler.now() + network.random() * MAX_WRITE_MS);
    await scheduler.wait(lastAt - scheduler.now());
    if (scheduler.isDead) {
      network.coverage.count('write lost with its tab');
      return new Promise(() => {});
    }
    try {
      return await scheduler.pass(await run());
    } catch (error) {
      checker.storeFailed(store);
      await scheduler.pass(null);
      throw error;
    }
  };
  return {
    load: (document) => call(() => store.load(document)),
    saveRows: (...args) => call(() => store.saveRows(...args)),
    addEntry: (document, outbox, entry) =>
      call(async () => {
        await store.addEntry(document, outbox, entry);
        checker.entryStored(store, outbox.session, entry.n);
      }),
    acknowledge: (document, session, lastN, ...log) =>
      call(async () => {
        checker.checkAcknowledgement(session, lastN);
        return store.acknowledge(document, session, lastN, ...log);
      }),
    setAside: (...args) =>
      call(async () => {
        const isSetAside = await store.setAside(...args);
        checker.startedAnew();
        return isSetAside;
      }),
    refuse: (...args) => call(() => store.refuse(...args)),
    forget: (document) => call(() => store.forget(document)),
    forgetAll: () => call(() => store.forgetAll()),
    unsent: () => call(() => store.unsent()),
  };
}
