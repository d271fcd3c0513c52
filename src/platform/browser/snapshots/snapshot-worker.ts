// The worker that makes and verifies snapshots. It answers one job, then the page terminates it. It uses no network and
// no storage.
import * as v from 'valibot';
import { type Row, decodeRows } from 'weft-sync/protocol/row.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { type SnapshotJob, type SnapshotResult, snapshotJob } from './snapshot-job.ts';
import '../../../yjs/install.ts';

globalThis.addEventListener('message', (event) => {
  void answer(event.data);
});

async function answer(message: unknown): Promise<void> {
  try {
    const result = await run(v.parse(snapshotJob, message));
    const transfer = result.kind === 'make' && result.made !== null ? [result.made.state.buffer] : [];
    globalThis.postMessage(result, { transfer });
  } catch (error) {
    const failed: SnapshotResult = { kind: 'failed', detail: String(error) };
    globalThis.postMessage(failed);
  }
}

async function run({ kind, snapshot, rows }: SnapshotJob): Promise<SnapshotResult> {
  const unpacked = rows.flatMap(rowsIn);
  const maker = snapshotMaker();
  if (kind === 'make') return { kind, made: await maker.make(snapshot, unpacked) };
  if (snapshot === null) throw new Error('no snapshot');
  return { kind, isTrue: await maker.isTrue(snapshot, unpacked) };
}

function rowsIn(bytes: Bytes): readonly Row[] {
  const message = decodeRows(bytes);
  if (message.ok && message.value.kind === 'rows') return message.value.rows;
  throw new Error('no rows');
}
