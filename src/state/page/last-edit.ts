// An atom with the last edit of an open page: its author and time, which this tab knows before any list does. It changes at
// most every five seconds, however fast someone types.
import { type Atom, atom } from 'jotai/vanilla';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

export type LastEdit = { readonly by: UserId; readonly at: number };

const SHOW_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

export function trackLastEdit(
  store: AtomStore,
  timing: Pick<Timing, 'after'>,
): { readonly atom: Atom<LastEdit | null>; readonly record: (by: UserId, at: number) => void; readonly close: Cancel } {
  const shownAtom = atom<LastEdit | null>(null);
  let newest: LastEdit | null = null;
  let pause: Cancel | null = null;
  const show = () => {
    const shown = store.get(shownAtom);
    if (newest === null || (shown !== null && isSameToPeople(shown, newest))) return;
    store.set(shownAtom, newest);
    pause = timing.after(SHOW_EVERY_MS, () => {
      pause = null;
      show();
    });
  };
  return {
    atom: shownAtom,
    record(by, at) {
      if (newest !== null && at < newest.at) return;
      newest = { by, at };
      if (pause === null) show();
    },
    close: () => pause?.(),
  };
}

/** Times are shown to the minute. */
const isSameToPeople = (a: LastEdit, b: LastEdit): boolean =>
  a.by === b.by && Math.floor(a.at / MINUTE_MS) === Math.floor(b.at / MINUTE_MS);

/** The newest edit known to the list, to the answer that opened the page, and to the page itself. */
export function newestEdit(
  known: readonly (Pick<DocumentSummary, 'updatedAt' | 'updatedBy'> | null)[],
  seen: LastEdit | null,
): { readonly by: UserId | null; readonly at: number } | null {
  const edits = known.map((one) => one && { by: one.updatedBy, at: one.updatedAt });
  return [...edits, seen].reduce((a, b) => (a === null || (b !== null && b.at > a.at) ? b : a), null);
}
