// Pages that the server does not have yet: as lists show them, and as this device stores them for all tabs.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import type { PendingPage, PendingPageQueue } from '../../../ports/device.ts';
import type { Timing } from '../../offline/cached-list.ts';
import { MapAtom } from '../../offline/map-atom.ts';
import type { AtomStore } from '../../store.ts';

/** A title is saved when typing pauses. */
const SAVE_TITLE_AFTER_MS = 500;

export type WaitingPagesOptions = {
  readonly store: AtomStore;
  readonly queue: PendingPageQueue;
  readonly timing: Pick<Timing, 'after'>;
  /** Runs when other tabs removed these pages from the queue. Resolves when the lists know what became of them. */
  readonly onSettled: (pages: readonly DocumentId[]) => Promise<void>;
  /** Runs when this tab has changed the queue: other tabs should know. */
  readonly onChanged: () => void;
};

export type WaitingPages = ReturnType<typeof waitingPages>;

export function waitingPages(options: WaitingPagesOptions) {
  const { queue, timing } = options;
  const pages = new MapAtom<DocumentId, PendingPage>(options.store);
  const savingTitles = new Map<DocumentId, Cancel>();
  const settling = new Set<DocumentId>();
  /** A read that began before this tab's newest write is discarded. */
  let writes = 0;

  /** Resolves to false if the device cannot store it. */
  const write = async (run: () => Promise<void>): Promise<boolean> => {
    writes += 1;
    try {
      await run();
    } catch {
      return false;
    }
    options.onChanged();
    return true;
  };
  /** While a title of this tab is not saved yet, it is newer than the stored one. */
  const withUnsavedTitle = (page: PendingPage): PendingPage =>
    savingTitles.has(page.id) ? { ...page, title: pages.all.get(page.id)?.title ?? page.title } : page;

  return {
    pages,
    write,
    async change(id: DocumentId, part: Parameters<PendingPageQueue['change']>[1]): Promise<void> {
      const page = pages.all.get(id);
      if (page !== undefined) pages.set(id, { ...page, ...part });
      await write(() => queue.change(id, part));
    },
    saveTitle(id: DocumentId, title: string): void {
      const page = pages.all.get(id);
      if (page === undefined || page.title === title) return;
      pages.set(id, { ...page, title });
      savingTitles.get(id)?.();
      const save = () => {
        savingTitles.delete(id);
        void write(() => queue.change(id, { title }));
      };
      savingTitles.set(id, timing.after(SAVE_TITLE_AFTER_MS, save));
    },
    /** Reads the device again. Returns whether other tabs added pages, and those that they created or dropped. */
    async refresh(isCreating: (id: DocumentId) => boolean) {
      let queued: readonly PendingPage[] | null;
      let before: number;
      do {
        before = writes;
        queued = await queue.list().catch(() => null);
      } while (before !== writes);
      const known = pages.all;
      if (queued === null) return { hasNew: false, gone: [] };
      const stored = new Map(queued.map((page) => [page.id, withUnsavedTitle(page)]));
      const missing = Array.from(known).filter(([id]) => !stored.has(id));
      if (Array.from(stored.values()).some((page) => !isSame(page, known.get(page.id))))
        pages.all = new Map([...stored, ...missing]);
      return {
        hasNew: queued.some(({ id, refused }) => refused === null && !known.has(id)),
        gone: missing.map(([id]) => id).filter((id) => !isCreating(id)),
      };
    },
    /** Another tab created or dropped these pages: keep them in the tree until the list has them. */
    async settle(ids: readonly DocumentId[]): Promise<void> {
      const unsettled = ids.filter((id) => !settling.has(id));
      if (unsettled.length === 0) return;
      for (const id of unsettled) settling.add(id);
      await options.onSettled(unsettled);
      for (const id of unsettled) {
        settling.delete(id);
        pages.delete(id);
      }
    },
    close() {
      for (const stop of savingTitles.values()) stop();
    },
  };
}

const isSame = (a: PendingPage, b: PendingPage | undefined): boolean =>
  a.parent === b?.parent && a.rank === b.rank && a.title === b.title && a.refused === b.refused;
