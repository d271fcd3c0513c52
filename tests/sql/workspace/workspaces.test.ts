// Profiles, workspaces and their members, lists of pages and the tree of pages.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openAnswer } from 'weft-sync/protocol/log-answers.ts';
import { createdWorkspace, documentChanges, documentSummary, profile } from '../../../src/protocol/answers.ts';
import { COLORS } from '../../../src/protocol/colors.ts';
import { MAX_NAME_LENGTH } from '../../../src/protocol/limits.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { CALLERS, type WorkspaceFixture, append, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const createWorkspace = (
  sql: Sql,
  by: Caller,
  name: string,
  id: string = randomUUID(),
  document: string = randomUUID(),
) => sql.ask(by, createdWorkspace, 'create_workspace', { id, name, document });
const createDocument = (
  sql: Sql,
  fixture: WorkspaceFixture,
  by: Caller,
  parent: string | null,
  id: string = randomUUID(),
) => sql.ask(by, documentSummary, 'create_document', { id, workspace: fixture.workspace, parent, rank: 'a3' });
const list = (sql: Sql, by: Caller, workspace: string) => sql.ask(by, documentChanges, 'list_documents', { workspace });

// --- people -------------------------------------------------------------------------------------------------------

test(
  'signing up creates a profile with the given name, else that of another service, else the email before the @, else "Guest"',
  withWorkspace(async (sql) => {
    const nameOf = async (local: string | null, data: unknown) => {
      const id = randomUUID();
      const email = local === null ? null : `${local}@${id}.example`;
      await sql.rows('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
        id,
        email,
        data === undefined ? null : JSON.stringify(data),
      ]);
      return (await sql.row('select display_name from public.profiles where id = $1', [id]))['display_name'];
    };
    expect(await nameOf('ada', { display_name: '  Ada Lovelace ' })).toBe('Ada Lovelace');
    expect(await nameOf('ada', {})).toBe('ada');
    expect(await nameOf('ada', { display_name: ' \t ' })).toBe('ada');
    expect(await nameOf('ada', { display_name: null })).toBe('ada');
    expect(await nameOf('ada', { display_name: 'A\nd\u0000a\u0085'.replace('\u0000', '') })).toBe('Ada');
    expect(await nameOf('ada', { display_name: `${'x'.repeat(79)} yz` })).toBe('x'.repeat(79));
    expect(await nameOf('ada', { display_name: 'x y '.repeat(500_000) })).toBe('x y '.repeat(20).trim());
    // The names that other services give (OAuth).
    expect(await nameOf('ada', { name: 'ada99', full_name: 'Ada Lovelace', email: 'ada@x.example' })).toBe(
      'Ada Lovelace',
    );
    expect(await nameOf('ada', { name: 'Ada L.', full_name: ' ' })).toBe('Ada L.');
    expect(await nameOf(null, undefined)).toBe('Guest');
    expect(await nameOf(null, { display_name: 7 })).toBe('7');
    expect(await nameOf('', [])).toBe('Guest');
  }),
);

test(
  'new people get different colors of the palette',
  withWorkspace(async (sql) => {
    for (let n = 0; n < 60; n++) await sql.signUp(`person${n}`);
    const used = (await sql.rows<{ color: string }>('select distinct color from public.profiles')).map(
      (row) => row.color,
    );
    expect(COLORS).toEqual(expect.arrayContaining(used));
    expect(used.length).toBeGreaterThan(8);
  }),
);

test(
  'people can change their name and color to valid ones',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    const change = (name: unknown, color: unknown = 'rust') =>
      sql.outcome(() => sql.call(member, 'update_profile', { display_name: name, color }));
    expect(await sql.ask(member, profile, 'update_profile', { display_name: '  Grace ', color: 'weld' })).toEqual({
      id: member.id,
      displayName: 'Grace',
      color: 'weld',
      avatarPath: null,
    });
    for (const color of COLORS) expect(await change('Grace', color)).toBe('ok');
    expect(await change('x'.repeat(MAX_NAME_LENGTH))).toBe('ok');
    expect(await change('ü 字 👩‍🔬')).toBe('ok');
    for (const name of ['', '  ', 'x'.repeat(MAX_NAME_LENGTH + 1), 'a\tb', 'a\u0085b', 'a\u007fb']) {
      expect([name, await change(name)]).toEqual([name, '23514']);
    }
    expect(await change('Grace', 'pink')).toBe('23514');
    expect(await change(null)).toBe('23502');
  }),
);

test(
  'people see the profiles of those with whom they share a workspace or a page, and never an email',
  withWorkspace(async (sql, fixture) => {
    const seenBy = async (by: Caller) => {
      const rows = await sql.as<{ id: string }>(by, 'select id from public.profiles');
      const ids = new Set(rows.map((row) => row.id));
      return CALLERS.filter((name) => {
        const caller = fixture.caller(name);
        return typeof caller !== 'string' && ids.has(caller.id);
      });
    };
    const { stranger, guest, workspaceGuest, linkWatcher, redeemedCommenter } = fixture.people;
    expect(await seenBy(stranger)).toEqual(['stranger']);
    expect(await seenBy(guest)).toEqual(['guest']);
    expect(await seenBy(workspaceGuest)).toEqual(['workspaceGuest', 'member', 'admin', 'owner']);
    expect(await seenBy(linkWatcher)).toEqual(['linkWatcher']);
    const others = ['anon', 'service', 'stranger', 'guest', 'linkWatcher', 'workspaceGuest'];
    expect(await seenBy(redeemedCommenter)).toEqual(CALLERS.filter((name) => !others.includes(name)));
    const columns = await sql.rows<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'profiles'
       order by ordinal_position`,
    );
    expect(columns.map((row) => row.column_name)).toEqual(['id', 'display_name', 'color', 'avatar_path', 'created_at']);
  }),
);

// --- workspaces ---------------------------------------------------------------------------------------------------

test(
  'creating a workspace creates its owner and a welcome page; a repeated call creates nothing',
  withWorkspace(async (sql, fixture) => {
    const { guest, stranger } = fixture.people;
    const [id, document] = [randomUUID(), randomUUID()];
    const first = await createWorkspace(sql, guest, '  Café Zürich ', id, document);
    expect(first).toEqual({
      workspace: { id, name: 'Café Zürich', slug: 'cafe-zurich', epoch: 1, role: 'owner' },
      document,
    });
    expect(await createWorkspace(sql, guest, 'Café Zürich', id, document)).toEqual(first);
    expect(await createWorkspace(sql, guest, 'Another name', id, randomUUID())).toEqual(first);
    expect((await list(sql, guest, id)).documents).toMatchObject([
      { id: document, title: 'Welcome to Weft', access: 'workspace', parentId: null, role: 'manager' },
    ]);
    const opened = await sql.ask(guest, openAnswer, 'open_document', { document, since: 0 });
    expect([opened.head, opened.rows.length]).toEqual([1, 1]);

    const code = (by: Caller, change: Record<string, unknown>) =>
      sql.outcome(() =>
        sql.call(by, 'create_workspace', { id: randomUUID(), name: 'W', document: randomUUID(), ...change }),
      );
    expect(await code(stranger, {})).toBe('ok');
    expect(await code(stranger, { id })).toBe('WF001');
    expect(await code(stranger, { document })).toBe('WF001');
    expect(await code(guest, { document })).toBe('WF001');
  }),
);

test(
  'a workspace’s slug comes from its name, with random characters added if it is taken',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const slug = async (name: string) => (await createWorkspace(sql, owner, name)).workspace.slug;
    expect(await slug('Ada & Co. — Labs')).toBe('ada-co-labs');
    expect(await slug('Ada & Co. — Labs')).toMatch(/^ada-co-labs-[0-9a-f]{4}$/);
    expect(await slug('東京')).toBe('workspace');
    expect(await slug('ÅÄÖ')).toBe('aao');
    expect(await slug(`${'a'.repeat(39)} ${'b'.repeat(40)}`)).toBe('a'.repeat(39));
    const code = (name: string | null) =>
      sql.outcome(() => sql.call(owner, 'create_workspace', { id: randomUUID(), name, document: randomUUID() }));
    expect(await code('x'.repeat(80))).toBe('ok');
    for (const name of ['', '   ', 'x'.repeat(81), 'a\nb']) expect([name, await code(name)]).toEqual([name, '23514']);
    expect(await code(null)).toBe('23502');
  }),
);

test(
  'list_documents returns exactly the pages the caller may see, in order, without the trash',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, admin, viewer, workspaceGuest, redeemedCommenter, linkWatcher, stranger } = fixture.people;
    const ids = async (by: Caller) =>
      (await list(sql, by, fixture.workspace)).documents.map((one) => one.id).toSorted();
    const open = [fixture.page, fixture.subpage].toSorted();
    expect(await ids(owner)).toEqual([...open, fixture.secretPage].toSorted());
    for (const person of [member, admin, viewer]) expect(await ids(person)).toEqual(open);
    expect(await ids(redeemedCommenter)).toEqual([fixture.page]);
    expect(await ids(workspaceGuest)).toEqual([]);
    expect((await list(sql, workspaceGuest, fixture.workspace)).workspace.role).toBe('guest');
    expect((await list(sql, viewer, fixture.workspace)).workspace.role).toBe(null);
    for (const workspace of [fixture.workspace, randomUUID()]) {
      for (const person of [stranger, linkWatcher])
        expect((await sql.refusal(person, 'list_documents', { workspace })).code).toBe('WF001');
    }

    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.subpage]);
    expect(await ids(viewer)).toEqual([fixture.page]);
    for (const [rank, at] of [
      ['Zz', 'b'],
      ['a0', 'c'],
      ['aV', 'd'],
    ] as const) {
      const id = `${at.repeat(8)}-1111-4111-8111-111111111111`;
      await sql.call(owner, 'create_document', { id, workspace: fixture.workspace, parent: fixture.page, rank });
    }
    const ranks = (await list(sql, viewer, fixture.workspace)).documents.map((one) => one.rank);
    expect(ranks).toEqual(['Zz', 'a0', 'a0', 'aV']);
  }),
);

// --- members ------------------------------------------------------------------------------------------------------

const setRole = (sql: Sql, fixture: WorkspaceFixture, by: Caller, user: { readonly id: string }, role: string | null) =>
  sql.call(by, 'set_workspace_role', { workspace: fixture.workspace, person: user.id, role });
const remove = (sql: Sql, fixture: WorkspaceFixture, by: Caller, user: { readonly id: string }) =>
  sql.call(by, 'remove_workspace_member', { workspace: fixture.workspace, person: user.id });
const workspaceRole = async (sql: Sql, fixture: WorkspaceFixture, user: { readonly id: string }) =>
  (await sql.row('select weft.workspace_role($1, $2) as role', [fixture.workspace, user.id]))['role'];
const workspaceEpoch = async (sql: Sql, fixture: WorkspaceFixture) =>
  (await sql.row('select epoch from public.workspaces where id = $1', [fixture.workspace]))['epoch'];

test(
  'removing a member takes away their default roles, moves every topic of the workspace with one write, and announces that on the old topics',
  withWorkspace(async (sql, fixture) => {
    const { admin, member, owner } = fixture.people;
    expect(await sql.call(member, 'open_document', { document: fixture.page, since: 0 })).toMatchObject({
      epoch: '1.1',
    });
    // Only the view topics of pages that were watched in the last day: more than eight people were on them.
    const watched = `update public.document_heads set watched_until = now() - $2::interval where document_id = $1`;
    await sql.rows(watched, [fixture.page, '23 hours']);
    await sql.rows(watched, [fixture.subpage, '25 hours']);
    const sent = await sql.sentDuring(async () => expect(await remove(sql, fixture, admin, member)).toEqual({}));
    expect(await workspaceRole(sql, fixture, member)).toBe(null);
    expect((await sql.refusal(member, 'open_document', { document: fixture.page, since: 0 })).code).toBe('WF001');
    expect((await sql.topicRights(member, `d:${fixture.page}:1.2`)).receive).toBe(false);
    expect((await sql.topicRights(owner, `d:${fixture.page}:1.1`)).receive).toBe(false);
    expect((await sql.topicRights(owner, `d:${fixture.page}:1.2`)).receive).toBe(true);
    expect((await sql.topicRights(owner, `k:${fixture.workspace}:2`)).receive).toBe(true);

    const moved = sent.filter((message) => message.event === 'moved').map(({ topic, json }) => [topic, json]);
    expect(moved.toSorted()).toEqual(
      [`d:${fixture.page}`, `v:${fixture.page}`, `d:${fixture.subpage}`, `d:${fixture.secretPage}`]
        .map((topic) => [`${topic}:1.1`, { epoch: '1.2' }])
        .toSorted(),
    );
    // The remaining members get the change on the topic that they are still on.
    expect(sent.filter((message) => message.topic === `k:${fixture.workspace}:1`).map(({ json }) => json)).toEqual([
      { kind: 'member', op: 'removed', id: member.id, workspace: fixture.workspace },
    ]);
    // A repeated call does nothing.
    expect(await sql.sentDuring(() => remove(sql, fixture, admin, member))).toEqual([]);
    expect(await workspaceEpoch(sql, fixture)).toBe(2);
  }),
);

const pageRoles = (sql: Sql, person: Person) =>
  sql.rows('select role from public.document_members where user_id = $1', [person.id]);

test(
  'a person who leaves the workspace or is removed from it loses every role on its pages, and keeps those elsewhere',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, workspaceGuest, stranger } = fixture.people;
    const elsewhere = randomUUID();
    await sql.call(stranger, 'create_workspace', { id: randomUUID(), name: 'Elsewhere', document: elsewhere });
    for (const person of [member, workspaceGuest]) {
      for (const [by, document] of [
        [owner, fixture.page],
        [owner, fixture.secretPage],
        [stranger, elsewhere],
      ] as const)
        await sql.call(by, 'set_document_member', { document, person: person.id, role: 'viewer' });
      await sql.call(person, 'redeem_share_link', { secret: fixture.links.editor.secret });
    }
    await remove(sql, fixture, member, member);
    await remove(sql, fixture, admin, workspaceGuest);
    for (const person of [member, workspaceGuest]) {
      expect(await pageRoles(sql, person)).toEqual([{ role: 'viewer' }]);
      for (const document of [fixture.page, fixture.subpage, fixture.secretPage])
        expect((await sql.refusal(person, 'open_document', { document, since: 0 })).code).toBe('WF001');
      expect((await sql.refusal(person, 'list_documents', { workspace: fixture.workspace })).code).toBe('WF001');
    }
    expect(await sql.call(workspaceGuest, 'why_closed', { document: fixture.page })).toMatchObject({
      kind: 'removed',
      by: admin.id,
    });
  }),
);

test(
  'a guest of single pages may leave, which moves the topics of those pages and of what is below them',
  withWorkspace(async (sql, fixture) => {
    const { editor, redeemedEditor, linkWatcher } = fixture.people;
    const epochs = () =>
      sql.rows('select epoch from public.documents where workspace_id = $1 order by epoch', [fixture.workspace]);
    const sent = await sql.sentDuring(() => remove(sql, fixture, editor, editor));
    const moved = sent.filter(({ event }) => event === 'moved').map(({ topic }) => topic.replace(/:1\.1$/, ''));
    const pages = [fixture.page, fixture.subpage];
    expect(moved.toSorted()).toEqual(pages.flatMap((id) => [`d:${id}`, `v:${id}`]).toSorted());
    expect(sent.map(({ topic }) => topic)).toContain(`u:${editor.id}`);
    await remove(sql, fixture, redeemedEditor, redeemedEditor);
    expect(await epochs()).toEqual([{ epoch: 1 }, { epoch: 3 }, { epoch: 3 }]);
    for (const person of [editor, redeemedEditor, linkWatcher]) {
      expect(await pageRoles(sql, person)).toEqual([]);
      expect(await sql.outcome(() => remove(sql, fixture, person, person))).toBe('WF001');
    }
    expect(await workspaceEpoch(sql, fixture)).toBe(1);
  }),
);

test(
  'admins may remove a guest of single pages; a call that is repeated does nothing, and no one else may',
  withWorkspace(async (sql, fixture) => {
    const { admin, member, manager, viewer, commenter } = fixture.people;
    expect(await sql.outcome(() => remove(sql, fixture, member, viewer))).toBe('WF001');
    expect(await sql.outcome(() => remove(sql, fixture, commenter, viewer))).toBe('WF001');
    expect(await sql.outcome(() => remove(sql, fixture, manager, viewer))).toBe('WF001');
    expect((await pageRoles(sql, viewer)).length).toBe(1);
    await remove(sql, fixture, admin, viewer);
    expect(await pageRoles(sql, viewer)).toEqual([]);
    expect(await sql.call(viewer, 'why_closed', { document: fixture.subpage })).toMatchObject({ by: admin.id });
    expect(await sql.sentDuring(() => remove(sql, fixture, admin, viewer))).toEqual([]);
  }),
);

test(
  'only lowering a member’s role moves the topics',
  withWorkspace(async (sql, fixture) => {
    const { admin, member, workspaceGuest } = fixture.people;
    expect(await setRole(sql, fixture, admin, workspaceGuest, 'member')).toEqual({ role: 'member' });
    expect(await setRole(sql, fixture, admin, member, 'member')).toEqual({ role: 'member' });
    expect(await setRole(sql, fixture, admin, member, 'admin')).toEqual({ role: 'admin' });
    expect(await workspaceEpoch(sql, fixture)).toBe(1);
    expect(await setRole(sql, fixture, admin, member, 'guest')).toEqual({ role: 'guest' });
    expect(await workspaceEpoch(sql, fixture)).toBe(2);
    expect((await sql.refusal(member, 'open_document', { document: fixture.page, since: 0 })).code).toBe('WF001');
  }),
);

test(
  'admins may change everyone but owners, the last owner stays, and only members have a role to change',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, workspaceGuest, stranger } = fixture.people;
    const code = (run: () => Promise<unknown>) => sql.outcome(run);
    expect(await code(() => setRole(sql, fixture, admin, owner, 'admin'))).toBe('WF002');
    expect(await code(() => remove(sql, fixture, admin, owner))).toBe('WF002');
    expect(await code(() => setRole(sql, fixture, admin, member, 'owner'))).toBe('WF002');
    expect(await code(() => setRole(sql, fixture, member, member, 'admin'))).toBe('WF002');
    expect(await code(() => remove(sql, fixture, workspaceGuest, member))).toBe('WF002');
    expect(await code(() => remove(sql, fixture, workspaceGuest, workspaceGuest))).toBe('ok');
    for (const run of [() => setRole(sql, fixture, owner, owner, 'admin'), () => remove(sql, fixture, owner, owner)]) {
      expect(await code(run)).toBe('WF014');
    }
    expect(await code(() => setRole(sql, fixture, owner, owner, 'owner'))).toBe('ok');
    await setRole(sql, fixture, owner, member, 'owner');
    expect(await code(() => remove(sql, fixture, owner, owner))).toBe('ok');
    expect(await code(() => remove(sql, fixture, member, owner))).toBe('ok');

    expect(await code(() => setRole(sql, fixture, owner, stranger, 'member'))).toBe('WF001');
    expect(await code(() => remove(sql, fixture, owner, stranger))).toBe('ok');
    expect(await code(() => remove(sql, fixture, stranger, member))).toBe('WF001');
    for (const role of ['manager', '', null]) {
      expect([role, await code(() => setRole(sql, fixture, owner, member, role))]).toEqual([role, '22023']);
    }
  }),
);

// --- pages --------------------------------------------------------------------------------------------------------

test(
  'repeating create_document creates no second page',
  withWorkspace(async (sql, fixture) => {
    const { member, editor, owner } = fixture.people;
    const id = randomUUID();
    const first = await createDocument(sql, fixture, member, fixture.page, id);
    expect(first).toMatchObject({
      id,
      workspaceId: fixture.workspace,
      parentId: fixture.page,
      kind: 'page',
      title: '',
      icon: null,
      rank: 'a3',
      access: 'inherit',
      role: 'editor',
      updatedBy: member.id,
    });
    const { session } = await startSession(sql, member, id);
    await append(sql, member, { document: id, session, nFrom: 1, nTo: 1 });
    expect(await createDocument(sql, fixture, member, fixture.page, id)).toEqual(first);
    const rows = await sql.rows('select seq from public.document_updates where document_id = $1', [id]);
    expect(rows.length).toBe(2);
    // The page may have moved since.
    await sql.rows(`update public.documents set parent_id = null, access = 'workspace' where id = $1`, [id]);
    expect(await createDocument(sql, fixture, member, fixture.page, id)).toMatchObject({ id, parentId: null });

    for (const [person, workspace] of [
      [editor, fixture.workspace],
      [owner, fixture.workspace],
      [member, randomUUID()],
    ] as const) {
      const args = { id, workspace, parent: null, rank: 'a' };
      expect((await sql.refusal(person, 'create_document', args)).code).toBe('WF001');
    }
  }),
);

test(
  'only a member of the workspace may create a top-level page, and only an editor of the parent a subpage',
  withWorkspace(async (sql, fixture) => {
    const code = (by: Caller, parent: string | null) => sql.outcome(() => createDocument(sql, fixture, by, parent));
    const { owner, admin, member, workspaceGuest, editor, viewer, stranger } = fixture.people;
    for (const person of [owner, admin, member]) expect(await code(person, null)).toBe('ok');
    expect(await code(workspaceGuest, null)).toBe('WF002');
    for (const person of [editor, viewer, stranger]) expect(await code(person, null)).toBe('WF001');
    expect(await code(editor, fixture.page)).toBe('ok');
    expect(await code(editor, fixture.subpage)).toBe('ok');
    expect(await code(viewer, fixture.page)).toBe('WF002');
    expect(await code(admin, fixture.secretPage)).toBe('WF001');
    expect(await code(owner, fixture.secretPage)).toBe('ok');
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
    expect(await code(editor, fixture.page)).toBe('WF002');
  }),
);

test(
  'a new page has the schema version of the app that creates it, which the database must know',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const page = { workspace: fixture.workspace, parent: null, rank: 'a' };
    const made = async (args: object) => {
      const id = randomUUID();
      await sql.ask(owner, documentSummary, 'create_document', { id, ...page, ...args });
      return (await sql.row('select schema_version, epoch from public.documents where id = $1', [id]))[
        'schema_version'
      ];
    };
    expect([await made({}), await made({ schema_version: 2 })]).toEqual([1, 2]);
    const refusals = [0, 99].map((version) => ({ id: randomUUID(), ...page, schema_version: version }));
    expect((await sql.refusal(owner, 'create_document', refusals[0] ?? {})).code).toBe('WF005');
    expect((await sql.refusal(owner, 'create_document', refusals[1] ?? {})).code).toBe('55000');

    const workspace = { id: randomUUID(), name: 'Newer', document: randomUUID(), schema_version: 2 };
    await sql.ask(owner, createdWorkspace, 'create_workspace', workspace);
    const first = await sql.row('select schema_version from public.documents where id = $1', [workspace.document]);
    expect(first).toEqual({ schema_version: 2 });
    expect(
      (await sql.refusal(owner, 'create_workspace', { ...workspace, id: randomUUID(), schema_version: 99 })).code,
    ).toBe('55000');
  }),
);

test(
  'the tree stays within one workspace, without cycles and at most 12 levels deep, even for the service key',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const other = await createWorkspace(sql, owner, 'Other');
    const args = { id: randomUUID(), workspace: fixture.workspace, parent: other.document, rank: 'a' };
    expect((await sql.refusal(owner, 'create_document', args)).code).toBe('WF010');

    const chain = [fixture.page, fixture.subpage];
    while (chain.length < 12) {
      const id = randomUUID();
      await createDocument(sql, fixture, owner, chain.at(-1) ?? '', id);
      chain.push(id);
    }
    const tooDeep = { ...args, parent: chain[11], id: randomUUID() };
    expect((await sql.refusal(owner, 'create_document', tooDeep)).code).toBe('WF010');

    const place = (id: string | undefined, parent: string | undefined) =>
      sql.outcome(() => sql.as('service', 'update public.documents set parent_id = $2 where id = $1', [id, parent]));
    expect(await place(chain[1], chain[1])).toBe('WF010');
    expect(await place(chain[1], chain[5])).toBe('WF010');
    expect(await place(chain[5], chain[1])).toBe('ok');
    expect(await place(chain[1], other.document)).toBe('WF010');
    expect(await place(chain[1], fixture.secretPage)).toBe('ok');
    // Eleven levels fit below a top-level page, and twelve do not.
    const { id: top } = await createDocument(sql, fixture, owner, null);
    const { id: second } = await createDocument(sql, fixture, owner, top);
    expect(await place(chain[1], top)).toBe('ok');
    expect(await place(chain[1], second)).toBe('WF010');
    expect(
      await sql.outcome(() =>
        sql.as('service', 'update public.documents set workspace_id = $2 where id = $1', [
          fixture.secretPage,
          other.workspace.id,
        ]),
      ),
    ).toBe('WF010');
  }),
);

test(
  'the table refuses an impossible title, rank, icon, kind or access',
  withWorkspace(async (sql, fixture) => {
    const set = (assignment: string) =>
      sql.outcome(() => sql.as('service', `update public.documents set ${assignment} where id = $1`, [fixture.page]));
    expect(await set(`title = repeat('x', 200), rank = 'Zz09', icon = 'book-open'`)).toBe('ok');
    for (const assignment of [
      `title = repeat('x', 201)`,
      `rank = ''`,
      `rank = 'a b'`,
      `rank = 'ä'`,
      `icon = ''`,
      `kind = 'table'`,
      `access = 'inherit'`,
    ]) {
      expect([assignment, await set(assignment)]).toEqual([assignment, '23514']);
    }
    expect(await set(`access = 'public'`)).toBe('22P02');
  }),
);
