// Opening a page, reading its rows and registering sessions: open_document, rows_since, start_session, session_info.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { blankSeed, welcomeSeed } from 'weft-document/seed.ts';
import { FIRST_CLIENT_ID, SEED_CLIENT_ID, SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import {
  announcement,
  logAnswer,
  openAnswer,
  rowsAnswer,
  sessionInfos,
  startAnswer,
} from 'weft-sync/protocol/log-answers.ts';
import { documentSummary, workspace } from '../../../src/protocol/answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** With what the database says of the page beside its log, which a session does not read. */
const wholeAnswer = v.object({ ...openAnswer.entries, document: documentSummary, workspace });
const open = (sql: Sql, by: Caller, document: string, since = 0) =>
  sql.ask(by, wholeAnswer, 'open_document', { document, since });
const rowsSince = (sql: Sql, by: Caller, document: string, seq: number, limit: number | null = 500) =>
  sql.ask(by, rowsAnswer, 'rows_since', { document, seq, row_limit: limit });
const addRows = async (sql: Sql, fixture: WorkspaceFixture, count: number, bytes = 1) => {
  await sql.rows(
    `insert into public.document_updates (document_id, seq, session, n_from, n_to, update)
     select $1, n, $2, n, n, decode(repeat('07', $4), 'hex') from generate_series(3, 2 + $3) as n`,
    [fixture.page, fixture.editorSession, count, bytes],
  );
  await sql.rows('update public.document_heads set head_seq = 2 + $2 where document_id = $1', [fixture.page, count]);
};

test(
  'opening a page returns everything needed to show it',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.document_snapshots');
    const answer = await open(sql, fixture.people.viewer, fixture.page);
    expect(answer).toMatchObject({
      document: { id: fixture.page, workspaceId: fixture.workspace, parentId: null, kind: 'page', role: 'viewer' },
      workspace: { id: fixture.workspace, name: fixture.slug, slug: fixture.slug, epoch: 1, role: null },
      role: 'viewer',
      epoch: '1.1',
      head: 2,
      schemaVersion: 1,
      snapshot: null,
      more: false,
    });
    expect(answer.rows.map(({ seq, session, clientId }) => ({ seq, session, clientId }))).toEqual([
      { seq: 1, session: SEED_SESSION, clientId: SEED_CLIENT_ID },
      { seq: 2, session: fixture.editorSession, clientId: fixture.editorClientId },
    ]);
    expect((await open(sql, fixture.people.owner, fixture.page)).workspace.role).toBe('owner');
  }),
);

test(
  'the first row is the editor’s seed, byte for byte',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.document_snapshots');
    expect((await open(sql, fixture.people.owner, fixture.page)).rows[0]?.update).toEqual(welcomeSeed());
    expect((await open(sql, fixture.people.owner, fixture.subpage)).rows[0]?.update).toEqual(blankSeed());
    expect((await open(sql, fixture.people.owner, fixture.page)).document.title).toBe('Welcome to Weft');
  }),
);

test(
  'a reader with no rows gets the newest snapshot and the rows after it',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    const answer = await open(sql, viewer, fixture.page, 0);
    expect(answer.snapshot).toEqual({
      seq: 1,
      at: expect.any(Number),
      state: Uint8Array.of(1),
      sha256: 'made up',
    });
    expect(answer.rows.map((row) => row.seq)).toEqual([2]);

    await sql.rows(
      `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 2, '\\x02', 'newer')`,
      [fixture.page],
    );
    const newer = await open(sql, viewer, fixture.page, 0);
    expect([newer.snapshot?.seq, newer.rows, newer.more]).toEqual([2, [], false]);
  }),
);

test(
  'a reader with some rows gets only the rows after them',
  withWorkspace(async (sql, fixture) => {
    const answer = await open(sql, fixture.people.viewer, fixture.page, 1);
    expect([answer.snapshot, answer.rows.map((row) => row.seq)]).toEqual([null, [2]]);
    const all = await open(sql, fixture.people.viewer, fixture.page, 2);
    expect([all.rows, all.head, all.more]).toEqual([[], 2, false]);
  }),
);

test(
  'a reader whose next row was deleted gets the snapshot',
  withWorkspace(async (sql, fixture) => {
    await addRows(sql, fixture, 3);
    await sql.rows(
      `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 4, '\\x02', 'x')`,
      [fixture.page],
    );
    await sql.rows('delete from public.document_updates where document_id = $1 and seq <= 3', [fixture.page]);
    expect(await open(sql, fixture.people.viewer, fixture.page, 2)).toMatchObject({ snapshot: { seq: 4 }, head: 5 });
    expect(await open(sql, fixture.people.viewer, fixture.page, 3)).toMatchObject({ snapshot: null });
  }),
);

test(
  'opening a page writes nothing: it runs in a read-only transaction',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('set transaction read only');
    expect((await open(sql, fixture.people.viewer, fixture.page)).head).toBe(2);
  }),
);

test(
  'opening a page returns at most 1 MiB of rows, and further calls return the rest',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    await addRows(sql, fixture, 3000);
    const small = await open(sql, viewer, fixture.page);
    expect([small.rows.length, small.more]).toEqual([3001, false]);

    await addRows(sql, fixture, 0);
    await sql.rows(
      `update public.document_updates set update = decode(repeat('07', 300000), 'hex')
       where document_id = $1 and seq > 2 and seq <= 8`,
      [fixture.page],
    );
    await sql.rows('update public.document_heads set head_seq = 3002 where document_id = $1', [fixture.page]);
    const large = await open(sql, viewer, fixture.page, 2);
    expect([large.rows.map((row) => row.seq), large.more, large.head]).toEqual([[3, 4, 5], true, 3002]);
    const rest = await rowsSince(sql, viewer, fixture.page, 5);
    expect([rest.rows[0]?.seq, rest.more]).toEqual([6, true]);
  }),
);

test(
  'rows_since returns rows in order, at most as many as asked for, and never more than 500',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    await addRows(sql, fixture, 600);
    const some = await rowsSince(sql, viewer, fixture.page, 2, 3);
    expect([some.rows.map((row) => row.seq), some.more, some.head, some.epoch, some.role]).toEqual([
      [3, 4, 5],
      true,
      602,
      '1.1',
      'viewer',
    ]);
    expect((await rowsSince(sql, viewer, fixture.page, 0, 10_000)).rows.length).toBe(500);
    expect((await rowsSince(sql, viewer, fixture.page, 0, null)).rows.length).toBe(500);
    expect((await rowsSince(sql, viewer, fixture.page, 0, -5)).rows.length).toBe(1);
    const last = await rowsSince(sql, viewer, fixture.page, 600);
    expect([last.rows.length, last.more]).toEqual([2, false]);
    const beyond = await rowsSince(sql, viewer, fixture.page, 9999);
    expect([beyond.rows, beyond.more, beyond.head]).toEqual([[], false, 602]);
  }),
);

test(
  'rows_until returns the newest snapshot up to a row and the rows after it, and continues where an answer ended',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    const until = (after: number, last: number) =>
      sql.ask(viewer, logAnswer, 'rows_until', { document: fixture.page, after, until: last });
    await addRows(sql, fixture, 8);
    await sql.rows(
      `insert into public.document_snapshots (document_id, seq, state, sha256) values ($1, 5, '\\x02', 'made up')`,
      [fixture.page],
    );
    const shown = async (after: number, last: number) => {
      const { snapshot, rows, until: end, more } = await until(after, last);
      return { snapshot: snapshot?.seq ?? null, rows: rows.map(({ seq }) => seq), until: end, more };
    };
    expect(await shown(0, 4)).toEqual({ snapshot: 1, rows: [2, 3, 4], until: 4, more: false });
    expect(await shown(0, 7)).toEqual({ snapshot: 5, rows: [6, 7], until: 7, more: false });
    expect(await shown(0, 99)).toEqual({ snapshot: 5, rows: [6, 7, 8, 9, 10], until: 10, more: false });
    expect(await shown(0, 0)).toEqual({ snapshot: null, rows: [], until: 0, more: false });
    expect(await shown(2, 4)).toEqual({ snapshot: null, rows: [3, 4], until: 4, more: false });
    await sql.rows(
      `update public.document_updates set update = decode(repeat('07', 400000), 'hex')
       where document_id = $1 and seq > 5`,
      [fixture.page],
    );
    expect(await shown(0, 9)).toEqual({ snapshot: 5, rows: [6, 7], until: 9, more: true });
    expect(await shown(7, 9)).toEqual({ snapshot: null, rows: [8, 9], until: 9, more: false });
  }),
);

test(
  'registering a session may be repeated with the same arguments',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const start = { document: fixture.page, session: randomUUID(), client_id: 77_777, schema_version: 1 };
    const first = await sql.ask(editor, startAnswer, 'start_session', start);
    expect(first).toEqual({ clientId: 77_777, lastN: 0 });
    await append(sql, editor, { document: fixture.page, session: start.session, nFrom: 1, nTo: 3 });
    expect(await sql.ask(editor, startAnswer, 'start_session', start)).toEqual({ clientId: 77_777, lastN: 3 });
  }),
);

test(
  'registering someone else’s session, or a session with another client id, is refused',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const start = { document: fixture.page, session: randomUUID(), client_id: 77_777, schema_version: 1 };
    await sql.call(editor, 'start_session', start);
    const code = (by: Caller, change: Record<string, unknown>) =>
      sql.outcome(() => sql.call(by, 'start_session', { ...start, ...change }));
    expect(await code(editor, {})).toBe('ok');
    expect(await code(member, {})).toBe('WF005');
    expect(await code(editor, { client_id: 77_778 })).toBe('WF005');
    expect(await code(editor, { session: SEED_SESSION })).toBe('WF005');
    expect(await code(editor, { session: null })).toBe('WF005');
  }),
);

test(
  'a viewer who sees a session’s id before it is registered cannot block it by registering it for a page of their own',
  withWorkspace(async (sql, fixture) => {
    const { editor, stranger } = fixture.people;
    const start = { document: fixture.page, session: randomUUID(), client_id: 77_777, schema_version: 1 };
    const own = randomUUID();
    await sql.call(stranger, 'create_workspace', { id: randomUUID(), name: 'Elsewhere', document: own });
    await sql.call(stranger, 'start_session', { ...start, document: own, client_id: 88_888 });
    await append(sql, stranger, { document: own, session: start.session, nFrom: 1, nTo: 9 });

    expect(await sql.ask(editor, startAnswer, 'start_session', start)).toEqual({ clientId: 77_777, lastN: 0 });
    const saved = await append(sql, editor, { document: fixture.page, session: start.session, nFrom: 1, nTo: 2 });
    expect(saved).toMatchObject({ seq: 3, lastN: 2 });
    // The two logs are separate: rows have the client id that is registered for their own page.
    const row = (await rowsSince(sql, editor, fixture.page, 2)).rows[0];
    expect([row?.session, row?.clientId, row?.nTo]).toEqual([start.session, 77_777, 2]);
    const other = await rowsSince(sql, stranger, own, 1);
    expect(other.rows.map(({ clientId, nTo }) => [clientId, nTo])).toEqual([[88_888, 9]]);
    // A repeated append finds its own row.
    const again = await append(sql, editor, { document: fixture.page, session: start.session, nFrom: 1, nTo: 2 });
    expect(again).toMatchObject({ seq: 3, lastN: 2, head: 3 });
  }),
);

test(
  'a client id that is taken on the page, reserved or out of range is refused with WF006',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const code = (by: Caller, document: string, clientId: number | string | null) =>
      sql.outcome(() =>
        sql.call(by, 'start_session', { document, session: randomUUID(), client_id: clientId, schema_version: 1 }),
      );
    expect(await code(member, fixture.page, fixture.editorClientId)).toBe('WF006');
    expect(await code(editor, fixture.page, fixture.editorClientId)).toBe('WF006');
    expect(await code(editor, fixture.subpage, fixture.editorClientId)).toBe('ok');
    expect(await code(editor, fixture.page, FIRST_CLIENT_ID - 1)).toBe('WF006');
    expect(await code(editor, fixture.page, FIRST_CLIENT_ID)).toBe('ok');
    expect(await code(editor, fixture.page, 2 ** 32 - 1)).toBe('ok');
    expect(await code(editor, fixture.page, '9007199254740992')).toBe('WF006');
    expect(await code(editor, fixture.page, -1)).toBe('WF006');
    expect(await code(editor, fixture.page, null)).toBe('WF006');
  }),
);

test(
  'an app that is older than the page cannot register a session',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('update public.documents set schema_version = 2 where id = $1', [fixture.page]);
    await sql.rows(`create or replace function weft.newest_schema() returns integer language sql as 'select 3'`);
    const code = (version: number | null) =>
      sql.outcome(() =>
        sql.call(fixture.people.editor, 'start_session', {
          document: fixture.page,
          session: randomUUID(),
          client_id: 5000,
          schema_version: version,
        }),
      );
    expect(await code(1)).toBe('WF004');
    expect(await code(2)).toBe('ok');
    expect(await code(3)).toBe('ok');
    expect(await code(null)).toBe('WF005');
  }),
);

test(
  '[I10] registering and reading write neither to the log nor to the row of the document',
  withWorkspace(async (sql, fixture) => {
    const state = async () => ({
      updates: await sql.rows('select seq from public.document_updates where document_id = $1', [fixture.page]),
      page: await sql.row('select xmin::text from public.documents where id = $1', [fixture.page]),
      sessions: await sql.rows('select session from public.document_sessions where document_id = $1', [fixture.page]),
    });
    const before = await state();
    await open(sql, fixture.people.editor, fixture.page);
    await rowsSince(sql, fixture.people.editor, fixture.page, 0);
    expect(await state()).toEqual(before);
    await startSession(sql, fixture.people.editor, fixture.page);
    expect((await state()).updates).toEqual(before.updates);
  }),
);

test(
  'session_info returns each session’s author and their present role, and leaves out unknown sessions',
  withWorkspace(async (sql, fixture) => {
    const { editor, redeemedEditor, viewer, owner } = fixture.people;
    const gone = await startSession(sql, redeemedEditor, fixture.page);
    const ask = (...sessions: string[]) =>
      sql.ask(viewer, sessionInfos, 'session_info', { document: fixture.page, sessions });
    const ofEditor = {
      session: fixture.editorSession,
      clientId: fixture.editorClientId,
      user: editor.id,
      lastN: 1,
      role: 'editor',
    };
    const ofGone = { session: gone.session, clientId: gone.clientId, user: redeemedEditor.id, lastN: 0 };
    expect(await ask(fixture.editorSession, gone.session, randomUUID())).toEqual([
      ofEditor,
      { ...ofGone, role: 'editor' },
    ]);
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: redeemedEditor.id, role: null });
    expect(await ask(gone.session)).toEqual([{ ...ofGone, role: null }]);
    expect(await ask()).toEqual([]);
    // Sessions of other pages are unknown here.
    const elsewhere = await startSession(sql, owner, fixture.subpage);
    expect(await ask(elsewhere.session)).toEqual([]);
  }),
);

test(
  'someone by a link without the history learns of an author whether they may edit, and not who manages the page',
  withWorkspace(async (sql, fixture) => {
    const { commenter, manager, owner, redeemedEditor, viewer } = fixture.people;
    const sessions: string[] = [];
    for (const person of [manager, owner]) sessions.push((await startSession(sql, person, fixture.page)).session);
    for (const person of [commenter, viewer]) {
      const session = randomUUID();
      await sql.call(person, 'announce_session', { document: fixture.page, session, is_writing: false });
      sessions.push(session);
    }
    const rolesFor = async (by: typeof owner) => {
      const infos = await sql.ask(by, sessionInfos, 'session_info', { document: fixture.page, sessions });
      return sessions.map((session) => infos.find((info) => info.session === session)?.role);
    };
    expect(await rolesFor(viewer)).toEqual(['manager', 'manager', 'commenter', 'viewer']);
    expect(await rolesFor(redeemedEditor)).toEqual(['editor', 'editor', 'viewer', 'viewer']);
  }),
);

test(
  'announce_session counts the pages on which people write, and each person on the page announced last',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner, viewer } = fixture.people;
    const announce = async (by: typeof editor, document: string, isWriting = true) => {
      const args = { document, session: randomUUID(), is_writing: isWriting };
      return (await sql.ask(by, announcement, 'announce_session', args)).busyPages;
    };
    expect(await announce(viewer, fixture.page)).toBe(0);
    expect(await announce(editor, fixture.page)).toBe(1);
    expect(await announce(owner, fixture.subpage)).toBe(2);
    expect(await announce(owner, fixture.page)).toBe(1);
    await sql.rows(`update weft.announced_sessions set writes_until = now() - interval '1 second'`);
    expect(await announce(viewer, fixture.page)).toBe(0);
  }),
);

test(
  'announce_session keeps the newest hundred sessions of a person',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer } = fixture.people;
    const announce = (by: typeof editor) =>
      sql.call(by, 'announce_session', { document: fixture.page, session: randomUUID(), is_writing: false });
    await announce(editor);
    for (let n = 0; n < 105; n++) await announce(viewer);
    const rows = await sql.rows(
      'select user_id, count(*)::integer as sessions from weft.announced_sessions where document_id = $1 group by 1',
      [fixture.page],
    );
    expect(new Map(rows.map((row) => [row['user_id'], row['sessions']]))).toEqual(
      new Map([
        [editor.id, 1],
        [viewer.id, 100],
      ]),
    );
  }),
);
