// Edits of this device that are not on the server, over all pages: what the receipt shows where no page is open, and
// what signing out would throw away.
import { type Atom, atom } from 'jotai/vanilla';
import type { Unsent } from '../sync/ports.ts';
import type { Store } from './store.ts';

export interface UnsentEdits {
  readonly atom: Atom<readonly Unsent[]>;
  /** Reads the device's store again. */
  readonly look: () => Promise<void>;
}

export function watchUnsent(store: Store, read: () => Promise<readonly Unsent[]>): UnsentEdits {
  const unsentAtom = atom<readonly Unsent[]>([]);
  let looks = 0;
  return {
    atom: unsentAtom,
    async look() {
      const look = ++looks;
      // A device that stores nothing has nothing stored; its open pages say so themselves.
      const unsent = await read().catch(() => []);
      if (look === looks) store.set(unsentAtom, unsent);
    },
  };
}
