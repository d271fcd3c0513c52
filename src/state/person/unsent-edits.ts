// Edits of this device that are not on the server, over all pages: what the receipt shows where no page is open, and
// what signing out would throw away.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Unsent } from '../../sync/ports.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { CachedDocuments } from '../ports.ts';
import type { Store } from '../store.ts';

export interface UnsentEdits {
  readonly atom: Atom<readonly Unsent[]>;
  /** Without what another tab wrote a moment ago: it is being sent. */
  readonly shownAtom: Atom<readonly Unsent[]>;
  /** Another tab had the page open at the last look: it sends what waits there. */
  readonly isOpenElsewhere: (document: DocumentId) => boolean;
  /** Reads the device's store again. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

/** Of another tab's edits: with network they are sent sooner, and who types there would have the receipt here flicker. */
const MOMENT_MS = 2_000;
/** A tab that was killed tells nobody. */
const RECHECK_MS = 10_000;
const NOWHERE: ReadonlySet<DocumentId> = new Set();

export function watchUnsent(options: {
  readonly store: Store;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly documents: Pick<CachedDocuments, 'unsent' | 'openDocuments'>;
  readonly isOpenHere: (document: DocumentId) => boolean;
  /** After each look. */
  readonly looked: () => void;
}): UnsentEdits {
  const { store, timing, documents, isOpenHere } = options;
  const unsentAtom = atom<readonly Unsent[]>([]);
  const shownAtom = atom<readonly Unsent[]>([]);
  let elsewhere = NOWHERE;
  let looks = 0;
  let again: Cancel | null = null;
  let isClosed = false;

  const refresh = async () => {
    const now = ++looks;
    // A device that stores nothing has nothing stored; its open pages say so themselves.
    const [unsent, open] = await Promise.all([
      documents.unsent().catch(() => []),
      documents.openDocuments().catch(() => NOWHERE),
    ]);
    if (now !== looks || isClosed) return;
    elsewhere = new Set(Array.from(open).filter((document) => !isOpenHere(document)));
    const before = timing.now() - MOMENT_MS;
    const shown = unsent.filter(({ document, oldestAt }) => !elsewhere.has(document) || oldestAt <= before);
    store.set(unsentAtom, unsent);
    store.set(shownAtom, shown);
    again?.();
    const ofOthers = unsent.some(({ document }) => !isOpenHere(document));
    const ms = shown.length < unsent.length ? MOMENT_MS : RECHECK_MS;
    again = ofOthers ? timing.after(ms, () => void refresh()) : null;
    options.looked();
  };

  return {
    atom: unsentAtom,
    shownAtom,
    isOpenElsewhere: (document) => elsewhere.has(document),
    refresh,
    close() {
      isClosed = true;
      again?.();
    },
  };
}
