// Pages with edits on this device that nobody has open: each is opened for as long as it takes to send them, so that
// "sent as soon as the server answers" is true of all of them. So are pages whose last words lists have not heard.
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Unsent } from '../../sync/ports.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { OpenPage } from '../page/open-page.ts';
import type { RefCounted } from '../../lib/ref-counted.ts';
import type { Store } from '../store.ts';

/** Then it is left for later: without network, or refused. */
const PATIENCE_MS = 60_000;
/** A device with a hundred such pages sends them a few at a time. */
const MOST_AT_ONCE = 3;
/** Tried in vain: not again before so long, twice as long after each, unless the network returns. */
const PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 4 * 60_000;

export interface UnsentSender {
  /** Sends what waits, as the device said when it was last looked at. */
  readonly send: () => void;
  /** A page was closed: what still waits of it, words that lists have not heard too (SY16), could not be sent now. */
  readonly closed: (page: OpenPage) => void;
  /** The network is back, the server answers, or somebody asks: nothing rests any more. */
  readonly resume: () => void;
}

export function unsentSender(options: {
  readonly store: Store;
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly timing: Pick<Timing, 'now' | 'after'>;
  readonly unsent: () => readonly Unsent[];
  /** Another tab has it open and sends it. */
  readonly isElsewhere: (document: DocumentId) => boolean;
}): UnsentSender {
  const { store, pages, timing } = options;
  const sending = new Set<DocumentId>();
  const paused = new Map<DocumentId, { readonly until: number; readonly ms: number }>();

  const uncopied = new Set<DocumentId>();

  const isPaused = (document: DocumentId) => (paused.get(document)?.until ?? 0) > timing.now();
  const pause = (document: DocumentId) => {
    if (isPaused(document)) return;
    const ms = Math.min(2 * (paused.get(document)?.ms ?? PAUSE_MS / 2), MAX_PAUSE_MS);
    paused.set(document, { until: timing.now() + ms, ms });
  };

  const open = (document: DocumentId) => {
    sending.add(document);
    const { value: page, release } = pages.acquire(document);
    const done = () => {
      stopWaiting();
      stopWatching();
      sending.delete(document);
      // Sent or not: the device says what is left.
      pause(document);
      release();
    };
    const stopWaiting: Cancel = timing.after(PATIENCE_MS, done);
    const stopWatching = store.sub(page.viewAtom, () => {
      const view = page.getView();
      const isOver = view.receipt === 'refused' || view.phase === 'failed' || view.phase === 'closed';
      // With the answer to opening it knows what is to be copied, and copies when it closes.
      const knowsCopy = view.document !== null || !uncopied.has(document);
      if (isOver || (view.phase === 'ready' && view.unsent.edits === 0 && knowsCopy)) done();
    });
  };

  return {
    send() {
      const waiting = new Set([...options.unsent().map(({ document }) => document), ...uncopied]);
      for (const document of paused.keys()) if (!waiting.has(document)) paused.delete(document);
      const here = new Set(pages.openValues().map(({ documentId }) => documentId));
      const isLeft = (document: DocumentId) => here.has(document) || options.isElsewhere(document);
      for (const document of waiting) {
        if (sending.size >= MOST_AT_ONCE) return;
        if (!isLeft(document) && !sending.has(document) && !isPaused(document)) open(document);
      }
    },
    closed(page) {
      const { documentId } = page;
      const { unsent, document } = page.getView();
      if (page.isCopyDue()) uncopied.add(documentId);
      else if (document !== null) uncopied.delete(documentId);
      if (unsent.edits > 0 || uncopied.has(documentId)) pause(documentId);
    },
    resume: () => paused.clear(),
  };
}
