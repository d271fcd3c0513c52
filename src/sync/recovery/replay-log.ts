// Replays the log into a second document beside the shown one, because edits that have to go (L6, D7) cannot be taken out of
// a Yjs document: least of all deletions and map values. Shows nothing.
import { type Result, err, ok } from '../../lib/result.ts';
import type { Log, SnapshotMaker, StoredSnapshot } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../protocol/limits.ts';
import type { SessionContext } from '../session-context.ts';
import type { ReplayedLog } from '../state/document-state.ts';
import { Replica } from '../state/replica.ts';
import { newDoc } from '../updates/new-doc.ts';

export type LogSource = {
  readonly documentId: DocumentId;
  readonly log: Pick<Log, 'open' | 'rowsSince'>;
  readonly unpack: SnapshotMaker['unpack'];
};

/** Replays at least up to the newest row that is shown: from the store as far as it goes, the rest by calls. */
export async function replayLog(context: SessionContext): Promise<Result<ReplayedLog, WeftError>> {
  const { documentId, ports, state, store, unpack } = context;
  const replayed = emptyLog();
  await store.settled();
  const stored = await store.load();
  const { copy, historyBeganAt, at, seq } = state.log;
  const isSame = stored?.meta.copy === copy && (stored?.meta.historyBeganAt ?? null) === historyBeganAt;
  if (isSame && (await takeSnapshot(replayed.replica, stored?.snapshot ?? null, unpack)))
    replayed.replica.take(stored?.rows ?? []);
  const isOpenedAnew = replayed.replica.seq === 0;
  const fetched = await fetchLog(replayed, { documentId, log: ports.log, unpack }, seq);
  if (!fetched.ok) return fetched;
  // HI1: the open call named no row, so nothing has said yet whether this log has the rows that are shown, nor whether
  // its history has begun again (HI9).
  const same = seq > 0 && isOpenedAnew ? await ports.log.rowsSince(documentId, seq, 1, null, at) : fetched;
  return same.ok ? ok(replayed) : same;
}

/** It has a client id of its own: own edits come back as foreign ones, and Yjs changes an id that meets itself. */
export function emptyLog(): ReplayedLog {
  const doc = newDoc();
  return { doc, replica: new Replica(doc, null) };
}

/**
 * Takes rows, and first a snapshot where there is nothing yet, at least up to row `until`; null, for an empty document:
 * up to the newest row.
 */
export async function fetchLog(
  { replica }: ReplayedLog,
  { documentId, log, unpack }: LogSource,
  until: number | null,
): Promise<Result<void, WeftError>> {
  let isOpened = false;
  let last = until ?? 1;
  while (replica.seq < last) {
    const before = replica.seq;
    if (before === 0 && !isOpened) {
      const opened = await log.open(documentId, 0);
      if (!opened.ok) return opened;
      isOpened = true;
      const { snapshot, rows, head } = opened.value;
      last = until ?? head;
      // SN6: if a snapshot cannot be read, all rows have to be replayed, from the first on.
      if (!(await takeSnapshot(replica, snapshot, unpack, snapshot?.sha256))) continue;
      replica.take(rows);
    } else {
      const answer = await log.rowsSince(documentId, before, MAX_ROWS_PER_ANSWER, null, replica.at);
      if (!answer.ok) return answer;
      replica.take(answer.value.rows);
    }
    if (replica.seq === before) return err(weftError('WF011', 'the log ends too early'));
  }
  return ok(undefined);
}

/** True if it is applied, or there is none. `sha256`: null for what this device stored itself. */
export async function takeSnapshot(
  replica: Replica,
  snapshot: StoredSnapshot | null,
  unpack: SnapshotMaker['unpack'],
  sha256: string | null = null,
): Promise<boolean> {
  const unpacked = snapshot === null ? null : await unpack(snapshot.state, sha256);
  return snapshot === null || (unpacked !== null && replica.applySnapshot(snapshot.seq, unpacked, snapshot.at));
}
