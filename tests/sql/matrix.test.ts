// Checks every caller on every table, function and topic. The lists come from pg_catalog, so an object without a row here
// fails. In each row the same call is refused to some callers and allowed to others, so a refusal cannot come from a broken
// call.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TopicRights, type Caller, SqlDatabase } from '../support/database/sql.ts';
import {
  DENIED,
  type Expected,
  FUNCTIONS,
  EDITORS,
  MANAGERS,
  MEMBERS,
  READERS,
  READ_ONLY,
  everyone,
} from './fixture/function-cases.ts';
import { CALLERS, type CallerName, type WorkspaceFixture, buildWorkspace } from './fixture/workspace-fixture.ts';

let database: SqlDatabase;
let fixture: WorkspaceFixture;
beforeAll(async () => {
  database = await SqlDatabase.open();
  fixture = await database.setUp(async (sql) => {
    const built = await buildWorkspace(sql);
    return built;
  });
});
afterAll(() => database.close());

async function forEveryone<T>(run: (caller: Caller, name: CallerName) => Promise<T>): Promise<Record<string, T>> {
  const actual: Record<string, T> = {};
  for (const name of CALLERS) actual[name] = await run(fixture.caller(name), name);
  return actual;
}

const SEES = 'sees';
const SEES_NOTHING = 'sees nothing';

// --- tables -------------------------------------------------------------------------------------------------------

type TableRow = {
  /** A condition that finds one row of the fixture. */
  readonly find: () => readonly [sql: string, value: string];
  readonly seenBy: readonly CallerName[];
  /** A column to select and to write, for the check of grants. */
  readonly column: string;
  /** The writes granted to the service key, which bypasses policies. All of them, if left out. */
  readonly serviceMay?: readonly ('insert' | 'update' | 'delete')[];
};

const ofPage = (column = 'document_id') => ({ find: () => [`${column} = $1`, fixture.page] as const });

/** Functions read it for everyone. */
const NOBODY: readonly CallerName[] = [];

const TABLES: Readonly<Record<string, TableRow>> = {
  profiles: {
    find: () => ['id = $1', fixture.people.owner.id],
    seenBy: [...READERS, 'workspaceGuest'],
    column: 'id',
  },
  workspaces: { find: () => ['id = $1', fixture.workspace], seenBy: [...READERS, 'workspaceGuest'], column: 'id' },
  workspace_members: { find: () => ['workspace_id = $1', fixture.workspace], seenBy: MEMBERS, column: 'user_id' },
  documents: { ...ofPage('id'), seenBy: READERS, column: 'id' },
  document_members: { ...ofPage(), seenBy: NOBODY, column: 'user_id' },
  share_links: { ...ofPage(), seenBy: MANAGERS, column: 'id', serviceMay: ['delete'] },
  document_heads: { ...ofPage(), seenBy: NOBODY, column: 'head_seq' },
  document_sessions: { ...ofPage(), seenBy: NOBODY, column: 'session' },
  document_updates: { ...ofPage(), seenBy: NOBODY, column: 'seq' },
  document_snapshots: { ...ofPage(), seenBy: NOBODY, column: 'seq' },
  document_versions: { ...ofPage(), seenBy: NOBODY, column: 'seq' },
  attachments: { ...ofPage(), seenBy: NOBODY, column: 'id' },
};

/** Tables of the schema weft, on which no one has a right. */
const OF_FUNCTIONS = [
  'access_cuts',
  'access_requests',
  'activity',
  'addresses',
  'announced_imports',
  'announced_sessions',
  'comment_heads',
  'comment_paces',
  'comment_pictures',
  'comment_reactions',
  'comment_reads',
  'comment_threads',
  'comments',
  'cut_people',
  'favourites',
  'invite_uses',
  'invites',
  'mentions',
  'notifications',
  'presenters',
  'purged_documents',
  'request_attempts',
  'search_texts',
  'settings',
  'texts_written',
  'visits',
  'watch_paces',
  'watchers',
  'withdrawn_comments',
  'workspace_rights',
];

test('every table has a row in the matrix', () =>
  database.rolledBack(async (sql) => {
    const tables = await sql.rows<{ relname: string }>(
      `select c.relname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
       where n.nspname in ('public', 'weft') and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by c.relname`,
    );
    expect(tables.map((table) => table.relname)).toEqual([...Object.keys(TABLES), ...OF_FUNCTIONS].toSorted());
  }));

test.each(OF_FUNCTIONS)('%s: only functions of ours use it', (name) =>
  database.rolledBack(async (sql) => {
    for (const statement of [`select from weft.${name}`, `delete from weft.${name}`]) {
      const outcome = await forEveryone((caller) => sql.outcome(() => sql.as(caller, statement)));
      expect(outcome).toEqual(everyone(DENIED));
    }
  }),
);

test.each(Object.entries(TABLES))('%s: the right people can read it, and no one can write to it', (name, row) =>
  database.rolledBack(async (sql) => {
    const [where, value] = row.find();
    const text = `from public.${name} where ${where}`;
    const serviceMay = row.serviceMay ?? ['insert', 'update', 'delete'];

    const select = await forEveryone(async (caller) => {
      let seen: unknown[] = [];
      const outcome = await sql.outcome(async () => {
        seen = await sql.as(caller, `select ${row.column} ${text}`, [value]);
      });
      return outcome === 'ok' ? (seen.length > 0 ? SEES : SEES_NOTHING) : outcome;
    });
    expect(select).toEqual(
      everyone(row.seenBy === NOBODY ? DENIED : SEES_NOTHING, [DENIED, ['anon']], [SEES, [...row.seenBy, 'service']]),
    );

    const writes = {
      insert: `insert into public.${name} default values`,
      update: `update public.${name} set ${row.column} = ${row.column} where ${where.replace('$1', `'${value}'`)}`,
      delete: `delete ${text.replace('$1', `'${value}'`)}`,
    } as const;
    for (const [op, statement] of Object.entries(writes)) {
      const outcome = await forEveryone(async (caller) => {
        const code = await sql.outcome(() => sql.as(caller, statement));
        // A row of defaults fails the constraints: any error but 42501 means that the grant allows the write.
        return code === '42501' ? DENIED : 'may';
      });
      expect({ [op]: outcome }).toEqual({
        [op]: everyone(DENIED, ...(serviceMay.some((may) => may === op) ? [['may', ['service']] as const] : [])),
      });
    }
  }),
);

test('only the owner can see that a restricted page exists', () =>
  database.rolledBack(async (sql) => {
    const seen = await forEveryone(async (caller) => {
      if (caller === 'anon') return SEES_NOTHING;
      const rows = await sql.as(caller, 'select id from public.documents where id = $1', [fixture.secretPage]);
      return rows.length > 0 ? SEES : SEES_NOTHING;
    });
    expect(seen).toEqual(everyone(SEES_NOTHING, [SEES, ['owner', 'service']]));
  }));

test('no API role can read a share link’s hash or topic key, and clients may only read', () =>
  database.rolledBack(async (sql) => {
    const readable = await sql.rows<{ grantee: string; columns: string }>(
      `select grantee::text, string_agg(column_name, ',' order by column_name) as columns
       from information_schema.column_privileges
       where table_schema = 'public' and table_name = 'share_links' and privilege_type = 'SELECT'
         and grantee in ('anon', 'authenticated', 'service_role', 'PUBLIC')
       group by grantee order by grantee`,
    );
    const columns = 'created_at,created_by,document_id,expires_at,history,id,name,revoked_at,role,uses,watched_until';
    expect(readable).toEqual([
      { grantee: 'authenticated', columns },
      { grantee: 'service_role', columns },
    ]);
    const others = await sql.rows(
      `select table_name, grantee, privilege_type from information_schema.role_table_grants
       where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC')
         and not (grantee = 'authenticated' and privilege_type = 'SELECT')`,
    );
    expect(others).toEqual([]);
  }));

test('every table has row level security and exactly one policy, to read or for no one', () =>
  database.rolledBack(async (sql) => {
    const open = await sql.rows(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity`,
    );
    expect(open).toEqual([]);
    const policies = await sql.rows(
      `select tablename, policyname, cmd, roles::text from pg_policies where schemaname = 'public' order by tablename`,
    );
    expect(policies).toEqual(
      Object.keys(TABLES)
        .toSorted()
        .map((tablename) =>
          TABLES[tablename]?.seenBy === NOBODY
            ? { tablename, policyname: 'weft_nobody', cmd: 'ALL', roles: '{public}' }
            : { tablename, policyname: 'weft_select', cmd: 'SELECT', roles: '{authenticated}' },
        ),
    );
  }));

// --- functions ----------------------------------------------------------------------------------------------------

test('every function of the API has a row in the matrix', () =>
  database.rolledBack(async (sql) => {
    const functions = await sql.rows<{ proname: string }>(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    );
    expect(functions.map((one) => one.proname)).toEqual(Object.keys(FUNCTIONS).toSorted());
    for (const [name, { expected }] of Object.entries(FUNCTIONS)) {
      const outcomes = new Set(Object.values(expected));
      expect([name, outcomes.has('ok'), outcomes.size > 1]).toEqual([name, true, true]);
    }
  }));

test.each(Object.entries(FUNCTIONS))('%s: exactly the right callers may call it', (name, row) =>
  database.rolledBack(async (sql) => {
    const actual = await forEveryone((caller) =>
      sql.outcome(async () => sql.call(caller, name, await row.args({ sql, caller, fixture }))),
    );
    expect(actual).toEqual(row.expected);
  }),
);

/** The functions that policies and generated columns call with the caller's role, and the roles that may run them. */
const POLICY_HELPERS = {
  may_manage: 'authenticated',
  may_read: 'authenticated',
  may_remove_avatar: 'authenticated',
  may_remove_object: 'authenticated',
  may_see_avatar: 'anon,authenticated',
  may_see_object: 'anon,authenticated',
  may_see_profile: 'authenticated',
  may_upload_avatar: 'authenticated',
  may_upload_object: 'authenticated',
  may_use_topic: 'anon,authenticated',
  my_visible_workspaces: 'authenticated',
  my_workspaces: 'authenticated',
};

test('clients may run only those functions of the schema weft that policies and generated columns call', () =>
  database.rolledBack(async (sql) => {
    const granted = await sql.rows<{ proname: string; roles: string }>(
      `select p.proname, string_agg(r.rolname, ',' order by r.rolname) as roles
       from pg_proc as p, pg_roles as r
       where p.pronamespace = 'weft'::regnamespace and r.rolname in ('anon', 'authenticated', 'service_role')
         and has_function_privilege(r.oid, p.oid, 'execute')
       group by p.proname order by p.proname`,
    );
    expect(Object.fromEntries(granted.map((row) => [row.proname, row.roles]))).toEqual(POLICY_HELPERS);

    const own = await forEveryone((caller) =>
      sql.outcome(() => sql.as(caller, 'select weft.document_role($1, $2)', [fixture.page, fixture.people.owner.id])),
    );
    expect(own).toEqual(everyone(DENIED));
  }));

test('every function runs as its owner with an empty search_path', () =>
  database.rolledBack(async (sql) => {
    const loose = await sql.rows(
      `select oid::regprocedure::text from pg_proc
       where pronamespace in ('public'::regnamespace, 'weft'::regnamespace)
         and not (prosecdef and 'search_path=""' = any (proconfig))`,
    );
    expect(loose).toEqual([]);
  }));

// --- topics -------------------------------------------------------------------------------------------------------

const NOTHING: TopicRights = { receive: false, seePresence: false, send: false, bePresent: false };
const RECEIVES: TopicRights = { ...NOTHING, receive: true };
const PRESENT: TopicRights = { receive: true, seePresence: true, send: false, bePresent: true };
const LIVE: TopicRights = { ...PRESENT, send: true };
/** Realtime accepts the service key on every topic without checking policies. */
const ALL: TopicRights = LIVE;

const TOPICS: Readonly<Record<string, { topic: () => string; expected: Expected<TopicRights> }>> = {
  'd: the live topic': {
    topic: () => `d:${fixture.page}:3.1`,
    expected: everyone(NOTHING, [PRESENT, READ_ONLY], [LIVE, EDITORS], [ALL, ['service']]),
  },
  'd: of a restricted page': {
    topic: () => `d:${fixture.secretPage}:1.1`,
    expected: everyone(NOTHING, [LIVE, ['owner']], [ALL, ['service']]),
  },
  'v: signed-in watchers': {
    topic: () => `v:${fixture.page}:3.1`,
    expected: everyone(NOTHING, [RECEIVES, READERS], [ALL, ['service']]),
  },
  'w: a link’s watchers': {
    topic: () => `w:${fixture.links.viewer.topicKey}`,
    expected: everyone(RECEIVES, [ALL, ['service']]),
  },
  'w: a link to edit': {
    topic: () => `w:${fixture.links.editor.topicKey}`,
    expected: everyone(NOTHING, [ALL, ['service']]),
  },
  'k: the workspace': {
    topic: () => `k:${fixture.workspace}:1`,
    expected: everyone(NOTHING, [PRESENT, ['member', 'admin', 'owner']], [ALL, ['service']]),
  },
  'u: a person’s own': {
    topic: () => `u:${fixture.people.member.id}`,
    expected: everyone(NOTHING, [RECEIVES, ['member']], [ALL, ['service']]),
  },
};

test.each(Object.entries(TOPICS))('%s: exactly the right callers may use it', (_name, row) =>
  database.rolledBack(async (sql) => {
    // Makes the epochs in the names above the present ones.
    await sql.rows('update public.documents set epoch = 3 where id = $1', [fixture.page]);
    expect(await forEveryone((caller) => sql.topicRights(caller, row.topic()))).toEqual(row.expected);
  }),
);

test('a topic with an old epoch or a malformed name is refused to everyone, without an error', () =>
  database.rolledBack(async (sql) => {
    await sql.rows('update public.documents set epoch = 3 where id = $1', [fixture.page]);
    const { owner } = fixture.people;
    expect(await sql.topicRights(owner, `d:${fixture.page}:3.1`)).toEqual(LIVE);
    const unusable = [
      '',
      'd:',
      'realtime:d',
      `d:${fixture.page}`,
      `d:${fixture.page}:`,
      `d:${fixture.page}:2.1`,
      `d:${fixture.page}:3.2`,
      `d:${fixture.page}:3`,
      `d:${fixture.page}:3.1.1`,
      `d:${fixture.page}:3.1 `,
      `d:${fixture.page}:03.1`,
      `d:${fixture.page.toUpperCase()}:3.1`,
      `D:${fixture.page}:3.1`,
      `x${fixture.page}:3.1`,
      'd:not-a-uuid:3.1',
      `d:${randomUUID()}:1.1`,
      `d:${fixture.page}:99999999999999999999999999.1`,
      `k:${fixture.workspace}:2`,
      `k:${fixture.workspace}:1.1`,
      `k:${randomUUID()}:1`,
      'k::1',
      `u:${fixture.people.member.id}`,
      'u:',
      'u:*',
      'w:',
      `w:${'A'.repeat(22)}`,
      `w:${fixture.links.viewer.topicKey}x`,
      `w:${fixture.links.viewer.secret}`,
      `v:${fixture.page}:2.1`,
      `d:${fixture.page}:3.1\nd:${fixture.page}:3.1`,
      'd'.repeat(5000),
      '%',
    ];
    for (const topic of unusable) {
      for (const caller of [owner, 'anon'] as const) {
        expect([topic, await sql.topicRights(caller, topic)]).toEqual([topic, NOTHING]);
      }
    }
  }));

test('realtime.messages has exactly these policies', () =>
  database.rolledBack(async (sql) => {
    const policies = await sql.rows(
      `select policyname, cmd, roles::text, permissive from pg_policies where schemaname = 'realtime' order by 1`,
    );
    expect(policies).toEqual([
      { policyname: 'weft_receive', cmd: 'SELECT', roles: '{anon,authenticated}', permissive: 'PERMISSIVE' },
      { policyname: 'weft_send', cmd: 'INSERT', roles: '{authenticated}', permissive: 'PERMISSIVE' },
    ]);
  }));
