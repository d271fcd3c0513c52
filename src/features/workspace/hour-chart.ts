// One person's activity on a page in the last hour, from the number of their edits in each minute.
import { timeOf } from '../../lib/text/times.ts';

const MINUTES = 60;
const MINUTE_MS = 60_000;
/** Pauses of up to this many minutes are part of the writing. */
const MAX_PAUSE_MINUTES = 3;
/** Someone who edited within this time is editing: edits reach the chart up to a minute later. */
const NOW_MINUTES = 3;

/** Minutes of the last hour: 60 is now. */
export type Span = { readonly from: number; readonly to: number };

/** The spans in which someone edited. `at` is the time of the count. */
export function spansOf(minutes: readonly number[], at: number, now: number): readonly Span[] {
  const age = Math.max(0, Math.floor((now - at) / MINUTE_MS));
  const spans: { from: number; to: number }[] = [];
  for (const [minute, edits] of minutes.entries()) {
    const from = minute - age;
    if (edits === 0 || from < 0) continue;
    const last = spans.at(-1);
    if (last !== undefined && from - last.to <= MAX_PAUSE_MINUTES) last.to = from + 1;
    else spans.push({ from, to: from + 1 });
  }
  return spans;
}

export const isEditing = (spans: readonly Span[]): boolean => (spans.at(-1)?.to ?? 0) > MINUTES - NOW_MINUTES;

/** “from 13:20 to 13:40 and from 13:50 on”. Empty without edits. */
export function spansText(spans: readonly Span[], now: number): string {
  const time = (minute: number) => timeOf(now - (MINUTES - minute) * MINUTE_MS);
  return new Intl.ListFormat('en').format(
    spans.map((span) =>
      isEditing([span]) ? `from ${time(span.from)} on` : `from ${time(span.from)} to ${time(span.to)}`,
    ),
  );
}
