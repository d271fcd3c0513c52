// Pages that a restored server has never heard of (supabase/schemas/09_page_tree.sql).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { blankSeed } from 'weft-document/seed.ts';
import { openAnswer } from 'weft-sync/protocol/log-answers.ts';
import { documentSummary, lostDocuments } from '../../../src/protocol/answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const lost = async (sql: Sql, by: Caller, ...documents: readonly string[]): Promise<readonly string[]> =>
  (await sql.ask(by, lostDocuments, 'lost_documents', { documents })).lost;
const argsOf = (fixture: WorkspaceFixture, changes: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  workspace: fixture.workspace,
  parent: null,
  rank: 'a7',
  title: 'Tide table',
  access: 'workspace',
  open_at_top: true,
  known_at: 1_000,
  schema_version: 1,
  ...changes,
});
const make = (sql: Sql, by: Caller, args: ReturnType<typeof argsOf>) =>
  sql.ask(by, documentSummary, 'make_document_again', args);
const outcome = (sql: Sql, by: Caller, args: ReturnType<typeof argsOf>) => sql.outcome(() => make(sql, by, args));
const roleOf = async (sql: Sql, document: string, by: { readonly id: string }) =>
  (await sql.row('select weft.document_role($1, $2) as role', [document, by.id]))['role'];

test(
  'only a page that the database has never heard of is lost; closed ones and ones deleted for good look alike',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger, member } = fixture.people;
    const [unknown, purged] = [randomUUID(), randomUUID()];
    await sql.call(owner, 'create_document', { id: purged, workspace: fixture.workspace, parent: null, rank: 'a6' });
    await sql.call(owner, 'trash_document', { document: purged });
    expect(await lost(sql, owner, unknown, purged, fixture.page)).toEqual([unknown]);
    await sql.call(owner, 'purge_document', { document: purged });
    expect(await lost(sql, owner, unknown, purged, fixture.page)).toEqual([unknown]);
    expect(await lost(sql, stranger, purged, fixture.page)).toEqual([]);
    expect(await lost(sql, member, fixture.secretPage)).toEqual([]);
  }),
);

test(
  'pages below a page that is deleted for good, and those of a deleted workspace, are remembered too',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const [above, below, workspace, first] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await sql.call(owner, 'create_document', { id: above, workspace: fixture.workspace, parent: null, rank: 'a6' });
    await sql.call(owner, 'create_document', { id: below, workspace: fixture.workspace, parent: above, rank: 'a6' });
    await sql.call(owner, 'trash_document', { document: above });
    await sql.call(owner, 'purge_document', { document: above });
    await sql.call(owner, 'create_workspace', { id: workspace, name: 'Dry dock', document: first });
    await sql.call(owner, 'delete_workspace', { workspace, name: 'Dry dock' });
    expect(await lost(sql, owner, above, below, first)).toEqual([]);
    expect(await outcome(sql, owner, argsOf(fixture, { id: below }))).toBe('WF001');
  }),
);

test(
  'a page is made again with its id, its title and the first row of every new page',
  withWorkspace(async (sql, fixture) => {
    const { member, viewer } = fixture.people;
    const args = argsOf(fixture, { parent: fixture.page, access: 'inherit' });
    expect(await make(sql, member, args)).toMatchObject({
      id: args.id,
      parentId: fixture.page,
      title: 'Tide table',
      rank: 'a7',
      access: 'inherit',
      role: 'editor',
    });
    expect(await roleOf(sql, args.id, viewer)).toBe('viewer');
    const opened = await sql.ask(member, openAnswer, 'open_document', { document: args.id, since: 0, row_version: 4 });
    expect(opened.rows.map(({ update }) => update)).toEqual([blankSeed()]);
    // A device that holds its rows of before is refused, and puts back what it has.
    const known = { document: args.id, since: 1, row_version: 4, known_at: 1_000 };
    expect((await sql.refusal(member, 'open_document', known)).code).toBe('WF016');
  }),
);

test(
  'many devices make one page: those that come later, and may open it, find it',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, stranger } = fixture.people;
    const args = argsOf(fixture);
    await make(sql, member, args);
    expect(await make(sql, owner, { ...args, rank: 'b1', title: 'Late' })).toMatchObject({
      rank: 'a7',
      role: 'manager',
    });
    expect(await outcome(sql, stranger, args)).toBe('WF001');
    expect(await outcome(sql, member, { ...args, workspace: randomUUID() })).toBe('WF001');
    expect(await lost(sql, owner, args.id)).toEqual([]);
  }),
);

test(
  'without its parent it is at the top: open to the workspace if it was, else closed to all but who made it',
  withWorkspace(async (sql, fixture) => {
    const { owner, member, workspaceGuest, stranger } = fixture.people;
    const below = { parent: randomUUID(), access: 'inherit' };
    const open = argsOf(fixture, below);
    expect(await make(sql, member, open)).toMatchObject({ parentId: null, access: 'workspace', role: 'editor' });
    const closed = argsOf(fixture, { ...below, open_at_top: false });
    expect(await make(sql, member, closed)).toMatchObject({ parentId: null, access: 'restricted', role: 'manager' });
    expect(await roleOf(sql, closed.id, fixture.people.viewer)).toBe(null);
    const restricted = argsOf(fixture, { access: 'restricted', parent: fixture.page });
    expect(await make(sql, member, restricted)).toMatchObject({ parentId: fixture.page, access: 'restricted' });
    expect(await outcome(sql, workspaceGuest, argsOf(fixture))).toBe('WF002');
    expect(await outcome(sql, stranger, argsOf(fixture))).toBe('WF001');
    // A parent in the trash, of another workspace, or that the caller may not edit, is none.
    await sql.call(owner, 'trash_document', { document: fixture.subpage });
    expect(await make(sql, member, argsOf(fixture, { parent: fixture.subpage }))).toMatchObject({ parentId: null });
    expect(await make(sql, member, argsOf(fixture, { parent: fixture.secretPage }))).toMatchObject({ parentId: null });
  }),
);

test(
  'someone else’s device keeps its copy of a closed page that was made again, for a month',
  withWorkspace(async (sql, fixture) => {
    const { member, editor } = fixture.people;
    const args = argsOf(fixture, { access: 'restricted' });
    await make(sql, member, args);
    expect(await lost(sql, member, args.id)).toEqual([]);
    expect(await lost(sql, editor, args.id)).toEqual([args.id]);
    await sql.rows(`update public.documents set made_again_at = now() - interval '31 days' where id = $1`, [args.id]);
    expect(await lost(sql, editor, args.id)).toEqual([]);
  }),
);

test(
  'after a final restore no page is made again of which nothing is newer',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    await sql.rows('select weft.final_restore()');
    expect(await outcome(sql, member, argsOf(fixture, { known_at: Date.now() - 60_000 }))).toBe('WF016');
    expect(await outcome(sql, member, argsOf(fixture, { known_at: null }))).toBe('WF016');
    expect(await outcome(sql, member, argsOf(fixture, { known_at: Date.now() + 60_000 }))).toBe('ok');
  }),
);

test(
  'a page of which the caller holds newer rows is ahead of the database, in the trash too, and only for people who may open it',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger } = fixture.people;
    const [row] = await sql.rows<{ at: number }>(
      `select weft.unix_ms(max(created_at))::float8 as at from public.document_updates where document_id = $1`,
      [fixture.page],
    );
    const at = row?.at ?? 0;
    const ahead = async (by: Caller, ...known_at: (number | null)[]) =>
      (
        await sql.ask(by, lostDocuments, 'lost_documents', {
          documents: known_at.map((_, n) => (n === 0 ? fixture.page : randomUUID())),
          known_at,
        })
      ).ahead;
    await sql.call(owner, 'trash_document', { document: fixture.page });
    expect(await ahead(owner, at + 1, null)).toEqual([fixture.page]);
    expect(await ahead(owner, at)).toEqual([]);
    expect(await ahead(owner, null)).toEqual([]);
    expect(await ahead(stranger, at + 1)).toEqual([]);
  }),
);

test(
  'malformed calls are refused',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    for (const changes of [{ access: 'open' }, { access: null }, { title: 'x'.repeat(201) }, { open_at_top: null }]) {
      expect(await outcome(sql, member, argsOf(fixture, changes))).toBe('WF005');
    }
    const many = Array.from({ length: 501 }, () => randomUUID());
    expect((await sql.refusal(member, 'lost_documents', { documents: many })).code).toBe('22023');
  }),
);
