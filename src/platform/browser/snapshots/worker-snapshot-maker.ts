// The SnapshotMaker port in a worker of its own per job: a second copy of the document is gone with it.
import * as v from 'valibot';
import type { Bytes } from '../../../lib/bytes.ts';
import { type Row, encodeRows } from '../../../protocol/row.ts';
import type { SnapshotMaker, StoredSnapshot } from '../../../sync/ports.ts';
import { unpackSnapshot } from '../../../sync/snapshot/unpack-snapshot.ts';
import { type SnapshotJob, type SnapshotResult, snapshotResult } from './snapshot-job.ts';

/** Packed without a pause: some milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** A job that takes longer has run away; 260,000 edits take a second. */
const JOB_TIMEOUT_MS = 60_000;

const startWorker = (): Worker =>
  new Worker(new URL('./snapshot-worker.ts', import.meta.url), { type: 'module', name: 'weft-snapshot' });

export function workerSnapshotMaker(start: () => Worker = startWorker): SnapshotMaker {
  // Pages of one tab wait for each other: two big documents at once are twice the memory.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (kind: SnapshotJob['kind'], snapshot: StoredSnapshot | null, rows: readonly Row[]) => {
    const job = last.then(() => inWorker(start, kind, snapshot, rows));
    last = job.catch(() => {});
    return job;
  };
  return {
    // The browser's own streams and digest, which work beside the main thread already.
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
      // Its script did not load (another version was deployed), or it ran out of memory.
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

/** Somebody may be about to type: between two pieces whatever waits has its turn. */
async function pack(rows: readonly Row[]): Promise<Bytes[]> {
  const packed: Bytes[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const piece = rows.slice(at, at + ROWS_AT_ONCE);
    packed.push(encodeRows({ kind: 'rows', head: piece.at(-1)?.seq ?? 0, rows: piece }));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return packed;
}
