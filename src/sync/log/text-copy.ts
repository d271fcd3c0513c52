// Copies what a page says for lists and search some time after own edits (SY16). Never the truth; but what nobody copied
// would be called "Untitled" and not be found, so a copy that did not get out stays due.
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Clock, Log } from '../ports.ts';

/** After the last own edit. */
export const SAVE_TEXT_MS = 2_000;
/** After a copy that failed while the page is live. */
export const SAVE_TEXT_AGAIN_MS = 30_000;

/** Lost on the way, signed out, or too much at once. */
const MAY_PASS: ReadonlySet<string> = new Set(['WF003', 'WF008', 'WF011']);

/** What lists show and search finds of a page. */
export interface PageText {
  readonly title: string;
  readonly bodyText: string;
}

export interface TextCopyHost {
  /** The seq the text stands for, or null while own edits wait or rows are missing. */
  settledSeq(): number | null;
  /** The seq that the text holds at least, with own edits on their way; null when calls are not worth a try. */
  leastSeq(): number | null;
  read(): PageText;
}

export class TextCopy {
  readonly #host: TextCopyHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #timer: Cancel | null = null;
  #timerAt = 0;
  #dueAt = 0;
  #isClosed = false;
  /** Only who edits copies: otherwise every reader would. */
  #isDue = false;
  #edits = 0;
  /** Copied when that many edits were made, while being hidden: browsers say that more than once. */
  #flushedAt = -1;

  constructor(host: TextCopyHost, clock: Clock, log: Log, document: DocumentId) {
    this.#host = host;
    this.#clock = clock;
    this.#log = log;
    this.#document = document;
  }

  /** Edits are not in the copy: after closing, the next session that opens the page makes up for it. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Own edits, of this tab or of one that is gone; or the copy is known to be older than the log. */
  edited(): void {
    this.#isDue = true;
    this.#edits += 1;
    this.#start(SAVE_TEXT_MS);
  }

  /** Own edits were acknowledged, or the page is live again: what waited for that can go. */
  tryAgain(): void {
    if (this.#isDue) this.#start(SAVE_TEXT_MS);
  }

  /** Says the last word without waiting, and only once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#save();
  }

  /**
   * The page may be gone in a moment: the copy goes out beside the last edits, in a call that outlives the page. What
   * was not acknowledged yet is copied once more when it is, if the page is still there.
   */
  async flushHidden(): Promise<void> {
    const seq = this.#host.leastSeq();
    if (!this.#isDue || seq === null || this.#flushedAt === this.#edits) return;
    this.#flushedAt = this.#edits;
    if (this.#host.settledSeq() === seq) this.#stop();
    await this.#copy(seq, { keepalive: true });
  }

  #stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  /** One timer for a burst of edits: a key costs none of its own. */
  #start(ms: number): void {
    if (this.#isClosed) return;
    this.#dueAt = this.#clock.now() + ms;
    if (this.#timer !== null && this.#dueAt < this.#timerAt) this.#stop();
    if (this.#timer === null) this.#wait();
  }

  #wait(): void {
    this.#timerAt = this.#dueAt;
    this.#timer = this.#clock.after(this.#dueAt - this.#clock.now(), () => {
      this.#timer = null;
      if (this.#clock.now() < this.#dueAt) this.#wait();
      else void this.#save();
    });
  }

  async #save(): Promise<void> {
    const seq = this.#host.settledSeq();
    if (this.#isDue && seq !== null) await this.#copy(seq);
  }

  async #copy(seq: number, options?: { readonly keepalive: true }): Promise<void> {
    const { title, bodyText } = this.#host.read();
    const isWhole = this.#host.settledSeq() === seq;
    if (isWhole) this.#isDue = false;
    const saved = await this.#log.saveText(this.#document, seq, title, bodyText, options);
    // What is refused is refused again: the next edit may change that, a timer does not.
    if (!isWhole || saved.ok || !MAY_PASS.has(saved.error.code)) return;
    this.#isDue = true;
    this.#start(SAVE_TEXT_AGAIN_MS);
  }
}
