// Replays the log into a second document beside the shown one, because edits that have to go (L6, D7) cannot be taken out of
// a Yjs document: least of all deletions and map values. Shows nothing.
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import { MAX_ROWS_PER_ANSWER } from '../../protocol/limits.ts';
import type { Row } from '../../protocol/row.ts';
import type { StoredSnapshot } from '../ports.ts';
import type { SessionContext } from '../session-context.ts';
import type { ReplayedLog } from '../state/document-state.ts';
import { Replica } from '../state/replica.ts';
import { newDoc } from '../updates/new-doc.ts';

/** The server's answers and the number of erasures by then. All of the log, if nothing came from the store. */
export type FetchedLog = {
  readonly snapshot: StoredSnapshot | null;
  readonly rows: readonly Row[];
  readonly erasures: number;
};

/** At least up to the newest row that is shown: from the store as far as it goes, the rest by calls; or all of it by calls. */
export async function replayLog(
  context: SessionContext,
  isFromServer = false,
): Promise<Result<ReplayedLog & FetchedLog, WeftError>> {
  const { documentId, ports, state, store, unpack } = context;
  // It has a client id of its own: own edits come back as foreign ones, and Yjs changes an id that meets itself.
  const doc = newDoc();
  const replica = new Replica(doc, null);
  const show = async (snapshot: StoredSnapshot | null, sha256: string | null): Promise<boolean> => {
    const unpacked = snapshot === null ? null : await unpack(snapshot.state, sha256);
    return snapshot === null || (unpacked !== null && replica.applySnapshot(snapshot.seq, unpacked, snapshot.at));
  };
  await store.settled();
  const stored = isFromServer ? null : await store.load();
  // SN10: a store that failed may still hold the erased words.
  const isUsable =
    stored !== null && stored.meta.copy === state.log.copy && (stored.meta.erasures ?? 0) === state.log.erasures;
  let erasures = state.log.erasures;
  let until = 0;
  let fetchedSnapshot: StoredSnapshot | null = null;
  const fetched: Row[] = [];
  if (isUsable && (await show(stored.snapshot, null))) replica.take(stored.rows);
  let isOpened = false;
  while (replica.seq < Math.max(until, isFromServer ? state.log.rebuildSeq : state.log.seq)) {
    const before = replica.seq;
    if (before === 0 && !isOpened) {
      const opened = await ports.log.open(documentId, 0);
      if (!opened.ok) return opened;
      isOpened = true;
      const { snapshot, rows } = opened.value;
      erasures = opened.value.erasures;
      if (isFromServer) until = opened.value.head;
      // SN6: if a snapshot cannot be read, all rows have to be replayed, from the first on.
      if (!(await show(snapshot, snapshot?.sha256 ?? null))) continue;
      fetchedSnapshot = snapshot;
      fetched.push(...rows);
      replica.take(rows);
    } else {
      const answer = await ports.log.rowsSince(documentId, before, MAX_ROWS_PER_ANSWER, null, replica.at);
      if (!answer.ok) return answer;
      fetched.push(...answer.value.rows);
      replica.take(answer.value.rows);
    }
    if (replica.seq === before) return err(weftError('WF011', 'the log ends too early'));
  }
  return ok({ doc, replica, snapshot: fetchedSnapshot, rows: fetched, erasures });
}
