// Replays a page's log, judged as every client judges it, and answers questions about what the page was. Knows sessions, not
// people.
import { RecordedHistory } from 'weft-document/history/page-history.ts';
import { PageRecord, type RowPart } from 'weft-document/history/page-record.ts';
import { firstSeqOf } from 'weft-sync/protocol/first-seq.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { clockEnds } from 'weft-sync/updates/decoded-update.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';

export type LogContribution = {
  readonly seq: number;
  readonly at: number | null;
  /** When the editing session began, if the row stands for several. */
  readonly from?: number;
  /** The session that made it: only as the append says, if another session appended it, for no one can check a dependency. */
  readonly session: SessionId;
  /** The session that appended it, if that is another one. */
  readonly via: SessionId | null;
};

export class PageLog {
  readonly #record = new PageRecord<LogContribution>(newDoc(0));
  readonly history = new RecordedHistory(this.#record);
  readonly #replica: Replica;
  #parts: RowPart<LogContribution>[] = [];
  #current: Row | null = null;
  /** For each row, how many contributions there are once it is applied. */
  readonly #limits: number[] = [0];
  readonly #skipped: number[] = [];
  readonly #rowsNotToMerge: number[] = [];

  constructor() {
    this.#replica = new Replica(this.#record.doc, null, (part, decoded, isDependency) => {
      if (this.#current === null) return;
      const { seq, at = null, firstAt, session } = this.#current;
      const from = firstAt === undefined ? {} : { from: firstAt };
      // No one passed on what is merged in a compacted row.
      const via = isDependency && firstAt === undefined ? session : null;
      const contribution = { seq, at, ...from, session: part.session, via };
      this.#parts.push({ contribution, ends: clockEnds(decoded), deletes: decoded.deletes });
    });
  }

  /** The newest row. */
  get seq(): number {
    return this.#limits.length - 1;
  }

  get skipped(): readonly number[] {
    return this.#skipped;
  }

  /** Rows that moved or copied text, or deleted some that may come back. Compacted, they would not say where it came from. */
  get rowsNotToMerge(): readonly number[] {
    return this.#rowsNotToMerge;
  }

  /** Returns false at a row that does not follow the one before. */
  take(rows: readonly Row[]): boolean {
    for (const row of rows) {
      if (row.seq <= this.seq) continue;
      if (firstSeqOf(row) > this.seq + 1) return false;
      this.#current = row;
      this.#parts = [];
      const { skipped } = this.#replica.take([row]);
      if (skipped.length > 0) {
        this.#skipped.push(row.seq);
        this.#record.discard();
      } else if (this.#record.record(this.#parts, row.firstSeq !== undefined)) this.#rowsNotToMerge.push(row.seq);
      // The page as of a row that is not there any more is the one before its editing session.
      const before = this.#limits.at(-1) ?? 0;
      while (this.seq < row.seq - 1) this.#limits.push(before);
      this.#limits.push(this.#record.length);
    }
    return true;
  }

  /** How many contributions make the page as of this row; null for a row that is not here. */
  limitOf(seq: number): number | null {
    return this.#limits[seq] ?? null;
  }

  get contributions(): number {
    return this.#record.length;
  }

  contribution(index: number): LogContribution {
    const contribution = this.#record.contribution(index);
    if (contribution === undefined) throw new RangeError('no such contribution');
    return contribution;
  }

  wordsOf(index: number): number {
    return this.#record.wordsOf(index);
  }
}
