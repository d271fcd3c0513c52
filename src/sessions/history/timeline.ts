// The columns of a page's timeline: time with its pauses cut short, and each column's amount of writing and main author.
import { SEED_SESSION, type SessionId } from 'weft-sync/protocol/ids.ts';
import { EDITING_SESSION_PAUSE_MS } from 'weft-sync/protocol/limits.ts';
import type { SessionColumn } from './history-jobs.ts';
import type { PageLog } from './page-log.ts';

/** A longer time without a row is a pause: on the timeline it is only this long. */
const PAUSE_MS = 2 * 60_000;
const MAX_COLUMNS = 2000;
const MAX_HEIGHT = 7;

type Strip = {
  /** Shares of the timeline, from 0 to 1. */
  start: number;
  end: number;
  fromSeq: number;
  toSeq: number;
  /** The time of its first row. */
  from: number;
  /** By author: a session, or one row that was put back. */
  words: Map<SessionId | number, Written>;
};

type Written = { readonly seq: number; readonly session: SessionId; readonly words: number };

export function timelineOf(log: PageLog, columns: number): readonly SessionColumn[] {
  const wanted = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(columns)));
  const times = timesOf(log);
  const last = times.at(-1);
  if (last === undefined) return [];
  const length = Math.max(1, last.active);
  const strips: Strip[] = [];
  let column = -1;
  for (const { seq, at, active, isNewEditingSession, words, session } of times) {
    const place = Math.min(wanted - 1, Math.floor((active / length) * wanted));
    let strip = strips.at(-1);
    if (strip === undefined || place !== column || isNewEditingSession) {
      strip = { start: active / length, end: active / length, fromSeq: seq, toSeq: seq, from: at, words: new Map() };
      strips.push(strip);
      column = place;
    }
    strip.toSeq = seq;
    strip.end = active / length;
    const author = session === SEED_SESSION ? seq : session;
    strip.words.set(author, { seq, session, words: (strip.words.get(author)?.words ?? 0) + words });
  }
  return strips.map(({ words, ...strip }, index) => {
    const most = Array.from(words.values()).toSorted((one, other) => other.words - one.words)[0];
    const all = Array.from(words.values()).reduce((sum, one) => sum + one.words, 0);
    return {
      ...strip,
      // It is as wide as its column, but does not reach into the next one.
      end: Math.max(strip.end, Math.min(strip.start + 1 / wanted, strips[index + 1]?.start ?? 1)),
      height: Math.min(MAX_HEIGHT, 1 + Math.floor(Math.log2(1 + all))),
      session: most?.session ?? SEED_SESSION,
      seq: most?.seq ?? strip.fromSeq,
    };
  });
}

/** The contributions in their order. `active`: the time on the timeline, in ms, at which one ends. */
function timesOf(log: PageLog) {
  const times: {
    seq: number;
    at: number;
    active: number;
    isNewEditingSession: boolean;
    words: number;
    session: SessionId;
  }[] = [];
  let active = 0;
  let before: number | null = null;
  for (let index = 0; index < log.contributions; index++) {
    const { seq, at: time, from, session, via } = log.contribution(index);
    const at: number = time ?? before ?? 0;
    const start: number = from ?? at;
    const gap: number = before === null ? 0 : Math.max(0, start - before);
    // The parts of a compacted row have the same times, so only the first of them adds any.
    active += Math.min(gap, PAUSE_MS) + Math.max(0, at - Math.max(start, before ?? start));
    times.push({
      seq,
      at,
      active,
      isNewEditingSession: gap > EDITING_SESSION_PAUSE_MS,
      words: log.wordsOf(index),
      session: via ?? session,
    });
    before = at;
  }
  return times;
}
