// The threads of a page as the database has them, in its rules of anchors: `move_thread`, `anchor_to_store`, `erase_quotes`.
import type { MovedAnchor } from 'weft-document/comments/anchor-index.ts';
import type { TextAnchor } from '../../../src/protocol/comments.ts';
import type { ThreadId } from '../../../src/protocol/ids.ts';

export type Thread = {
  readonly id: ThreadId;
  readonly anchor: TextAnchor;
  /** When the history began of the page that its author had. */
  readonly history: number;
};

const BLANK = { quote: '', before: '', after: '' };

export class Threads {
  /** When the page's history began; 0: it never began again. */
  history = 0;
  #anchors: ReadonlyMap<ThreadId, TextAnchor> = new Map();
  /** As they were after each row. */
  readonly #former: { readonly head: number; readonly anchors: ReadonlyMap<ThreadId, TextAnchor> }[] = [];

  get all(): readonly { readonly id: ThreadId; readonly anchor: TextAnchor }[] {
    return Array.from(this.#anchors, ([id, anchor]) => ({ id, anchor }));
  }

  add({ id, anchor, history }: Thread): void {
    if (!this.#anchors.has(id)) this.#set(id, this.#stored(anchor, history));
  }

  move({ id, anchor, known }: MovedAnchor, history: number): void {
    if (anchor.kind !== 'text' || JSON.stringify(this.#anchors.get(id)) !== JSON.stringify(known)) return;
    this.#set(id, this.#stored(anchor, history));
  }

  /** The page's history begins again. */
  eraseQuotes(history: number): void {
    this.history = history;
    this.#anchors = new Map(Array.from(this.#anchors, ([id, anchor]) => [id, { ...anchor, ...BLANK }]));
  }

  /** A row was written. */
  note(head: number): void {
    if (this.#former.at(-1)?.head === head) this.#former.pop();
    this.#former.push({ head, anchors: this.#anchors });
  }

  goBack(seq: number): void {
    while ((this.#former.at(-1)?.head ?? 0) > seq) this.#former.pop();
    this.#anchors = this.#former.at(-1)?.anchors ?? new Map();
  }

  #set(id: ThreadId, anchor: TextAnchor): void {
    this.#anchors = new Map([...this.#anchors, [id, anchor]]);
  }

  #stored(anchor: TextAnchor, history: number): TextAnchor {
    return history === this.history ? anchor : { ...anchor, ...BLANK };
  }
}
