// The SnapshotMaker port. Each job gets its own worker, so that the memory of the second document is freed afterwards.
import * as v from 'valibot';
import type { SnapshotMaker, StoredSnapshot } from 'weft-sync/ports.ts';
import { type Row, encodeRows } from 'weft-sync/protocol/row.ts';
import { unpackSnapshot } from 'weft-sync/snapshot/unpack-snapshot.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { type SnapshotJob, type SnapshotResult, snapshotResult } from './snapshot-job.ts';

/** How many rows to encode without a pause: a few milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** A job that takes longer is stuck: 260,000 edits take a second. */
const JOB_TIMEOUT_MS = 60_000;

const startWorker = (): Worker =>
  new Worker(new URL('./snapshot-worker.ts', import.meta.url), { type: 'module', name: 'weft-snapshot' });

export function workerSnapshotMaker(start: () => Worker = startWorker): SnapshotMaker {
  // Jobs of one tab run one after the other, because two large documents at once need twice the memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (kind: SnapshotJob['kind'], snapshot: StoredSnapshot | null, rows: readonly Row[]) => {
    const job = last.then(() => inWorker(start, kind, snapshot, rows));
    last = job.catch(() => {});
    return job;
  };
  return {
    // The browser's own streams and digest already run off the main thread.
    unpack: unpackSnapshot,
    async make(from, rows) {
      const result = await inTurn('make', from, rows);
      if (result.kind === 'make') return result.made;
      throw new Error(detailOf(result));
    },
    async isTrue(snapshot, rows) {
      const result = await inTurn('isTrue', snapshot, rows);
      if (result.kind === 'isTrue') return result.isTrue;
      throw new Error(detailOf(result));
    },
  };
}

const detailOf = (result: SnapshotResult): string => (result.kind === 'failed' ? result.detail : 'another answer');

async function inWorker(
  start: () => Worker,
  kind: SnapshotJob['kind'],
  snapshot: StoredSnapshot | null,
  rows: readonly Row[],
): Promise<SnapshotResult> {
  const packed = await pack(rows);
  const worker = start();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<SnapshotResult>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the snapshot worker does not answer')), JOB_TIMEOUT_MS);
      worker.addEventListener('message', ({ data }) => {
        const result = v.safeParse(snapshotResult, data);
        if (result.success) resolve(result.output);
        else reject(new Error('the snapshot worker answers something else'));
      });
      // The worker's script did not load (another version was deployed), or the worker ran out of memory.
      worker.addEventListener('error', (event) => reject(new Error(`the snapshot worker failed: ${event.message}`)));
      const job: SnapshotJob = {
        kind,
        snapshot: snapshot && { seq: snapshot.seq, state: snapshot.state },
        rows: packed,
      };
      worker.postMessage(
        job,
        packed.map(({ buffer }) => buffer),
      );
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

/** Pauses between two batches, so that typing and other work get a turn. */
async function pack(rows: readonly Row[]): Promise<Bytes[]> {
  const packed: Bytes[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const piece = rows.slice(at, at + ROWS_AT_ONCE);
    packed.push(encodeRows({ kind: 'rows', head: piece.at(-1)?.seq ?? 0, rows: piece }));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return packed;
}
