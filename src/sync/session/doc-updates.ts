// Listens to the shown document and, for a while, to those that rebuilds have replaced: editors bind a new document as
// soon as the view says so, and a key struck in a former one until then still counts (L6). Knows nothing of edits.
import type * as Y from 'yjs';
import type { Clock } from '../ports.ts';

const FORMER_DOC_MS = 10_000;

type Listener = (update: Uint8Array, origin: unknown, doc: Y.Doc, transaction: Y.Transaction) => void;

export class DocUpdates {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listener: Listener;
  #shown: Y.Doc;
  #former: readonly { readonly doc: Y.Doc; readonly replacedAt: number }[] = [];

  constructor(shown: Y.Doc, clock: Pick<Clock, 'now'>, listener: Listener) {
    this.#shown = shown;
    this.#clock = clock;
    this.#listener = listener;
    shown.on('update', listener);
  }

  replaceDoc(shown: Y.Doc): void {
    const now = this.#clock.now();
    const isOver = ({ replacedAt }: { readonly replacedAt: number }) => replacedAt + FORMER_DOC_MS <= now;
    // Not destroyed: the awareness, which stays, goes with the first of them.
    for (const { doc } of this.#former.filter(isOver)) doc.off('update', this.#listener);
    this.#former = [...this.#former.filter((former) => !isOver(former)), { doc: this.#shown, replacedAt: now }];
    this.#shown = shown;
    shown.on('update', this.#listener);
  }

  destroy(): void {
    for (const doc of [...this.#former.map((former) => former.doc), this.#shown]) doc.destroy();
  }
}
