// What long answers read: each row and each session of the answer, and nothing behind its end. The plans are those of a connection
// that has made the same call often.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sql, SqlDatabase } from '../../support/database/sql.ts';
import { type Cost, costOf, pagesRead } from '../fixture/cost.ts';
import { type WorkspaceFixture, buildWorkspace } from '../fixture/workspace-fixture.ts';

const TABLES = ['public.document_sessions', 'public.document_updates'];
/** Postgres may keep a plan for all arguments after five calls. */
const CALLS = 8;
const ROWS = 6_000;
const SESSIONS = 20;
/** In an editing session. */
const ROWS_TOGETHER = 200;
const PAGES = 2_000;

let database: SqlDatabase;
let fixture: WorkspaceFixture;
beforeAll(async () => {
  database = await SqlDatabase.open();
  fixture = await database.setUp(build);
}, 60_000);
afterAll(() => database.close());

async function build(sql: Sql): Promise<WorkspaceFixture> {
  const built = await buildWorkspace(sql);
  const { page, workspace, people } = built;
  await sql.rows('delete from public.document_updates where document_id = $1', [page]);
  await sql.rows('delete from public.document_snapshots where document_id = $1', [page]);
  await sql.rows(
    `insert into public.document_sessions (session, document_id, client_id, user_id, schema_version)
     select md5('session' || n)::uuid, $1, 5000000 + n, $2, 1 from generate_series(1, $3::integer) as n`,
    [page, people.editor.id, SESSIONS],
  );
  await sql.rows(
    `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, created_at)
     select $1, n, md5('session' || 1 + n % $4)::uuid, n, n, $2, decode(repeat('07', 500), 'hex'),
       timestamptz '2026-06-01' + n * interval '5 seconds' + n / $5 * interval '1 hour'
     from generate_series(1, $3::integer) as n`,
    [page, people.editor.id, ROWS, SESSIONS, ROWS_TOGETHER],
  );
  await sql.rows('update public.document_heads set head_seq = $2, snapshot_seq = 0 where document_id = $1', [
    page,
    ROWS,
  ]);
  await sql.rows('alter table public.documents disable trigger user');
  await sql.rows(
    `insert into public.documents (id, workspace_id, title, body_text, rank, access, created_by, updated_by)
     select gen_random_uuid(), $1, 'Page ' || n, repeat('a lighthouse and its keepers ', 30), 'b' || n, 'workspace', $2, $2
     from generate_series(1, $3::integer) as n`,
    [workspace, people.owner.id, PAGES],
  );
  await sql.rows('alter table public.documents enable trigger user');
  await sql.rows('analyze');
  return built;
}

/** What the last of several calls costs. */
async function costOfRepeated(sql: Sql, name: string, args: Record<string, unknown>): Promise<Cost> {
  let cost: Cost | null = null;
  for (let call = 0; call < CALLS; call++)
    cost = await costOf(sql, TABLES, () => sql.call(fixture.people.owner, name, args));
  if (cost === null) throw new Error('no call');
  return cost;
}

const page = () => ({ document: fixture.page });
const NAMES = ['open_document', 'history_rows'];

test.each(NAMES)('%s reads the rows of a full answer twice, the one behind it once, and each session once', (name) =>
  database.rolledBack(async (sql) => {
    const args = name === 'open_document' ? { since: 0 } : { after: 0 };
    const { read, scans } = await costOfRepeated(sql, name, { ...page(), ...args, row_version: 4 });
    const answered = Math.floor((1024 * 1024) / 570);
    expect(scans).toEqual([]);
    expect(read['document_sessions']).toBeLessThanOrEqual(SESSIONS);
    // Beside them the time of the page's last change, of the row before the first, and of when the history began.
    expect(read['document_updates']).toBeLessThanOrEqual(2 * answered + 1 + 5);
  }),
);

test('list_sittings reads the rows of its editing sessions twice, and one or two behind them', () =>
  database.rolledBack(async (sql) => {
    const { read, scans } = await costOfRepeated(sql, 'list_sittings', { ...page(), row_limit: 3 });
    expect(scans).toEqual([]);
    expect(read['document_updates']).toBeLessThanOrEqual(2 * (3 * ROWS_TOGETHER) + 3);
  }));

test('list_documents scans the pages of the workspace, and looks none of them up', () =>
  database.rolledBack(async (sql) => {
    const query = 'explain (analyze, buffers, format json) select public.list_documents(workspace => $1)';
    let plan: unknown = null;
    for (let call = 0; call < CALLS; call++) [plan] = await sql.as(fixture.people.owner, query, [fixture.workspace]);
    // Each look-up in the table and its index is three or four.
    expect(pagesRead(plan)).toBeLessThan(PAGES);
  }));
