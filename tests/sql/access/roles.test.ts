// Effective roles (SPECIFICATION.md, section 6): the rules one by one, then document_role, document_roles and trash_roles against
// a model.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import { WORKSPACE_ROLES } from '../../../src/protocol/roles.ts';
import { searchAnswer } from '../../../src/protocol/search-answers.ts';
import { type Person, Refused, type Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { PEOPLE, type WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const roleOf = async (sql: Sql, document: string, user: string) =>
  (await sql.row<{ role: string | null }>('select weft.document_role($1, $2) as role', [document, user])).role;
const rolesOn = async (sql: Sql, fixture: WorkspaceFixture, document: string) => {
  const roles: Record<string, string | null> = {};
  for (const name of PEOPLE) roles[name] = await roleOf(sql, document, fixture.people[name].id);
  return roles;
};

const NONE = Object.fromEntries(PEOPLE.map((name) => [name, null]));
const OPEN = {
  ...NONE,
  redeemedCommenter: 'commenter',
  redeemedEditor: 'editor',
  viewer: 'viewer',
  commenter: 'commenter',
  editor: 'editor',
  manager: 'manager',
  member: 'editor',
  admin: 'manager',
  owner: 'manager',
};
const BELOW = { ...OPEN, redeemedCommenter: null, redeemedEditor: null };

test(
  'a page gives roles to its members, to the workspace by default, and to people who redeemed a link, which one to watch is not',
  withWorkspace(async (sql, fixture) => expect(await rolesOn(sql, fixture, fixture.page)).toEqual(OPEN)),
);

test(
  'a subpage inherits members and default roles, but not roles from links',
  withWorkspace(async (sql, fixture) => expect(await rolesOn(sql, fixture, fixture.subpage)).toEqual(BELOW)),
);

test(
  'a restricted page gives roles to its own members and the owner only, not even to an admin',
  withWorkspace(async (sql, fixture) => {
    expect(await rolesOn(sql, fixture, fixture.secretPage)).toEqual({ ...NONE, owner: 'manager' });
    await sql.rows(`update public.documents set access = 'restricted' where id in ($1, $2)`, [
      fixture.page,
      fixture.subpage,
    ]);
    expect(await rolesOn(sql, fixture, fixture.page)).toEqual({ ...OPEN, member: null, admin: null });
    expect(await rolesOn(sql, fixture, fixture.subpage)).toEqual({ ...NONE, owner: 'manager' });
  }),
);

test(
  'a page that is open to the workspace below a restricted one has the default roles, but not the members above',
  withWorkspace(async (sql, fixture) => {
    await sql.rows(`update public.documents set access = 'restricted' where id = $1`, [fixture.page]);
    await sql.rows(`update public.documents set access = 'workspace' where id = $1`, [fixture.subpage]);
    expect(await rolesOn(sql, fixture, fixture.subpage)).toEqual({
      ...NONE,
      member: 'editor',
      admin: 'manager',
      owner: 'manager',
    });
  }),
);

test(
  'a person with several roles has the highest',
  withWorkspace(async (sql, fixture) => {
    const { member, viewer } = fixture.people;
    await sql.rows(`insert into public.document_members (document_id, user_id, role) values ($1, $2, 'manager')`, [
      fixture.subpage,
      viewer.id,
    ]);
    await sql.rows(`insert into public.document_members (document_id, user_id, role) values ($1, $2, 'viewer')`, [
      fixture.page,
      member.id,
    ]);
    expect(await roleOf(sql, fixture.page, viewer.id)).toBe('viewer');
    expect(await roleOf(sql, fixture.subpage, viewer.id)).toBe('manager');
    expect(await roleOf(sql, fixture.page, member.id)).toBe('editor');
  }),
);

test(
  'a role from a link ends when the link ends',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor } = fixture.people;
    const set = (assignment: string) =>
      sql.rows(`update public.share_links set ${assignment} where id = $1`, [fixture.links.editor.id]);
    const role = () => roleOf(sql, fixture.page, redeemedEditor.id);
    expect(await role()).toBe('editor');
    await set(`expires_at = now() + interval '1 minute'`);
    expect(await role()).toBe('editor');
    await set('expires_at = now()');
    expect(await role()).toBe(null);
    await set('expires_at = null');
    expect(await role()).toBe('editor');
    await set('revoked_at = now()');
    expect(await role()).toBe(null);
  }),
);

test(
  'a page or a person that does not exist has no role',
  withWorkspace(async (sql, fixture) => {
    expect(await roleOf(sql, randomUUID(), fixture.people.owner.id)).toBe(null);
    expect(await roleOf(sql, fixture.page, randomUUID())).toBe(null);
  }),
);

// --- a model ------------------------------------------------------------------------------------------------------

type Access = 'inherit' | 'workspace' | 'restricted';
type Grant = { readonly role: DocumentRole; readonly link: 'none' | 'active' | 'revoked' };
type Page = { readonly parent: number | null; readonly access: Access; readonly grants: readonly Grant[] };
type Tree = { readonly membership: (typeof WORKSPACE_ROLES)[number] | null; readonly pages: readonly Page[] };

function expectedRole(tree: Tree, at: number): DocumentRole | null {
  const chain: Page[] = [];
  for (let here: number | null = at; here !== null;) {
    const page: Page | undefined = tree.pages[here];
    if (page === undefined) throw new Error('no such page');
    chain.push(page);
    here = page.access === 'inherit' ? page.parent : null;
  }
  const explicit = chain.flatMap((page) => page.grants.filter((grant) => grant.link === 'none'));
  const redeemed = (chain[0]?.grants ?? []).filter((grant) => grant.link === 'active');
  const access = chain.at(-1)?.access;
  const byDefault: Partial<Record<string, DocumentRole>> =
    access === 'workspace' ? { owner: 'manager', admin: 'manager', member: 'editor' } : { owner: 'manager' };
  const all = [...explicit, ...redeemed].map((grant) => grant.role);
  const defaultRole = byDefault[tree.membership ?? ''];
  if (defaultRole !== undefined) all.push(defaultRole);
  return DOCUMENT_ROLES.findLast((role) => all.includes(role)) ?? null;
}

const trees: fc.Arbitrary<Tree> = fc
  .array(
    fc.record({
      above: fc.nat(),
      top: fc.boolean(),
      access: fc.constantFrom<Access>('inherit', 'inherit', 'workspace', 'restricted'),
      grants: fc.array(
        fc.record({
          role: fc.constantFrom<DocumentRole>('viewer', 'commenter', 'editor'),
          link: fc.constantFrom<Grant['link']>('none', 'active', 'revoked'),
        }),
        { maxLength: 2 },
      ),
    }),
    { minLength: 1, maxLength: 7 },
  )
  .chain((drafts) =>
    fc.record({
      membership: fc.constantFrom(...WORKSPACE_ROLES, null),
      pages: fc.constant(
        drafts.map(({ above, top, access, grants }, at): Page => {
          const parent = at === 0 || top ? null : above % at;
          return {
            parent,
            access: parent === null && access === 'inherit' ? 'workspace' : access,
            // Besides the roles from links, a person has at most one role on a page.
            // A link to watch gives none.
            grants: grants.filter((one, i) =>
              one.link === 'none' ? grants.findIndex((g) => g.link === 'none') === i : one.role !== 'viewer',
            ),
          };
        }),
      ),
    }),
  );

/** The ids of the pages that a search for the text of all pages finds, or the code with which it is refused. */
async function foundBy(sql: Sql, person: Person, workspace: string): Promise<readonly string[] | string> {
  try {
    const { total, results } = await sql.ask(person, searchAnswer, 'search_documents', { workspace, query: 'swan' });
    expect(total).toBe(results.length);
    return results.map(({ document }) => document).toSorted();
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code;
    throw error;
  }
}

test(
  'on random trees document_role, document_roles and trash_roles agree with the model, and a search finds the pages with a role',
  withWorkspace(async (sql, fixture) => {
    const { stranger: person } = fixture.people;
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        await sql.rows('savepoint tree');
        const workspace = randomUUID();
        const ids = tree.pages.map(() => randomUUID());
        await sql.rows(`insert into public.workspaces (id, name, slug) values ($1, 'W', $2)`, [
          workspace,
          `w-${workspace.slice(0, 8)}`,
        ]);
        if (tree.membership !== null) {
          await sql.rows('insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
            workspace,
            person.id,
            tree.membership,
          ]);
        }
        for (const [at, page] of tree.pages.entries()) {
          await sql.rows(
            `insert into public.documents (id, workspace_id, parent_id, rank, access, body_text)
             values ($1, $2, $3, 'a', $4, 'the swan')`,
            [ids[at], workspace, page.parent === null ? null : ids[page.parent], page.access],
          );
          for (const grant of page.grants) {
            const link = grant.link === 'none' ? null : randomUUID();
            if (link !== null) {
              await sql.rows(
                `insert into public.share_links (id, document_id, role, secret_hash, topic_key, revoked_at)
                 values ($1, $2, $3, uuid_send($1), $1::text, $4)`,
                [link, ids[at], grant.role, grant.link === 'revoked' ? new Date().toISOString() : null],
              );
            }
            await sql.rows(
              'insert into public.document_members (document_id, user_id, role, via_link) values ($1, $2, $3, $4)',
              [ids[at], person.id, grant.role, link],
            );
          }
        }
        const expected = tree.pages.map((_, at) => expectedRole(tree, at));
        const oneByOne = [];
        for (const id of ids) oneByOne.push(await roleOf(sql, id, person.id));
        const all = await sql.rows<{ document_id: string; role: string }>(
          'select document_id, role from weft.document_roles($1, $2)',
          [person.id, workspace],
        );
        const byId = new Map(all.map((row) => [row.document_id, row.role]));
        expect(oneByOne).toEqual(expected);
        expect(ids.map((id) => byId.get(id) ?? null)).toEqual(expected);
        expect(all.length).toBe(expected.filter((role) => role !== null).length);
        await sql.rows('update public.documents set trashed_at = now() where workspace_id = $1', [workspace]);
        const inTrash = await sql.row<{ roles: Record<string, string> }>('select weft.trash_roles($1, $2) as roles', [
          person.id,
          workspace,
        ]);
        expect(inTrash.roles).toEqual(Object.fromEntries(byId));
        await sql.rows('update public.documents set trashed_at = null where workspace_id = $1', [workspace]);
        const readable = ids.filter((_, at) => expected[at] !== null);
        const seesNothing = tree.membership === null && readable.length === 0;
        expect(await foundBy(sql, person, workspace)).toEqual(seesNothing ? 'WF001' : readable.toSorted());
        await sql.rows('rollback to savepoint tree');
      }),
      { numRuns: 60, seed: 20_261_121, endOnFailure: true },
    );
  }),
);

test(
  'finding someone’s roles reads the documents of their workspaces, and none of the others in the project',
  withWorkspace(async (sql, fixture) => {
    await sql.rows('alter table public.documents disable trigger user');
    await sql.rows(`
      with others as (insert into public.workspaces (name, slug) select 'W', 'w-' || n from generate_series(1, 5) as n returning id)
      insert into public.documents (workspace_id, rank, access) select id, 'a', 'workspace' from others, generate_series(1, 2000)`);
    await sql.rows('analyze public.documents');
    const read = async () => {
      const counts = 'seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = $1';
      return Number((await sql.row<{ read: string }>(`select ${counts}`, ['documents'])).read);
    };
    const own = Number(
      (
        await sql.row<{ n: string }>('select count(*) as n from public.documents where workspace_id = $1', [
          fixture.workspace,
        ])
      ).n,
    );
    const before = await read();
    await sql.rows('select * from weft.document_roles($1, null)', [fixture.people.member.id]);
    expect((await read()) - before).toBeLessThanOrEqual(own);
  }),
);
