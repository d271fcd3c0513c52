// Counts how edits of others were first shown: by a live update, or only by their row. No one notices otherwise when live
// updates stay off, because the rows come all the same, a little later.
import type { Row } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';

export class ArrivalCount {
  readonly #context: Pick<SessionContext, 'sessionId' | 'state'>;
  /** Rows that were counted and wait for those before them. */
  readonly #counted = new Set<number>();
  shownLive = 0;
  shownByRow = 0;

  constructor(context: Pick<SessionContext, 'sessionId' | 'state'>) {
    this.#context = context;
  }

  /** Rows are about to be taken. Edits that their author repeats, or another one relayed before, count once. */
  rowsArriving(rows: readonly Row[]): void {
    const { sessionId, state } = this.#context;
    for (const seq of this.#counted) if (seq <= state.log.seq) this.#counted.delete(seq);
    for (const { seq, session, nFrom, nTo } of rows) {
      if (session === sessionId || seq <= state.log.seq || nTo === 0 || this.#counted.has(seq)) continue;
      this.#counted.add(seq);
      const from = Math.max(nFrom, state.log.replica.loggedN(session) + 1);
      const shownN = Math.max(
        0,
        ...state.pending.held.shown.flatMap(({ part }) => (part.session === session ? part.nTo : [])),
      );
      const live = Math.min(nTo, shownN) - from + 1;
      const all = nTo - from + 1;
      this.shownLive += Math.max(0, live);
      this.shownByRow += Math.max(0, all) - Math.max(0, live);
    }
  }
}
