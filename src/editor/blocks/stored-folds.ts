// The toggles that are folded on this device, per page, or for all pages that are opened by links together. They are
// not part of the document.
import type { Cancel } from '../../lib/cancel.ts';
import { Subscribable } from '../../lib/subscribable.ts';

export interface Folds {
  /** Returns the same set until something changes. */
  readonly get: () => ReadonlySet<string>;
  readonly set: (folded: ReadonlySet<string>) => void;
  readonly subscribe: (run: () => void) => Cancel;
}

/** At most this many toggles are stored per page: those that were folded last. */
const MAX_STORED = 500;
const keyOf = (page: string) => `weft-folds:${page}`;

const pages = new Map<string, Folds>();

/** One object per page and tab, so that the editor and a reading view of the same page agree. */
export function foldsOf(page: string): Folds {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const created = createFolds(page);
  pages.set(page, created);
  return created;
}

function createFolds(page: string): Folds {
  const changes = new Subscribable();
  let folded: ReadonlySet<string> = readStored(page);
  return {
    get: () => folded,
    set(next) {
      if (next === folded) return;
      folded = next;
      store(page, next);
      changes.notify();
    },
    subscribe: changes.subscribe,
  };
}

function readStored(page: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(page)) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []);
  } catch {
    // Storage is blocked or holds something else: everything is unfolded.
    return new Set();
  }
}

function store(page: string, folded: ReadonlySet<string>): void {
  try {
    if (folded.size === 0) localStorage.removeItem(keyOf(page));
    else localStorage.setItem(keyOf(page), JSON.stringify([...folded].slice(-MAX_STORED)));
  } catch {
    // Then the folds last only as long as this tab.
  }
}
