// An open history and its worker.
import { expect, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { JobFailure } from '../../../src/lib/async/deadline-worker.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { newAnswerer } from '../../../src/sessions/history/answer-question.ts';
import { OpenedHistory } from '../../../src/sessions/history/opened-history.ts';
import { Writer } from '../../support/editor/random-log.ts';
import { deviceSession } from '../../support/server/device-ids.ts';

test('dependencies count for how much a job brings to the worker', async () => {
  const part = (n: number, bytes: number) => ({
    session: deviceSession(1),
    clientId: 5000,
    nFrom: n,
    nTo: n,
    update: new Uint8Array(bytes),
  });
  const rows: Row[] = [1, 2, 3].map((seq) => ({ ...part(seq, 1), seq, dependencies: [part(seq, 2 * 1024 * 1024)] }));
  const jobs: number[] = [];
  const history = new OpenedHistory(
    {
      rows: async () => ok({ rows, head: 3, more: false, schemaVersion: 1, beginning: null, putBack: [] }),
      authors: null,
      fromServer: (at) => at,
    },
    {
      run: async (job) => {
        if (job.kind !== 'rows') return err('failed');
        jobs.push(job.rows.length);
        return ok({ kind: 'has', seq: job.rows.at(-1)?.seq ?? 0, skipped: [] });
      },
      close: () => undefined,
    },
  );
  await history.refresh();
  expect(jobs).toEqual([1, 1, 1]);
});

/** A history of one row. Its worker fails to take rows as long as it has a `failure`. */
function opened(failure: JobFailure) {
  const rows: Row[] = [];
  const writer = new Writer(1);
  bodyOf(writer.doc).insert(0, [...elementsOfBlocks([textBlock({}, [plainRun('Slip swept')])])]);
  writer.send(rows);
  const worker = { answer: newAnswerer(), failure: failure as JobFailure | null };
  const history = new OpenedHistory(
    {
      rows: async (after) =>
        ok({ rows: rows.slice(after), head: 1, more: false, schemaVersion: 1, beginning: null, putBack: [] }),
      authors: null,
      fromServer: (at) => at,
    },
    {
      run: async (job) =>
        job.kind === 'rows' && worker.failure !== null ? err(worker.failure) : ok(worker.answer(job)),
      close: () => undefined,
    },
  );
  return { history, worker };
}

test.each(['tooSlow', 'failed'] as const)(
  'if its worker answers %s to the rows, the history says so',
  async (failure) => {
    const { history, worker } = opened(failure);
    await history.refresh();
    expect(history.getView()).toEqual({ phase: 'failed', reason: failure });
    worker.failure = null;
    await history.refresh();
    expect(await history.pageAt(1)).toMatchObject({ ok: true });
    Object.assign(worker, { answer: newAnswerer(), failure });
    expect(await history.pageAt(1)).toEqual(err(failure));
  },
);
