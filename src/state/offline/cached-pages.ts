// The pages that open on this device without network, as an atom (null if the device cannot tell), and what removes them: the
// person, a lost right to read, or too little room.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { CachedDocument, CachedDocuments, ListCache } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';
import type { Timing } from './cached-list.ts';
import { evictUntilItFits } from './evict-documents.ts';

/** Wait until the page that was just opened has stored its rows and drawn its pictures. */
const EVICT_AFTER_MS = 5_000;

export interface CachedPages {
  readonly atom: Atom<ReadonlySet<DocumentId> | null>;
  readonly refresh: () => Promise<void>;
  /** The space that each page takes on this device, the one opened last first. Null if the browser cannot tell. */
  readonly list: () => Promise<readonly CachedDocument[] | null>;
  /** Removes a page from this device. Returns false if it stays: a tab has it open, or it has unsent edits. */
  readonly remove: (document: DocumentId) => Promise<boolean>;
  /** Removes a page with its unsent edits. Returns false if it stays: a tab has it open. */
  readonly discard: (document: DocumentId) => Promise<boolean>;
  /** Call this when a page was opened. Older ones may be evicted some time later. */
  readonly noteOpened: () => void;
  /** The person may no longer read the page: delete the copy, unless it has edits that exist nowhere else. */
  readonly noteAccessLost: (document: DocumentId) => Promise<void>;
  readonly close: () => void;
}

export function cachedPages(options: {
  readonly store: AtomStore;
  readonly cachedDocuments: CachedDocuments;
  readonly listCache: Pick<ListCache, 'save'>;
  readonly capBytes: number;
  readonly timing: Pick<Timing, 'after'>;
}): CachedPages {
  const { store, cachedDocuments } = options;
  const cachedAtom = atom<ReadonlySet<DocumentId> | null>(null);
  let stopWaiting: Cancel | null = null;
  let isEvicting = false;
  let refreshes = 0;

  const refresh = async () => {
    const at = ++refreshes;
    const documents = await cachedDocuments.list().catch(() => null);
    if (at === refreshes) store.set(cachedAtom, documents && new Set(documents.map(({ document }) => document)));
  };
  const evict = async () => {
    stopWaiting = null;
    if (isEvicting) return;
    isEvicting = true;
    await evictUntilItFits({ ...cachedDocuments, forgetIfClosed: remove }, options.capBytes).catch(() => undefined);
    isEvicting = false;
    await refresh();
  };

  /** The copy of its comments goes with a page. */
  const withComments = async (document: DocumentId, removal: Promise<boolean>): Promise<boolean> => {
    const isGone = await removal;
    if (isGone) void options.listCache.save(commentsKey(document), null);
    return isGone;
  };
  const remove = (document: DocumentId) => withComments(document, cachedDocuments.forgetIfClosed(document));
  const after = async (removal: Promise<boolean>): Promise<boolean> => {
    const isGone = await removal.catch(() => false);
    await refresh();
    return isGone;
  };

  void refresh();
  return {
    atom: cachedAtom,
    refresh,
    async list() {
      const all = await cachedDocuments.list().catch(() => null);
      return all?.toSorted((a, b) => b.openedAt - a.openedAt) ?? null;
    },
    remove: (document) => after(remove(document)),
    discard: (document) => after(withComments(document, cachedDocuments.discardIfClosed(document))),
    noteOpened() {
      void refresh();
      stopWaiting ??= options.timing.after(EVICT_AFTER_MS, () => void evict());
    },
    async noteAccessLost(document) {
      await after(withComments(document, cachedDocuments.forgetIfSent(document)));
    },
    close() {
      stopWaiting?.();
    },
  };
}

/** The name of the copy of a page's comments. */
export const commentsKey = (document: DocumentId): string => `comments:${document}`;
