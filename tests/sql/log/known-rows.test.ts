// Calls that name a row which the log does not have, or has from another time: the server went back in time.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openAnswer, rowsAnswer, watchAnswer } from 'weft-sync/protocol/log-answers.ts';
import { decodeRows } from 'weft-sync/protocol/row.ts';
import { fromBase64, toBase64 } from '../../../src/lib/bytes.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { type Caller, type Sql, base64 } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, appendArgs } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const START = Date.parse('2026-11-24T09:00:00.123Z');
const MINUTE = 60_000;
const STATE = Uint8Array.of(1, 2, 3);

/** The page with so many rows, one a minute; from `others` on they are of another day. */
async function writeRows(sql: Sql, { page, editorSession, people }: WorkspaceFixture, count: number, others = 1000) {
  await sql.rows('delete from public.document_updates where document_id = $1 and seq > 2', [page]);
  await sql.rows(
    `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
     select $1, n, $2, n, n, $4, '\\x07' from generate_series(3, $3) as n`,
    [page, editorSession, count, people.editor.id],
  );
  await sql.rows(
    `update public.document_updates
     set created_at = $2::timestamptz + seq * interval '1 minute' + case when seq >= $3 then interval '1 day' else '0' end
       + interval '456 microseconds'
     where document_id = $1`,
    [page, new Date(START).toISOString(), others],
  );
  await sql.rows('update public.document_heads set head_seq = $2, published_seq = $2 where document_id = $1', [
    page,
    count,
  ]);
}
const timeOf = (seq: number) => START + seq * MINUTE;

type Known = { readonly seq: number; readonly at: number | null };

/** Every call that names a row which the caller has. */
const CALLS: Readonly<
  Record<string, (sql: Sql, fixture: WorkspaceFixture, by: Caller, known: Known) => Promise<unknown>>
> = {
  open_document: (sql, { page }, by, { seq, at }) =>
    sql.call(by, 'open_document', { document: page, since: seq, row_version: 4, known_at: at }),
  rows_since: (sql, { page }, by, { seq, at }) =>
    sql.call(by, 'rows_since', { document: page, seq, row_limit: 10, known_at: at }),
  keep_watching: (sql, { page }, by, { seq, at }) =>
    sql.call(by, 'keep_watching', { document: page, seq, known_at: at }),
  append_update: (sql, { page, editorSession }, by, { seq, at }) => {
    const send = appendArgs({ document: page, session: editorSession, nFrom: 2, nTo: 2, knownSeq: seq });
    return sql.call(by, 'append_update', { ...send, known_at: at });
  },
  put_back: (sql, { page }, by, { seq, at }) =>
    sql.call(by, 'put_back', {
      document: page,
      known_seq: seq,
      known_at: at,
      update: base64(0, 0),
      schema_version: 1,
      live_peers: null,
    }),
  save_text: (sql, { page }, by, { seq, at }) =>
    sql.call(by, 'save_text', { document: page, seq, title: 'T', body_text: 'B', known_at: at }),
  save_snapshot: async (sql, { page }, by, { seq, at }) => {
    const sha256 = createHash('sha256').update(STATE).digest('hex');
    await sql.call(by, 'claim_snapshot', { document: page });
    return sql.call(by, 'save_snapshot', { document: page, seq, state: base64(...STATE), sha256, known_at: at });
  },
  set_document_attachments: (sql, { page, attachment }, by, { seq, at }) =>
    sql.call(by, 'set_document_attachments', { document: page, seq, ids: [attachment], known_at: at }),
  open_watch: (sql, { links }, _by, { seq, at }) =>
    sql.call('anon', 'open_watch', { secret: links.viewer.secret, since: seq, known_at: at }),
};

describe.each(Object.entries(CALLS))('[HI1] %s', (_name, call) => {
  test(
    'takes the row of the log and a row without a time, and refuses one of another time and one that is missing',
    withWorkspace(async (sql, fixture) => {
      await writeRows(sql, fixture, 4);
      const code = (seq: number, at: number | null) =>
        sql.outcome(() => call(sql, fixture, fixture.people.editor, { seq, at }));
      for (const seq of [1, 3, 4]) {
        expect([seq, await code(seq, timeOf(seq))]).toEqual([seq, 'ok']);
        expect([seq, await code(seq, null)]).toEqual([seq, 'ok']);
        for (const at of [timeOf(seq) - 1, timeOf(seq) + 1, timeOf(seq + 1), 0, -1])
          expect([seq, at, await code(seq, at)]).toEqual([seq, at, 'WF016']);
      }
      for (const seq of [5, 2 ** 40]) expect([seq, await code(seq, timeOf(seq))]).toEqual([seq, 'WF016']);
    }),
  );

  test(
    'notices that the log went back, and that others wrote rows under the same numbers',
    withWorkspace(async (sql, fixture) => {
      await writeRows(sql, fixture, 4);
      const code = (seq: number) =>
        sql.outcome(() => call(sql, fixture, fixture.people.editor, { seq, at: timeOf(seq) }));
      expect(await code(4)).toBe('ok');
      await writeRows(sql, fixture, 2);
      expect([await code(3), await code(4)]).toEqual(['WF016', 'WF016']);
      await writeRows(sql, fixture, 6, 3);
      expect([await code(3), await code(4)]).toEqual(['WF016', 'WF016']);
      expect(await code(2)).toBe('ok');
    }),
  );
});

const FOR_READERS = ['open_document', 'rows_since', 'keep_watching'];
const { open_watch: _, ...OF_PEOPLE } = CALLS;

test.each(Object.entries(OF_PEOPLE))('[HI1] %s says nothing about the log to people without a right', (name, call) =>
  withWorkspace(async (sql, fixture) => {
    const { stranger, viewer } = fixture.people;
    const code = (by: Caller) => sql.outcome(() => call(sql, fixture, by, { seq: 2, at: 1 }));
    expect(await code(stranger)).toBe('WF001');
    expect(await code(viewer)).toBe(FOR_READERS.includes(name) ? 'WF016' : 'WF002');
  })(),
);

test(
  '[HI1] a link that ended says so before anything about the log, and the first row is asked for with any time',
  withWorkspace(async (sql, fixture) => {
    const watch = (since: number) =>
      sql.outcome(() =>
        sql.call('anon', 'open_watch', { secret: fixture.links.viewer.secret, since, known_at: 1, row_version: 4 }),
      );
    expect([await watch(0), await watch(-1), await watch(1)]).toEqual(['ok', 'ok', 'WF016']);
    await sql.call(fixture.people.owner, 'revoke_share_link', { link: fixture.links.viewer.id });
    expect(await watch(1)).toBe('WF009');
  }),
);

test(
  '[HI1] an append that is refused leaves nothing behind, and so does one of a session that the server lost',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const rows = () =>
      sql.rows('select seq, session from public.document_updates where document_id = $1 order by seq', [fixture.page]);
    const before = await rows();
    const send = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2, knownSeq: 2 });
    expect((await sql.refusal(editor, 'append_update', { ...send, known_at: 1 })).code).toBe('WF016');
    await sql.rows('delete from public.document_sessions where session = $1', [fixture.editorSession]);
    expect(await sql.refusal(editor, 'append_update', send)).toEqual({
      code: 'WF016',
      message: ERROR_TEXTS.WF016,
      detail: 'the session is not registered in this document',
    });
    expect(await rows()).toEqual(before);
  }),
);

test(
  '[HI2] answers name the time of the row before theirs, as far as the caller reads version 4',
  withWorkspace(async (sql, fixture) => {
    await writeRows(sql, fixture, 4);
    await sql.rows('delete from public.document_snapshots');
    const { viewer } = fixture.people;
    for (const version of [1, 2, 3, 4]) {
      const args = { document: fixture.page, seq: 2, row_limit: 10, row_version: version };
      const { rows } = await sql.ask(viewer, rowsAnswer, 'rows_since', args);
      expect(rows.map(({ follows }) => follows)).toEqual(version < 4 ? [undefined, undefined] : [timeOf(2), timeOf(3)]);
    }
    const opened = await sql.ask(viewer, openAnswer, 'open_document', {
      document: fixture.page,
      since: 0,
      row_version: 4,
    });
    expect(opened.rows.map(({ follows }) => follows)).toEqual([0, timeOf(1), timeOf(2), timeOf(3)]);
  }),
);

test(
  '[HI2] an append is answered and published with the time of the row before it',
  withWorkspace(async (sql, fixture) => {
    await writeRows(sql, fixture, 4);
    await sql.ask('anon', watchAnswer, 'open_watch', { secret: fixture.links.viewer.secret, since: 0 });
    const send = appendArgs({ document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2, knownSeq: 4 });
    let answer: unknown;
    const sent = await sql.sentDuring(async () => {
      answer = await sql.call(fixture.people.editor, 'append_update', { ...send, row_version: 4, known_at: timeOf(4) });
    });
    const { stored } = await sql.row<{ stored: string }>(
      `select encode((weft.encode_rows($1, 4, 5, null, 1000000, 4)).message, 'hex') as stored`,
      [fixture.page],
    );
    const bytes = Uint8Array.from(Buffer.from(stored, 'hex'));
    expect(answer).toMatchObject({ seq: 5, head: 5, more: false, rows: toBase64(bytes) });
    expect(decodeRows(bytes)).toMatchObject({ ok: true, value: { kind: 'rows', before: timeOf(4) } });
    expect(sent.map((message) => message.topic.slice(0, 2)).toSorted()).toEqual(['d:', 'v:', 'w:']);
    for (const message of sent) expect(message.bytes).toEqual(bytes);
  }),
);

test(
  '[HI1] a snapshot has the time of its row, and none if that row was compacted',
  withWorkspace(async (sql, fixture) => {
    await writeRows(sql, fixture, 4);
    const at = async () => {
      const args = { since: 0, row_version: 4 };
      const opened = await sql.ask(fixture.people.viewer, openAnswer, 'open_document', {
        document: fixture.page,
        ...args,
      });
      const watched = await sql.ask('anon', watchAnswer, 'open_watch', {
        secret: fixture.links.viewer.secret,
        ...args,
      });
      return [opened.snapshot?.at, watched.snapshot?.at];
    };
    expect(await at()).toEqual([timeOf(1), timeOf(1)]);
    await sql.rows('update public.document_snapshots set seq = 3 where document_id = $1', [fixture.page]);
    expect(await at()).toEqual([timeOf(3), timeOf(3)]);
    await sql.rows('delete from public.document_updates where document_id = $1 and seq = 3', [fixture.page]);
    expect(await at()).toEqual([null, null]);
  }),
);

test(
  '[HI5] the owner of the database says that a restore is final, and everyone who opens a page learns when',
  withWorkspace(async (sql, fixture) => {
    const { viewer, owner } = fixture.people;
    const finalAt = async () =>
      (await sql.ask(viewer, openAnswer, 'open_document', { document: fixture.page, since: 0 })).finalRestoreAt;
    expect(await finalAt()).toBe(null);
    for (const caller of ['anon', 'service', viewer, owner] as const)
      expect(await sql.outcome(() => sql.as(caller, 'select weft.final_restore()'))).toBe('42501');
    expect(await finalAt()).toBe(null);
    await sql.rows('select weft.final_restore()');
    const { now } = await sql.row<{ now: string }>('select weft.unix_ms(now())::text as now');
    expect(await finalAt()).toBe(Number(now));
  }),
);

test(
  'an app from before names no time, and is answered in the version that it reads',
  withWorkspace(async (sql, fixture) => {
    await writeRows(sql, fixture, 2);
    for (const version of [1, 2, 3, 4]) {
      const n = version + 1;
      const send = appendArgs({
        document: fixture.page,
        session: fixture.editorSession,
        nFrom: n,
        nTo: n,
        knownSeq: n,
      });
      const answer = await sql.call(fixture.people.editor, 'append_update', { ...send, row_version: version });
      const bytes = fromBase64(String(Reflect.get(Object(answer), 'rows'))) ?? new Uint8Array();
      expect([version, bytes[0]]).toEqual([version, version]);
      expect(decodeRows(bytes)).toMatchObject({ ok: true, value: { rows: [{ seq: n + 1, nFrom: n, nTo: n }] } });
    }
  }),
);
