// The real worker: it returns what its code returns in this thread, keeps the main thread free, and ends after each
// job.
import { expect, test } from 'vitest';
import type { StoredSnapshot } from 'weft-sync/ports.ts';
import { parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { prng, uuidFrom } from '../../../../src/lib/prng.ts';
import { workerSnapshotMaker } from '../../../../src/platform/browser/snapshots/worker-snapshot-maker.ts';

/** Rows of one writer with twenty edits each. */
function rowsOf(count: number): { readonly doc: Y.Doc; readonly rows: readonly Row[] } {
  const next = prng(7);
  const session = parseSessionId(uuidFrom(next));
  if (session === null) throw new Error('no session');
  const doc = newDoc(70_000);
  const rows: Row[] = [];
  doc.on('update', (update: Uint8Array) => {
    const seq = rows.length + 1;
    rows.push({
      seq,
      session,
      clientId: 70_000,
      nFrom: seq,
      nTo: seq,
      update: new Uint8Array(update),
      dependencies: [],
    });
  });
  const text = doc.getText('t');
  for (let n = 0; n < count; n++) {
    doc.transact(() => {
      let at = Math.floor(next() * (text.length + 1));
      for (let edit = 0; edit < 20; edit++) {
        if (next() < 0.1 && at > 0) text.delete(--at, 1);
        else text.insert(at++, 'abcdefgh '.charAt(Math.floor(next() * 9)));
      }
    });
  }
  return { doc, rows };
}

async function contentOfSnapshot({ state }: StoredSnapshot): Promise<string> {
  const unpacked = await workerSnapshotMaker().unpack(state, null);
  const doc = newDoc();
  if (unpacked !== null) Y.applyUpdateV2(doc, unpacked);
  return docContent(doc);
}

function trackedWorkers() {
  const started: { readonly worker: Worker; isEnded: boolean }[] = [];
  const start = () => {
    const url = new URL('../../../../src/platform/browser/snapshots/snapshot-worker.ts', import.meta.url);
    const worker = new Worker(url, { type: 'module' });
    const tracked = { worker, isEnded: false };
    started.push(tracked);
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      tracked.isEnded = true;
      terminate();
    };
    return worker;
  };
  return { started, start };
}

test('[SN1] the worker makes the same snapshot as the same code in this thread', async () => {
  const { doc, rows } = rowsOf(40);
  const snapshot = await workerSnapshotMaker().make(null, rows);
  expect(snapshot).toEqual(await snapshotMaker().make(null, rows));
  expect(snapshot?.seq).toBe(40);
  expect(snapshot && (await contentOfSnapshot(snapshot))).toBe(docContent(doc));
});

test('[SN1] a snapshot plus the rows after it gives the same as all rows', async () => {
  const { doc, rows } = rowsOf(40);
  const maker = workerSnapshotMaker();
  const first = await maker.make(null, rows.slice(0, 25));
  const second = await maker.make(first, rows.slice(25));
  expect(second?.seq).toBe(40);
  expect(second && (await contentOfSnapshot(second))).toBe(docContent(doc));
  expect(await maker.make(first, rows.slice(26))).toBeNull();
});

test('[SN7] the worker tells a true snapshot from a wrong one', async () => {
  const { rows } = rowsOf(30);
  const maker = workerSnapshotMaker();
  const snapshot = await maker.make(null, rows.slice(0, 20));
  const other = await maker.make(null, rows.slice(0, 19));
  if (snapshot === null || other === null) throw new Error('none made');
  expect(await maker.isTrue(snapshot, rows)).toBe(true);
  expect(await maker.isTrue({ ...other, seq: 20 }, rows)).toBe(false);
  await expect(maker.isTrue(snapshot, rows.slice(0, 10))).rejects.toThrow('no rows up to 20');
});

test('[SN2] the main thread keeps working while rows are packed and while the worker runs', async () => {
  const { rows } = rowsOf(4_000);
  const { start } = trackedWorkers();
  let turns = 0;
  let turnsWhenPosted = 0;
  const maker = workerSnapshotMaker(() => {
    turnsWhenPosted = turns;
    return start();
  });
  const beat = setInterval(() => (turns += 1), 0);
  const snapshot = await maker.make(null, rows);
  clearInterval(beat);
  expect(snapshot?.seq).toBe(4_000);
  // Four batches, and a replay that blocks no one.
  expect(turnsWhenPosted).toBeGreaterThanOrEqual(2);
  expect(turns - turnsWhenPosted).toBeGreaterThanOrEqual(5);
});

test('[I9] a worker ends with its job, and one runs at a time', async () => {
  const { started, start } = trackedWorkers();
  const maker = workerSnapshotMaker(() => {
    expect(started.every(({ isEnded }) => isEnded)).toBe(true);
    return start();
  });
  const { rows } = rowsOf(5);
  await Promise.all([maker.make(null, rows), maker.make(null, rows), maker.make(null, rows.slice(1))]);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true, true]);
});

test('[SN5] a worker whose script is missing rejects, and the next job is tried all the same', async () => {
  const { start } = trackedWorkers();
  let isGone = true;
  const maker = workerSnapshotMaker(() => (isGone ? new Worker('/gone.js', { type: 'module' }) : start()));
  const { rows } = rowsOf(3);
  await expect(maker.make(null, rows)).rejects.toThrow('the snapshot worker failed');
  isGone = false;
  expect((await maker.make(null, rows))?.seq).toBe(3);
});
