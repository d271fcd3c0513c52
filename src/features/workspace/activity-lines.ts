// The activity of a workspace as lines, by day: neighbouring edits of one page are one line with all their authors, and
// so are the creation of a page and the first edits by its creator.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { EDITING_SESSION_PAUSE_MS } from 'weft-sync/protocol/limits.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { dayOf, daysAgo } from '../../lib/text/times.ts';
import type { ActivityEntry } from '../../protocol/home-answers.ts';

export type ActivityLine = ActivityEntry & {
  /** The newest first. Empty if no one is known. */
  readonly actors: readonly UserId[];
};

export type ActivityDay = {
  /** Null for today. */
  readonly name: string | null;
  readonly lines: readonly ActivityLine[];
};

/** `entries` are the newest first. */
export function activityDays(entries: readonly ActivityEntry[], now: number): readonly ActivityDay[] {
  const days: { name: string | null; lines: ActivityLine[] }[] = [];
  for (const entry of entries) {
    const name = dayName(entry.until, now);
    const day = days.at(-1);
    if (day === undefined || day.name !== name) {
      days.push({ name, lines: [lineOf(entry)] });
      continue;
    }
    const last = day.lines.at(-1);
    if (last?.kind === 'edited' && entry.kind === 'edited' && last.document === entry.document) {
      const actors = Array.from(new Set([...last.actors, ...lineOf(entry).actors]));
      day.lines[day.lines.length - 1] = { ...last, actors };
    } else if (last !== undefined && isFirstEdit(last, entry)) {
      day.lines[day.lines.length - 1] = lineOf(entry);
    } else day.lines.push(lineOf(entry));
  }
  return days;
}

/** Whether `created` is the creation of the page that its creator then began to write. */
const isFirstEdit = ({ kind, document, actors, at }: ActivityLine, created: ActivityEntry): boolean =>
  created.kind === 'created' &&
  kind === 'edited' &&
  document === created.document &&
  actors.length === 1 &&
  actors[0] === created.actor &&
  at - created.at < EDITING_SESSION_PAUSE_MS;

const lineOf = (entry: ActivityEntry): ActivityLine => ({
  ...entry,
  actors: entry.actor === null ? [] : [entry.actor],
});

function dayName(at: number, now: number): string | null {
  return daysAgo(at, now) <= 0 ? null : capitalized(dayOf(at, now));
}
