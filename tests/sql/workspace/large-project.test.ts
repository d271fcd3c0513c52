// The rows that calls read in a project of 100,000 pages: those of a page and the pages above it, or of the workspace of 100 pages
// that they list, and none of the other workspaces.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type Sql, SqlDatabase } from '../../support/database/sql.ts';
import { type Cost, costOf, rowsRead } from '../fixture/cost.ts';
import { FUNCTIONS } from '../fixture/function-cases.ts';
import { GROWING, PAGES, buildLargeProject } from '../fixture/large-project.ts';
import type { CallerName, WorkspaceFixture } from '../fixture/workspace-fixture.ts';

let database: SqlDatabase;
let fixture: WorkspaceFixture;
beforeAll(async () => {
  database = await SqlDatabase.open();
  fixture = await database.setUp(buildLargeProject);
}, 120_000);
afterAll(() => database.close());

/** The most rows that a call reads which answers about one page or one person. */
const FEW = 300;
/** The most rows for those that answer about a whole workspace, or move its topics. */
const OF_WORKSPACE = 12 * PAGES;
const MOST = new Map([
  ['list_documents', OF_WORKSPACE],
  ['set_workspace_role', OF_WORKSPACE],
  ['remove_workspace_member', OF_WORKSPACE],
  ['transfer_workspace', OF_WORKSPACE],
  ['delete_workspace', OF_WORKSPACE],
  ['delete_account', OF_WORKSPACE],
  // Looks up for everyone on pages of the person's workspaces whether they see this person.
  ['update_profile', 80 * PAGES],
]);

/** One of each way to have a right. */
const WHO: readonly CallerName[] = [
  'owner',
  'member',
  'redeemedEditor',
  'editor',
  'commenter',
  'linkWatcher',
  'anon',
  'service',
];

/** What was read of each table, if that is too much. */
const beyond = (cost: Cost, most: number): Cost['read'] | null => (rowsRead(cost) > most ? cost.read : null);

/** The costliest of the calls that the function allows. */
async function costliest(sql: Sql, name: string): Promise<Cost> {
  const row = FUNCTIONS[name];
  const costs: Cost[] = [];
  for (const who of WHO.filter((one) => row?.expected[one] === 'ok')) {
    const caller: Caller = fixture.caller(who);
    await sql.outcome(async () => {
      const args = (await row?.args({ sql, caller, fixture })) ?? {};
      costs.push(await costOf(sql, GROWING, () => sql.call(caller, name, args)));
    });
  }
  const [most] = costs.toSorted((a, b) => rowsRead(b) - rowsRead(a));
  if (most === undefined) throw new Error(`no one may call ${name}`);
  return { ...most, scans: [...new Set(costs.flatMap(({ scans }) => scans))] };
}

describe('a project of 100,000 pages', () => {
  test.each(Object.keys(FUNCTIONS))('%s reads no other workspace', (name) =>
    database.rolledBack(async (sql) => {
      const cost = await costliest(sql, name);
      expect(cost.scans).toEqual([]);
      expect(beyond(cost, MOST.get(name) ?? FEW)).toBe(null);
    }),
  );

  const TABLES: readonly {
    readonly title: string;
    readonly query: () => readonly [text: string, params: unknown[]];
  }[] = [
    { title: 'one page', query: () => ['select title from public.documents where id = $1', [fixture.subpage]] },
    { title: 'the workspaces of a person', query: () => ['select id from public.workspaces', []] },
    {
      title: 'the roles of a person',
      query: () => ['select role from public.workspace_members where user_id = $1', [fixture.people.admin.id]],
    },
    {
      title: 'the links of a page',
      query: () => ['select id from public.share_links where document_id = $1', [fixture.page]],
    },
    {
      title: 'two profiles',
      query: () => [
        'select id from public.profiles where id = any ($1)',
        [[fixture.people.owner.id, fixture.people.editor.id]],
      ],
    },
  ];

  test.each(TABLES)('$title, read as a table', ({ query }) =>
    database.rolledBack(async (sql) => {
      const [text, params] = query();
      const cost = await costOf(sql, GROWING, async () => {
        const rows = await sql.as(fixture.people.admin, text, params);
        expect(rows).not.toEqual([]);
      });
      expect(cost.scans).toEqual([]);
      expect(beyond(cost, FEW)).toBe(null);
    }),
  );
});
