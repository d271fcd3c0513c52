// Copies title and plain text for lists and search some time after own edits. Never the truth: a failure is forgotten
// until the next note.
import type { Cancel } from '../lib/cancel.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { Clock, Log } from './ports.ts';

export const SAVE_TEXT_MS = 2_000;

export interface TextNoteHost {
  /** The seq the text stands for, or null while own edits wait or rows are missing. */
  settledSeq(): number | null;
  /** The seq that the text holds at least, with own edits on their way; null when calls are not worth a try. */
  leastSeq(): number | null;
}

export class TextNote {
  readonly #host: TextNoteHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #text: { readonly title: string; readonly bodyText: string } | null = null;
  #timer: Cancel | null = null;
  #hasOwnEdits = false;
  /** Copied while it was being hidden: browsers say that more than once. */
  #flushed: unknown = null;

  constructor(host: TextNoteHost, clock: Clock, log: Log, document: DocumentId) {
    this.#host = host;
    this.#clock = clock;
    this.#log = log;
    this.#document = document;
  }

  /** Only who edits copies: otherwise every reader would. */
  edited(): void {
    this.#hasOwnEdits = true;
    if (this.#text !== null) this.#start();
  }

  note(title: string, bodyText: string): void {
    this.#text = { title, bodyText };
    if (this.#hasOwnEdits) this.#start();
  }

  /** Says the last word without waiting. */
  async flush(): Promise<void> {
    this.stop();
    await this.#save();
  }

  /**
   * The page may be gone in a moment: the copy goes out beside the last edits, in a call that outlives the page. What
   * was not acknowledged yet is copied once more when it is, if the page is still there.
   */
  async flushHidden(): Promise<void> {
    const seq = this.#host.leastSeq();
    if (!this.#hasOwnEdits || this.#text === null || seq === null || this.#flushed === this.#text) return;
    this.#flushed = this.#text;
    const { title, bodyText } = this.#text;
    const isSettled = this.#host.settledSeq() === seq;
    if (isSettled) {
      this.stop();
      this.#hasOwnEdits = false;
    }
    const saved = await this.#log.saveText(this.#document, seq, title, bodyText, { keepalive: true });
    if (!saved.ok) this.#hasOwnEdits = true;
  }

  stop(): void {
    this.#timer?.();
    this.#timer = null;
  }

  #start(): void {
    this.#timer ??= this.#clock.after(SAVE_TEXT_MS, () => {
      this.#timer = null;
      void this.#save();
    });
  }

  async #save(): Promise<void> {
    const seq = this.#host.settledSeq();
    if (!this.#hasOwnEdits || this.#text === null) return;
    if (seq === null) return;
    const { title, bodyText } = this.#text;
    this.#hasOwnEdits = false;
    const saved = await this.#log.saveText(this.#document, seq, title, bodyText);
    if (!saved.ok) this.#hasOwnEdits = true;
  }

  /** Own edits were acknowledged: what waited for them can go. */
  settled(): void {
    if (this.#hasOwnEdits && this.#text !== null) this.#start();
  }
}
