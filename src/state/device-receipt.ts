// The receipt where no page is open: for all pages of this device, the worst wins.
import { type Atom, atom } from 'jotai/vanilla';
import type { Unsent } from '../sync/ports.ts';
import type { Receipt, SessionView } from '../sync/view.ts';
import type { OpenPage } from './open-page.ts';

/** What a receipt is drawn from. */
export type ReceiptView = Pick<
  SessionView,
  'receipt' | 'unsent' | 'lastSaved' | 'lastN' | 'upToDate' | 'connection' | 'retryAt' | 'error'
>;

const WORST_FIRST: readonly Receipt[] = ['refused', 'tab', 'device', 'sending'];

const ALL_SAVED: ReceiptView = Object.freeze({
  receipt: 'saved',
  unsent: { edits: 0, oldestAt: null },
  lastSaved: null,
  lastN: 0,
  upToDate: true,
  connection: 'live',
  retryAt: null,
  error: null,
});

export function deviceReceiptAtom(
  openPagesAtom: Atom<readonly OpenPage[]>,
  unsentAtom: Atom<readonly Unsent[]>,
): Atom<ReceiptView> {
  return atom((get) => {
    const views = get(openPagesAtom).map((page) => get(page.viewAtom));
    for (const receipt of WORST_FIRST) {
      const worst = views.find((view) => view.receipt === receipt);
      if (worst !== undefined) return worst;
    }
    const kept = get(unsentAtom);
    const edits = kept.reduce((sum, one) => sum + one.edits, 0);
    if (edits === 0) return ALL_SAVED;
    const oldestAt = Math.min(...kept.map((one) => one.oldestAt));
    return { ...ALL_SAVED, receipt: 'device', unsent: { edits, oldestAt } };
  });
}
