// Pages with edits on this device that nobody has open: each is opened for as long as it takes to send them, so that
// "sent as soon as the server answers" is true of all of them.
import type { Cancel } from '../lib/cancel.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { Unsent } from '../sync/ports.ts';
import type { OpenPage } from './open-page.ts';
import type { RefCounted } from './ref-counted.ts';
import type { Store } from './store.ts';

/** Then it is left for later: without network, or refused. */
const PATIENCE_MS = 60_000;
/** A device with a hundred such pages sends them a few at a time. */
const MOST_AT_ONCE = 3;

export function unsentSender(options: {
  readonly store: Store;
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly after: (ms: number, run: () => void) => Cancel;
  readonly unsent: () => readonly Unsent[];
}): () => void {
  const { store, pages, after } = options;
  const sending = new Set<DocumentId>();

  const send = (document: DocumentId) => {
    sending.add(document);
    const { value: page, release } = pages.acquire(document);
    const done = () => {
      stopWaiting();
      stopWatching();
      sending.delete(document);
      release();
    };
    const stopWaiting = after(PATIENCE_MS, done);
    const stopWatching = store.sub(page.viewAtom, () => {
      const view = page.getView();
      const isOver = view.receipt === 'refused' || view.phase === 'failed' || view.phase === 'closed';
      if (isOver || (view.phase === 'ready' && view.unsent.edits === 0)) done();
    });
  };

  return () => {
    const open = new Set(pages.open().map(({ documentId }) => documentId));
    for (const { document } of options.unsent()) {
      if (sending.size >= MOST_AT_ONCE) return;
      if (!open.has(document) && !sending.has(document)) send(document);
    }
  };
}
