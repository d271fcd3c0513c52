// Copies title and plain text for lists and search some time after own edits. Never the truth: a failure is forgotten
// until the next note.
import type { Cancel } from '../lib/cancel.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { Clock, Log } from './ports.ts';

export const SAVE_TEXT_MS = 2_000;

export interface TextNoteHost {
  /** The seq the text stands for, or null while own edits wait or rows are missing. */
  settledSeq(): number | null;
}

export class TextNote {
  readonly #host: TextNoteHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #text: { readonly title: string; readonly bodyText: string } | null = null;
  #timer: Cancel | null = null;
  #hasOwnEdits = false;

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
