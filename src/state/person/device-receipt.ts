// The receipt where no page is open: for all pages of this device, the worst wins.
import { type Atom, atom } from 'jotai/vanilla';
import type { Unsent } from '../../sync/ports.ts';
import type { PageView } from '../page/page-view.ts';
import type { Receipt } from '../../sync/session/views.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { OpenPage } from '../page/open-page.ts';
import type { QueuedFile } from '../file-ports.ts';
import type { PendingPage } from '../ports.ts';

/** What a receipt is drawn from. */
export type ReceiptView = Pick<
  PageView,
  'receipt' | 'refusedFiles' | 'unsent' | 'lastSaved' | 'lastN' | 'upToDate' | 'connection' | 'retryAt' | 'error'
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

/** What the device's stores hold: edits, pages that the server has not made, and files, each of which counts as one. */
export function storedUnsentAtom(
  keptAtom: Atom<readonly Unsent[]>,
  madeAtom: Atom<ReadonlyMap<DocumentId, PendingPage>>,
  filesAtom: Atom<ReadonlyMap<unknown, { readonly file: QueuedFile }>>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const waiting = new Map(get(keptAtom).map((one) => [one.document, one]));
    const files = Array.from(get(filesAtom).values(), ({ file }) => ({ id: file.document, madeAt: file.madeAt }));
    for (const { id, madeAt } of [...get(madeAtom).values(), ...files]) {
      const { edits = 0, oldestAt = madeAt } = waiting.get(id) ?? {};
      waiting.set(id, { document: id, edits: edits + 1, oldestAt: Math.min(oldestAt, madeAt) });
    }
    return Array.from(waiting.values());
  });
}

/** Pages with edits that are on no server. An open page says it itself, ahead of the device's store. */
export function unsentPagesAtom(
  openPagesAtom: Atom<readonly OpenPage[]>,
  keptAtom: Atom<readonly Unsent[]>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const waiting = new Map(get(keptAtom).map((one) => [one.document, one]));
    for (const page of get(openPagesAtom)) {
      const { phase, unsent } = get(page.viewAtom);
      if (phase !== 'ready') continue;
      if (unsent.oldestAt === null) waiting.delete(page.documentId);
      else waiting.set(page.documentId, { document: page.documentId, edits: unsent.edits, oldestAt: unsent.oldestAt });
    }
    return Array.from(waiting.values());
  });
}

/**
 * What signing out would delete: what this tab's pages say, and what the device holds of other tabs, which an open page
 * does not count as its own.
 */
export function lostOnSignOutAtom(
  waitingPagesAtom: Atom<readonly Unsent[]>,
  keptAtom: Atom<readonly Unsent[]>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const most = new Map(get(waitingPagesAtom).map((one) => [one.document, one]));
    for (const kept of get(keptAtom)) {
      if (kept.edits > (most.get(kept.document)?.edits ?? 0)) most.set(kept.document, kept);
    }
    return Array.from(most.values());
  });
}

export function deviceReceiptAtom(
  openPagesAtom: Atom<readonly OpenPage[]>,
  waitingPagesAtom: Atom<readonly Unsent[]>,
): Atom<ReceiptView> {
  return atom((get) => {
    const views = get(openPagesAtom).map((page) => get(page.viewAtom));
    for (const receipt of WORST_FIRST) {
      const all = views.filter((view) => view.receipt === receipt);
      // Words that were refused before files that were.
      const worst = all.find(({ refusedFiles }) => refusedFiles === undefined) ?? all[0];
      // Of everything that waits, not of this page alone.
      if (worst !== undefined) return { ...worst, unsent: sumOf(get(waitingPagesAtom)) };
    }
    const unsent = sumOf(get(waitingPagesAtom));
    return unsent.edits === 0 ? ALL_SAVED : { ...ALL_SAVED, receipt: 'device', unsent };
  });
}

const sumOf = (waiting: readonly Unsent[]): ReceiptView['unsent'] => ({
  edits: waiting.reduce((sum, one) => sum + one.edits, 0),
  oldestAt: waiting.length === 0 ? null : Math.min(...waiting.map((one) => one.oldestAt)),
});
