// Edits of this device that are not on the server, over all pages: what the receipt shows where no page is open, and
// what signing out would throw away.
import { type Atom, atom } from 'jotai/vanilla';
import type { Cancel } from '../lib/cancel.ts';
import type { Unsent } from '../sync/ports.ts';
import type { Store } from './store.ts';

export interface UnsentEdits {
  readonly atom: Atom<readonly Unsent[]>;
  /** Reads the device's store again. */
  readonly look: () => Promise<void>;
  /** Within a second. Open pages say themselves what waits, ahead of the store, and it changes twice with each key. */
  readonly lookSoon: () => void;
}

const SOON_MS = 1000;

export function watchUnsent(
  store: Store,
  after: (ms: number, run: () => void) => Cancel,
  read: () => Promise<readonly Unsent[]>,
): UnsentEdits {
  const unsentAtom = atom<readonly Unsent[]>([]);
  let looks = 0;
  let soon: Cancel | null = null;
  const look = async () => {
    soon?.();
    soon = null;
    const now = ++looks;
    // A device that stores nothing has nothing stored; its open pages say so themselves.
    const unsent = await read().catch(() => []);
    if (now === looks) store.set(unsentAtom, unsent);
  };
  return {
    atom: unsentAtom,
    look,
    lookSoon() {
      soon ??= after(SOON_MS, () => void look());
    },
  };
}
