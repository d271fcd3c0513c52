// Which pages open on this device without network. Read again after what changes it; null where nobody can tell.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { evictUntilItFits } from './evict-documents.ts';
import type { CachedDocuments } from '../ports.ts';
import type { Store } from '../store.ts';

/** The page that was just opened comes first: its rows are being stored, its pictures drawn. */
const EVICT_AFTER_MS = 5_000;

export interface CachedPages {
  readonly atom: Atom<ReadonlySet<DocumentId> | null>;
  readonly refresh: () => Promise<void>;
  /** A page was opened: older ones may have to go, some time later. */
  readonly noteOpened: () => void;
  /** This person may not read it any more: its copy goes, unless it holds edits that are nowhere else. */
  readonly noteAccessLost: (document: DocumentId) => Promise<void>;
  readonly close: () => void;
}

export function cachedPages(options: {
  readonly store: Store;
  readonly device: CachedDocuments;
  readonly capBytes: number;
  readonly after: (ms: number, run: () => void) => Cancel;
}): CachedPages {
  const { store, device } = options;
  const cachedAtom = atom<ReadonlySet<DocumentId> | null>(null);
  let stopWaiting: Cancel | null = null;
  let isEvicting = false;
  let looks = 0;

  const refresh = async () => {
    const at = ++looks;
    const kept = await device.list().catch(() => null);
    if (at === looks) store.set(cachedAtom, kept && new Set(kept.map(({ document }) => document)));
  };
  const evict = async () => {
    stopWaiting = null;
    if (isEvicting) return;
    isEvicting = true;
    await evictUntilItFits(device, options.capBytes).catch(() => undefined);
    isEvicting = false;
    await refresh();
  };

  void refresh();
  return {
    atom: cachedAtom,
    refresh,
    noteOpened() {
      void refresh();
      stopWaiting ??= options.after(EVICT_AFTER_MS, () => void evict());
    },
    async noteAccessLost(document) {
      await device.forgetIfSent(document).catch(() => false);
      await refresh();
    },
    close() {
      stopWaiting?.();
    },
  };
}
