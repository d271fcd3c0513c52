// Asks the log for rows: at once when one is missing, later when only a peer says so, and ever later when peers turn out
// to be wrong. One call at a time, repeated until the head. Applies no row: it reports them.
import type { Cancel } from '../../lib/cancel.ts';
import { weftError } from '../protocol/errors.ts';
import { firstSeqOf } from '../protocol/first-seq.ts';
import { MAX_ROWS_PER_ANSWER } from '../protocol/limits.ts';
import type { RowsAnswer } from '../protocol/log-answers.ts';
import type { Watching } from '../protocol/presenting.ts';
import type { SessionContext } from '../session-context.ts';

/** A gap is fetched at once, but not more often than this. */
export const GAP_DEBOUNCE_MS = 500;
/** An own append in flight usually brings the missing rows with its answer, sooner than another call would. */
export const GAP_WHILE_APPENDING_MS = 250;
/** A hint that the log denies delays the next one: twice as long each time, up to this. */
export const DENIED_HINT_MAX_MS = 16_000;

/** A row that is wanted, and when to ask for it. */
type WantedRow = { readonly at: number; readonly seq: number };

/** The watching state that this session reports in its next call (WC1). */
type OwnWatching = { report(): Watching | null; reported(watching: Watching): void };

export class LogFetcher {
  readonly #context: SessionContext;
  readonly #watching: OwnWatching;
  #timer: { readonly cancel: Cancel; readonly at: number } | null = null;
  #running: Promise<boolean> | null = null;
  #again = false;
  #isStopped = false;
  #lastWantedAt = Number.NEGATIVE_INFINITY;
  /** Rows that the database reported, and rows that a peer reported. */
  #missed: WantedRow | null = null;
  #hinted: WantedRow | null = null;
  #isDoubted = false;
  #deniedHints = 0;
  #hintsNotBefore = Number.NEGATIVE_INFINITY;

  constructor(context: SessionContext, watching: OwnWatching) {
    this.#context = context;
    this.#watching = watching;
  }

  /** Resolves to false when a call failed (`callFailed` was emitted then) or the fetcher is stopped. */
  catchUp(): Promise<boolean> {
    this.#cancelTimer();
    if (this.#isStopped) return Promise.resolve(false);
    if (this.#running !== null) {
      // The call in flight may have been answered before the reported row was written.
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.#schedule();
    });
    return this.#running;
  }

  /** The database reported rows up to `seq`: fetches after `ms`, but not within the debounce of the last time. */
  missed(seq: number, ms: number): void {
    this.#missed = earlier(this.#missed, { at: this.#now() + ms, seq });
    this.#schedule();
  }

  /** HI2: the database published rows that do not continue those that are here. */
  doubted(): void {
    this.#isDoubted = true;
    this.#schedule();
  }

  /** A peer reported rows, and anyone on the topic can report anything: waits longer after a hint that the log denied. */
  hinted(seq: number, ms: number): void {
    const at = Math.max(this.#now() + ms, this.#hintsNotBefore);
    this.#hinted = earlier(this.#hinted, { at, seq });
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }

  #now(): number {
    return this.#context.ports.clock.now();
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** During a call nothing is scheduled: the call in flight usually brings the row. */
  #schedule(): void {
    const at = this.#isStopped || this.#running !== null ? null : this.#nextDue();
    if (at === (this.#timer?.at ?? null)) return;
    this.#cancelTimer();
    if (at === null) return;
    const cancel = this.#context.ports.clock.after(Math.max(0, at - this.#now()), () => {
      this.#timer = null;
      const due = this.#nextDue();
      // The row has arrived by itself meanwhile, or only later ones are left.
      if (due === null || due > this.#now()) return this.#schedule();
      this.#lastWantedAt = due;
      void this.catchUp();
    });
    this.#timer = { cancel, at };
  }

  #nextDue(): number | null {
    const { seq } = this.#context.state.log;
    const open = [this.#missed, this.#hinted].flatMap((row) => (row !== null && row.seq > seq ? row.at : []));
    if (this.#isDoubted) open.push(this.#now());
    return open.length === 0 ? null : Math.max(Math.min(...open), this.#lastWantedAt + GAP_DEBOUNCE_MS);
  }

  /** Whether the log confirms the head that a peer reported before the call. */
  #checkHint(hinted: number, head: number): void {
    if (hinted === 0) return;
    this.#deniedHints = hinted > head ? this.#deniedHints + 1 : 0;
    if (this.#deniedHints === 0) return;
    const ms = Math.min(GAP_DEBOUNCE_MS * 2 ** Math.min(this.#deniedHints, 10), DENIED_HINT_MAX_MS);
    this.#hintsNotBefore = this.#now() + ms;
    if (this.#hinted !== null) this.#hinted = { ...this.#hinted, at: Math.max(this.#hinted.at, this.#hintsNotBefore) };
  }

  async #run(): Promise<boolean> {
    const { connection, documentId, emit, ports, state } = this.#context;
    for (;;) {
      this.#again = false;
      const hinted = this.#hinted?.seq ?? 0;
      this.#missed = this.#hinted = null;
      this.#isDoubted = false;
      const { at, seq: before } = state.log;
      const requestStamp = state.pending.recovered.requestStamp();
      const watching = this.#watching.report();
      const askedAt = this.#now();
      // On the view topic, asking also keeps the database publishing there.
      const answer = await (connection.topicMode === 'view'
        ? ports.log.keepWatching(documentId, before, watching, at)
        : ports.log.rowsSince(documentId, before, MAX_ROWS_PER_ANSWER, watching, at));
      if (this.#isStopped) return false;
      connection.answerMs = this.#now() - askedAt;
      if (!answer.ok) {
        this.#missed = this.#hinted = null;
        emit({ type: 'callFailed', error: answer.error });
        return false;
      }
      if (watching !== null) this.#watching.reported(watching);
      this.#checkHint(hinted, answer.value.head);
      emit({ type: 'rowsFetched', answer: answer.value, requestStamp });
      const advanced = state.log.seq > before;
      if (!advanced && !continues(answer.value, before)) {
        // SN11: the rows in between are for people with the history. Opening again brings the snapshot that has them.
        emit({ type: 'callFailed', error: weftError('WF019', `no row ${before + 1}`) });
        return false;
      }
      if (!(answer.value.more && advanced) && !this.#again) return true;
    }
  }
}

/** Whether an answer begins with the row after `before`, if there is one. */
const continues = ({ head, rows: [first] }: RowsAnswer, before: number): boolean =>
  head <= before || (first !== undefined && firstSeqOf(first) <= before + 1);

/** The earliest time, and the highest row. */
const earlier = (before: WantedRow | null, row: WantedRow): WantedRow =>
  before === null ? row : { at: Math.min(before.at, row.at), seq: Math.max(before.seq, row.seq) };
