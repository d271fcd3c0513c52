// A tab's storage: writes reach the disk in order, some moments later, or never when the tab is killed before.
import type { MemoryStore } from '../memory/memory-store.ts';
import type { Store } from '../../src/sync/ports.ts';
import type { Gate } from './tab-scheduler.ts';
import type { Network } from './network.ts';
import type { Witness } from './log-checker.ts';

/** IndexedDB writes of the last moments before a kill are lost. */
export const MAX_WRITE_MS = 15;

export function simStore(store: MemoryStore, gate: Gate, network: Network, witness: Witness): Store {
  let last = 0;
  const write = async <T>(run: () => Promise<T>): Promise<T> => {
    last = Math.max(last, gate.now() + network.random() * MAX_WRITE_MS);
    await gate.wait(last - gate.now());
    if (gate.isDead) {
      network.tally.count('write lost with its tab');
      return new Promise(() => {});
    }
    try {
      return await gate.pass(await run());
    } catch (error) {
      witness.failed(store);
      await gate.pass(null);
      throw error;
    }
  };
  return {
    load: (document) => write(() => store.load(document)),
    saveRows: (...args) => write(() => store.saveRows(...args)),
    addEntry: (document, outbox, entry) =>
      write(async () => {
        await store.addEntry(document, outbox, entry);
        witness.stored(store, outbox.session, entry.n);
      }),
    acknowledge: (document, session, lastN, meta, rows) =>
      write(async () => {
        witness.acknowledging(session, lastN);
        await store.acknowledge(document, session, lastN, meta, rows);
      }),
    refuse: (...args) => write(() => store.refuse(...args)),
    forget: (document) => write(() => store.forget(document)),
    forgetAll: () => write(() => store.forgetAll()),
    unsent: () => write(() => store.unsent()),
  };
}
