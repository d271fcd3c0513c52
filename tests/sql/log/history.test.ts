// The calls of a page's history to the database: editing sessions, versions, rows from the first on, and history by link.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { workspaceChange } from '../../../src/protocol/answers.ts';
import {
  type EditingSession,
  editingSessions,
  historyRows,
  linkHistory,
  version,
  versions,
} from '../../../src/protocol/history-answers.ts';
import { pagePeople } from '../../../src/protocol/people-answers.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { pagesRead } from '../fixture/cost.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, shareLink, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const START = Date.parse('2026-06-01T09:00:00Z');
const MINUTE = 60_000;

/** Replaces the log by rows at these minutes. Each has one edit of `by`. */
async function writeLog(
  sql: Sql,
  fixture: WorkspaceFixture,
  rows: readonly { readonly minute: number; readonly by?: 'editor' | 'member' }[],
): Promise<void> {
  await sql.rows('delete from public.document_updates where document_id = $1', [fixture.page]);
  const member = await startSession(sql, fixture.people.member, fixture.page);
  for (const [at, { minute, by = 'editor' }] of rows.entries()) {
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, created_at)
       values ($1, $2, $3, $4, $4, $5, '\\x07', $6)`,
      [
        fixture.page,
        at + 1,
        by === 'editor' ? fixture.editorSession : member.session,
        at + 1,
        fixture.people[by].id,
        new Date(START + minute * MINUTE).toISOString(),
      ],
    );
  }
  await sql.rows('update public.document_heads set head_seq = $2 where document_id = $1', [fixture.page, rows.length]);
}

const list = (sql: Sql, fixture: WorkspaceFixture, args: Record<string, unknown> = {}) =>
  sql.ask(fixture.people.viewer, editingSessions, 'list_sittings', { document: fixture.page, ...args });
const ranges = (found: readonly EditingSession[]) => found.map(({ fromSeq, toSeq }) => [fromSeq, toSeq]);

test(
  'a pause of more than 30 minutes ends an editing session, one of 30 does not',
  withWorkspace(async (sql, fixture) => {
    await writeLog(sql, fixture, [
      { minute: 0 },
      { minute: 30, by: 'member' },
      { minute: 31 },
      { minute: 61.1 },
      { minute: 500 },
    ]);
    const { editor, member } = fixture.people;
    expect(await list(sql, fixture)).toEqual([
      {
        fromSeq: 5,
        toSeq: 5,
        from: START + 500 * MINUTE,
        to: START + 500 * MINUTE,
        edits: 1,
        passedOn: 0,
        authors: [editor.id],
      },
      {
        fromSeq: 4,
        toSeq: 4,
        from: START + 61.1 * MINUTE,
        to: START + 61.1 * MINUTE,
        edits: 1,
        passedOn: 0,
        authors: [editor.id],
      },
      {
        fromSeq: 1,
        toSeq: 3,
        from: START,
        to: START + 31 * MINUTE,
        // The page's first row is no edit.
        edits: 2,
        passedOn: 0,
        authors: [member.id, editor.id].toSorted(),
      },
    ]);
  }),
);

test(
  'the list goes on before the first row of its last editing session until the page begins',
  withWorkspace(async (sql, fixture) => {
    await writeLog(
      sql,
      fixture,
      Array.from({ length: 30 }, (_, at) => ({ minute: Math.floor(at / 3) * 40 + (at % 3) })),
    );
    const all = await list(sql, fixture);
    expect(ranges(all)).toEqual(Array.from({ length: 10 }, (_, at) => [28 - 3 * at, 30 - 3 * at]));
    const found: EditingSession[] = [];
    for (let before: number | null = null; before !== 1; before = found.at(-1)?.fromSeq ?? 1) {
      const some = await list(sql, fixture, { before, row_limit: 4 });
      expect(some.length).toBeLessThanOrEqual(4);
      found.push(...some);
    }
    expect(found).toEqual(all);
    expect(await list(sql, fixture, { before: 1 })).toEqual([]);
  }),
);

test(
  'for one person only the editing sessions come in which they wrote, however far back',
  withWorkspace(async (sql, fixture) => {
    await writeLog(
      sql,
      fixture,
      Array.from({ length: 40 }, (_, at) => ({ minute: at * 31, by: at % 10 === 3 ? 'member' : 'editor' })),
    );
    const person = fixture.people.member.id;
    expect(ranges(await list(sql, fixture, { person, row_limit: 3 }))).toEqual([
      [34, 34],
      [24, 24],
      [14, 14],
    ]);
    expect(ranges(await list(sql, fixture, { person, before: 14 }))).toEqual([[4, 4]]);
    expect(await list(sql, fixture, { person: fixture.people.owner.id })).toEqual([]);
  }),
);

test(
  'an edit that another account appended under its author’s session counts as that account’s, and as passed on',
  withWorkspace(async (sql, fixture) => {
    const { editor, member, manager } = fixture.people;
    await writeLog(sql, fixture, [{ minute: 0 }]);
    const own = await startSession(sql, editor, fixture.page);
    const lost = await startSession(sql, member, fixture.page);
    const dependencies = [{ session: lost.session, nFrom: 1, nTo: 3, update: 'BwcH' }];
    // They arrive as dependencies of an own edit, and relayed: no one can check whose they are.
    await append(sql, editor, { document: fixture.page, session: own.session, nFrom: 1, nTo: 1, dependencies });
    const relay = await startSession(sql, manager, fixture.page);
    await append(sql, manager, {
      document: fixture.page,
      session: relay.session,
      nFrom: 0,
      nTo: 0,
      update: '',
      dependencies: [{ session: lost.session, nFrom: 4, nTo: 5, update: 'Bwc=' }],
    });
    const [newest] = await list(sql, fixture);
    expect(newest).toMatchObject({ edits: 1 + 3 + 2, passedOn: 5, authors: [editor.id, manager.id] });
    expect(await list(sql, fixture, { person: member.id })).toEqual([]);
    for (const person of [editor.id, manager.id])
      expect(ranges(await list(sql, fixture, { person }))[0]).toEqual([2, 3]);
  }),
);

test(
  'edits of someone who deleted their account stay in the editing session, without an author',
  withWorkspace(async (sql, fixture) => {
    await sql.call(fixture.people.editor, 'delete_account', {});
    const [newest] = await list(sql, fixture);
    expect(newest).toMatchObject({ edits: 1, authors: [null, fixture.people.owner.id] });
  }),
);

test(
  'editing sessions of a page of 20,000 rows are found without reading it for each of them',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('delete from public.document_updates where document_id = $1', [fixture.page]);
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, created_at)
       select $1, n, $2, n, n, $3, decode(repeat('07', 60), 'hex'),
         timestamptz '2026-06-01' + n * interval '10 seconds' + (n / 400) * interval '1 hour'
       from generate_series(1, 20000) as n`,
      [fixture.page, fixture.editorSession, fixture.people.editor.id],
    );
    await sql.rows('analyze public.document_updates');
    const calls: readonly (readonly [row_limit: number, person: string | null, found: number])[] = [
      [30, null, 30],
      [100, null, 51],
      [30, fixture.people.owner.id, 0],
    ];
    const [{ pages } = { pages: 0 }] = await sql.rows<{ pages: number }>(
      `select (pg_relation_size('public.document_updates') / current_setting('block_size')::int)::int as pages`,
    );
    for (const [row_limit, person, found] of calls) {
      expect(await list(sql, fixture, { row_limit, person })).toHaveLength(found);
      const [row] = await sql.as(
        fixture.people.viewer,
        `explain (analyze, buffers, format json)
          select public.list_sittings(document => $1, row_limit => $2, person => $3)`,
        [fixture.page, row_limit, person],
      );
      // Reading it for each editing session would be 51 times as much.
      expect(pagesRead(row)).toBeLessThan(10 * pages);
    }
  }),
);

// --- the wall of the history --------------------------------------------------------------------------------------

/** The calls that say what the page was, who wrote it, and who else has access. */
async function historyOf(sql: Sql, person: Person, { page, workspace }: WorkspaceFixture) {
  const found: Record<string, unknown> = {};
  for (const call of ['history_rows', 'list_sittings', 'list_versions'])
    found[call] = await sql.outcome(() =>
      sql.call(person, call, call === 'history_rows' ? { document: page, after: 0 } : { document: page }),
    );
  const { people } = await sql.ask(person, pagePeople, 'document_people', { document: page });
  found['people'] = people.every(({ user }) => user === person.id) ? 'own' : 'all';
  const activity: unknown = await sql.outcome(() => sql.call(person, 'list_activity', { workspace }));
  found['activity'] =
    activity === 'ok' ? JSON.stringify(await sql.call(person, 'list_activity', { workspace })) !== '[]' : activity;
  return found;
}

const READS = { history_rows: 'ok', list_sittings: 'ok', list_versions: 'ok' };

test(
  'a person with access by a link alone reads the history only if the link shows it; a second source shows it, too',
  withWorkspace(async (sql, fixture) => {
    const { owner, redeemedEditor, viewer } = fixture.people;
    const everything = { ...READS, people: 'all', activity: true };
    const refused = Object.fromEntries(Object.keys(READS).map((call) => [call, 'WF002']));
    const nothing = { ...refused, people: 'own', activity: false };
    const found = () => historyOf(sql, redeemedEditor, fixture);
    expect(await historyOf(sql, viewer, fixture)).toEqual(everything);
    expect(await found()).toEqual(nothing);
    const shows = (history: boolean) =>
      sql.rows('update public.share_links set history = $2 where id = $1', [fixture.links.editor.id, history]);
    await shows(true);
    expect(await found()).toEqual({ ...everything, people: 'own' });
    await shows(false);
    expect(await found()).toEqual(nothing);
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: redeemedEditor.id, role: 'viewer' });
    expect(await found()).toEqual(everything);
  }),
);

test(
  'an expired link that shows the history does not show it to someone with another link',
  withWorkspace(async (sql, fixture) => {
    const { owner, redeemedEditor } = fixture.people;
    const other = await shareLink(sql, owner, fixture.page, 'commenter');
    await sql.rows('update public.share_links set history = true where id = $1', [fixture.links.editor.id]);
    await sql.rows(
      `insert into public.document_members (document_id, user_id, role, via_link) values ($1, $2, 'commenter', $3)`,
      [fixture.page, redeemedEditor.id, other.id],
    );
    const read = () =>
      sql.outcome(() => sql.call(redeemedEditor, 'history_rows', { document: fixture.page, after: 0 }));
    expect(await read()).toBe('ok');
    await sql.rows('update public.share_links set expires_at = now() where id = $1', [fixture.links.editor.id]);
    expect(await read()).toBe('WF002');
  }),
);

// --- versions -----------------------------------------------------------------------------------------------------

const name = (sql: Sql, by: Caller, args: Record<string, unknown>) =>
  sql.ask(by, version, 'name_version', { id: randomUUID(), ...args });
const names = async (sql: Sql, fixture: WorkspaceFixture) =>
  (await sql.ask(fixture.people.viewer, versions, 'list_versions', { document: fixture.page })).map(
    ({ seq, name: own, kind }) => [seq, own, kind],
  );

test(
  'a version has the trimmed name, its author and the time of its row; a repeated call finds it',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const args = { id: randomUUID(), document: fixture.page, seq: 2, name: '  To the committee ' };
    const made = await sql.ask(editor, version, 'name_version', args);
    expect(made).toMatchObject({ seq: 2, name: 'To the committee', kind: 'named', createdBy: editor.id });
    const { at } = await sql.row<{ at: string }>(
      'select created_at as at from public.document_updates where document_id = $1 and seq = 2',
      [fixture.page],
    );
    expect(made.at).toBe(Date.parse(at));
    expect(await sql.ask(editor, version, 'name_version', { ...args, name: 'Another' })).toEqual(made);
    expect(await names(sql, fixture)).toEqual([
      [2, 'To the committee', 'named'],
      [1, 'The first words', 'named'],
    ]);
  }),
);

test(
  'before a restore a row gets one automatic version, which may be named later',
  withWorkspace(async (sql, fixture) => {
    const { editor, member } = fixture.people;
    const first = await name(sql, editor, { document: fixture.page, seq: 2, kind: 'restore' });
    const second = await name(sql, member, { document: fixture.page, seq: 2, kind: 'restore' });
    expect(second).toEqual(first);
    const other = await name(sql, member, { document: fixture.page, seq: 2, kind: 'import' });
    expect(other.id).not.toBe(first.id);
    await sql.ask(editor, version, 'rename_version', { version: first.id, name: 'Before the storm' });
    expect(await names(sql, fixture)).toContainEqual([2, 'Before the storm', 'restore']);
    expect(await sql.outcome(() => name(sql, editor, { document: fixture.page, seq: 2, kind: 'named' }))).toBe('23514');
  }),
);

test(
  'a version is renamed and removed by who made it and by managers',
  withWorkspace(async (sql, fixture) => {
    const { editor, member, manager } = fixture.people;
    const rename = (by: Caller, id: string) =>
      sql.outcome(() => sql.call(by, 'rename_version', { version: id, name: 'New' }));
    expect(await rename(member, fixture.version)).toBe('WF002');
    expect(await rename(editor, fixture.version)).toBe('ok');
    expect(await rename(manager, fixture.version)).toBe('ok');
    const own = await name(sql, member, { document: fixture.page, seq: 1, name: 'Mine' });
    expect(await rename(member, own.id)).toBe('ok');
    // The version's author may only read now.
    await sql.call(manager, 'set_document_member', { document: fixture.page, person: editor.id, role: 'viewer' });
    expect(await rename(editor, fixture.version)).toBe('WF002');
    await sql.call(manager, 'remove_version', { version: fixture.version });
    expect(await sql.outcome(() => sql.call(manager, 'remove_version', { version: fixture.version }))).toBe('WF001');
    expect(await names(sql, fixture)).toEqual([[1, 'Mine', 'named']]);
  }),
);

test(
  'no one names versions of a page in the trash or takes another page’s id, and a page has at most 1,000',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const taken = { id: fixture.version, document: fixture.secretPage, seq: 1, name: 'Taken' };
    expect(await sql.outcome(() => sql.call(owner, 'name_version', taken))).toBe('WF001');
    await sql.rows('alter table public.document_versions disable trigger publish_version_change');
    await sql.rows(
      `insert into public.document_versions (id, document_id, seq, name, kind)
       select gen_random_uuid(), $1, 1, 'v' || n, 'named' from generate_series(2, 1000) as n`,
      [fixture.page],
    );
    await sql.rows('alter table public.document_versions enable trigger publish_version_change');
    const one = { document: fixture.page, seq: 1, name: 'One more' };
    expect(await sql.outcome(() => name(sql, owner, one))).toBe('54000');
    await sql.call(owner, 'remove_version', { version: fixture.version });
    expect(await sql.outcome(() => name(sql, owner, one))).toBe('ok');
    await sql.call(owner, 'trash_document', { document: fixture.page });
    expect(await sql.outcome(() => name(sql, owner, one))).toBe('WF002');
  }),
);

test(
  'everyone who reads the page learns that its versions changed, and no one else',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer, stranger } = fixture.people;
    const topics = async (run: () => Promise<unknown>) =>
      (await sql.sentDuring(run)).flatMap(({ topic, json }) => {
        const { kind, op, id } = v.parse(workspaceChange, json);
        return kind === 'version' ? [[topic, op, id]] : [];
      });
    const made = await topics(() => name(sql, editor, { document: fixture.page, seq: 1, name: 'New' }));
    expect(made).toContainEqual([`k:${fixture.workspace}:1`, 'created', fixture.page]);
    expect(made).toContainEqual([`u:${viewer.id}`, 'created', fixture.page]);
    expect(made.map(([topic]) => topic)).not.toContain(`u:${stranger.id}`);
    const removed = await topics(() => sql.call(editor, 'remove_version', { version: fixture.version }));
    expect(removed).toContainEqual([`u:${viewer.id}`, 'removed', fixture.page]);
  }),
);

test(
  'a page that is deleted for good leaves no row, snapshot or version',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    await sql.call(owner, 'trash_document', { document: fixture.page });
    await sql.call(owner, 'purge_document', { document: fixture.page });
    for (const table of ['document_updates', 'document_snapshots', 'document_sessions', 'document_versions'])
      expect(await sql.rows(`select from public.${table} where document_id = $1`, [fixture.page])).toEqual([]);
  }),
);

test(
  'history_rows begins with the first row, also where a snapshot is kept',
  withWorkspace(async (sql, fixture) => {
    const { viewer } = fixture.people;
    const answer = await sql.ask(viewer, historyRows, 'history_rows', {
      document: fixture.page,
      after: 0,
      row_version: 2,
    });
    expect(answer).toMatchObject({ head: 2, more: false, schemaVersion: 1 });
    expect(answer.rows.map(({ seq, at }) => [seq, at !== undefined])).toEqual([
      [1, true],
      [2, true],
    ]);
    const after = await sql.ask(viewer, historyRows, 'history_rows', { document: fixture.page, after: 2 });
    expect(after).toMatchObject({ rows: [], head: 2, more: false });
  }),
);

test(
  'a link shows the history only if it was made so, as long as it lives, and names no one',
  withWorkspace(async (sql, fixture) => {
    const { owner, manager } = fixture.people;
    const read = (secret: string) =>
      sql.outcome(() => sql.call('anon', 'link_history', { secret, after: 0, until: null }));
    const says = async (secret: string) =>
      Reflect.get(Object(await sql.call('anon', 'open_watch', { secret, since: 0 })), 'history');
    expect(await read(fixture.links.viewer.secret)).toBe('WF002');
    expect(await says(fixture.links.viewer.secret)).toBe(false);
    const made: unknown = await sql.call(manager, 'create_share_link', {
      document: fixture.page,
      role: 'viewer',
      expires_at: null,
      history: true,
    });
    expect(made).toMatchObject({ link: { history: true } });
    const secret = String(Reflect.get(Object(made), 'secret'));
    expect(await says(secret)).toBe(true);
    const answer = await sql.ask('anon', linkHistory, 'link_history', {
      secret,
      after: 0,
      until: null,
      row_version: 2,
    });
    expect(answer.rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(answer.versions).toEqual([{ id: fixture.version, seq: 1, name: 'The first words', kind: 'named' }]);
    const rest = await sql.ask('anon', linkHistory, 'link_history', { secret, after: 1, until: 1 });
    expect(rest).toMatchObject({ rows: [], head: 2, more: false, versions: [] });
    const text = JSON.stringify(await sql.call('anon', 'link_history', { secret, after: 2, until: 2 }));
    for (const { id } of Object.values(fixture.people)) expect(text).not.toContain(id);
    await sql.call(owner, 'revoke_share_link', { link: Reflect.get(Object(Reflect.get(Object(made), 'link')), 'id') });
    expect(await read(secret)).toBe('WF009');
    const plain = await shareLink(sql, owner, fixture.page, 'viewer');
    expect(await read(plain.secret)).toBe('WF002');
  }),
);
