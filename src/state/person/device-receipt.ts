// The receipt of screens without a page: it covers all pages of this device and shows the worst state. Also the lists of pages
// with unsent edits that it counts.
import { type Atom, atom } from 'jotai/vanilla';
import type { Unsent } from 'weft-sync/ports.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Receipt } from 'weft-sync/session/views.ts';
import type { PageEntryChange, PendingPage } from '../../ports/device.ts';
import type { QueuedFile } from '../../ports/files.ts';
import type { OpenPage } from '../page/open-page.ts';
import type { PageView } from '../page/page-view.ts';
import type { DeviceQueues } from './device-queues.ts';

/** The values a receipt is rendered from. */
export type ReceiptView = Pick<
  PageView,
  | 'receipt'
  | 'refusedFiles'
  | 'refusedComments'
  | 'unsent'
  | 'lastSaved'
  | 'lastN'
  | 'upToDate'
  | 'connection'
  | 'retryAt'
  | 'error'
  | 'isRestoring'
  | 'puttingBack'
> & {
  /** Set on screens without a page while the server does not answer. */
  readonly isOfDevice?: true;
};

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
  isRestoring: false,
  puttingBack: null,
});

export interface UnsentAtoms {
  /** Pages with unsent edits. */
  readonly unsentPagesAtom: Atom<readonly Unsent[]>;
  /** Everything that signing out would delete, including the edits of other tabs. Refresh `unsent` before reading it. */
  readonly lostOnSignOutAtom: Atom<readonly Unsent[]>;
  readonly deviceReceiptAtom: Atom<ReceiptView>;
}

export function unsentAtoms(
  openPagesAtom: Atom<readonly OpenPage[]>,
  {
    unsent,
    pendingPages,
    pageChanges,
    uploads,
    comments,
  }: Pick<DeviceQueues, 'unsent' | 'pendingPages' | 'pageChanges' | 'uploads' | 'comments'>,
): UnsentAtoms {
  const changesAtom = atom((get) => [...get(pageChanges.atom), ...get(comments.waitingAtom)]);
  const withWaiting = (storedAtom: Atom<readonly Unsent[]>) =>
    storedUnsentAtom(storedAtom, pendingPages.atom, changesAtom, uploads.atom);
  const waitingAtom = unsentPagesAtom(openPagesAtom, withWaiting(unsent.shownAtom));
  return {
    unsentPagesAtom: waitingAtom,
    lostOnSignOutAtom: lostOnSignOutAtom(waitingAtom, withWaiting(unsent.atom)),
    deviceReceiptAtom: deviceReceiptAtom(openPagesAtom, waitingAtom),
  };
}

/**
 * Counts what this device has stored and not sent: edits, pages that the server does not have, changes of their places and
 * comments, and files. Each of these counts as one edit.
 */
function storedUnsentAtom(
  storedAtom: Atom<readonly Unsent[]>,
  pendingPagesAtom: Atom<ReadonlyMap<DocumentId, PendingPage>>,
  changesAtom: Atom<readonly Pick<PageEntryChange, 'page' | 'madeAt'>[]>,
  filesAtom: Atom<ReadonlyMap<unknown, { readonly file: QueuedFile }>>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const waiting = new Map(get(storedAtom).map((one) => [one.document, one]));
    const files = Array.from(get(filesAtom).values(), ({ file }) => ({ id: file.document, madeAt: file.madeAt }));
    const changes = get(changesAtom).map(({ page, madeAt }) => ({ id: page, madeAt }));
    for (const { id, madeAt } of [...get(pendingPagesAtom).values(), ...changes, ...files]) {
      const { edits = 0, oldestAt = madeAt } = waiting.get(id) ?? {};
      waiting.set(id, { document: id, edits: edits + 1, oldestAt: Math.min(oldestAt, madeAt) });
    }
    return Array.from(waiting.values());
  });
}

/** Pages with unsent edits. An open page reports its own, ahead of the device's store. */
function unsentPagesAtom(
  openPagesAtom: Atom<readonly OpenPage[]>,
  storedAtom: Atom<readonly Unsent[]>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const waiting = new Map(get(storedAtom).map((one) => [one.document, one]));
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
 * Lists what signing out would delete: unsent edits of this tab's pages and those stored by other tabs, which an open
 * page does not count as its own.
 */
function lostOnSignOutAtom(
  waitingPagesAtom: Atom<readonly Unsent[]>,
  storedAtom: Atom<readonly Unsent[]>,
): Atom<readonly Unsent[]> {
  return atom((get) => {
    const most = new Map(get(waitingPagesAtom).map((one) => [one.document, one]));
    for (const stored of get(storedAtom)) {
      if (stored.edits > (most.get(stored.document)?.edits ?? 0)) most.set(stored.document, stored);
    }
    return Array.from(most.values());
  });
}

function deviceReceiptAtom(
  openPagesAtom: Atom<readonly OpenPage[]>,
  waitingPagesAtom: Atom<readonly Unsent[]>,
): Atom<ReceiptView> {
  return atom((get) => {
    const views = get(openPagesAtom).map((page) => get(page.viewAtom));
    for (const receipt of WORST_FIRST) {
      const all = views.filter((view) => view.receipt === receipt);
      // Rejected text comes before rejected comments and files.
      const worst =
        all.find(({ refusedFiles, refusedComments }) => (refusedFiles ?? refusedComments) === undefined) ?? all[0];
      // Count everything that waits, not only this page's edits.
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
