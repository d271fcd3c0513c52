// Decides which rows of a page's log become one, and replays the log as it will be, before anything is changed.
import { type CompactedRun, compactRows, withCompacted } from 'weft-sync/log/compact-rows.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { PageLog } from '../../src/sessions/history/page-log.ts';

export type PageLimits = {
  /** Editing sessions that ended before this time, in ms by the database's clock. */
  readonly before: number;
  /** Rows that versions name. */
  readonly versions: readonly number[];
  /** The row that the text copy stands for. */
  readonly textSeq: number;
};

/** About this many rows, at most, are compared with their former state: each costs a reading of the page. */
const MAX_COMPARED = 12;

/** Null if the log would not say the same any more, or cannot be read. */
export function planPage(rows: readonly Row[], limits: PageLimits): readonly CompactedRun[] | null {
  const log = new PageLog();
  if (!log.take(rows)) return null;
  const runs = compactRows(rows, {
    before: limits.before,
    // Rows that clients can't read, and rows that say where moved or copied text came from.
    kept: new Set([...log.skipped, ...log.rowsNotToMerge]),
    ends: new Set(limits.versions),
    until: limits.textSeq,
  });
  if (runs.length === 0) return [];
  const after = new PageLog();
  if (!after.take(withCompacted(rows, runs)) || after.skipped.join() !== log.skipped.join()) return null;
  const seqs = [...runs.map(({ row }) => row.seq), ...limits.versions, log.seq];
  const step = Math.max(1, Math.ceil(seqs.length / MAX_COMPARED));
  const compared = seqs.filter((_, at) => at % step === 0 || at === seqs.length - 1);
  return compared.every((seq) => saidAt(log, seq) === saidAt(after, seq)) ? runs : null;
}

/** The page as of a row with the author of each character, as text. */
export function saidAt(log: PageLog, seq: number): string {
  const limit = log.limitOf(seq);
  if (limit === null) return `no row ${seq}`;
  const authors = Array.from(log.history.authors(limit), ([key, parts]) => [
    key,
    Array.from(parts, ([part, ranges]) => {
      const joined: { from: number; to: number; by: SessionId }[] = [];
      for (const { from, to, contribution } of ranges) {
        // The author alone is compared: if others passed an edit on and its author appended it too, compacting may
        // leave only the author's.
        const by = log.contribution(contribution).session;
        const last = joined.at(-1);
        if (last?.by === by && last.to === from) last.to = to;
        else joined.push({ from, to, by });
      }
      return [part, joined];
    }),
  ]);
  return JSON.stringify([log.history.title(limit), log.history.blocks(limit), authors]);
}
