// Asks the log for rows: at once when one is missing, later on a mere hint. One call at a time, repeated until the head.
import type { Cancel } from '../lib/cancel.ts';
import type { RowsAnswer } from '../protocol/answers.ts';
import type { WeftError } from '../protocol/errors.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../protocol/limits.ts';
import type { Clock, Log } from './ports.ts';

/** A gap is asked for at once, but not more often than this. */
export const GAP_DEBOUNCE_MS = 500;
/** An own append under way brings the missing rows with its answer, as a rule sooner than another call would. */
export const GAP_WHILE_APPENDING_MS = 250;

export interface FetcherHost {
  seq(): number;
  /** Rows come by the view topic: asking for more also keeps it going. */
  isViewing(): boolean;
  /** A mark of this moment, handed back with the answer of what is asked now. */
  asking(): number;
  fetched(answer: RowsAnswer, asked: number): void;
  failed(error: WeftError): void;
}

export class Fetcher {
  readonly #host: FetcherHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #running: Promise<boolean> | null = null;
  #again = false;
  #stopped = false;
  #lastGapAt = Number.NEGATIVE_INFINITY;

  constructor(host: FetcherHost, clock: Clock, log: Log, document: DocumentId) {
    this.#host = host;
    this.#clock = clock;
    this.#log = log;
    this.#document = document;
  }

  /** Resolves to false when a call failed; then `failed` was told. */
  catchUp(): Promise<boolean> {
    this.#cancelTimer();
    if (this.#stopped) return Promise.resolve(false);
    if (this.#running !== null) {
      // The call under way may have been answered before what we were told of was written.
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** After `ms`, but not sooner than the debounce after the last call made for a gap. The earliest wish wins. */
  within(ms: number): void {
    if (this.#stopped || this.#running !== null) {
      this.#again = this.#running !== null;
      return;
    }
    const at = Math.max(this.#clock.now() + ms, this.#lastGapAt + GAP_DEBOUNCE_MS);
    if (this.#timer !== null && this.#timer.at <= at) return;
    this.#cancelTimer();
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#lastGapAt = at;
      void this.catchUp();
    });
    this.#timer = { cancel, at };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  async #run(): Promise<boolean> {
    for (;;) {
      this.#again = false;
      const before = this.#host.seq();
      const asked = this.#host.asking();
      const answer = await (this.#host.isViewing()
        ? this.#log.keepWatching(this.#document, before)
        : this.#log.rowsSince(this.#document, before, MAX_ROWS_PER_ANSWER));
      if (this.#stopped) return false;
      if (!answer.ok) {
        this.#host.failed(answer.error);
        return false;
      }
      this.#host.fetched(answer.value, asked);
      const advanced = this.#host.seq() > before;
      if (!(answer.value.more && advanced) && !this.#again) return true;
    }
  }
}
