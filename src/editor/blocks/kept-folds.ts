// Which toggles a person folded on this device, per page. Each person's own: the document never hears of it.
import type { Cancel } from '../../lib/cancel.ts';

export interface Folds {
  /** The same set until something changed. */
  readonly get: () => ReadonlySet<string>;
  readonly set: (folded: ReadonlySet<string>) => void;
  readonly subscribe: (run: () => void) => Cancel;
}

/** Of one page at most so many, the newest. */
const MAX_KEPT = 500;
const keyOf = (page: string) => `weft-folds:${page}`;

const pages = new Map<string, Folds>();

/** One per page in a tab: an editor and a reading view of the same page agree. */
export function foldsOf(page: string): Folds {
  const known = pages.get(page);
  if (known !== undefined) return known;
  const made = makeFolds(page);
  pages.set(page, made);
  return made;
}

function makeFolds(page: string): Folds {
  const watchers = new Set<() => void>();
  let folded: ReadonlySet<string> = readKept(page);
  return {
    get: () => folded,
    set(next) {
      if (next === folded) return;
      folded = next;
      keep(page, next);
      for (const run of watchers) run();
    },
    subscribe(run) {
      watchers.add(run);
      return () => {
        watchers.delete(run);
      };
    },
  };
}

function readKept(page: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(page)) ?? '[]');
    return new Set(Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : []);
  } catch {
    // Storage is blocked, or holds what nobody here wrote: everything is open.
    return new Set();
  }
}

function keep(page: string, folded: ReadonlySet<string>): void {
  try {
    if (folded.size === 0) localStorage.removeItem(keyOf(page));
    else localStorage.setItem(keyOf(page), JSON.stringify([...folded].slice(-MAX_KEPT)));
  } catch {
    // Kept in this tab alone.
  }
}
