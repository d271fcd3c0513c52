// Reads a whole page once, without a session: from the log, with the edits that only this device has. Fetches in as many calls
// as the answers' limits need.
import * as Y from 'yjs';
import { type Result, err, ok } from '../lib/result.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { MAX_ROWS_PER_ANSWER } from '../protocol/limits.ts';
import type { Log, SnapshotMaker, Store } from '../sync/ports.ts';
import { Replica } from '../sync/state/replica.ts';
import { REMOTE_ORIGIN, newDoc } from '../sync/updates/new-doc.ts';
import { attempt, editsOf, storedDoc } from './stored-copy.ts';

type ReadPorts = {
  readonly log: Pick<Log, 'open' | 'rowsSince'>;
  readonly store: Pick<Store, 'load'>;
  readonly unpack: SnapshotMaker['unpack'];
};

export async function readPage(document: DocumentId, ports: ReadPorts): Promise<Result<Y.Doc, WeftError>> {
  const doc = newDoc(0);
  const [done, stored] = await Promise.all([
    readLog(new Replica(doc, null), document, ports),
    ports.store.load(document).catch(() => null),
  ]);
  if (!done.ok) {
    doc.destroy();
    // A page that was created here may not be on the server yet.
    return done.error.code === 'WF001' && stored !== null ? ok(await storedDoc(stored)) : done;
  }
  for (const update of stored === null ? [] : editsOf(stored)) {
    if (update.length > 0) attempt(() => Y.applyUpdate(doc, update, REMOTE_ORIGIN));
  }
  return ok(doc);
}

async function readLog(
  replica: Replica,
  document: DocumentId,
  { log, unpack }: ReadPorts,
): Promise<Result<void, WeftError>> {
  const opened = await log.open(document, 0);
  if (!opened.ok) return opened;
  const { snapshot, rows, head } = opened.value;
  const state = snapshot && (await unpack(snapshot.state, snapshot.sha256).catch(() => null));
  // SN6: a snapshot that cannot be read costs the way through the rows, from the first on.
  if (snapshot === null || (state !== null && replica.applySnapshot(snapshot.seq, state))) replica.take(rows);
  while (replica.seq < head) {
    const before = replica.seq;
    const answer = await log.rowsSince(document, before, MAX_ROWS_PER_ANSWER);
    if (!answer.ok) return answer;
    replica.take(answer.value.rows);
    if (replica.seq === before) return err(weftError('WF011', 'the log ends too early'));
  }
  return ok(undefined);
}
