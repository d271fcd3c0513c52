// Compacts the rows of an editing session, for `npm run compact`: into one, or into several where a version, a limit
// or a row that has to stay comes between, with the edits of each session merged. These facts stay: the page after the
// editing session, who wrote each character, who deleted it, and when the editing session was. Only the steps between
// go.
import * as Y from 'yjs';
import { firstSeqOf } from '../protocol/first-seq.ts';
import { SEED_SESSION, type SessionId } from '../protocol/ids.ts';
import { EDITING_SESSION_PAUSE_MS } from '../protocol/limits.ts';
import type { Part, Row } from '../protocol/row.ts';
import { contradicts } from '../updates/contradicts.ts';
import { type DecodedUpdate, decodeUpdate } from '../updates/decoded-update.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';

/** Limits for a run as a whole, because a row is never split. */
const MAX_BYTES = 512 * 1024;
/** Apps that do not read compacted rows get an empty row for each missing number. */
const MAX_NUMBERS = 4000;
const MAX_SESSIONS = 500;

export type CompactedRun = {
  readonly replaced: readonly Row[];
  /** The row in their place. */
  readonly row: Row;
};

export type CompactOptions = {
  /** Only editing sessions that ended before this time are compacted, in ms by the database's clock. */
  readonly before: number;
  /** Rows that stay as they are: those that every client skips, and those that say where text came from. */
  readonly kept: ReadonlySet<number>;
  /** Rows that versions name: each ends its run. */
  readonly ends: ReadonlySet<number>;
  /** No row after this one, because the text copy does not have it. */
  readonly until: number;
};

/**
 * `rows`: the whole log, from the first row on. Runs do not overlap; a compacted row is replaced only together with
 * others.
 */
export function compactRows(rows: readonly Row[], options: CompactOptions): readonly CompactedRun[] {
  return editingSessionsOf(rows)
    .filter((editingSession) => (editingSession.at(-1)?.at ?? Infinity) < options.before)
    .flatMap((editingSession) => runsOf(editingSession, options))
    .flatMap((run) => withoutForeign(run))
    .flatMap((run) => (run.length < 2 ? [] : [{ replaced: run, row: merged(run) }]));
}

/** The rows as a reader gets them once the runs are replaced. */
export function withCompacted(rows: readonly Row[], runs: readonly CompactedRun[]): readonly Row[] {
  const gone = new Set(runs.flatMap(({ replaced }) => replaced.map(({ seq }) => seq)));
  const inPlace = new Map(runs.map(({ row }) => [row.seq, row]));
  return rows.flatMap((row) => inPlace.get(row.seq) ?? (gone.has(row.seq) ? [] : row));
}

function editingSessionsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const editingSessions: Row[][] = [];
  let before: number | null = null;
  for (const row of rows) {
    const start = row.firstAt ?? row.at ?? null;
    if (before === null || start === null || start - before > EDITING_SESSION_PAUSE_MS) editingSessions.push([]);
    editingSessions.at(-1)?.push(row);
    before = row.at ?? null;
  }
  return editingSessions;
}

/** The first row of a page is the same everywhere. Of a row that was put back, nothing says whose edits it holds. */
const mayNotMerge = ({ seq, session }: Row): boolean => seq === 1 || session === SEED_SESSION;

/** Cuts an editing session where a row has to stay, where a version is, and before a run gets too large. */
function runsOf(editingSession: readonly Row[], { kept, ends, until }: CompactOptions): readonly (readonly Row[])[] {
  const runs: Row[][] = [];
  let run: Row[] = [];
  let limits = newLimits();
  const end = () => {
    runs.push(run);
    run = [];
    limits = newLimits();
  };
  for (const row of editingSession) {
    // A relay has no author of its own.
    if (mayNotMerge(row) || row.seq > until || row.nTo === 0 || kept.has(row.seq)) {
      end();
      continue;
    }
    const parts = decodedParts(row);
    if (parts === null) {
      end();
      continue;
    }
    if (!limits.admits(row, parts)) end();
    limits.add(row, parts);
    run.push(row);
    if (ends.has(row.seq)) end();
  }
  end();
  return runs;
}

type DecodedPart = { readonly part: Part; readonly decoded: DecodedUpdate };
type Range = readonly [from: number, to: number];

function decodedParts(row: Row): readonly DecodedPart[] | null {
  const parts: DecodedPart[] = [];
  for (const part of [...row.dependencies, row]) {
    const decoded = decodeUpdate(part.update);
    if (decoded === null) return null;
    parts.push({ part, decoded });
  }
  return parts;
}

function newLimits() {
  let bytes = 0;
  let first: number | null = null;
  const sessions = new Set<SessionId>();
  /** By client of the deleted characters: ranges, and the session that deleted them. */
  const deleted = new Map<number, (readonly [...Range, by: SessionId])[]>();
  const isDeletedByOther = ({ part, decoded }: DecodedPart) =>
    Array.from(decoded.deletes).some(([client, ranges]) =>
      ranges.some(({ clock, len }) =>
        deleted.get(client)?.some(([from, to, by]) => by !== part.session && from < clock + len && clock < to),
      ),
    );
  return {
    admits(row: Row, parts: readonly DecodedPart[]): boolean {
      const size = parts.reduce((sum, { part }) => sum + part.update.length, bytes);
      const fits = size <= MAX_BYTES && row.seq - (first ?? row.seq) < MAX_NUMBERS && sessions.size < MAX_SESSIONS;
      // If two people deleted the same character, the first one counts, and within one row no one could tell who was first.
      return first === null || (fits && !parts.some(isDeletedByOther));
    },
    add(row: Row, parts: readonly DecodedPart[]): void {
      first ??= firstSeqOf(row);
      for (const { part, decoded } of parts) {
        bytes += part.update.length;
        sessions.add(part.session);
        for (const [client, ranges] of decoded.deletes) {
          const known = deleted.get(client) ?? [];
          for (const { clock, len } of ranges) known.push([clock, clock + len, part.session]);
          deleted.set(client, known);
        }
      }
    },
  };
}

/** The parts that each session appended itself in these rows: a part of a compacted row was once a row of its author. */
function ownParts(run: readonly Row[]): ReadonlyMap<SessionId, readonly Part[]> {
  const own = new Map<SessionId, Part[]>();
  for (const row of run) {
    for (const part of row.firstSeq === undefined ? [row] : [...row.dependencies, row]) {
      const parts = own.get(part.session) ?? [];
      parts.push(part);
      own.set(part.session, parts);
    }
  }
  return own;
}

/**
 * Cuts out rows with edits that another session brought and their author did not append within the run: only the row
 * says who brought them. Edits that the author did append are in the run twice, so the brought copy goes.
 */
function withoutForeign(run: readonly Row[]): readonly (readonly Row[])[] {
  const own = ownParts(run);
  const isForeign = (row: Row) =>
    row.firstSeq === undefined && row.dependencies.some((part) => !isRepeated(part, own.get(part.session) ?? []));
  if (!run.some(isForeign)) return [run];
  const runs: Row[][] = [[]];
  for (const row of run) {
    if (isForeign(row)) runs.push([]);
    else runs.at(-1)?.push(row);
  }
  // An author's own append may be in another of these runs now.
  return runs.filter((one) => one.length > 1).flatMap(withoutForeign);
}

function isRepeated(part: Part, own: readonly Part[]): boolean {
  const from = Math.min(...own.map(({ nFrom }) => nFrom));
  const to = Math.max(...own.map(({ nTo }) => nTo));
  if (own.length === 0 || part.nFrom < from || part.nTo > to) return false;
  const claim = decodeUpdate(part.update);
  const said = decodeUpdate(mergeUpdates(own.map(({ update }) => update)));
  return claim !== null && said !== null && holds(said, claim) && !contradicts(claim, said, part.clientId, 0);
}

/** An author's append may leave out what another row had brought along (HI9). */
function holds(said: DecodedUpdate, claim: DecodedUpdate): boolean {
  const ranges = said.structs.flatMap(({ id, length }, at) =>
    said.structs[at] instanceof Y.Skip ? [] : [[id.client, id.clock, id.clock + length] as const],
  );
  return claim.structs.every((struct) => {
    let { clock } = struct.id;
    for (const [client, from, to] of ranges) if (client === struct.id.client && from <= clock && clock < to) clock = to;
    return struct instanceof Y.Skip || clock >= struct.id.clock + struct.length;
  });
}

function merged(run: readonly Row[]): Row {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no rows');
  const parts = Array.from(ownParts(run), ([session, own]): Part => ({
    session,
    clientId: own[0]?.clientId ?? 0,
    nFrom: Math.min(...own.map(({ nFrom }) => nFrom)),
    nTo: Math.max(...own.map(({ nTo }) => nTo)),
    update: mergeUpdates(own.map(({ update }) => update)),
  }));
  const own = parts.pop();
  if (own === undefined) throw new RangeError('no edits');
  const firstAt = first.firstAt ?? first.at;
  return {
    ...own,
    seq: last.seq,
    firstSeq: firstSeqOf(first),
    at: last.at,
    firstAt,
    dependencies: parts,
  };
}
