// The unsent edits of all pages on this device. The receipt of screens without a page shows them, and signing out would
// delete them.
import { type Atom, atom } from 'jotai/vanilla';
import type { Unsent } from 'weft-sync/ports.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { CachedDocuments } from '../../ports/device.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

export interface UnsentEdits {
  readonly atom: Atom<readonly Unsent[]>;
  /** `atom` without pages whose edits another tab wrote a moment ago, because they are being sent. */
  readonly shownAtom: Atom<readonly Unsent[]>;
  /** Another tab had the page open at the last refresh and sends its edits. */
  readonly isOpenElsewhere: (document: DocumentId) => boolean;
  /** Reads the device's store again. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Ignore other tabs' edits that are newer than this: with network they are sent sooner, and someone typing there would
 * make the receipt flicker here.
 */
const MOMENT_MS = 2_000;
/** A killed tab notifies no one. */
const RECHECK_MS = 10_000;
const NO_DOCUMENTS: ReadonlySet<DocumentId> = new Set();

export function watchUnsent(options: {
  readonly store: AtomStore;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly documents: Pick<CachedDocuments, 'unsent' | 'openDocuments'>;
  readonly isOpenHere: (document: DocumentId) => boolean;
  /** Runs after each refresh. */
  readonly onRefreshed: () => void;
}): UnsentEdits {
  const { store, timing, documents, isOpenHere } = options;
  const unsentAtom = atom<readonly Unsent[]>([]);
  const shownAtom = atom<readonly Unsent[]>([]);
  let elsewhere = NO_DOCUMENTS;
  let refreshes = 0;
  let stopRecheck: Cancel | null = null;
  let isClosed = false;

  const refresh = async () => {
    const now = ++refreshes;
    // A device that stores nothing has nothing to read. Its open pages report their own edits.
    const [unsent, open] = await Promise.all([
      documents.unsent().catch(() => []),
      documents.openDocuments().catch(() => NO_DOCUMENTS),
    ]);
    if (now !== refreshes || isClosed) return;
    elsewhere = new Set(Array.from(open).filter((document) => !isOpenHere(document)));
    const before = timing.now() - MOMENT_MS;
    const shown = unsent.filter(({ document, oldestAt }) => !elsewhere.has(document) || oldestAt <= before);
    store.set(unsentAtom, unsent);
    store.set(shownAtom, shown);
    stopRecheck?.();
    const ofOthers = unsent.some(({ document }) => !isOpenHere(document));
    const ms = shown.length < unsent.length ? MOMENT_MS : RECHECK_MS;
    stopRecheck = ofOthers ? timing.after(ms, () => void refresh()) : null;
    options.onRefreshed();
  };

  return {
    atom: unsentAtom,
    shownAtom,
    isOpenElsewhere: (document) => elsewhere.has(document),
    refresh,
    close() {
      isClosed = true;
      stopRecheck?.();
    },
  };
}
