// The people with access to a page and its sources, against a model; the people who would lose it; why a page was closed.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import { createdLink, redeemedLink } from '../../../src/protocol/answers.ts';
import { type PagePeople, closure, losers, pagePeople } from '../../../src/protocol/people-answers.ts';
import { WORKSPACE_ROLES, type WorkspaceRole } from '../../../src/protocol/roles.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, shareLink } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const peopleOf = (sql: Sql, by: Caller, document: string) => sql.ask(by, pagePeople, 'document_people', { document });
const whoLoses = (sql: Sql, by: Caller, document: string, access: string) =>
  sql.ask(by, losers, 'who_loses_access', { document, access });
const whyClosed = (sql: Sql, by: Caller, document: string) => sql.ask(by, closure, 'why_closed', { document });
const sourcesOf = ({ people }: PagePeople, { id }: Person) => people.find(({ user }) => user === id)?.sources;
const ids = (...people: Person[]) => people.map(({ id }) => id).toSorted();

test(
  'each source of access is named: owner, workspace, page, page above, link',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, manager, editor, redeemedEditor, workspaceGuest } = fixture.people;
    const page = await peopleOf(sql, manager, fixture.page);
    const none = { document: null, link: null, addedBy: null };
    expect(page).toMatchObject({ access: 'workspace', resolvedAccess: 'workspace', resolvedFrom: fixture.page });
    expect(sourcesOf(page, owner)).toEqual([{ ...none, kind: 'owner', role: 'manager' }]);
    expect(sourcesOf(page, admin)).toEqual([{ ...none, kind: 'workspace', role: 'manager' }]);
    expect(sourcesOf(page, member)).toEqual([{ ...none, kind: 'workspace', role: 'editor' }]);
    expect(sourcesOf(page, workspaceGuest)).toBe(undefined);
    expect(sourcesOf(page, redeemedEditor)).toEqual([
      { ...none, kind: 'link', role: 'editor', link: fixture.links.editor.id },
    ]);
    const below = await peopleOf(sql, editor, fixture.subpage);
    expect(below).toMatchObject({ access: 'inherit', resolvedAccess: 'workspace', resolvedFrom: fixture.page });
    expect(sourcesOf(below, editor)).toEqual([
      { kind: 'ancestor', role: 'editor', document: fixture.page, link: null, addedBy: owner.id },
    ]);
    expect(sourcesOf(below, redeemedEditor)).toBe(undefined);
  }),
);

test(
  'a page above that the caller may not see is not named, and links only to managers',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger, editor, redeemedEditor } = fixture.people;
    await sql.call(owner, 'set_document_member', { document: fixture.subpage, person: stranger.id, role: 'viewer' });
    const seen = await peopleOf(sql, stranger, fixture.subpage);
    expect(seen.resolvedFrom).toBe(null);
    expect(sourcesOf(seen, editor)?.[0]).toMatchObject({ kind: 'ancestor', document: null });
    expect(JSON.stringify(seen)).not.toContain(fixture.page);
    expect(sourcesOf(await peopleOf(sql, editor, fixture.page), redeemedEditor)?.[0]).toMatchObject({ link: null });
  }),
);

test(
  'a person whose only access is a link learns of no other access; a second source shows them everyone',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, redeemedEditor, redeemedCommenter } = fixture.people;
    const everyone = (await peopleOf(sql, editor, fixture.page)).people.map(({ user }) => user).toSorted();
    expect(everyone.length).toBeGreaterThan(2);
    for (const guest of [redeemedEditor, redeemedCommenter]) {
      const { people } = await peopleOf(sql, guest, fixture.page);
      expect(people.map(({ user }) => user)).toEqual([guest.id]);
    }
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: redeemedEditor.id, role: 'viewer' });
    const { people } = await peopleOf(sql, redeemedEditor, fixture.page);
    expect(people.map(({ user }) => user).toSorted()).toEqual(everyone);
  }),
);

test(
  'a restriction names exactly those who lose access by it',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, manager, editor, viewer, commenter } = fixture.people;
    expect((await whoLoses(sql, manager, fixture.page, 'restricted')).toSorted()).toEqual(ids(admin, member));
    expect(await whoLoses(sql, admin, fixture.page, 'restricted')).toEqual(ids(member));
    expect(await whoLoses(sql, owner, fixture.page, 'workspace')).toEqual([]);
    expect((await whoLoses(sql, owner, fixture.subpage, 'restricted')).toSorted()).toEqual(
      ids(admin, member, manager, editor, viewer, commenter),
    );
    expect((await whoLoses(sql, owner, fixture.subpage, 'workspace')).toSorted()).toEqual(
      ids(manager, editor, viewer, commenter),
    );
    expect(await sql.outcome(() => whoLoses(sql, owner, fixture.page, 'nobody'))).toBe('22023');
  }),
);

test(
  'a move below a page that fewer people see names who loses access; a move to the top takes it from no one',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, manager, editor, viewer, commenter } = fixture.people;
    const byMove = (document: string, parent: string | null) =>
      sql.ask(owner, losers, 'who_loses_access_by_move', { document, parent });
    expect((await byMove(fixture.subpage, fixture.secretPage)).toSorted()).toEqual(
      ids(admin, member, manager, editor, viewer, commenter),
    );
    expect((await byMove(fixture.page, fixture.secretPage)).toSorted()).toEqual(ids(admin, member));
    expect(await byMove(fixture.subpage, null)).toEqual([]);
    expect(await byMove(fixture.secretPage, fixture.page)).toEqual([]);
    const tried = (by: Caller) =>
      sql.outcome(() =>
        sql.call(by, 'who_loses_access_by_move', { document: fixture.page, parent: fixture.secretPage }),
      );
    expect([await tried(admin), await tried(viewer)]).toEqual(['WF001', 'WF002']);
  }),
);

// --- a model ------------------------------------------------------------------------------------------------------

type Access = PagePeople['access'];
type Given = { readonly person: number; readonly role: DocumentRole; readonly link: 'none' | 'active' | 'revoked' };
type Page = { readonly parent: number | null; readonly access: Access; readonly given: readonly Given[] };
type Tree = { readonly members: readonly (WorkspaceRole | null)[]; readonly pages: readonly Page[] };
type Source = readonly [kind: string, role: DocumentRole, page: number | null];

const PERSONS = 4;

/** The sources of everyone’s access to a page of the tree, by the rules of SPECIFICATION.md, section 6. */
function expectedSources(tree: Tree, at: number, access = tree.pages[at]?.access): ReadonlyMap<number, Source[]> {
  const chain = [at];
  let resolved = access;
  while (resolved === 'inherit') {
    const above = tree.pages[chain.at(-1) ?? 0]?.parent ?? null;
    if (above === null) break;
    chain.push(above);
    resolved = tree.pages[above]?.access;
  }
  const found = new Map<number, Source[]>();
  const add = (person: number, ...source: Source) => found.set(person, [...(found.get(person) ?? []), source]);
  tree.members.forEach((role, person) => {
    if (role === 'owner') add(person, 'owner', 'manager', null);
    else if (resolved === 'workspace' && role === 'admin') add(person, 'workspace', 'manager', null);
    else if (resolved === 'workspace' && role === 'member') add(person, 'workspace', 'editor', null);
  });
  for (const page of chain) {
    for (const { person, role, link } of tree.pages[page]?.given ?? []) {
      if (link === 'none') add(person, page === at ? 'page' : 'ancestor', role, page);
      else if (link === 'active' && page === at) add(person, 'link', role, null);
    }
  }
  return found;
}

const highest = (sources: readonly Source[]) =>
  DOCUMENT_ROLES.findLast((role) => sources.some(([, one]) => one === role));

const trees: fc.Arbitrary<Tree> = fc.record({
  members: fc.array(fc.constantFrom(...WORKSPACE_ROLES, null), { minLength: PERSONS, maxLength: PERSONS }),
  pages: fc
    .array(
      fc.record({
        above: fc.nat(),
        isTop: fc.boolean(),
        access: fc.constantFrom<Access>('inherit', 'inherit', 'workspace', 'restricted'),
        given: fc
          .uniqueArray(
            fc.record({
              person: fc.nat({ max: PERSONS - 1 }),
              role: fc.constantFrom<DocumentRole>('viewer', 'commenter', 'editor'),
              link: fc.constantFrom<Given['link']>('none', 'active', 'revoked'),
            }),
            { maxLength: 4, selector: ({ person, link }) => `${person} ${link}` },
          )
          // A link to watch gives no role.
          .map((all) => all.filter(({ role, link }) => role !== 'viewer' || link === 'none')),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((drafts) =>
      drafts.map(({ above, isTop, access, given }, at): Page => {
        const parent = at === 0 || isTop ? null : above % at;
        return { parent, access: parent === null && access === 'inherit' ? 'workspace' : access, given };
      }),
    ),
});

async function build(sql: Sql, tree: Tree, persons: readonly Person[]): Promise<readonly string[]> {
  const workspace = randomUUID();
  const pages = tree.pages.map(() => randomUUID());
  await sql.rows(`insert into public.workspaces (id, name, slug) values ($1, 'W', $2)`, [
    workspace,
    `w-${workspace.slice(0, 8)}`,
  ]);
  for (const [at, role] of tree.members.entries()) {
    if (role === null) continue;
    const join = 'insert into public.workspace_members (workspace_id, user_id, role) values ($1, $2, $3)';
    await sql.rows(join, [workspace, persons[at]?.id, role]);
  }
  for (const [at, { parent, access, given }] of tree.pages.entries()) {
    await sql.rows(
      `insert into public.documents (id, workspace_id, parent_id, rank, access) values ($1, $2, $3, 'a', $4)`,
      [pages[at], workspace, parent === null ? null : pages[parent], access],
    );
    for (const { person, role, link } of given) {
      const id = link === 'none' ? null : randomUUID();
      if (id !== null) {
        await sql.rows(
          `insert into public.share_links (id, document_id, role, secret_hash, topic_key, revoked_at)
           values ($1, $2, $3, uuid_send($1), $1::text, $4)`,
          [id, pages[at], role, link === 'revoked' ? new Date().toISOString() : null],
        );
      }
      await sql.rows(
        'insert into public.document_members (document_id, user_id, role, via_link) values ($1, $2, $3, $4)',
        [pages[at], persons[person]?.id, role, id],
      );
    }
  }
  return pages;
}

test(
  'on random trees the people, their roles and all sources are those of the model, and so are the losers of a restriction',
  withWorkspace(async (sql, fixture) => {
    const { stranger, viewer, member, guest } = fixture.people;
    const persons = [stranger, viewer, member, guest];
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        await sql.rows('savepoint tree');
        const pages = await build(sql, tree, persons);
        for (const [at, page] of pages.entries()) {
          const expected = expectedSources(tree, at);
          const sources = await sql.rows<{ user_id: string; role: DocumentRole; kind: string; source: string | null }>(
            `select s.user_id, s.role, s.kind, s.source_document as source
             from public.documents as d cross join lateral weft.access_sources(d.id, d.parent_id, d.access) as s
             where d.id = $1`,
            [page],
          );
          for (const [person, { id }] of persons.entries()) {
            const found = sources
              .filter(({ user_id }) => user_id === id)
              .map(({ kind, role, source }): Source => [kind, role, source === null ? null : pages.indexOf(source)]);
            const sorted = (list: readonly Source[]) => list.map((one) => JSON.stringify(one)).toSorted();
            expect(sorted(found)).toEqual(sorted(expected.get(person) ?? []));
            const { role } = await sql.row<{ role: string | null }>('select weft.document_role($1, $2) as role', [
              page,
              id,
            ]);
            expect(highest(expected.get(person) ?? []) ?? null).toBe(role);
          }
          for (const access of ['restricted', 'workspace'] as const) {
            const after = expectedSources(tree, at, access);
            const gone = await sql.rows<{ user_id: string }>(
              `select l.user_id from public.documents as d cross join lateral weft.losers(d.id, d.parent_id, $2) as l
               where d.id = $1`,
              [page, access],
            );
            const losing = persons.filter((_, person) => expected.has(person) && !after.has(person));
            expect(gone.map(({ user_id }) => user_id).toSorted()).toEqual(ids(...losing));
          }
          // A caller gets the same answer, without the parts that they may not see.
          const readers = persons.filter((_, person) => expected.has(person));
          for (const [person, caller] of persons.entries()) {
            const own = expected.get(person);
            if (own === undefined) continue;
            const answer = await peopleOf(sql, caller, page);
            const isByLink = own.every(([kind]) => kind === 'link');
            expect(answer.people.map(({ user }) => user).toSorted()).toEqual(ids(...(isByLink ? [caller] : readers)));
          }
        }
        await sql.rows('rollback to savepoint tree');
      }),
      { numRuns: 40, seed: 20_261_123, endOnFailure: true },
    );
  }),
);

// --- links --------------------------------------------------------------------------------------------------------

test(
  'a link has a name, counts each person who joined by it once, and tells guests apart',
  withWorkspace(async (sql, fixture) => {
    const { manager, stranger, admin } = fixture.people;
    const args = { document: fixture.page, role: 'commenter', expires_at: null };
    const { link, secret } = await sql.ask(manager, createdLink, 'create_share_link', { ...args, name: ' marshals ' });
    expect(link).toMatchObject({ name: 'marshals', uses: 0 });
    const nameless = await sql.ask(manager, createdLink, 'create_share_link', { ...args, name: ' ' });
    expect(nameless.link.name).toBe(null);
    for (const name of ['x'.repeat(81), 'a\u0001b'])
      expect(await sql.outcome(() => sql.call(manager, 'create_share_link', { ...args, name }))).toBe('23514');
    const join = (by: Person) => sql.ask(by, redeemedLink, 'redeem_share_link', { secret });
    await join(stranger);
    await join(stranger);
    await join(admin);
    const guest = await sql.signUp('', { guest: true });
    await join(guest);
    const uses = await sql.as(manager, 'select uses from public.share_links where id = $1', [link.id]);
    expect(uses).toEqual([{ uses: 2 }]);
    expect(await sql.row('select display_name as name from public.profiles where id = $1', [guest.id])).toEqual({
      name: 'Guest 2',
    });
  }),
);

// --- why a page was closed ----------------------------------------------------------------------------------------

type Closing = {
  readonly person: Person;
  readonly page: string;
  readonly run: () => Promise<unknown>;
  readonly by: Person;
};

const CLOSINGS: Readonly<Record<string, (sql: Sql, fixture: WorkspaceFixture) => Closing>> = {
  removed: (sql, { people: { owner, editor }, page }) => ({
    person: editor,
    page,
    by: owner,
    run: () => sql.call(owner, 'set_document_member', { document: page, person: editor.id, role: null }),
  }),
  'removed below': (sql, { people: { owner, editor }, page, subpage }) => ({
    person: editor,
    page: subpage,
    by: owner,
    run: () => sql.call(owner, 'set_document_member', { document: page, person: editor.id, role: null }),
  }),
  'removed from the workspace': (sql, { people: { admin, member }, page, workspace }) => ({
    person: member,
    page,
    by: admin,
    run: () => sql.call(admin, 'remove_workspace_member', { workspace, person: member.id }),
  }),
  'removed to guest': (sql, { people: { admin, member }, page, workspace }) => ({
    person: member,
    page,
    by: admin,
    run: () => sql.call(admin, 'set_workspace_role', { workspace, person: member.id, role: 'guest' }),
  }),
  restricted: (sql, { people: { owner, member }, page }) => ({
    person: member,
    page,
    by: owner,
    run: () => sql.call(owner, 'set_document_access', { document: page, access: 'restricted' }),
  }),
  link: (sql, { people: { manager, redeemedEditor }, page, links }) => ({
    person: redeemedEditor,
    page,
    by: manager,
    run: () => sql.call(manager, 'revoke_share_link', { link: links.editor.id }),
  }),
};

test.each(Object.entries(CLOSINGS))(
  '%s: a person who lost access learns why and from whom, and no one else',
  (name, prepare) =>
    withWorkspace(async (sql, fixture) => {
      const { person, page, run, by } = prepare(sql, fixture);
      expect(await whyClosed(sql, person, page)).toBe(null);
      await run();
      const { display_name: byName } = await sql.row('select display_name from public.profiles where id = $1', [by.id]);
      expect(await whyClosed(sql, person, page)).toEqual({
        kind: name.split(' ')[0],
        by: by.id,
        byName,
        at: expect.any(Number),
      });
      for (const other of [fixture.people.stranger, fixture.people.guest, by])
        expect(await whyClosed(sql, other, page)).toBe(null);
      expect(await whyClosed(sql, person, fixture.secretPage)).toBe(null);
      expect(await whyClosed(sql, person, randomUUID())).toBe(null);
      // It is forgotten after 30 days, at the latest by the next one.
      await sql.rows(`update weft.access_cuts set at = at - interval '31 days'`);
      await sql.call(fixture.people.owner, 'set_document_member', {
        document: fixture.page,
        person: fixture.people.viewer.id,
        role: null,
      });
      expect(await whyClosed(sql, person, page)).toBe(null);
    })(),
);

test(
  'a person who is made a guest of a workspace of many pages learns of each page why it is closed, and of no page that they still see',
  withWorkspace(async (sql, fixture) => {
    const { admin, member, owner } = fixture.people;
    const pages = await sql.rows<{ id: string }>(
      `insert into public.documents (id, workspace_id, rank, access)
       select gen_random_uuid(), $1, 'b' || n, 'workspace' from generate_series(1, 150) as n returning id`,
      [fixture.workspace],
    );
    const [kept, lost] = [pages[0]?.id ?? '', pages[149]?.id ?? ''];
    await sql.call(owner, 'set_document_member', { document: kept, person: member.id, role: 'viewer' });
    await sql.call(admin, 'set_workspace_role', { workspace: fixture.workspace, person: member.id, role: 'guest' });
    expect(await whyClosed(sql, member, lost)).toMatchObject({ kind: 'removed', by: admin.id });
    expect(await whyClosed(sql, member, kept)).toBe(null);
    expect(await sql.row('select cardinality(documents) as pages from weft.access_cuts', [])).toEqual({ pages: 151 });
  }),
);

test(
  'an expired link has closed the page by itself, and access that came back is no closure',
  withWorkspace(async (sql, fixture) => {
    const { owner, redeemedEditor } = fixture.people;
    await sql.rows(`update public.share_links set expires_at = now() where id = $1`, [fixture.links.editor.id]);
    await sql.call(owner, 'rows_since', { document: fixture.page, seq: 0, row_limit: 1 });
    expect(await whyClosed(sql, redeemedEditor, fixture.page)).toMatchObject({ kind: 'link', by: owner.id });
    const again = await shareLink(sql, owner, fixture.page, 'editor');
    await sql.call(redeemedEditor, 'redeem_share_link', { secret: again.secret });
    expect(await whyClosed(sql, redeemedEditor, fixture.page)).toBe(null);
  }),
);

test(
  'a page in the trash says who put it there, to people who may see it, until it is restored',
  withWorkspace(async (sql, fixture) => {
    const { member, viewer, stranger } = fixture.people;
    await sql.call(member, 'trash_document', { document: fixture.page });
    expect(await whyClosed(sql, viewer, fixture.page)).toMatchObject({ kind: 'trashed', by: member.id });
    expect(await whyClosed(sql, viewer, fixture.subpage)).toMatchObject({ kind: 'trashed', by: member.id });
    expect(await whyClosed(sql, stranger, fixture.page)).toBe(null);
    await sql.call(member, 'restore_document', { document: fixture.page });
    expect(await whyClosed(sql, viewer, fixture.page)).toBe(null);
  }),
);
