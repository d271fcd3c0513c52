// A person’s own account: its deletion, and pictures.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accountDeletion, updatedProfile } from '../../../src/protocol/people-answers.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { danglingRows } from '../fixture/dangling.ts';
import { invite } from '../fixture/invite.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, attach } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const deleteAccount = (sql: Sql, by: Caller) => sql.ask(by, accountDeletion, 'delete_account', {});
const ownerRole = (sql: Sql, fixture: WorkspaceFixture, person: Person, role: string) =>
  sql.rows('update public.workspace_members set role = $3 where workspace_id = $1 and user_id = $2', [
    fixture.workspace,
    person.id,
    role,
  ]);

// --- deletion -----------------------------------------------------------------------------------------------------

test(
  'deleting an account leaves what the person wrote, without a name, and nothing else of them',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner } = fixture.people;
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: editor.id, role: 'manager' });
    const { secret } = await invite(sql, editor, fixture, { document: fixture.page });
    await sql.call(editor, 'create_share_link', { document: fixture.page, role: 'viewer', expires_at: null });
    await sql.call(editor, 'claim_snapshot', { document: fixture.page });
    await sql.call(editor, 'announce_session', { document: fixture.page, session: randomUUID(), is_writing: true });
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'T', body_text: 'B' });
    const alone = { id: randomUUID(), name: 'Alone', document: randomUUID() };
    await sql.call(editor, 'create_workspace', alone);
    const rows = () =>
      sql.rows('select seq, update from public.document_updates where document_id = $1', [fixture.page]);
    const before = await rows();

    expect(await deleteAccount(sql, editor)).toEqual({ isDeleted: true });
    expect(await danglingRows(sql, editor.id)).toEqual([]);
    expect(await sql.rows('select from auth.users where id = $1', [editor.id])).toEqual([]);
    expect(await rows()).toEqual(before);
    expect(
      await sql.row('select appended_by from public.document_updates where document_id = $1 and seq = 2', [
        fixture.page,
      ]),
    ).toEqual({ appended_by: null });
    expect(await danglingRows(sql, alone.id)).toEqual([]);
    expect(await sql.outcome(() => sql.call(fixture.people.stranger, 'accept_invite', { secret }))).toBe('WF009');
    // The link that they made is the page’s.
    expect(await sql.row('select count(*)::int as links from public.share_links where created_by is null', [])).toEqual(
      { links: 1 },
    );
  }),
);

test(
  'no one can go on writing in the session of someone who deleted their account',
  withWorkspace(async (sql, fixture) => {
    await deleteAccount(sql, fixture.people.editor);
    const args = { document: fixture.page, session: fixture.editorSession, client_id: fixture.editorClientId };
    const start = (by: Caller) => sql.outcome(() => sql.call(by, 'start_session', { ...args, schema_version: 1 }));
    expect(await start(fixture.people.owner)).toBe('WF005');
    expect(await start(fixture.people.editor)).toBe('WF003');
  }),
);

test(
  'the last owner of a workspace with other members keeps the account; with another owner, or alone, it goes',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, admin, workspaceGuest } = fixture.people;
    const tried = () => sql.outcome(() => sql.call(owner, 'delete_account', {}));
    expect(await tried()).toBe('WF014');
    await ownerRole(sql, fixture, member, 'owner');
    expect(await tried()).toBe('ok');
    await ownerRole(sql, fixture, member, 'member');
    for (const person of [admin, member]) await deleteAccount(sql, person);
    expect(await tried()).toBe('WF014');
    await deleteAccount(sql, workspaceGuest);
    expect(await tried()).toBe('ok');
    await deleteAccount(sql, owner);
    expect(await danglingRows(sql, fixture.workspace)).toEqual([]);
  }),
);

test(
  'topics move wherever the person had access, and the others in the workspace learn that a member is gone',
  withWorkspace(async (sql, fixture) => {
    const { member, viewer, redeemedEditor } = fixture.people;
    const told = async (person: Person) =>
      (await sql.sentDuring(() => deleteAccount(sql, person))).map(({ event, topic }) => `${event} ${topic}`);
    expect(await told(viewer)).toEqual(
      expect.arrayContaining([`moved d:${fixture.page}:1.1`, `moved d:${fixture.subpage}:1.1`]),
    );
    expect(await told(redeemedEditor)).toEqual(expect.arrayContaining([`moved d:${fixture.page}:2.1`]));
    expect(await told(member)).toEqual(
      expect.arrayContaining([`change k:${fixture.workspace}:1`, `moved d:${fixture.page}:3.1`]),
    );
  }),
);

test(
  'the topics of someone whom an administrator deletes move too',
  withWorkspace(async (sql, fixture) => {
    const { member, viewer } = fixture.people;
    const epochs = () =>
      sql.rows<{ id: string; epoch: string }>(
        `select d.id, d.epoch || '.' || w.epoch as epoch from public.documents as d
         join public.workspaces as w on w.id = d.workspace_id where w.id = $1 order by 1`,
        [fixture.workspace],
      );
    const isMoved = async (person: Person) => {
      const before = new Map((await epochs()).map(({ id, epoch }) => [id, epoch]));
      await sql.rows('delete from auth.users where id = $1', [person.id]);
      return Object.fromEntries((await epochs()).map(({ id, epoch }) => [id, before.get(id) !== epoch]));
    };
    const { page, subpage, secretPage } = fixture;
    // A role on the page, and its subpages.
    expect(await isMoved(viewer)).toEqual({ [page]: true, [subpage]: true, [secretPage]: false });
    expect(await isMoved(member)).toEqual({ [page]: true, [subpage]: true, [secretPage]: true });
  }),
);

test(
  'files of a page and an author who are both gone can be removed by anyone',
  withWorkspace(async (sql, fixture) => {
    const { stranger, editor } = fixture.people;
    const document = randomUUID();
    await sql.call(editor, 'create_workspace', { id: randomUUID(), name: 'Alone', document });
    const file = await attach(sql, editor, document);
    await deleteAccount(sql, editor);
    const names = async () => Reflect.get(Object(await sql.call(stranger, 'purge_attachments', {})), 'names');
    expect(await names()).toEqual([`${document}/${file}`]);
    await sql.rows(`delete from storage.objects where bucket_id = 'attachments' and name like $1`, [`${document}/%`]);
    expect(await names()).toEqual([]);
    // Its id alone: it must not be made again.
    expect(await danglingRows(sql, document)).toEqual(['weft.purged_documents']);
  }),
);

test(
  'someone who wrote much is deleted by several calls',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
       select $1, n, $2, n, n, $3, '\\x00' from generate_series(3, 30000) as n`,
      [fixture.page, fixture.editorSession, editor.id],
    );
    expect(await deleteAccount(sql, editor)).toEqual({ isDeleted: false });
    expect(await deleteAccount(sql, editor)).toEqual({ isDeleted: true });
    expect(await danglingRows(sql, editor.id)).toEqual([]);
  }),
);

// --- pictures -----------------------------------------------------------------------------------------------------

const HEADERS = { 'content-type': 'image/png', 'content-length': '1000', 'cache-control': 'private, no-store' };

/** Runs one statement on the bucket as Storage does: with the operation and the request’s headers in settings. */
async function inStorage(
  sql: Sql,
  operation: string,
  by: Caller,
  text: string,
  params: unknown[],
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<unknown[]> {
  await sql.rows(`select set_config('storage.operation', $1, true), set_config('request.headers', $2, true)`, [
    operation,
    JSON.stringify(headers),
  ]);
  return sql.as(by, text, params);
}
const store = (sql: Sql, by: Caller, name: string, headers?: Readonly<Record<string, string>>) =>
  inStorage(
    sql,
    'object.upload',
    by,
    `insert into storage.objects (bucket_id, name) values ('avatars', $1) returning id`,
    [name],
    headers,
  );
const sees = async (sql: Sql, by: Caller, name: string, operation = 'object.get_authenticated') =>
  (await inStorage(sql, operation, by, 'select from storage.objects where name = $1', [name])).length === 1;
const setPicture = (sql: Sql, by: Caller, path: string | null) =>
  sql.ask(by, updatedProfile, 'update_profile', { display_name: 'Name', color: 'rust', avatar_path: path });

test(
  'a picture is seen by those who may see the profile, while the profile names it',
  withWorkspace(async (sql, fixture) => {
    const { member, owner, stranger, viewer } = fixture.people;
    const path = `${member.id}/${randomUUID()}`;
    await store(sql, member, path);
    const seen = async () => {
      const found = [];
      for (const by of [member, owner, viewer, stranger, 'anon'] as const) found.push(await sees(sql, by, path));
      return found;
    };
    expect(await seen()).toEqual([false, false, false, false, false]);
    expect(await setPicture(sql, member, path)).toMatchObject({ avatarPath: path, leftovers: [] });
    expect(await seen()).toEqual([true, true, true, false, false]);
    expect(await sees(sql, owner, path, 'object.sign')).toBe(false);
    expect(await setPicture(sql, member, 'keep')).toMatchObject({ avatarPath: path });
    expect(await setPicture(sql, member, null)).toMatchObject({ avatarPath: null, leftovers: [path] });
    expect(await seen()).toEqual([false, false, false, false, false]);
    const remove = (by: Caller) =>
      inStorage(sql, 'object.delete_many', by, 'delete from storage.objects where name = $1 returning id', [path]);
    expect(await remove(owner)).toEqual([]);
    expect((await remove(member)).length).toBe(1);
  }),
);

test(
  'people store pictures in their own folder only, of the allowed types and size, and a few',
  withWorkspace(async (sql, fixture) => {
    const { member, owner } = fixture.people;
    const codeOf = (name: string, headers: Readonly<Record<string, string>> = HEADERS, by: Caller = member) =>
      sql.outcome(() => store(sql, by, name, headers));
    const own = () => `${member.id}/${randomUUID()}`;
    expect(await codeOf(own())).toBe('ok');
    expect(await codeOf(own(), HEADERS, owner)).toBe('42501');
    expect(await codeOf(own(), HEADERS, 'anon')).toBe('42501');
    for (const name of [`${member.id}/x`, member.id, `${own()}/x`, `../${own()}`, randomUUID()])
      expect([name, await codeOf(name)]).toEqual([name, '42501']);
    for (const change of [
      { 'content-type': 'image/svg+xml' },
      { 'content-type': 'text/html' },
      { 'content-length': '1048577' },
      { 'content-length': '' },
      { 'cache-control': 'max-age=3600' },
      { 'content-encoding': 'gzip' },
      { 'transfer-encoding': 'chunked' },
    ])
      expect([change, await codeOf(own(), { ...HEADERS, ...change })]).toEqual([change, '42501']);
    for (let n = 0; n < 10; n++) await store(sql, member, own());
    expect(await codeOf(own())).toBe('42501');
  }),
);

test(
  'a profile names no picture of someone else, and none that is not there',
  withWorkspace(async (sql, fixture) => {
    const { member, owner } = fixture.people;
    const path = `${owner.id}/${randomUUID()}`;
    await store(sql, owner, path);
    for (const name of [path, `${member.id}/${randomUUID()}`, '', 'x', `${fixture.page}/${fixture.attachment}`])
      expect([name, await sql.outcome(() => setPicture(sql, member, name))]).toEqual([name, '22023']);
    const sent = await sql.sentDuring(() => setPicture(sql, owner, path));
    expect(sent.map(({ topic }) => topic)).toContain(`k:${fixture.workspace}:1`);
  }),
);
