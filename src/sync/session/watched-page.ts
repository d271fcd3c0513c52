// A watcher's copy of a page: the document that is shown and, when the log turns out to be another one (HI8), the one that takes its
// place once it is fetched.
import type * as Y from 'yjs';
import type { Bytes } from '../../lib/bytes.ts';
import type { SnapshotMaker } from '../ports.ts';
import { beginsAgain } from '../protocol/first-seq.ts';
import type { WatchAnswer } from '../protocol/log-answers.ts';
import type { Row } from '../protocol/row.ts';
import type { ChangeTime } from '../state/change-time.ts';
import { Replica } from '../state/replica.ts';
import { newDoc } from '../updates/new-doc.ts';

/** Instead of a seq: all rows from the first on, without the snapshot. */
const ROWS_ALONE = -1;

/**
 * The point where an earlier watcher of the page stopped: its document (Yjs V2) with every row up to `seq`. Without a state all
 * rows are fetched again, from the first on.
 */
export type WatchStart = {
  readonly seq: number;
  readonly state: Bytes | null;
  /** The time of row `seq`; missing: not known. */
  readonly at?: number | null;
};

/** Follows the log row by row (WA8), for a watcher that reports what each row changed. */
export interface WatchedLog {
  /**
   * The document now contains everything up to `seq`, and before this call it contained everything up to `since`. That is one
   * row (a compacted one stands for several) or a snapshot. `at` is the time of the database; null: not known. False:
   * no further row before `retry`.
   */
  advanced(step: {
    readonly since: number;
    readonly seq: number;
    readonly at: number | null;
    readonly isDamaged: boolean;
  }): boolean;
  /** The page's history began again, so the session has another document. What changed since the last row is in it (WA9). */
  replaced(): void;
  /**
   * Everything up to the head of an answer is in the document, whose newest row has this time of the database. Called after each
   * such answer.
   */
  caughtUp(changedAt: number | null): void;
}

type WatchedPageOptions = {
  readonly from: WatchStart | null;
  readonly log: WatchedLog | null;
  readonly changeTime: ChangeTime;
  readonly unpack: SnapshotMaker['unpack'];
  /** There is another document now. The former one is destroyed after this call. */
  readonly onReplaced: () => void;
};

type Fetched = { readonly doc: Y.Doc; readonly replica: Replica };

function nothing(): Fetched {
  const doc = newDoc();
  return { doc, replica: new Replica(doc, null) };
}

/**
 * `again`: another answer is needed, although this one has no `more`. `otherLog`: a follower of the log cannot go on (WA8).
 * `damaged`: the snapshot cannot be applied, and the link does not give the rows that it stands for (SN11).
 */
type Taken = 'done' | 'again' | 'otherLog' | 'damaged';

export class WatchedPage {
  readonly #options: WatchedPageOptions;
  #shown: Fetched;
  /** WA9: the document that takes its place, as far as it is fetched. */
  #next: Fetched | null = null;
  /** SN6: the snapshot could not be applied, so this asks for the rows, from the first on. */
  #isSnapshotRefused = false;
  /** WA8: nothing is taken until `resume`. */
  #isFull = false;
  #isClosed = false;
  /** HI8: the shown page is of a log that is gone. */
  #isOther = false;

  constructor(options: WatchedPageOptions) {
    this.#options = options;
    const { from } = options;
    this.#shown = nothing();
    if (from !== null) {
      this.#isSnapshotRefused =
        from.state === null || !this.#shown.replica.applySnapshot(from.seq, from.state, from.at);
    }
  }

  get doc(): Y.Doc {
    return this.#shown.doc;
  }

  /** The shown document has every row up to this one. */
  get seq(): number {
    return this.#shown.replica.seq;
  }

  get at(): number | null {
    return this.#shown.replica.at;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The newest row that was fetched, of the next document if there is one. */
  get fetchedSeq(): number {
    return (this.#next ?? this.#shown).replica.seq;
  }

  /** The next call asks for the rows after this one. */
  get askSince(): number {
    return this.fetchedSeq === 0 && this.#isSnapshotRefused ? ROWS_ALONE : this.fetchedSeq;
  }

  /** The time of that row (HI1). */
  get askAt(): number | null {
    return (this.#next ?? this.#shown).replica.at;
  }

  /** HI8: the log is another one. */
  startAnew(): void {
    this.#isOther = true;
    this.#next = nothing();
    // WA9: the first row says whether the history began again.
    this.#isSnapshotRefused = this.#options.log !== null;
  }

  resume(): void {
    this.#isFull = false;
  }

  async takeAnswer(answer: WatchAnswer): Promise<Taken> {
    if (this.#next !== null) return this.#fetchNext(this.#next, answer);
    const isLast = this.askSince === ROWS_ALONE;
    const isTaken = this.#isFull || (await this.#takeSnapshot(this.#shown, answer));
    this.takeRows(answer.rows);
    return isTaken ? 'done' : isLast ? 'damaged' : 'again';
  }

  /** False: they do not continue what is here (HI2). */
  takeRows(rows: readonly Row[]): boolean {
    if (this.#isFull || this.#isClosed || this.#isOther) return true;
    const { log, changeTime } = this.#options;
    let since = this.seq;
    const afterRow = (row: Row, isDamaged: boolean) => {
      const before = since;
      since = row.seq;
      return this.#advanced(before, row.seq, row.at ?? null, isDamaged) && !this.#isClosed;
    };
    const { isOther, taken } = this.#shown.replica.take(rows, log === null ? null : afterRow);
    changeTime.rowsTaken(taken);
    return !isOther;
  }

  /** Removes the content from the document, so that bound views are empty and memory is freed. */
  clear(): void {
    this.doc.transact((transaction) => {
      for (const type of this.doc.share.values()) {
        for (let item = type._start; item !== null; item = item.right) item.delete(transaction);
        for (const item of type._map.values()) item.delete(transaction);
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.doc.destroy();
  }

  /** False if the answer has a snapshot that cannot be applied (SN6). */
  async #takeSnapshot(page: Fetched, { snapshot }: WatchAnswer): Promise<boolean> {
    if (snapshot === null) return true;
    const state = await this.#options.unpack(snapshot.state, snapshot.sha256);
    if (this.#isClosed) return true;
    // Rows may have come meanwhile.
    const since = page.replica.seq;
    this.#isSnapshotRefused = state === null || !page.replica.applySnapshot(snapshot.seq, state, snapshot.at);
    if (page === this.#shown && this.seq > since) this.#advanced(since, this.seq, null, false);
    return !this.#isSnapshotRefused;
  }

  /** The shown document stays until the next one is fetched. */
  async #fetchNext(next: Fetched, answer: WatchAnswer): Promise<Taken> {
    const isFollowed = this.#options.log !== null;
    if (isFollowed && next.replica.seq === 0 && !isBeginningAfter(this.seq, answer.rows[0])) return 'otherLog';
    const isLast = this.askSince === ROWS_ALONE;
    const isTaken = await this.#takeSnapshot(next, answer);
    if (this.#isClosed) return 'done';
    if (isLast && !isTaken) return 'damaged';
    // A watcher that follows row by row gets later rows one by one.
    next.replica.take(isFollowed ? answer.rows.slice(0, 1) : answer.rows);
    if (!isFollowed && next.replica.seq < answer.head) return isTaken && answer.more ? 'done' : 'again';
    if (this.#isFull) return 'done';
    this.#replace(next);
    return isFollowed ? 'again' : 'done';
  }

  #replace(next: Fetched): void {
    const before = this.#shown;
    this.#shown = next;
    this.#next = null;
    this.#isOther = false;
    this.#options.log?.replaced();
    if (this.seq > before.replica.seq) this.#advanced(before.replica.seq, this.seq, null, false);
    this.#options.onReplaced();
    before.doc.destroy();
  }

  #advanced(since: number, seq: number, at: number | null, isDamaged: boolean): boolean {
    this.#isFull = this.#options.log?.advanced({ since, seq, at, isDamaged }) === false;
    return !this.#isFull;
  }
}

/** WA9: the row with which the history began again stands for every row that was there. */
const isBeginningAfter = (seq: number, row: Row | undefined): boolean =>
  row !== undefined && beginsAgain(row) && row.seq > seq;
