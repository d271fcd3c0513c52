// Listens to the shown document and, for a while, to those that rebuilds have replaced: editors bind a new document as
// soon as the view says so, and a key struck in a former one until then still counts (L6).
import type * as Y from 'yjs';
import type { Clock } from '../ports.ts';
import { remoteBytes } from '../updates/remote-bytes.ts';

const FORMER_DOC_MS = 10_000;

type Listeners = {
  /** A local transaction changed a document. */
  readonly edited: (update: Uint8Array, doc: Y.Doc) => void;
  /** A remote transaction applied this many bytes. */
  readonly received: (bytes: number, doc: Y.Doc) => void;
};

export class DocUpdates {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listeners: Listeners;
  #shown: Y.Doc;
  #former: readonly { readonly doc: Y.Doc; readonly replacedAt: number }[] = [];

  constructor(shown: Y.Doc, clock: Pick<Clock, 'now'>, listeners: Listeners) {
    this.#clock = clock;
    this.#listeners = listeners;
    this.#shown = shown;
    shown.on('afterTransactionCleanup', this.#ended);
  }

  replaceDoc(shown: Y.Doc): void {
    const now = this.#clock.now();
    const isOver = ({ replacedAt }: { readonly replacedAt: number }) => replacedAt + FORMER_DOC_MS <= now;
    // Not destroyed: the awareness, which stays, goes with the first of them.
    for (const { doc } of this.#former.filter(isOver)) {
      doc.off('afterTransactionCleanup', this.#ended);
      doc.off('update', this.#updated);
    }
    this.#former = [...this.#former.filter((former) => !isOver(former)), { doc: this.#shown, replacedAt: now }];
    this.#shown = shown;
    shown.on('afterTransactionCleanup', this.#ended);
  }

  destroy(): void {
    for (const doc of [...this.#former.map((former) => former.doc), this.#shown]) doc.destroy();
  }

  /** Next Yjs encodes the transaction if `update` has a listener, which costs time: it gets one for local ones only. */
  readonly #ended = (transaction: Y.Transaction): void => {
    const { doc, local } = transaction;
    doc[local ? 'on' : 'off']('update', this.#updated);
    const bytes = remoteBytes(transaction);
    if (bytes > 0) this.#listeners.received(bytes, doc);
  };

  readonly #updated = (update: Uint8Array, _origin: unknown, doc: Y.Doc): void => this.#listeners.edited(update, doc);
}
