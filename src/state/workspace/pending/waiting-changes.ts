// Changes of the page tree that the server does not have yet: as the tree shows them, and as this device stores them for all tabs.
import { atom } from 'jotai/vanilla';
import type { PageChangeQueue, PageEntryChange } from '../../../ports/device.ts';
import type { AtomStore } from '../../store.ts';

/** `onStored` runs after each write to the device. */
export function waitingChanges(store: AtomStore, queue: PageChangeQueue, onStored: () => void) {
  /** Oldest first. */
  const changesAtom = atom<readonly PageEntryChange[]>([]);
  /** On their way, or answered and not yet in the lists. */
  const sent = new Set<string>();
  /** Changes whose write to the device is not confirmed, or failed. */
  const unstored = new Set<string>();
  /** Changes that this tab removed: a read of the queue that began earlier still lists them. */
  const removed = new Set<string>();

  const isShown = ({ key }: PageEntryChange) => store.get(changesAtom).some((change) => change.key === key);
  const write = (run: Promise<void>) => run.then(onStored, () => undefined);
  const removeStored = ({ key }: PageEntryChange) => write(queue.remove(key));
  const hide = ({ key }: PageEntryChange) => {
    sent.delete(key);
    store.set(
      changesAtom,
      store.get(changesAtom).filter((change) => change.key !== key),
    );
  };

  return {
    atom: changesAtom,
    /** The oldest change that is not on its way. From now on it is. */
    takeNext(): PageEntryChange | undefined {
      const next = store.get(changesAtom).find(({ key }) => !sent.has(key));
      if (next !== undefined) sent.add(next.key);
      return next;
    },
    /** The server did not get the change. */
    putBack: ({ key }: PageEntryChange) => sent.delete(key),
    removeStored,
    hide,
    add(change: PageEntryChange): void {
      const isReplaced = (one: PageEntryChange) =>
        one.page === change.page && one.kind === change.kind && !sent.has(one.key);
      const before = store.get(changesAtom);
      const keys = before.filter(isReplaced).map(({ key }) => key);
      store.set(changesAtom, [...before.filter((one) => !isReplaced(one)), change]);
      unstored.add(change.key);
      for (const key of keys) removed.add(key);
      // On a device that stores nothing the change waits in this tab.
      void write(queue.put(change, keys).then(() => void unstored.delete(change.key)));
    },
    takeBack(change: PageEntryChange): boolean {
      if (sent.has(change.key) || !isShown(change)) return false;
      removed.add(change.key);
      hide(change);
      void removeStored(change);
      return true;
    },
    /** Reads the device again. Resolves to true if other tabs added changes. */
    async refresh(): Promise<boolean> {
      const queued = await queue.list().catch(() => null);
      if (queued === null) return false;
      const shown = store.get(changesAtom);
      const stored = new Set(queued.map(({ key }) => key));
      // Changes that this tab sends or could not store stay.
      const kept = shown.filter(({ key }) => stored.has(key) || sent.has(key) || unstored.has(key));
      const added = queued.filter((change) => !isShown(change) && !removed.has(change.key));
      if (kept.length === shown.length && added.length === 0) return false;
      store.set(
        changesAtom,
        [...kept, ...added].toSorted((a, b) => a.madeAt - b.madeAt),
      );
      return added.length > 0;
    },
    settled: (change: PageEntryChange) =>
      new Promise<void>((done) => {
        if (!isShown(change)) return done();
        const stop = store.sub(changesAtom, () => {
          if (isShown(change)) return;
          stop();
          done();
        });
      }),
  };
}
