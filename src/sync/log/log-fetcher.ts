// Asks the log for rows: at once when one is missing, later on a mere hint of a peer, and ever later when such hints turn
// out to be made up. One call at a time, repeated until the head.
import type { Cancel } from '../../lib/cancel.ts';
import type { RowsAnswer } from '../../protocol/answers.ts';
import type { WeftError } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../../protocol/limits.ts';
import type { Clock, Log } from '../ports.ts';

/** A gap is asked for at once, but not more often than this. */
export const GAP_DEBOUNCE_MS = 500;
/** An own append under way brings the missing rows with its answer, as a rule sooner than another call would. */
export const GAP_WHILE_APPENDING_MS = 250;
/** A head that the log denies makes the next hint wait: twice as long each time, up to this. */
export const DENIED_HINT_MAX_MS = 16_000;

/** The row that is wanted, and when to ask for it. */
type WantedRow = { readonly at: number; readonly seq: number };

export interface LogFetcherHost {
  seq(): number;
  /** Rows come by the view topic: asking for more also keeps it going. */
  isViewing(): boolean;
  /** A mark of this moment, handed back with the answer of what is asked now. */
  requestStamp(): number;
  fetched(answer: RowsAnswer, asked: number): void;
  failed(error: WeftError): void;
}

export class LogFetcher {
  readonly #host: LogFetcherHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #running: Promise<boolean> | null = null;
  #again = false;
  #stopped = false;
  #lastWantedAt = Number.NEGATIVE_INFINITY;
  /** Rows that the database told of, and rows that a peer told of. */
  #missed: WantedRow | null = null;
  #hinted: WantedRow | null = null;
  #deniedHints = 0;
  #hintsNotBefore = Number.NEGATIVE_INFINITY;

  constructor(host: LogFetcherHost, clock: Clock, log: Log, document: DocumentId) {
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
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.#schedule();
    });
    return this.#running;
  }

  /** The database told of rows up to `seq`: after `ms`, but not sooner than the debounce after the last such call. */
  missed(seq: number, ms: number): void {
    this.#missed = earlier(this.#missed, { at: this.#clock.now() + ms, seq });
    this.#schedule();
  }

  /** The same as a peer tells it. Anybody on the topic can say anything: after a head that the log denies, later. */
  hinted(seq: number, ms: number): void {
    const at = Math.max(this.#clock.now() + ms, this.#hintsNotBefore);
    this.#hinted = earlier(this.#hinted, { at, seq });
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** What is wished for during a call waits for its end: as a rule that call brings it. */
  #schedule(): void {
    const at = this.#stopped || this.#running !== null ? null : this.#nextDue();
    if (at === (this.#timer?.at ?? null)) return;
    this.#cancelTimer();
    if (at === null) return;
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#timer = null;
      const due = this.#nextDue();
      // It came by itself meanwhile; or only what may wait is left.
      if (due === null || due > this.#clock.now()) return this.#schedule();
      this.#lastWantedAt = due;
      void this.catchUp();
    });
    this.#timer = { cancel, at };
  }

  #nextDue(): number | null {
    const seq = this.#host.seq();
    const open = [this.#missed, this.#hinted].flatMap((wish) => (wish !== null && wish.seq > seq ? wish.at : []));
    return open.length === 0 ? null : Math.max(Math.min(...open), this.#lastWantedAt + GAP_DEBOUNCE_MS);
  }

  /** What was told of before the call, and is no part of the log. */
  #checkHint(hinted: number, head: number): void {
    if (hinted === 0) return;
    this.#deniedHints = hinted > head ? this.#deniedHints + 1 : 0;
    if (this.#deniedHints === 0) return;
    const ms = Math.min(GAP_DEBOUNCE_MS * 2 ** Math.min(this.#deniedHints, 10), DENIED_HINT_MAX_MS);
    this.#hintsNotBefore = this.#clock.now() + ms;
    if (this.#hinted !== null) this.#hinted = { ...this.#hinted, at: Math.max(this.#hinted.at, this.#hintsNotBefore) };
  }

  async #run(): Promise<boolean> {
    for (;;) {
      this.#again = false;
      const hinted = this.#hinted?.seq ?? 0;
      this.#missed = this.#hinted = null;
      const before = this.#host.seq();
      const asked = this.#host.requestStamp();
      const answer = await (this.#host.isViewing()
        ? this.#log.keepWatching(this.#document, before)
        : this.#log.rowsSince(this.#document, before, MAX_ROWS_PER_ANSWER));
      if (this.#stopped) return false;
      if (!answer.ok) {
        this.#missed = this.#hinted = null;
        this.#host.failed(answer.error);
        return false;
      }
      this.#checkHint(hinted, answer.value.head);
      this.#host.fetched(answer.value, asked);
      const advanced = this.#host.seq() > before;
      if (!(answer.value.more && advanced) && !this.#again) return true;
    }
  }
}

/** The earliest time, and the highest row. */
const earlier = (before: WantedRow | null, wish: WantedRow): WantedRow =>
  before === null ? wish : { at: Math.min(before.at, wish.at), seq: Math.max(before.seq, wish.seq) };
