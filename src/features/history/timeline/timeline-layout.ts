// The positions of moments on the timeline, and of the labels along it.
import { capitalized } from '../../../lib/text/capitalized.ts';
import { dayOf } from '../../../lib/text/times.ts';
import type { TimelineColumn } from '../../../ports/history.ts';
import type { Version } from '../../../protocol/history-answers.ts';

/** The position of a row, 0 to 1. */
export function placeOf(columns: readonly TimelineColumn[], seq: number): number {
  const column = columns.findLast(({ fromSeq }) => fromSeq <= seq);
  if (column === undefined) return 0;
  const { start, end, fromSeq, toSeq } = column;
  const share = toSeq <= fromSeq ? 1 : Math.min(1, (seq - fromSeq + 1) / (toSeq - fromSeq + 1));
  return start + (end - start) * share;
}

/** A share of a column this small is only a rounding error. */
const ROUNDING = 1e-6;

/** The row at a position. */
export function rowAt(columns: readonly TimelineColumn[], place: number): number {
  const column = columns.findLast(({ start }) => start <= place) ?? columns[0];
  if (column === undefined) return 1;
  const { start, end, fromSeq, toSeq } = column;
  const share = end <= start ? 1 : Math.min(1, Math.max(0, (place - start) / (end - start)));
  return Math.min(toSeq, Math.max(fromSeq, fromSeq - 1 + Math.ceil(share * (toSeq - fromSeq + 1) - ROUNDING)));
}

export type Flag = { readonly id: string; readonly at: number; readonly name: string };

/** Versions with a name, at least `room` apart: the share of the timeline that a name takes. */
export function versionFlags(
  columns: readonly TimelineColumn[],
  versions: readonly Pick<Version, 'id' | 'seq' | 'name'>[],
  room: number,
): readonly Flag[] {
  const flags: Flag[] = [];
  for (const { id, seq, name } of versions.toSorted((one, other) => one.seq - other.seq)) {
    const [at, before] = [placeOf(columns, seq), flags.at(-1)];
    if (name !== null && (before === undefined || at - before.at >= room)) flags.push({ id, at, name });
  }
  return flags;
}

export type DayLabel = {
  readonly at: number;
  readonly text: string;
  /** The label ends at its moment, because it would not fit behind it. */
  readonly isEnd: boolean;
};

/** One label where a day begins, at least `room` apart (a share of the timeline). The last day has one in any case. */
export function dayLabels(columns: readonly TimelineColumn[], now: number, room: number): readonly DayLabel[] {
  const labels: DayLabel[] = [];
  const lastAt = () => labels.at(-1)?.at ?? -1;
  let last: string | null = null;
  for (const { start, from } of columns) {
    const text = capitalized(dayOf(from, now));
    if (text === last) continue;
    last = text;
    const isEnd = start > 1 - room;
    const left = isEnd ? start - room : start;
    if (isEnd) while (left - lastAt() < room) labels.pop();
    if (left - lastAt() >= room) labels.push({ at: start, text, isEnd });
  }
  return labels;
}
