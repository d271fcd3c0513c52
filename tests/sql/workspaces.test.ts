// People, workspaces, lists and trees of pages.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createdWorkspace, documentList, documentSummary, openAnswer, profile } from '../../src/protocol/answers.ts';
import { COLORS } from '../../src/protocol/colors.ts';
import { MAX_NAME_LENGTH } from '../../src/protocol/limits.ts';
import type { Caller, Sql } from '../support/database/sql.ts';
import { useWorld } from './use-world.ts';
import { CALLERS, type World, append, startSession } from './world.ts';

const trial = useWorld();

const createWorkspace = (
  sql: Sql,
  by: Caller,
  name: string,
  id: string = randomUUID(),
  document: string = randomUUID(),
) => sql.ask(by, createdWorkspace, 'create_workspace', { id, name, document });
const createDocument = (sql: Sql, world: World, by: Caller, parent: string | null, id: string = randomUUID()) =>
  sql.ask(by, documentSummary, 'create_document', { id, workspace: world.workspace, parent, rank: 'a3' });
const list = (sql: Sql, by: Caller, workspace: string) => sql.ask(by, documentList, 'list_documents', { workspace });

// --- people -------------------------------------------------------------------------------------------------------

test(
  'signing up makes a profile: the name that was given, else the address before the @, else "Guest"',
  trial(async (sql) => {
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
    expect(await nameOf(null, undefined)).toBe('Guest');
    expect(await nameOf(null, { display_name: 7 })).toBe('7');
    expect(await nameOf('', [])).toBe('Guest');
  }),
);

test(
  'colours of newcomers are of the palette and not all the same',
  trial(async (sql) => {
    for (let n = 0; n < 60; n++) await sql.signUp(`person${n}`);
    const used = (await sql.rows<{ color: string }>('select distinct color from public.profiles')).map(
      (row) => row.color,
    );
    expect(COLORS).toEqual(expect.arrayContaining(used));
    expect(used.length).toBeGreaterThan(8);
  }),
);

test(
  'a profile changes by its owner, with a name and a colour that fit',
  trial(async (sql, world) => {
    const { member } = world.people;
    const change = (name: unknown, color: unknown = 'rust') =>
      sql.outcome(() => sql.call(member, 'update_profile', { display_name: name, color }));
    expect(await sql.ask(member, profile, 'update_profile', { display_name: '  Grace ', color: 'weld' })).toEqual({
      id: member.id,
      displayName: 'Grace',
      color: 'weld',
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
  'people see who shares a workspace or a page with them, nobody else, and never an address',
  trial(async (sql, world) => {
    const seenBy = async (by: Caller) => {
      const rows = await sql.as<{ id: string }>(by, 'select id from public.profiles');
      const ids = new Set(rows.map((row) => row.id));
      return CALLERS.filter((name) => {
        const caller = world.caller(name);
        return typeof caller !== 'string' && ids.has(caller.id);
      });
    };
    const { stranger, guest, workspaceGuest, redeemedViewer } = world.people;
    expect(await seenBy(stranger)).toEqual(['stranger']);
    expect(await seenBy(guest)).toEqual(['guest']);
    expect(await seenBy(workspaceGuest)).toEqual(['workspaceGuest', 'member', 'admin', 'owner']);
    expect(await seenBy(redeemedViewer)).toEqual(
      CALLERS.filter((name) => !['anon', 'service', 'stranger', 'guest', 'workspaceGuest'].includes(name)),
    );
    const columns = await sql.rows<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'profiles'
       order by ordinal_position`,
    );
    expect(columns.map((row) => row.column_name)).toEqual(['id', 'display_name', 'color', 'avatar_path', 'created_at']);
  }),
);

// --- workspaces ---------------------------------------------------------------------------------------------------

test(
  'a workspace comes with its owner and a first page that explains Weft; a repeat makes nothing',
  trial(async (sql, world) => {
    const { guest, stranger } = world.people;
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
  'names become addresses; a taken one gets a few characters more',
  trial(async (sql, world) => {
    const { owner } = world.people;
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
  'a list holds what its reader may see, in order, without the trash, and nothing it may not',
  trial(async (sql, world) => {
    const { owner, member, admin, viewer, workspaceGuest, redeemedViewer, stranger } = world.people;
    const ids = async (by: Caller) => (await list(sql, by, world.workspace)).documents.map((one) => one.id).toSorted();
    const open = [world.page, world.subpage].toSorted();
    expect(await ids(owner)).toEqual([...open, world.secretPage].toSorted());
    for (const person of [member, admin, viewer]) expect(await ids(person)).toEqual(open);
    expect(await ids(redeemedViewer)).toEqual([world.page]);
    expect(await ids(workspaceGuest)).toEqual([]);
    expect((await list(sql, workspaceGuest, world.workspace)).workspace.role).toBe('guest');
    expect((await list(sql, viewer, world.workspace)).workspace.role).toBe(null);
    for (const workspace of [world.workspace, randomUUID()]) {
      expect((await sql.refusal(stranger, 'list_documents', { workspace })).code).toBe('WF001');
    }

    await sql.rows('update public.documents set trashed_at = now() where id = $1', [world.subpage]);
    expect(await ids(viewer)).toEqual([world.page]);
    for (const [rank, at] of [
      ['Zz', 'b'],
      ['a0', 'c'],
      ['aV', 'd'],
    ] as const) {
      const id = `${at.repeat(8)}-1111-4111-8111-111111111111`;
      await sql.call(owner, 'create_document', { id, workspace: world.workspace, parent: world.page, rank });
    }
    const ranks = (await list(sql, viewer, world.workspace)).documents.map((one) => one.rank);
    expect(ranks).toEqual(['Zz', 'a0', 'a0', 'aV']);
  }),
);

// --- members ------------------------------------------------------------------------------------------------------

const setRole = (sql: Sql, world: World, by: Caller, user: { readonly id: string }, role: string | null) =>
  sql.call(by, 'set_workspace_role', { workspace: world.workspace, user: user.id, role });
const remove = (sql: Sql, world: World, by: Caller, user: { readonly id: string }) =>
  sql.call(by, 'remove_workspace_member', { workspace: world.workspace, user: user.id });
const workspaceRole = async (sql: Sql, world: World, user: { readonly id: string }) =>
  (await sql.row('select weft.workspace_role($1, $2) as role', [world.workspace, user.id]))['role'];
const workspaceEpoch = async (sql: Sql, world: World) =>
  (await sql.row('select epoch from public.workspaces where id = $1', [world.workspace]))['epoch'];

test(
  'showing a member out takes what the workspace gave, moves every topic of it with one write, and tells the page’s topics',
  trial(async (sql, world) => {
    const { admin, member, owner } = world.people;
    expect(await sql.call(member, 'open_document', { document: world.page, since: 0 })).toMatchObject({ epoch: '1.1' });
    const sent = await sql.sentDuring(async () => expect(await remove(sql, world, admin, member)).toEqual({}));
    expect(await workspaceRole(sql, world, member)).toBe(null);
    expect((await sql.refusal(member, 'open_document', { document: world.page, since: 0 })).code).toBe('WF001');
    expect((await sql.admission(member, `d:${world.page}:1.2`)).hear).toBe(false);
    expect((await sql.admission(owner, `d:${world.page}:1.1`)).hear).toBe(false);
    expect((await sql.admission(owner, `d:${world.page}:1.2`)).hear).toBe(true);
    expect((await sql.admission(owner, `k:${world.workspace}:2`)).hear).toBe(true);

    const moved = sent.filter((message) => message.event === 'moved').map(({ topic, json }) => [topic, json]);
    expect(moved.toSorted()).toEqual(
      [world.page, world.subpage, world.secretPage]
        .flatMap((page) => ['d', 'v'].map((kind) => [`${kind}:${page}:1.1`, { epoch: '1.2' }]))
        .toSorted(),
    );
    // Those who stay hear of it where they still are.
    expect(sent.filter((message) => message.topic === `k:${world.workspace}:1`).map(({ json }) => json)).toEqual([
      { kind: 'member', op: 'removed', id: member.id },
    ]);
    // A repeat is quiet.
    expect(await sql.sentDuring(() => remove(sql, world, admin, member))).toEqual([]);
    expect(await workspaceEpoch(sql, world)).toBe(2);
  }),
);

test(
  'what somebody was given on a single page stays theirs when they leave the workspace',
  trial(async (sql, world) => {
    const { member, manager } = world.people;
    await sql.call(manager, 'set_document_member', { document: world.page, user: member.id, role: 'viewer' });
    await remove(sql, world, member, member);
    const { role } = await sql.ask(member, openAnswer, 'open_document', { document: world.page, since: 0 });
    expect(role).toBe('viewer');
  }),
);

test(
  'only what takes away moves the topics',
  trial(async (sql, world) => {
    const { admin, member, workspaceGuest } = world.people;
    expect(await setRole(sql, world, admin, workspaceGuest, 'member')).toEqual({ role: 'member' });
    expect(await setRole(sql, world, admin, member, 'member')).toEqual({ role: 'member' });
    expect(await setRole(sql, world, admin, member, 'admin')).toEqual({ role: 'admin' });
    expect(await workspaceEpoch(sql, world)).toBe(1);
    expect(await setRole(sql, world, admin, member, 'guest')).toEqual({ role: 'guest' });
    expect(await workspaceEpoch(sql, world)).toBe(2);
    expect((await sql.refusal(member, 'open_document', { document: world.page, since: 0 })).code).toBe('WF001');
  }),
);

test(
  'admins rule over all but owners; a workspace keeps an owner; only members have roles to change',
  trial(async (sql, world) => {
    const { owner, admin, member, workspaceGuest, stranger } = world.people;
    const code = (run: () => Promise<unknown>) => sql.outcome(run);
    expect(await code(() => setRole(sql, world, admin, owner, 'admin'))).toBe('WF002');
    expect(await code(() => remove(sql, world, admin, owner))).toBe('WF002');
    expect(await code(() => setRole(sql, world, admin, member, 'owner'))).toBe('WF002');
    expect(await code(() => setRole(sql, world, member, member, 'admin'))).toBe('WF002');
    expect(await code(() => remove(sql, world, workspaceGuest, member))).toBe('WF002');
    expect(await code(() => remove(sql, world, workspaceGuest, workspaceGuest))).toBe('ok');
    for (const run of [() => setRole(sql, world, owner, owner, 'admin'), () => remove(sql, world, owner, owner)]) {
      expect(await code(run)).toBe('WF014');
    }
    expect(await code(() => setRole(sql, world, owner, owner, 'owner'))).toBe('ok');
    await setRole(sql, world, owner, member, 'owner');
    expect(await code(() => remove(sql, world, owner, owner))).toBe('ok');
    expect(await code(() => remove(sql, world, member, owner))).toBe('ok');

    expect(await code(() => setRole(sql, world, owner, stranger, 'member'))).toBe('WF001');
    expect(await code(() => remove(sql, world, owner, stranger))).toBe('ok');
    expect(await code(() => remove(sql, world, stranger, member))).toBe('WF001');
    for (const role of ['manager', '', null]) {
      expect([role, await code(() => setRole(sql, world, owner, member, role))]).toEqual([role, '22023']);
    }
  }),
);

// --- pages --------------------------------------------------------------------------------------------------------

test(
  'a page is made once, whoever repeats the call and however often',
  trial(async (sql, world) => {
    const { member, editor, owner } = world.people;
    const id = randomUUID();
    const first = await createDocument(sql, world, member, world.page, id);
    expect(first).toMatchObject({
      id,
      workspaceId: world.workspace,
      parentId: world.page,
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
    expect(await createDocument(sql, world, member, world.page, id)).toEqual(first);
    const rows = await sql.rows('select seq from public.document_updates where document_id = $1', [id]);
    expect(rows.length).toBe(2);
    // It may have moved since.
    await sql.rows(`update public.documents set parent_id = null, access = 'workspace' where id = $1`, [id]);
    expect(await createDocument(sql, world, member, world.page, id)).toMatchObject({ id, parentId: null });

    for (const [person, workspace] of [
      [editor, world.workspace],
      [owner, world.workspace],
      [member, randomUUID()],
    ] as const) {
      const args = { id, workspace, parent: null, rank: 'a' };
      expect((await sql.refusal(person, 'create_document', args)).code).toBe('WF001');
    }
  }),
);

test(
  'a page at the top needs a member; below a page, an editor of that page',
  trial(async (sql, world) => {
    const code = (by: Caller, parent: string | null) => sql.outcome(() => createDocument(sql, world, by, parent));
    const { owner, admin, member, workspaceGuest, editor, viewer, stranger } = world.people;
    for (const person of [owner, admin, member]) expect(await code(person, null)).toBe('ok');
    expect(await code(workspaceGuest, null)).toBe('WF002');
    for (const person of [editor, viewer, stranger]) expect(await code(person, null)).toBe('WF001');
    expect(await code(editor, world.page)).toBe('ok');
    expect(await code(editor, world.subpage)).toBe('ok');
    expect(await code(viewer, world.page)).toBe('WF002');
    expect(await code(admin, world.secretPage)).toBe('WF001');
    expect(await code(owner, world.secretPage)).toBe('ok');
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [world.page]);
    expect(await code(editor, world.page)).toBe('WF002');
  }),
);

test(
  'a new page is of the schema of the app that makes it, and of none that the database has never heard of',
  trial(async (sql, world) => {
    const { owner } = world.people;
    const page = { workspace: world.workspace, parent: null, rank: 'a' };
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
  'the tree stays in one workspace, has no cycle and at most 12 levels, whoever writes it',
  trial(async (sql, world) => {
    const { owner } = world.people;
    const other = await createWorkspace(sql, owner, 'Other');
    const args = { id: randomUUID(), workspace: world.workspace, parent: other.document, rank: 'a' };
    expect((await sql.refusal(owner, 'create_document', args)).code).toBe('WF010');

    const chain = [world.page, world.subpage];
    while (chain.length < 12) {
      const id = randomUUID();
      await createDocument(sql, world, owner, chain.at(-1) ?? '', id);
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
    expect(await place(chain[1], world.secretPage)).toBe('ok');
    // Eleven levels fit below the top, twelve do not.
    const { id: top } = await createDocument(sql, world, owner, null);
    const { id: second } = await createDocument(sql, world, owner, top);
    expect(await place(chain[1], top)).toBe('ok');
    expect(await place(chain[1], second)).toBe('WF010');
    expect(
      await sql.outcome(() =>
        sql.as('service', 'update public.documents set workspace_id = $2 where id = $1', [
          world.secretPage,
          other.workspace.id,
        ]),
      ),
    ).toBe('WF010');
  }),
);

test(
  'the table itself refuses a title, rank, icon or access that cannot be',
  trial(async (sql, world) => {
    const set = (assignment: string) =>
      sql.outcome(() => sql.as('service', `update public.documents set ${assignment} where id = $1`, [world.page]));
    expect(await set(`title = repeat('x', 200), rank = 'Zz09', icon = '🧵'`)).toBe('ok');
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
