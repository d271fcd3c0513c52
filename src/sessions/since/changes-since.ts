// The changes of a page since someone's last visit. Reads the log around it and compares in a worker, which a hostile page
// cannot keep busy for longer than its deadline.
import type { Log, WatchLog } from 'weft-sync/ports.ts';
import { beginsAgain } from 'weft-sync/protocol/first-seq.ts';
import type { DocumentId, SessionId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER, MAX_SESSIONS_ASKED } from 'weft-sync/protocol/limits.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import { DeadlineWorker } from '../../lib/async/deadline-worker.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { ok } from '../../lib/result.ts';
import type { LogHistory } from '../../platform/supabase/log-history.ts';
import type { ChangesSince, LostSinceVisit } from '../../ports/changes.ts';
import type { LostInLog } from './find-lost-text.ts';
import { type SinceAnswer, type SinceJob, type Snapshot, sinceAnswer } from './since-jobs.ts';

/** Reading and comparing a page of 20,000 rows takes 2 s. Nothing waits for it. */
const LIMITS = { deadlineMs: 8_000, shortestDeadlineMs: 2_000 };
/** A reader who missed more than this needs no marks: with most of the page marked, they help no one. */
const MAX_CALLS = 40;
const MAX_BYTES = 24 * 1024 * 1024;

const worker = new DeadlineWorker<SinceJob, SinceAnswer>(
  () => new Worker(new URL('./since-worker.ts', import.meta.url), { type: 'module', name: 'weft-since' }),
  sinceAnswer,
  LIMITS,
);

/** Turns a time of the server into one of this device. */
type FromServer = (at: number) => number;

/** For someone signed in, from the log alone. Null if no one else changed anything, or if it cannot be found out. */
export async function memberChangesSince(
  document: DocumentId,
  visit: { readonly seenSeq: number; readonly seenAt: number },
  {
    log,
    history,
    me,
    fromServer,
  }: {
    readonly log: Pick<Log, 'rowsSince' | 'sessionInfo'>;
    readonly history: LogHistory;
    readonly me: UserId;
    readonly fromServer: FromServer;
  },
): Promise<ChangesSince | null> {
  const later = await readRows(visit.seenSeq, async (after) => {
    const answer = await log.rowsSince(document, after, MAX_ROWS_PER_ANSWER);
    return answer.ok ? answer.value : null;
  });
  // The history began again: nothing says what the page was like at the visit.
  if (later?.[0] === undefined || beginsAgain(later[0])) return null;
  const sessions = Array.from(
    new Set(later.flatMap(({ session, dependencies }) => [session, ...dependencies.map((one) => one.session)])),
  );
  const infos = await log.sessionInfo(document, sessions.slice(0, MAX_SESSIONS_ASKED));
  if (!infos.ok) return null;
  const authors = new Map(infos.value.map(({ session, user }) => [session, user]));
  const own = sessions.filter((session) => authors.get(session) === me);
  if (own.length === sessions.length) return null;
  let start: { readonly seq: number; readonly state: Bytes | null } | null = null;
  const seen = await readRows(0, async (after) => {
    const answer = await history.rowsUntil(document, start === null ? 0 : after, visit.seenSeq);
    if (!answer.ok) return null;
    const { snapshot, rows, more } = answer.value;
    if (start === null) {
      const state = snapshot && (await unpackSnapshot(snapshot.state, snapshot.sha256));
      if (snapshot !== null && state === null) return null;
      start = { seq: snapshot?.seq ?? 0, state };
    }
    return { rows, more };
  });
  if (seen === null || start === null) return null;
  const { seq, state }: { readonly seq: number; readonly state: Bytes | null } = start;
  const answer = await worker.run({ state, seq, seen, snapshot: null, later, own });
  if (!answer.ok) return null;
  const found = answer.value.lost;
  const writers = writersOf([...seen, ...later]);
  if (found.some(({ client }) => !writers.has(client))) {
    // Their rows are in the snapshot. What someone deletes unseen was mostly written shortly before.
    const before = await history.rowsUntil(document, Math.max(1, seq - MAX_ROWS_PER_ANSWER), seq);
    for (const [client, session] of writersOf(before.ok ? before.value.rows : [])) writers.set(client, session);
  }
  const unnamed = found.flatMap(({ client }) => writers.get(client) ?? []).filter((session) => !authors.has(session));
  const named = unnamed.length === 0 ? ok([]) : await log.sessionInfo(document, unnamed);
  for (const { session, user } of named.ok ? named.value : []) authors.set(session, user);
  const authorOf = (session: SessionId) => authors.get(session) ?? null;
  const lost = found.flatMap((one) =>
    lostSinceVisit(one, writers.get(one.client) ?? null, later, { me, authorOf, fromServer }),
  );
  return changesToShow({ ...answer.value, lost }, visit.seenAt, fromServer, authorOf);
}

/**
 * Keeps the reader's own words, and those of a person who has not written since they were deleted. A person who has written is
 * back: their own tab told them, or they see it there. Words that their own author deleted are not lost.
 */
export function lostSinceVisit(
  { seq, at, by, client: _client, ...words }: LostInLog,
  writer: SessionId | null,
  later: readonly Row[],
  ports: {
    readonly me: UserId;
    readonly authorOf: (session: SessionId) => UserId | null;
    readonly fromServer: FromServer;
  },
): readonly LostSinceVisit[] {
  const { me, authorOf, fromServer } = ports;
  const author = writer === null ? null : authorOf(writer);
  const deleter = by === null ? null : authorOf(by);
  const isBack = later.some((row) => row.seq > seq && authorOf(row.session) === author);
  if (author === null || author === deleter || (author !== me && isBack)) return [];
  return [
    {
      ...words,
      at: at === null ? Date.now() : fromServer(at),
      by: deleter,
      ...(author === me ? {} : { writer: author }),
    },
  ];
}

/** The session of each Yjs client. */
const writersOf = (rows: readonly Row[]): Map<number, SessionId> =>
  new Map(
    rows.flatMap((row) => [row, ...row.dependencies].map(({ clientId, session }) => [clientId, session] as const)),
  );

/**
 * For a watcher by link, from the state that this device kept. Authors are not named. Null if nothing changed, or if it cannot
 * be found out, for example because the log has another row where the visit ended: the server was restored, or the history
 * began again, and the state still has erased words.
 */
export async function linkChangesSince(
  secret: LinkSecret,
  visit: { readonly seq: number; readonly rowAt: number | null; readonly at: number; readonly state: Bytes },
  { watchLog, fromServer }: { readonly watchLog: WatchLog; readonly fromServer: FromServer },
): Promise<ChangesSince | null> {
  const since: { snapshot: Snapshot | null } = { snapshot: null };
  const later = await readRows(visit.seq, async (after) => {
    const isFirst = after === visit.seq;
    const answer = await watchLog.openWatch(secret, after, null, isFirst ? visit.rowAt : null);
    if (!answer.ok) return null;
    const packed = answer.value.snapshot;
    if (packed === null) return answer.value;
    const state = isFirst ? await unpackSnapshot(packed.state, packed.sha256) : null;
    if (state === null) return null;
    since.snapshot = { seq: packed.seq, state };
    return answer.value;
  });
  if (later === null || (later[0] === undefined ? since.snapshot === null : beginsAgain(later[0]))) return null;
  const answer = await worker.run({ state: visit.state, seq: visit.seq, seen: [], ...since, later, own: [] });
  return answer.ok ? changesToShow({ ...answer.value, lost: [] }, visit.at, fromServer, () => null) : null;
}

type ReadRows = (after: number) => Promise<{ readonly rows: readonly Row[]; readonly more: boolean } | null>;

/** Null if an answer is missing, or there is too much. */
async function readRows(after: number, read: ReadRows): Promise<readonly Row[] | null> {
  const rows: Row[] = [];
  let bytes = 0;
  for (let calls = 0; calls < MAX_CALLS && bytes < MAX_BYTES; calls++) {
    const answer = await read(rows.at(-1)?.seq ?? after);
    if (answer === null) return null;
    rows.push(...answer.rows);
    bytes += answer.rows.reduce((sum, { update }) => sum + update.length, 0);
    if (!answer.more) return rows;
    if (answer.rows.length === 0 && calls > 0) return null;
  }
  return null;
}

function changesToShow(
  { touched, ...steps }: Omit<SinceAnswer, 'lost'> & { readonly lost: readonly LostSinceVisit[] },
  visitAt: number,
  fromServer: FromServer,
  authorOf: (session: SessionId) => UserId | null,
): ChangesSince | null {
  if (steps.steps.length + steps.lost.length === 0) return null;
  const known = Array.from(
    touched,
    ([key, { at, session }]) =>
      [key, { at: at === null ? null : fromServer(at), by: session === null ? null : authorOf(session) }] as const,
  );
  return { ...steps, visitAt, touched: new Map(known) };
}
