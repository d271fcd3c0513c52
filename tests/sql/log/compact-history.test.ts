// Compacting a page's log in the database: which swaps it makes, which it refuses, and what every reader gets afterwards.
import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { CompactedRun } from 'weft-sync/log/compact-rows.ts';
import { openAnswer, rowsAnswer } from 'weft-sync/protocol/log-answers.ts';
import { type Row, decodeRows, encodeRows } from 'weft-sync/protocol/row.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { docContent } from 'weft-sync/updates/content.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { planPage } from '../../../scripts/compact/plan-page.ts';
import { fromBase64, toBase64 } from '../../../src/lib/bytes.ts';
import { editingSessions, historyRows } from '../../../src/protocol/history-answers.ts';
import type { Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append } from '../fixture/workspace-fixture.ts';
import { writtenLog } from '../fixture/written-log.ts';

const withWorkspace = useWorkspace();
const compactAnswer = v.object({ compacted: v.boolean() });

const argsOf = (document: string, { replaced, row }: CompactedRun) => ({
  document,
  first_seq: row.firstSeq,
  last_seq: row.seq,
  sha256: createHash('sha256')
    .update(encodeRows({ kind: 'rows', head: row.seq, rows: replaced }, 3))
    .digest('hex'),
  parts: [...row.dependencies, row].map(({ session, nFrom, nTo, update }) => ({
    session,
    nFrom,
    nTo,
    update: toBase64(update),
  })),
});

const runsOf = (rows: readonly Row[], versions: readonly number[] = []) => {
  const runs = planPage(rows, { before: Infinity, versions, textSeq: Infinity });
  if (runs === null || runs.length === 0) throw new Error('nothing to compact');
  return runs;
};

async function compact(sql: Sql, { page }: WorkspaceFixture, runs: readonly CompactedRun[]): Promise<void> {
  for (const run of runs)
    expect(await sql.ask('service', compactAnswer, 'compact_history', argsOf(page, run))).toEqual({ compacted: true });
}

function contentOfRows(rows: readonly Row[], before: readonly Row[] = []): string {
  const doc = newDoc(0);
  const replica = new Replica(doc, null);
  replica.take(before);
  replica.take(rows);
  expect(replica.hasGap).toBe(false);
  expect(replica.damaged).toEqual([]);
  return docContent(doc);
}

function rowsIn(message: string): readonly Row[] {
  const decoded = decodeRows(fromBase64(message) ?? new Uint8Array());
  if (!decoded.ok || decoded.value.kind !== 'rows') throw new Error('no rows');
  return decoded.value.rows;
}

describe('a compacted log', () => {
  test(
    'has a row for each editing session, and the same editing sessions with the same authors and times',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      const list = () => sql.ask(fixture.people.viewer, editingSessions, 'list_sittings', { document: fixture.page });
      const before = await list();
      expect(before).toHaveLength(2);
      await compact(sql, fixture, runsOf(rows));
      expect(await list()).toEqual(before);
      const person = fixture.people.member.id;
      expect(
        await sql.ask(fixture.people.viewer, editingSessions, 'list_sittings', { document: fixture.page, person }),
      ).toEqual(before);
      const left = await sql.rows<{ seq: string; first_seq: string | null; appended_by: string }>(
        'select seq, first_seq, appended_by from public.document_updates where document_id = $1 order by seq',
        [fixture.page],
      );
      expect(left.map(({ seq, first_seq: first }) => [Number(first), Number(seq)])).toEqual([
        [0, 1],
        [2, 10],
        [11, 31],
      ]);
      for (const { appended_by: by } of left)
        expect([fixture.people.editor.id, fixture.people.member.id]).toContain(by);
    }),
  );

  test(
    'is the same page for every reader, from wherever they stopped, with a new app and with an older one',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      await compact(sql, fixture, runsOf(rows));
      const content = contentOfRows(rows);
      const { viewer } = fixture.people;
      for (const version of [1, 2, 3, 4]) {
        for (let seq = 0; seq < rows.length; seq += 3) {
          const { message } = v.parse(
            v.object({ message: v.string() }),
            await sql.row(
              `select encode(message, 'base64') as message from weft.encode_rows($1, $2, $3, null, 1000000, $4)`,
              [fixture.page, seq, rows.length, version],
            ),
          );
          const got = rowsIn(message.replaceAll('\n', ''));
          expect(contentOfRows(got, rows.slice(0, seq))).toBe(content);
          // The row before a compacted one is the last of the editing session before, wherever the reader stopped in it.
          const before = seq < 2 ? seq - 1 : seq < 10 ? 0 : 9;
          expect(got[0]?.follows).toBe(version < 4 ? undefined : (rows[before]?.at ?? 0));
          // Older apps need every number.
          const numbers = rows.slice(seq).map((row) => row.seq);
          expect(got.map((row) => row.seq)).toEqual(
            version < 3 ? numbers : numbers.filter((number) => number === 1 || number === 10 || number === rows.length),
          );
        }
      }
      const history = await sql.ask(viewer, historyRows, 'history_rows', {
        document: fixture.page,
        after: 0,
        row_version: 3,
      });
      expect(contentOfRows(history.rows)).toBe(content);
      const opened = await sql.ask(viewer, openAnswer, 'open_document', {
        document: fixture.page,
        since: 15,
        row_version: 3,
      });
      expect(opened.more).toBe(false);
      expect(contentOfRows(opened.rows, rows.slice(0, 15))).toBe(content);
      // A row in the middle of an editing session means the page before that.
      const until = v.parse(
        v.object({ rows: v.string(), more: v.boolean() }),
        await sql.call(viewer, 'rows_until', { document: fixture.page, after: 0, until: 15, row_version: 3 }),
      );
      expect(until.more).toBe(false);
      expect(contentOfRows(rowsIn(until.rows))).toBe(contentOfRows(rows.slice(0, 10)));
    }),
  );

  test(
    'knows an edit that is sent again, and writes it once',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      await compact(sql, fixture, runsOf(rows));
      const { editor } = fixture.people;
      const own = rows.findLast(({ session, seq }) => session.endsWith('1') && seq < 20);
      const last = rows.findLast(({ session }) => session.endsWith('1'));
      if (own === undefined || last === undefined) throw new Error('no row');
      const sent = { document: fixture.page, session: own.session, knownSeq: 1 };
      const again = await append(sql, editor, {
        ...sent,
        nFrom: own.nFrom,
        nTo: own.nTo,
        update: toBase64(own.update),
      });
      expect(again).toMatchObject({ lastN: last.nTo, head: rows.length });
      expect(again.seq).toBeGreaterThanOrEqual(own.seq);
      expect(again.seq).toBeLessThanOrEqual(rows.length);
      expect(contentOfRows(again.rows, rows.slice(0, 1))).toBe(contentOfRows(rows));
      // The next one gets the next number.
      const next = await append(sql, editor, { ...sent, nFrom: last.nTo + 1, nTo: last.nTo + 1 });
      expect(next).toMatchObject({ seq: rows.length + 1, lastN: last.nTo + 1 });
      const { count } = await sql.row<{ count: number }>(
        'select count(*)::int as count from public.document_updates where document_id = $1',
        [fixture.page],
      );
      expect(count).toBe(4);
    }),
  );

  test(
    'counts its bytes anew, and goes on being watched',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      await sql.rows('update public.document_heads set tail_bytes = 1000000, snapshot_seq = 0 where document_id = $1', [
        fixture.page,
      ]);
      await compact(sql, fixture, runsOf(rows));
      const { tail, sum } = await sql.row<{ tail: number; sum: number }>(
        `select h.tail_bytes::int as tail,
           (select sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0))
            from public.document_updates as u where u.document_id = h.document_id)::int as sum
         from public.document_heads as h where h.document_id = $1`,
        [fixture.page],
      );
      expect(tail).toBe(sum);
      const kept = await sql.ask(fixture.people.viewer, rowsAnswer, 'keep_watching', {
        document: fixture.page,
        seq: 12,
        row_version: 3,
      });
      expect(kept).toMatchObject({ head: rows.length, more: false });
      expect(contentOfRows(kept.rows, rows.slice(0, 12))).toBe(contentOfRows(rows));
    }),
  );
});

describe('compacting', () => {
  test(
    'changes nothing if the rows are others by now, or some are missing',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      const [run] = runsOf(rows);
      if (run === undefined) throw new Error('no run');
      const args = argsOf(fixture.page, run);
      const refused = async (changed: object) =>
        expect(await sql.ask('service', compactAnswer, 'compact_history', { ...args, ...changed })).toEqual({
          compacted: false,
        });
      await refused({ sha256: '0'.repeat(64) });
      await refused({ sha256: null });
      await refused({ last_seq: run.row.seq + 1 });
      await refused({ last_seq: run.row.seq - 1 });
      await sql.rows('delete from public.document_updates where document_id = $1 and seq = 5', [fixture.page]);
      await refused({});
    }),
  );

  test(
    'refuses edits that the rows do not have, that would be lost, and numbers that are none',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      const [run] = runsOf(rows);
      if (run === undefined) throw new Error('no run');
      const args = argsOf(fixture.page, run);
      const [first, second] = args.parts;
      if (first === undefined || second === undefined) throw new Error('no parts');
      const outcome = (changed: object) =>
        sql.outcome(() => sql.call('service', 'compact_history', { ...args, ...changed }));
      const parts = (...list: object[]) => ({ parts: JSON.stringify(list) });
      expect(await outcome(parts(first))).toBe('22023');
      expect(await outcome(parts(first, second, { ...first, session: randomUUID() }))).toBe('22023');
      expect(await outcome(parts({ ...first, nTo: first.nTo + 1 }, second))).toBe('22023');
      expect(await outcome(parts({ ...first, nFrom: first.nFrom + 1 }, second))).toBe('22023');
      expect(await outcome(parts(first, first, second))).toBe('22023');
      expect(await outcome(parts(first, { ...second, update: '' }))).toBe('WF005');
      expect(await outcome(parts(first, { ...second, update: '!' }))).toBe('WF005');
      expect(await outcome(parts())).toBe('22023');
      expect(await outcome({ parts: null })).toBe('22023');
      expect(await outcome({ parts: '{}' })).toBe('WF005');
      expect(await outcome({ first_seq: 1 })).toBe('22023');
      expect(await outcome({ first_seq: null })).toBe('22023');
      expect(await outcome({ last_seq: null })).toBe('22023');
      expect(await outcome({ last_seq: 2 })).toBe('22023');
      expect(await outcome({ last_seq: 1_000_000 })).toBe('22023');
      expect(await outcome({ document: randomUUID() })).toBe('WF001');
      expect(await outcome({ document: null })).toBe('WF001');
      expect(await outcome({})).toBe('ok');
    }),
  );

  test(
    'refuses a pause, a relay, the last day, a version in the middle, and what the text copy lacks',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      const runs = runsOf(rows);
      const [run] = runs;
      if (run === undefined) throw new Error('no run');
      const args = argsOf(fixture.page, run);
      const outcome = async (change: string) => {
        await sql.rows('savepoint changed');
        try {
          await sql.rows(change);
          const left = rows.filter(({ seq }) => seq >= (run.row.firstSeq ?? 0) && seq <= run.row.seq);
          const read = await sql.rows<{ seq: string; at: string }>(
            `select seq, weft.unix_ms(created_at) as at from public.document_updates where document_id = $1`,
            [fixture.page],
          );
          const times = new Map(read.map(({ seq, at }) => [Number(seq), Number(at)]));
          const replaced = left.map((row) => ({ ...row, at: times.get(row.seq) ?? 0 }));
          return await sql.outcome(() =>
            sql.call('service', 'compact_history', {
              ...args,
              sha256: argsOf(fixture.page, { replaced, row: run.row }).sha256,
            }),
          );
        } finally {
          await sql.rows('rollback to savepoint changed');
        }
      };
      const all = `where document_id = '${fixture.page}'`;
      expect(await outcome(`update public.document_updates set created_at = now() ${all} and seq = 10`)).toBe('22023');
      expect(
        await outcome(
          `update public.document_updates set created_at = created_at + interval '31 minutes' ${all} and seq between 6 and 10`,
        ),
      ).toBe('22023');
      expect(await outcome(`update public.documents set text_seq = 3 where id = '${fixture.page}'`)).toBe('55000');
      expect(
        await outcome(
          `insert into public.document_versions (id, document_id, seq, name, kind) values (gen_random_uuid(), '${fixture.page}', 5, 'x', 'named')`,
        ),
      ).toBe('22023');
      expect(
        await outcome(
          `insert into public.document_versions (id, document_id, seq, name, kind) values (gen_random_uuid(), '${fixture.page}', 10, 'x', 'named')`,
        ),
      ).toBe('ok');
    }),
  );

  test(
    'leaves no row in the middle of an editing session that a version could name',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      await compact(sql, fixture, runsOf(rows));
      const name = (seq: number) =>
        sql.outcome(() =>
          sql.call(fixture.people.editor, 'name_version', { id: randomUUID(), document: fixture.page, seq, name: 'A' }),
        );
      expect(await name(5)).toBe('22023');
      expect(await name(10)).toBe('ok');
    }),
  );

  test(
    'is asked which pages have old rows, and gives their rows to the service key alone',
    withWorkspace(async (sql, fixture) => {
      const rows = await writtenLog(sql, fixture);
      const pages = () => sql.call('service', 'pages_to_compact', { older_than_days: 30 });
      expect(await pages()).toEqual([fixture.page]);
      const answer = v.parse(
        v.object({ rows: v.string(), head: v.number(), more: v.boolean(), textSeq: v.number() }),
        await sql.call('service', 'rows_to_compact', { document: fixture.page, after: 0 }),
      );
      expect(rowsIn(answer.rows)).toEqual(rows);
      expect(answer).toMatchObject({ head: rows.length, more: false, textSeq: rows.length });
      await sql.rows('update public.document_updates set created_at = now() where document_id = $1', [fixture.page]);
      expect(await pages()).toEqual([]);
    }),
  );
});
