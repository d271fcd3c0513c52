// Sends edits of pages that no tab of this device has open: it opens each page for as long as sending takes, so that all
// edits are sent soon after the server answers. Does the same for pages whose text copy for lists and search is out of date.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { RefCounted } from '../../lib/async/ref-counted.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { OpenPage } from '../page/open-page.ts';
import type { AtomStore } from '../store.ts';
import type { UnsentEdits } from './unsent-edits.ts';

/** Gives up after this time, for example without network, and tries again later. */
const PATIENCE_MS = 60_000;
/** A device with a hundred such pages sends a few at a time. */
const MOST_AT_ONCE = 3;
/** Pause after a failed try. It doubles each time and ends when the network returns. */
const PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 4 * 60_000;

export interface UnsentSender {
  /** Sends the edits that `unsent` lists. */
  readonly send: () => void;
  /** The server has lost the page or a part of it, and has the page again: opening it once puts back what this device has. */
  readonly putBack: (document: DocumentId) => void;
  /**
   * Call this when a page was closed. If it still has edits or an outdated text copy (SY16), sending them failed just
   * now, so the next try waits.
   */
  readonly closed: (page: OpenPage) => void;
  /** The network is back, the server answers, or someone asks: the next `send` waits for no pause. */
  readonly resume: () => void;
}

export function unsentSender(options: {
  readonly store: AtomStore;
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly unsent: Pick<UnsentEdits, 'atom' | 'isOpenElsewhere'>;
}): UnsentSender {
  const { store, pages, timing, unsent } = options;
  const sending = new Set<DocumentId>();
  const paused = new Map<DocumentId, { readonly until: number; readonly ms: number }>();

  /** To be opened even without unsent edits: the text copy is out of date, or the server lost what is here (`putBack`). */
  const toOpenOnce = new Set<DocumentId>();

  const isPaused = (document: DocumentId) => (paused.get(document)?.until ?? 0) > timing.now();
  const pause = (document: DocumentId) => {
    if (isPaused(document)) return;
    const last = paused.get(document)?.ms;
    const ms = last === undefined ? PAUSE_MS : Math.min(2 * last, MAX_PAUSE_MS);
    paused.set(document, { until: timing.now() + ms, ms });
  };

  const open = (document: DocumentId) => {
    sending.add(document);
    const { value: page, release } = pages.acquire(document);
    const done = () => {
      stopWaiting();
      stopWatching();
      sending.delete(document);
      // Also after success: the list of unsent edits names the page until the device is read again.
      pause(document);
      release();
    };
    const stopWaiting: Cancel = timing.after(PATIENCE_MS, done);
    const stopWatching = store.sub(page.viewAtom, () => {
      const view = page.getView();
      const isOver = view.receipt === 'refused' || view.phase === 'failed' || view.phase === 'closed';
      // Once the server has answered, the page knows whether its text copy is out of date; closing it saves the copy.
      const knowsCopy = view.document !== null || !toOpenOnce.has(document);
      if (isOver || (view.phase === 'ready' && view.unsent.edits === 0 && knowsCopy && !view.isRestoring)) done();
    });
  };

  const send = () => {
    const waiting = new Set([...store.get(unsent.atom).map(({ document }) => document), ...toOpenOnce]);
    for (const document of paused.keys()) if (!waiting.has(document)) paused.delete(document);
    const here = new Set(pages.openValues().map(({ documentId }) => documentId));
    const isOpenAnywhere = (document: DocumentId) => here.has(document) || unsent.isOpenElsewhere(document);
    for (const document of waiting) {
      if (sending.size >= MOST_AT_ONCE) return;
      if (!isOpenAnywhere(document) && !sending.has(document) && !isPaused(document)) open(document);
    }
  };

  return {
    send,
    putBack(document) {
      toOpenOnce.add(document);
      send();
    },
    closed(page) {
      const { documentId } = page;
      const { unsent: left, document } = page.getView();
      if (page.isCopyDue()) toOpenOnce.add(documentId);
      else if (document !== null) toOpenOnce.delete(documentId);
      if (left.edits > 0 || toOpenOnce.has(documentId)) pause(documentId);
    },
    resume: () => paused.clear(),
  };
}
