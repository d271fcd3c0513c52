// Copies title, plain text and mentions of a page to the server for lists, search and notifications, after own
// edits (SY16). The copy is never the truth; but a page without one is called "Untitled" and is not found, so a copy
// that was not saved stays due.
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { Mention } from '../ports.ts';
import { isTemporary } from '../protocol/errors.ts';
import type { SessionContext } from '../session-context.ts';

/** After the last own edit. */
export const SAVE_TEXT_MS = 2_000;
/** After a copy that failed and may succeed later. */
export const SAVE_TEXT_AGAIN_MS = 30_000;

/** The part of a page that lists show and search finds. */
export interface PageText {
  readonly title: string;
  readonly bodyText: string;
  readonly mentions?: readonly Mention[];
}

export type ReadText = (doc: Y.Doc) => PageText;

export class TextCopy {
  readonly #context: SessionContext;
  readonly #read: ReadText | null;
  #timer: Cancel | null = null;
  #timerAt = 0;
  #dueAt = 0;
  #isClosed = false;
  /** Set only in a tab that may edit: otherwise every reader would copy. */
  #isDue = false;
  #edits = 0;
  /** The number of edits at the last copy of a hidden page: browsers report "hidden" more than once. */
  #flushedAt = -1;
  /** Copies that were sent and not answered. */
  #unanswered = 0;

  /** `read` null: nothing is copied. */
  constructor(context: SessionContext, read: ReadText | null) {
    this.#context = context;
    this.#read = read;
  }

  /** Edits are not in the copy. After closing, the next session that opens the page and may edit makes up for it. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** There are own edits, or those of a tab that is gone; or the copy is known to be older than the log. */
  edited(): void {
    if (this.#read === null) return;
    this.#isDue = true;
    this.#edits += 1;
    this.#start(SAVE_TEXT_MS);
  }

  /** Own edits were acknowledged, or the page is live again: a copy that waited for that can go. */
  retry(): void {
    if (this.#isDue) this.#start(SAVE_TEXT_MS);
  }

  /** Copies without waiting, for the last time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#save();
  }

  /**
   * The page may be gone in a moment: the copy goes out beside the last edits, in a call that outlives the page. So does
   * a copy that is on its way: a browser cancels calls of a page that unloads.
   */
  async flushHidden(): Promise<void> {
    const { connection, state } = this.#context;
    const { seq } = state.log;
    const isMissing = this.#isDue || this.#unanswered > 0;
    if (!isMissing || seq === 0 || !connection.canCall || this.#flushedAt === this.#edits) return;
    this.#flushedAt = this.#edits;
    if (this.#settledSeq === seq) this.#stop();
    await this.#copy(seq, { keepalive: true });
  }

  /** The seq the text stands for; null while own edits wait, or calls are not worth a try. */
  get #settledSeq(): number | null {
    const { connection, state } = this.#context;
    return state.pending.own.isEmpty && connection.canCall ? state.log.seq : null;
  }

  #stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  /** One timer for a burst of edits, not one per key. */
  #start(ms: number): void {
    if (this.#isClosed) return;
    this.#dueAt = this.#context.ports.clock.now() + ms;
    if (this.#timer !== null && this.#dueAt < this.#timerAt) this.#stop();
    if (this.#timer === null) this.#wait();
  }

  #wait(): void {
    const { clock } = this.#context.ports;
    this.#timerAt = this.#dueAt;
    this.#timer = clock.after(this.#dueAt - clock.now(), () => {
      this.#timer = null;
      if (clock.now() < this.#dueAt) this.#wait();
      else void this.#save();
    });
  }

  async #save(): Promise<void> {
    const seq = this.#settledSeq;
    if (this.#isDue && seq !== null) await this.#copy(seq);
  }

  async #copy(seq: number, options?: { readonly keepalive: true }): Promise<void> {
    const { documentId, emit, ports, state } = this.#context;
    if (this.#read === null) return;
    const { title, bodyText, mentions = [] } = this.#read(state.doc);
    const at = seq === state.log.seq ? state.log.at : null;
    const isWhole = this.#settledSeq === seq;
    if (isWhole) this.#isDue = false;
    this.#unanswered += 1;
    const saved = await ports.log.saveText(documentId, seq, title, bodyText, {
      ...options,
      mentions,
      at,
    });
    this.#unanswered -= 1;
    // HI1: the log is another one.
    if (!saved.ok && saved.error.code === 'WF016') emit({ type: 'callFailed', error: saved.error });
    // A refusal would be repeated: the next edit may change that, a timer does not.
    if (!isWhole || saved.ok || !isTemporary(saved.error)) return;
    this.#isDue = true;
    this.#start(SAVE_TEXT_AGAIN_MS);
  }
}
