// The list of a workspace’s people; renaming a workspace, handing it over and deleting it.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { workspace } from '../../../src/protocol/answers.ts';
import { memberList } from '../../../src/protocol/people-answers.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { callsOf } from '../fixture/cost.ts';
import { danglingRows } from '../fixture/dangling.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { PersonName, WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const members = (sql: Sql, by: Caller, fixture: WorkspaceFixture) =>
  sql.ask(by, memberList, 'list_members', { workspace: fixture.workspace });
const roleIn = async (sql: Sql, { workspace: id }: WorkspaceFixture, person: Person) =>
  (await sql.row<{ role: string | null }>('select weft.workspace_role($1, $2) as role', [id, person.id])).role;
const transfer = (sql: Sql, by: Caller, fixture: WorkspaceFixture, to: Person) =>
  sql.call(by, 'transfer_workspace', { workspace: fixture.workspace, person: to.id });

test(
  'the list has members by role, then guests of single pages, and says how they came',
  withWorkspace(async (sql, fixture) => {
    const list = await members(sql, fixture.people.member, fixture);
    const nameOf = new Map(Object.entries(fixture.people).map(([name, { id }]) => [id, name]));
    const short = list.map((one) => [nameOf.get(one.user), one.role, one.via, one.pages]);
    expect(short.slice(0, 3)).toEqual([
      ['owner', 'owner', null, null],
      ['admin', 'admin', null, null],
      ['member', 'member', null, null],
    ]);
    expect(new Map(short.slice(3).map(([name, ...rest]) => [name, rest]))).toEqual(
      new Map<string, unknown>([
        ['workspaceGuest', ['guest', null, 0]],
        ...['redeemedCommenter', 'redeemedEditor'].map((name) => [name, ['guest', 'share-link', 1]] as const),
        ...['viewer', 'commenter', 'editor', 'manager'].map((name) => [name, ['guest', 'page', 1]] as const),
      ]),
    );
    const of = (name: PersonName) => list.find(({ user }) => user === fixture.people[name].id);
    expect([of('redeemedEditor')?.hasAccount, of('editor')?.hasAccount]).toEqual([false, true]);
    expect(of('owner')?.lastActiveAt).toEqual(expect.any(Number));
    expect(of('member')?.lastActiveAt).toBe(null);
  }),
);

test(
  'nothing is counted or dated of pages that the caller may not see',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, stranger } = fixture.people;
    await sql.call(owner, 'set_document_member', { document: fixture.secretPage, person: stranger.id, role: 'viewer' });
    const seenBy = async (by: Caller) => (await members(sql, by, fixture)).find(({ user }) => user === stranger.id);
    expect((await seenBy(owner))?.pages).toBe(1);
    expect(await seenBy(admin)).toBe(undefined);
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: stranger.id, role: 'viewer' });
    expect([(await seenBy(owner))?.pages, (await seenBy(admin))?.pages]).toEqual([2, 1]);
  }),
);

test(
  'a new name is trimmed and checked, and the address stays',
  withWorkspace(async (sql, fixture) => {
    const { admin } = fixture.people;
    const rename = (name: string | null) =>
      sql.ask(admin, workspace, 'rename_workspace', { workspace: fixture.workspace, name });
    expect(await rename('  Harbour swim ')).toMatchObject({ name: 'Harbour swim', slug: fixture.slug, role: 'admin' });
    for (const [name, code] of [
      ['', '23514'],
      [' ', '23514'],
      ['x'.repeat(81), '23514'],
      ['a\u0001b', '23514'],
      [null, '23502'],
    ] as const)
      expect([name, await sql.outcome(() => rename(name))]).toEqual([name, code]);
    const sent = await sql.sentDuring(() => rename('Again'));
    expect(sent.map(({ topic, json }) => [topic, json])).toContainEqual([
      `k:${fixture.workspace}:1`,
      expect.objectContaining({ kind: 'workspace', op: 'changed' }),
    ]);
  }),
);

test(
  'handing over makes the other an owner and the caller an admin, who loses restricted pages at once',
  withWorkspace(async (sql, fixture) => {
    const { owner, member } = fixture.people;
    const topic = `d:${fixture.secretPage}:1.1`;
    expect((await sql.topicRights(owner, topic)).receive).toBe(true);
    expect(await transfer(sql, owner, fixture, member)).toEqual({});
    expect([await roleIn(sql, fixture, owner), await roleIn(sql, fixture, member)]).toEqual(['admin', 'owner']);
    expect((await sql.topicRights(owner, topic)).receive).toBe(false);
    expect((await sql.topicRights(owner, `d:${fixture.secretPage}:1.2`)).receive).toBe(false);
    // A repeated call, whose first answer was lost.
    expect(await transfer(sql, owner, fixture, member)).toEqual({});
    expect(await sql.outcome(() => transfer(sql, owner, fixture, owner))).toBe('WF002');
  }),
);

test(
  'a workspace is not handed to someone outside of it, nor to a guest without an account',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger, guest } = fixture.people;
    expect(await sql.outcome(() => transfer(sql, owner, fixture, stranger))).toBe('WF001');
    await sql.rows(`insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, 'member')`, [
      fixture.workspace,
      guest.id,
    ]);
    expect(await sql.outcome(() => transfer(sql, owner, fixture, guest))).toBe('WF014');
    await transfer(sql, owner, fixture, owner);
    expect(await roleIn(sql, fixture, owner)).toBe('owner');
  }),
);

test(
  'deleting a workspace needs its name, ends links and topics, and leaves nothing of it but bytes to remove',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, editor } = fixture.people;
    const remove = (name: string | null) => sql.call(owner, 'delete_workspace', { workspace: fixture.workspace, name });
    for (const name of ['', null, fixture.slug.toUpperCase(), `${fixture.slug}x`, 'x'.repeat(1_000_000)])
      expect(await sql.outcome(() => remove(name))).toBe('22023');
    const sent = await sql.sentDuring(async () => expect(await remove(` ${fixture.slug} `)).toEqual({}));
    const told = sent.map(({ topic, event }) => `${event} ${topic}`);
    expect(told).toEqual(
      expect.arrayContaining([
        `moved d:${fixture.page}:1.1`,
        `moved d:${fixture.subpage}:1.1`,
        `ended w:${fixture.links.viewer.topicKey}`,
        `change u:${member.id}`,
        `change u:${editor.id}`,
      ]),
    );
    expect(await danglingRows(sql, fixture.workspace)).toEqual([]);
    // The files of others fall to the former owner.
    const purge = async (by: Caller) => sql.call(by, 'purge_attachments', {});
    expect(await purge(editor)).toEqual({ names: [] });
    expect(await purge(owner)).toEqual({ names: [`${fixture.page}/${fixture.attachment}`] });
    expect(await sql.outcome(() => remove(fixture.slug))).toBe('WF001');
  }),
);

test(
  'a workspace can be deleted while others work in another one',
  withWorkspace(async (sql, fixture) => {
    const other = randomUUID();
    await sql.call(fixture.people.member, 'create_workspace', { id: randomUUID(), name: 'Other', document: other });
    await sql.call(fixture.people.owner, 'delete_workspace', { workspace: fixture.workspace, name: fixture.slug });
    expect((await sql.row('select count(*)::int as count from public.document_updates', []))['count']).toBe(1);
    expect((await sql.row('select weft.topic_epoch($1) as epoch', [other]))['epoch']).toBe('1.1');
  }),
);

test(
  'the list looks up no page by itself, however many have people of their own',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor } = fixture.people;
    await sql.rows('alter table public.documents disable trigger user');
    await sql.rows(
      `insert into public.documents (id, workspace_id, title, rank, access, created_by)
       select md5('page ' || n)::uuid, $1, 'Page', 'b' || n, 'workspace', $2 from generate_series(1, 200) as n`,
      [fixture.workspace, owner.id],
    );
    await sql.rows(
      `insert into public.document_members (document_id, user_id, role)
       select md5('page ' || n)::uuid, $1, 'viewer' from generate_series(1, 200) as n`,
      [editor.id],
    );
    await sql.rows('analyze');
    expect(await callsOf(sql, 'document_role', () => members(sql, owner, fixture))).toBeLessThan(100);
  }),
);
