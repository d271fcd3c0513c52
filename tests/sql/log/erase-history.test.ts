// Erasing words for good begins the page's history again (HI9): they are in no row, snapshot, version or copy any more, and
// anyone who holds the page from before is refused.
import { describe, expect, test } from 'vitest';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import { appendAnswer, openAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import * as Y from 'yjs';
import { toBase64 } from '../../../src/lib/bytes.ts';
import {
  editingSessions,
  erasure,
  historyRows,
  linkHistory,
  preparedErasing,
  versions,
} from '../../../src/protocol/history-answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, appendArgs } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

function updateOf(words: string): Uint8Array {
  const doc = new Y.Doc();
  doc.getText('body').insert(0, words);
  return Y.encodeStateAsUpdate(doc);
}
const UPDATE = toBase64(new Uint8Array(updateOf('so far')));

const open = (sql: Sql, { page, people }: WorkspaceFixture, args: Record<string, unknown> = {}) =>
  sql.ask(people.viewer, openAnswer, 'open_document', { document: page, since: 0, row_version: 4, ...args });

async function newestRow(sql: Sql, { page }: WorkspaceFixture): Promise<{ readonly seq: number; readonly at: number }> {
  return sql.row(
    `select seq::integer, weft.unix_ms(created_at)::float8 as at from public.document_updates
     where document_id = $1 order by seq desc limit 1`,
    [page],
  );
}

async function erase(sql: Sql, fixture: WorkspaceFixture, by: Caller, changes: Record<string, unknown> = {}) {
  const { seq, at } = await newestRow(sql, fixture);
  const args = { document: fixture.page, known_seq: seq, known_at: at, update: UPDATE, title: 'Plan', ...changes };
  return sql.ask(by, erasure, 'erase_history', args);
}

describe('[HI9] a history that begins again', () => {
  test(
    'has one row, and nothing of before is in rows, snapshots, versions, copies, the inbox or kept messages',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      await sql.rows(
        `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 2, 'hunter2', 'x')`,
        [page],
      );
      await sql.rows(`update public.documents set body_text = 'hunter2' where id = $1`, [page]);
      await sql.rows(
        `insert into weft.notifications (user_id, kind, document_id, subject, detail)
         values ($2, 'mention', $1, 'b', '{"block": "b", "excerpt": "hunter2"}')`,
        [page, people.editor.id],
      );
      const before = await open(sql, fixture);
      const { topic_key: key } = await sql.row<{ topic_key: string }>(
        'select topic_key from public.share_links where id = $1',
        [fixture.links.viewer.id],
      );
      expect(before.historyBeganAt).toBe(null);
      await sql.rows(
        `insert into realtime.messages (topic, extension, event) values ('w:' || $1, 'broadcast', 'rows')`,
        [key],
      );
      const sent = await sql.sentDuring(() => erase(sql, fixture, people.manager));
      expect(sent.map(({ event, topic }) => [event, topic.slice(0, 2)])).toEqual(
        expect.arrayContaining([
          ['moved', 'd:'],
          ['moved', 'v:'],
          ['erased', 'w:'],
        ]),
      );
      const after = await open(sql, fixture);
      expect([after.head, after.snapshot, after.rows.length, after.epoch === before.epoch]).toEqual([
        3,
        null,
        1,
        false,
      ]);
      expect(after.rows[0]).toMatchObject({ seq: 3, firstSeq: 1, session: SEED_SESSION, dependencies: [] });
      expect(toBase64(after.rows[0]?.update ?? new Uint8Array(0))).toBe(UPDATE);
      expect(after.historyBeganAt).toBe(after.rows[0]?.at);
      expect([after.document.title, after.textSeq]).toEqual(['Plan', 2]);
      const { copies } = await sql.row<{ copies: string }>(
        `select concat(
           (select body_text from public.documents where id = $1),
           (select string_agg(detail::text, '') from weft.notifications where document_id = $1 and kind = 'mention'),
           (select count(*) from public.document_snapshots where document_id = $1),
           (select count(*) from public.document_versions where document_id = $1),
           (select count(*) from realtime.messages where topic = 'w:' || $2 and event <> 'erased')
         ) as copies`,
        [page, key],
      );
      expect(copies).toBe('{"block": "b"}000');
      // The link goes on, on another topic.
      const { secret } = fixture.links.viewer;
      const watched = await sql.ask('anon', watchAnswer, 'open_watch', { secret, since: 0, row_version: 4 });
      expect(watched.topic).not.toBe(`w:${key}`);
      expect(watched.rows).toMatchObject([{ seq: 3, firstSeq: 1 }]);
    }),
  );

  test(
    'refuses anyone who holds a row of before: reading, watching, appending, copies and snapshots',
    withWorkspace(async (sql, fixture) => {
      const { page, people, editorSession: session } = fixture;
      const { seq, at } = await newestRow(sql, fixture);
      await erase(sql, fixture, people.manager);
      const known = { known_at: at };
      const { secret } = fixture.links.viewer;
      const text = { document: page, seq, title: 'T', body_text: 'hunter2', ...known };
      const snapshot = { document: page, seq, state: UPDATE, sha256: 'x', ...known };
      const calls: readonly (readonly [Caller, string, Record<string, unknown>])[] = [
        [people.viewer, 'open_document', { document: page, since: seq, ...known }],
        [people.viewer, 'rows_since', { document: page, seq, row_limit: 10, ...known }],
        ['anon', 'open_watch', { secret, since: seq, ...known }],
        [people.editor, 'append_update', appendArgs({ document: page, session, nFrom: 2, nTo: 2, knownSeq: seq })],
        [people.editor, 'save_text', text],
      ];
      for (const [by, name, args] of calls) {
        expect([name, await sql.outcome(() => sql.call(by, name, { ...args, known_at: at }))]).toEqual([name, 'WF016']);
        // An app from before names no time: it would show what was erased for ever.
        expect([name, await sql.outcome(() => sql.call(by, name, { ...args, known_at: null }))]).toEqual([
          name,
          'WF004',
        ]);
      }
      expect(await sql.outcome(() => sql.call(people.editor, 'save_snapshot', snapshot))).toBe('WF005');
      // The page as it is goes on.
      const next = await newestRow(sql, fixture);
      const rows = await sql.ask(people.viewer, rowsAnswer, 'rows_since', {
        document: page,
        seq: next.seq,
        row_limit: 10,
        known_at: next.at,
      });
      expect(rows.rows).toEqual([]);
      expect(await append(sql, people.editor, { document: page, session, nFrom: 2, nTo: 2 })).toMatchObject({ seq: 4 });
    }),
  );

  test(
    'is begun by managers alone, once, and not if a newer row is there',
    withWorkspace(async (sql, fixture) => {
      const { page, people, editorSession: session } = fixture;
      for (const by of [people.editor, people.viewer, people.stranger, 'anon'] as const) {
        const outcome = await sql.outcome(() => erase(sql, fixture, by));
        expect(['WF001', 'WF002', '42501']).toContain(outcome);
      }
      const { seq, at } = await newestRow(sql, fixture);
      const args = { known_seq: seq, known_at: at };
      await append(sql, people.editor, { document: page, session, nFrom: 2, nTo: 2 });
      expect(await erase(sql, fixture, people.manager, args)).toEqual({ erased: false });
      const newest = await newestRow(sql, fixture);
      const repeated = { known_seq: newest.seq, known_at: newest.at };
      expect(await erase(sql, fixture, people.manager, repeated)).toEqual({ erased: true });
      // The answer was lost.
      expect(await erase(sql, fixture, people.manager, repeated)).toEqual({ erased: true });
      expect((await newestRow(sql, fixture)).seq).toBe(newest.seq + 1);
      expect(await sql.outcome(() => erase(sql, fixture, people.manager, { ...repeated, update: 'AAAA' }))).toBe(
        'WF016',
      );
      for (const bad of [
        { update: '' },
        { update: '*' },
        { title: 'x'.repeat(201) },
        { title: null },
        { update: null },
      ])
        expect(await sql.outcome(() => erase(sql, fixture, people.manager, bad))).toBe('WF005');
    }),
  );

  test(
    'says who began it and who had written by then; by link neither',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const { secret } = fixture.links.viewer;
      await sql.rows('update public.share_links set history = true where id = $1', [fixture.links.viewer.id]);
      const history = () =>
        sql.ask(people.viewer, historyRows, 'history_rows', { document: page, after: 0, row_version: 4 });
      expect((await history()).beginning).toBe(null);
      await erase(sql, fixture, people.manager);
      const { beginning, putBack } = await history();
      const [{ at } = { at: undefined }] = (await open(sql, fixture)).rows;
      expect(beginning).toEqual({
        seq: 3,
        at: expect.closeTo(at ?? 0, -1),
        by: people.manager.id,
        authors: [people.editor.id],
      });
      expect(putBack).toEqual([]);
      const byLink = await sql.ask('anon', linkHistory, 'link_history', {
        secret,
        after: 0,
        until: null,
        row_version: 4,
      });
      expect(byLink.beginning).toMatchObject({ seq: 3, by: null, authors: [] });
      expect(byLink.versions).toEqual([]);
      const listed = { document: page };
      expect(await sql.ask(people.viewer, versions, 'list_versions', listed)).toEqual([]);
      expect(await sql.ask(people.viewer, editingSessions, 'list_sittings', listed)).toEqual([]);
      await sql.call(people.manager, 'delete_account', {});
      expect((await history()).beginning?.by).toBe(null);
    }),
  );
});

describe('[HI9] what a device puts back after someone erased', () => {
  test(
    'is what it had not sent, and makes no version; what it had of the new history makes one',
    withWorkspace(async (sql, fixture) => {
      const { page, people } = fixture;
      const { at: before } = await newestRow(sql, fixture);
      await erase(sql, fixture, people.manager);
      const began = await newestRow(sql, fixture);
      const putBack = async (setAsideAt: number) => {
        const { seq, at } = await newestRow(sql, fixture);
        const answer = await sql.ask(people.member, appendAnswer, 'put_back', {
          document: page,
          known_seq: seq,
          known_at: at,
          update: UPDATE,
          schema_version: 1,
          live_peers: null,
          row_version: 4,
          set_aside_at: setAsideAt,
        });
        return answer.seq;
      };
      const versionsOf = () => sql.ask(people.viewer, versions, 'list_versions', { document: page });
      expect(await putBack(before)).toBe(began.seq + 1);
      expect(await versionsOf()).toEqual([]);
      expect(await putBack(began.at)).toBe(began.seq + 2);
      expect(await versionsOf()).toMatchObject([{ seq: began.seq + 1, kind: 'putBack' }]);
    }),
  );
});

describe('[HI10] while someone erases', () => {
  test(
    'nothing is appended or put back, until it is done or some seconds have passed',
    withWorkspace(async (sql, fixture) => {
      const { page, people, editorSession: session } = fixture;
      expect(await sql.outcome(() => sql.call(people.editor, 'prepare_erasing', { document: page }))).toBe('WF002');
      const prepare = () => sql.ask(people.manager, preparedErasing, 'prepare_erasing', { document: page });
      const write = () => sql.outcome(() => append(sql, people.editor, { document: page, session, nFrom: 2, nTo: 2 }));
      expect(await prepare()).toEqual({ head: 2 });
      const putBack = {
        document: page,
        known_seq: 2,
        known_at: null,
        update: UPDATE,
        schema_version: 1,
        live_peers: null,
      };
      expect([await write(), await sql.outcome(() => sql.call(people.member, 'put_back', putBack))]).toEqual([
        '55P03',
        '55P03',
      ]);
      const { left } = await sql.row<{ left: number }>(
        `select extract(epoch from paused_until - now())::float8 as left from public.document_heads where document_id = $1`,
        [page],
      );
      expect(left).toBeLessThanOrEqual(20.5);
      await sql.rows('update public.document_heads set paused_until = now() where document_id = $1', [page]);
      expect(await write()).toBe('ok');
    }),
  );
});
