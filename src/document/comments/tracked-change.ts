// A transaction, as the words that it touched see it. What it inserted is read when the first of them asks.
import type * as Y from 'yjs';
import { type PageMoment, pageMoment } from './find-anchor.ts';
import { InsertedText } from './inserted-text.ts';

export class TrackedChange {
  readonly transaction: Y.Transaction;
  /** The page after the transaction. */
  readonly moment: PageMoment;
  readonly #changed: ReadonlySet<unknown>;
  #inserted: InsertedText | null = null;

  constructor(transaction: Y.Transaction) {
    this.transaction = transaction;
    this.moment = pageMoment(transaction.doc);
    this.#changed = new Set(transaction.changed.keys());
  }

  get inserted(): InsertedText {
    return (this.#inserted ??= new InsertedText(this.transaction));
  }

  /** False only if it deleted nothing in these texts. */
  deletedIn(texts: readonly Y.XmlText[]): boolean {
    if (this.transaction.deleteSet.clients.size === 0) return false;
    return texts.some((text) => text._item?.deleted !== false || this.#changed.has(text));
  }
}
