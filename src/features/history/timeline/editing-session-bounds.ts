// The bounds of editing sessions, from the times of rows: found like in the database, but for all rows at once.
import { EDITING_SESSION_PAUSE_MS } from 'weft-sync/protocol/limits.ts';
import { firstIndex } from '../../../lib/lists/first-index.ts';
import type { Contribution } from '../../../ports/history.ts';

/** The first row of each editing session, in order. */
export function editingSessionStarts(
  row: (seq: number) => Pick<Contribution, 'at' | 'from'> | null,
  head: number,
): readonly number[] {
  const starts: number[] = [];
  let before: number | null = null;
  for (let seq = 1; seq <= head; seq++) {
    const found = row(seq);
    const at: number | null = found?.at ?? before;
    const from = found?.from ?? at;
    if (seq === 1 || (from !== null && before !== null && from - before > EDITING_SESSION_PAUSE_MS)) starts.push(seq);
    before = at;
  }
  return starts;
}

export type EditingSessionBounds = { readonly fromSeq: number; readonly toSeq: number };

/** The editing session of a row. */
export function editingSessionOf(starts: readonly number[], head: number, seq: number): EditingSessionBounds {
  const next = firstIndex(starts.length, (at) => (starts[at] ?? 0) > seq);
  return { fromSeq: starts[next - 1] ?? 1, toSeq: (starts[next] ?? head + 1) - 1 };
}

/** The last row of the editing session before or after; of this one if `by` is 1 and the row is before its end. */
export function editingSessionStep(starts: readonly number[], head: number, seq: number, by: 1 | -1): number {
  const { fromSeq, toSeq } = editingSessionOf(starts, head, seq);
  if (by === -1) return Math.max(1, fromSeq - 1);
  return seq < toSeq ? toSeq : editingSessionOf(starts, head, Math.min(head, toSeq + 1)).toSeq;
}

/** The last row of a run of rows by one person: the run before that of this row, or the one that the next row is in. */
export function personStep(
  row: (seq: number) => Pick<Contribution, 'by'> | null,
  head: number,
  seq: number,
  by: 1 | -1,
): number {
  const author = (at: number) => row(at)?.by ?? null;
  let at = seq;
  if (by === -1) {
    while (at > 1 && author(at - 1) === author(seq)) at -= 1;
    return Math.max(1, at - 1);
  }
  at = Math.min(head, seq + 1);
  while (at < head && author(at + 1) === author(at)) at += 1;
  return at;
}
