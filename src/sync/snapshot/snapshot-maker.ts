// Makes, unpacks and verifies snapshots, without side effects: in a worker in the browser, in the same thread in tests
// and in Node. Knows no store and no network.
import * as Y from 'yjs';
import { equalBytes } from '../../lib/bytes.ts';
import type { MadeSnapshot, SnapshotMaker, StoredSnapshot } from '../ports.ts';
import { MAX_STATE_BYTES } from '../protocol/limits.ts';
import type { Row } from '../protocol/row.ts';
import { Replica } from '../state/replica.ts';
import { docContent } from '../updates/content.ts';
import { newDoc } from '../updates/new-doc.ts';
import { CODEC, type Codec, unpackSnapshot } from './unpack-snapshot.ts';

export function snapshotMaker(codec: Codec = CODEC): SnapshotMaker {
  const unpack: SnapshotMaker['unpack'] = (state, sum) => unpackSnapshot(state, sum, codec);

  /** SN1: only rows in seq order, damaged ones skipped exactly as when the page is shown. */
  const replay = async (from: StoredSnapshot | null, rows: readonly Row[], upTo: number): Promise<Replayed | null> => {
    const doc = newDoc();
    const replica = new Replica(doc, null);
    const state = from === null ? null : await unpack(from.state, null);
    const isRead = from === null || (state !== null && replica.applySnapshot(from.seq, state, from.at));
    if (isRead) replica.take(rows.filter((row) => row.seq <= upTo));
    if (isRead && !replica.hasGap) return { doc, seq: replica.seq };
    doc.destroy();
    return null;
  };

  return {
    unpack,

    async make(from, rows): Promise<MadeSnapshot | null> {
      const replayed = await replay(from, rows, Number.POSITIVE_INFINITY);
      if (replayed === null) return null;
      const state = new Uint8Array(Y.encodeStateAsUpdateV2(replayed.doc));
      replayed.doc.destroy();
      // No client would unpack it.
      if (state.length > MAX_STATE_BYTES) throw new RangeError('the state is larger than 64 MiB');
      const deflated = await codec.deflate(state);
      return { seq: replayed.seq, state: deflated, sha256: await codec.sha256(deflated) };
    },

    async isTrue(snapshot, rows): Promise<boolean> {
      const log = await replay(null, rows, snapshot.seq);
      if (log === null || log.seq !== snapshot.seq) throw new RangeError(`no rows up to ${snapshot.seq}`);
      const stored = await replay(snapshot, [], snapshot.seq);
      const same = stored !== null && sameClocks(stored.doc, log.doc) && docContent(stored.doc) === docContent(log.doc);
      stored?.doc.destroy();
      log.doc.destroy();
      return same;
    },
  };
}

type Replayed = { readonly doc: Y.Doc; readonly seq: number };

/** With the same content under other ids, the rows that come next would lack what they build on. */
const sameClocks = (a: Y.Doc, b: Y.Doc): boolean => equalBytes(Y.encodeStateVector(a), Y.encodeStateVector(b));
