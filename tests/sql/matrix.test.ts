// Checks every caller on every table, function and topic. The lists come from pg_catalog, so an object without a row here
// fails. In each row the same call is refused to some callers and allowed to others, so a refusal cannot come from a broken
// call.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TopicRights, type Caller, type Person, type Sql, SqlDatabase, base64 } from '../support/database/sql.ts';
import { confirmEmail, invite } from './fixture/invite.ts';
import {
  CALLERS,
  type CallerName,
  type WorkspaceFixture,
  appendArgs,
  buildWorkspace,
  startSession,
} from './fixture/workspace-fixture.ts';

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

type Expected<T> = Readonly<Record<string, T>>;

/** One outcome for most callers, and other outcomes for some. */
function everyone<T>(most: T, ...others: readonly (readonly [T, readonly CallerName[]])[]): Expected<T> {
  const expected: Record<string, T> = Object.fromEntries(CALLERS.map((name) => [name, most]));
  for (const [outcome, names] of others) for (const name of names) expected[name] = outcome;
  return expected;
}

async function forEveryone<T>(run: (caller: Caller, name: CallerName) => Promise<T>): Promise<Record<string, T>> {
  const actual: Record<string, T> = {};
  for (const name of CALLERS) actual[name] = await run(fixture.caller(name), name);
  return actual;
}

const READERS: readonly CallerName[] = [
  'redeemedCommenter',
  'redeemedEditor',
  'viewer',
  'commenter',
  'editor',
  'manager',
  'member',
  'admin',
  'owner',
];
/** By a link that does not show the history. */
const BY_LINK: readonly CallerName[] = ['redeemedCommenter', 'redeemedEditor'];
const HISTORY_READERS = READERS.filter((name) => !BY_LINK.includes(name));
const READ_ONLY: readonly CallerName[] = ['redeemedCommenter', 'viewer', 'commenter'];
const EDITORS: readonly CallerName[] = ['redeemedEditor', 'editor', 'manager', 'member', 'admin', 'owner'];
const MANAGERS: readonly CallerName[] = ['manager', 'admin', 'owner'];
const MEMBERS: readonly CallerName[] = ['workspaceGuest', 'member', 'admin', 'owner'];
/** The keys without a person: Postgres refuses the call with 42501. */
const KEYS: readonly CallerName[] = ['anon', 'service'];

const SEES = 'sees';
const SEES_NOTHING = 'sees nothing';
const DENIED = '42501';

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

const TABLES: Readonly<Record<string, TableRow>> = {
  profiles: {
    find: () => ['id = $1', fixture.people.owner.id],
    seenBy: [...READERS, 'workspaceGuest'],
    column: 'id',
  },
  workspaces: { find: () => ['id = $1', fixture.workspace], seenBy: [...READERS, 'workspaceGuest'], column: 'id' },
  workspace_members: { find: () => ['workspace_id = $1', fixture.workspace], seenBy: MEMBERS, column: 'user_id' },
  documents: { ...ofPage('id'), seenBy: READERS, column: 'id' },
  document_members: { ...ofPage(), seenBy: READERS, column: 'user_id' },
  share_links: { ...ofPage(), seenBy: MANAGERS, column: 'id', serviceMay: ['delete'] },
  document_heads: { ...ofPage(), seenBy: READERS, column: 'head_seq' },
  document_sessions: { ...ofPage(), seenBy: HISTORY_READERS, column: 'session' },
  document_updates: { ...ofPage(), seenBy: HISTORY_READERS, column: 'seq' },
  document_snapshots: { ...ofPage(), seenBy: HISTORY_READERS, column: 'seq' },
  document_versions: { ...ofPage(), seenBy: HISTORY_READERS, column: 'seq' },
  attachments: { ...ofPage(), seenBy: READERS, column: 'id' },
};

/** Tables of the schema weft, on which no one has a right. */
const OF_FUNCTIONS = [
  'access_cuts',
  'access_requests',
  'activity',
  'addresses',
  'announced_imports',
  'announced_sessions',
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

test.each(Object.entries(TABLES))('%s: people with a role can read it, and no one can write to it', (name, row) =>
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
    expect(select).toEqual(everyone(SEES_NOTHING, [DENIED, ['anon']], [SEES, [...row.seenBy, 'service']]));

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
    for (const [table, column] of [
      ['documents', 'id'],
      ['document_heads', 'document_id'],
      ['document_updates', 'document_id'],
    ] as const) {
      const seen = await forEveryone(async (caller) => {
        if (caller === 'anon') return SEES_NOTHING;
        const rows = await sql.as(caller, `select ${column} from public.${table} where ${column} = $1`, [
          fixture.secretPage,
        ]);
        return rows.length > 0 ? SEES : SEES_NOTHING;
      });
      expect(seen).toEqual(everyone(SEES_NOTHING, [SEES, ['owner', 'service']]));
    }
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

test('every table has row level security and exactly one policy, to read', () =>
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
        .map((tablename) => ({ tablename, policyname: 'weft_select', cmd: 'SELECT', roles: '{authenticated}' })),
    );
  }));

// --- functions ----------------------------------------------------------------------------------------------------

type FunctionRow = {
  readonly args: (sql: Sql, caller: Caller) => Promise<Record<string, unknown>> | Record<string, unknown>;
  readonly expected: Expected<string>;
};

/** For callers without a role the page does not exist. */
const byRole = (ok: readonly CallerName[], readOnly: readonly CallerName[] = []) =>
  everyone('WF001', [DENIED, KEYS], ['WF002', readOnly], ['ok', ok]);
const forEditors = byRole(EDITORS, READ_ONLY);
const forManagers = byRole(MANAGERS, [...READ_ONLY, 'redeemedEditor', 'editor', 'member']);
const forSignedIn = everyone('ok', [DENIED, KEYS]);
const forServiceKey = everyone(DENIED, ['ok', ['service']]);
const forAdmins = everyone(
  'WF001',
  [DENIED, KEYS],
  ['WF002', ['workspaceGuest', 'member']],
  ['ok', ['admin', 'owner']],
);
const forOwner = everyone('WF001', [DENIED, KEYS], ['WF002', ['workspaceGuest', 'member', 'admin']], ['ok', ['owner']]);

async function requestOf(sql: Sql, person: Person, document: string): Promise<unknown> {
  await sql.rows('delete from weft.access_requests');
  await sql.call(person, 'request_access', { document, role: 'viewer' });
  return (await sql.row('select id from weft.access_requests'))['id'];
}

/** An invitation to the address of `editor`, which is confirmed. */
async function inviteEditor(sql: Sql) {
  const { owner, editor } = fixture.people;
  await confirmEmail(sql, editor);
  return invite(sql, owner, fixture, { email: 'editor@example.org' });
}

/** A session of the caller if they may register one, else an unregistered one. */
async function ownSession(sql: Sql, caller: Caller): Promise<string> {
  let session: string = randomUUID();
  if (typeof caller !== 'string') {
    const outcome = await sql.outcome(async () => await startSession(sql, caller, fixture.page));
    if (outcome === 'ok') ({ session } = await startSession(sql, caller, fixture.page));
  }
  return session;
}

const STATE = base64(1, 2, 3);
const STATE_SHA256 = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81';

const FUNCTIONS: Readonly<Record<string, FunctionRow>> = {
  create_workspace: {
    args: () => ({ id: randomUUID(), name: 'Mine', document: randomUUID() }),
    expected: forSignedIn,
  },
  list_documents: {
    args: () => ({ workspace: fixture.workspace }),
    expected: byRole([...READERS, 'workspaceGuest']),
  },
  create_document: {
    args: () => ({ id: randomUUID(), workspace: fixture.workspace, parent: fixture.page, rank: 'a1' }),
    expected: forEditors,
  },
  lost_documents: { args: () => ({ documents: [fixture.page] }), expected: forSignedIn },
  make_document_again: {
    args: () => ({
      id: randomUUID(),
      workspace: fixture.workspace,
      parent: fixture.page,
      rank: 'a1',
      title: '',
      access: 'inherit',
      open_at_top: true,
      known_at: 1,
      schema_version: 1,
    }),
    expected: everyone(
      'WF001',
      [DENIED, KEYS],
      ['WF002', ['workspaceGuest']],
      ['ok', ['editor', 'manager', 'member', 'admin', 'owner']],
    ),
  },
  announce_import: {
    args: () => ({ workspace: fixture.workspace, documents: [randomUUID()] }),
    expected: everyone('WF001', [DENIED, KEYS], ['WF002', ['workspaceGuest']], ['ok', ['member', 'admin', 'owner']]),
  },
  search_documents: {
    args: () => ({ workspace: fixture.workspace, query: 'swan' }),
    expected: byRole([...READERS, 'workspaceGuest']),
  },
  set_favourite: { args: () => ({ document: fixture.page, rank: 'a0' }), expected: byRole(READERS) },
  mark_visited: { args: () => ({ document: fixture.page, seq: 2 }), expected: byRole(READERS) },
  list_notifications: { args: () => ({}), expected: forSignedIn },
  mark_read: { args: () => ({}), expected: forSignedIn },
  list_activity: {
    args: () => ({ workspace: fixture.workspace }),
    expected: byRole([...READERS, 'workspaceGuest']),
  },
  home_summary: {
    args: () => ({ workspace: fixture.workspace }),
    expected: byRole([...READERS, 'workspaceGuest']),
  },
  update_profile: { args: () => ({ display_name: 'New name', color: 'rust' }), expected: forSignedIn },
  open_document: { args: () => ({ document: fixture.page, since: 0 }), expected: byRole(READERS) },
  rows_until: { args: () => ({ document: fixture.page, after: 0, until: 2 }), expected: byRole(READERS) },
  history_rows: { args: () => ({ document: fixture.page, after: 0 }), expected: byRole(HISTORY_READERS, BY_LINK) },
  list_sittings: { args: () => ({ document: fixture.page }), expected: byRole(HISTORY_READERS, BY_LINK) },
  pages_to_compact: { args: () => ({ older_than_days: 30 }), expected: forServiceKey },
  rows_to_compact: { args: () => ({ document: fixture.page, after: 0 }), expected: forServiceKey },
  compact_history: {
    // Other rows than those that are there: nothing is changed.
    args: async (sql) => {
      await sql.rows('update public.documents set text_seq = 3 where id = $1', [fixture.page]);
      const parts = JSON.stringify([{ session: fixture.editorSession, nFrom: 1, nTo: 2, update: 'BwcH' }]);
      return { document: fixture.page, first_seq: 2, last_seq: 3, sha256: 'x', parts };
    },
    expected: forServiceKey,
  },
  prepare_erasing: { args: () => ({ document: fixture.page }), expected: forManagers },
  erase_history: {
    args: async (sql) => {
      const { at } = await sql.row<{ at: string }>(
        'select weft.unix_ms(created_at) as at from public.document_updates where document_id = $1 and seq = 2',
        [fixture.page],
      );
      return { document: fixture.page, known_seq: 2, known_at: at, update: STATE, title: 'Plan' };
    },
    expected: forManagers,
  },
  list_versions: { args: () => ({ document: fixture.page }), expected: byRole(HISTORY_READERS, BY_LINK) },
  name_version: {
    args: () => ({ id: randomUUID(), document: fixture.page, seq: 2, name: 'For the harbour master' }),
    expected: forEditors,
  },
  rename_version: {
    args: () => ({ version: fixture.version, name: 'For the committee' }),
    expected: byRole(['editor', ...MANAGERS], [...READ_ONLY, 'redeemedEditor', 'member']),
  },
  remove_version: {
    args: () => ({ version: fixture.version }),
    expected: byRole(['editor', ...MANAGERS], [...READ_ONLY, 'redeemedEditor', 'member']),
  },
  rows_since: { args: () => ({ document: fixture.page, seq: 0, row_limit: 10 }), expected: byRole(READERS) },
  keep_watching: { args: () => ({ document: fixture.page, seq: 0 }), expected: byRole(READERS) },
  session_info: {
    args: () => ({ document: fixture.page, sessions: [fixture.editorSession] }),
    expected: byRole(READERS),
  },
  announce_session: {
    args: () => ({ document: fixture.page, session: randomUUID(), is_writing: true }),
    expected: byRole(READERS),
  },
  start_session: {
    args: () => ({ document: fixture.page, session: randomUUID(), client_id: 5000, schema_version: 1 }),
    expected: forEditors,
  },
  append_update: {
    args: async (sql, caller) =>
      appendArgs({ document: fixture.page, session: await ownSession(sql, caller), nFrom: 1, nTo: 1 }),
    expected: forEditors,
  },
  present: {
    // A session of everyone’s own; the presentation of the caller before ends.
    args: async (sql) => {
      await sql.rows('delete from weft.presenters');
      return { document: fixture.page, session: randomUUID(), place: { block: 'top', offset: 0 }, starts: true };
    },
    expected: forEditors,
  },
  put_back: {
    args: () => ({
      document: fixture.page,
      known_seq: 2,
      known_at: null,
      update: base64(0, 0),
      schema_version: 1,
      live_peers: null,
    }),
    expected: forEditors,
  },
  publish_pending: { args: () => ({ document: fixture.page }), expected: forEditors },
  claim_snapshot: { args: () => ({ document: fixture.page }), expected: forEditors },
  save_snapshot: {
    args: async (sql, caller) => {
      if (typeof caller !== 'string') {
        const claim = `update public.document_heads set snapshot_claimed_by = $2,
          snapshot_claimed_until = now() + interval '1 minute' where document_id = $1`;
        await sql.rows(claim, [fixture.page, caller.id]);
      }
      return { document: fixture.page, seq: 2, state: STATE, sha256: STATE_SHA256 };
    },
    expected: forEditors,
  },
  save_text: { args: () => ({ document: fixture.page, seq: 2, title: 'T', body_text: 'B' }), expected: forEditors },
  set_document_member: {
    args: () => ({ document: fixture.page, person: fixture.people.stranger.id, role: 'viewer' }),
    expected: forManagers,
  },
  set_document_access: {
    args: () => ({ document: fixture.page, access: 'restricted', revoke_links: true }),
    expected: forManagers,
  },
  set_workspace_role: {
    args: () => ({ workspace: fixture.workspace, person: fixture.people.member.id, role: 'guest' }),
    expected: everyone('WF001', [DENIED, KEYS], ['WF002', ['workspaceGuest', 'member']], ['ok', ['admin', 'owner']]),
  },
  remove_workspace_member: {
    args: () => ({ workspace: fixture.workspace, person: fixture.people.member.id }),
    expected: everyone('WF001', [DENIED, KEYS], ['WF002', ['workspaceGuest']], ['ok', ['member', 'admin', 'owner']]),
  },
  move_document: {
    args: () => ({ document: fixture.subpage, parent: fixture.page, rank: 'a9' }),
    expected: byRole(['editor', 'manager', 'member', 'admin', 'owner'], ['viewer', 'commenter']),
  },
  set_document_icon: { args: () => ({ document: fixture.page, icon: 'book' }), expected: forEditors },
  set_document_template: { args: () => ({ document: fixture.page, is_template: true }), expected: forEditors },
  trash_document: { args: () => ({ document: fixture.page }), expected: forEditors },
  restore_document: {
    args: async (sql) => {
      await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
      return { document: fixture.page };
    },
    expected: forEditors,
  },
  purge_document: {
    args: async (sql) => {
      await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
      return { document: fixture.page };
    },
    expected: forManagers,
  },
  empty_trash: {
    args: async (sql) => {
      await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
      return { workspace: fixture.workspace, documents: [fixture.page] };
    },
    // Who does not see the page finds nothing to delete.
    expected: everyone(
      'WF001',
      [DENIED, KEYS],
      ['WF002', [...BY_LINK, 'viewer', 'commenter', 'editor', 'member']],
      ['ok', ['manager', 'admin', 'owner', 'workspaceGuest']],
    ),
  },
  list_trash: { args: () => ({ workspace: fixture.workspace }), expected: byRole([...READERS, 'workspaceGuest']) },
  create_share_link: {
    args: () => ({ document: fixture.page, role: 'viewer', expires_at: null }),
    expected: forManagers,
  },
  revoke_share_link: { args: () => ({ link: fixture.links.viewer.id }), expected: forManagers },
  redeem_share_link: {
    args: () => ({ secret: fixture.links.viewer.secret }),
    expected: everyone('WF002', [DENIED, KEYS], ['ok', READERS]),
  },
  create_attachment: {
    args: () => ({ id: randomUUID(), document: fixture.page, name: 'swan.png', mime: 'image/png', bytes: 12 }),
    expected: forEditors,
  },
  copy_attachment: {
    args: () => ({ attachment: fixture.attachment, document: fixture.page, id: randomUUID() }),
    expected: forEditors,
  },
  set_document_attachments: {
    args: () => ({ document: fixture.page, seq: 2, ids: [fixture.attachment] }),
    expected: forEditors,
  },
  purge_attachments: { args: () => ({}), expected: forSignedIn },
  document_people: { args: () => ({ document: fixture.page }), expected: byRole(READERS) },
  who_loses_access: { args: () => ({ document: fixture.page, access: 'restricted' }), expected: forManagers },
  who_loses_access_by_move: { args: () => ({ document: fixture.page, parent: null }), expected: forEditors },
  why_closed: { args: () => ({ document: fixture.page }), expected: forSignedIn },
  request_access: { args: () => ({ document: fixture.page, role: 'editor', note: 'Please' }), expected: forSignedIn },
  withdraw_request: { args: () => ({ document: fixture.page }), expected: forSignedIn },
  list_requests: { args: () => ({ document: fixture.page }), expected: forManagers },
  answer_request: {
    args: async (sql) => ({ request: await requestOf(sql, fixture.people.stranger, fixture.page), role: 'viewer' }),
    expected: everyone('WF001', [DENIED, KEYS], ['ok', MANAGERS]),
  },
  delete_account: {
    args: () => ({}),
    expected: everyone('ok', [DENIED, KEYS], ['WF014', ['owner']]),
  },
  create_invite: {
    args: () => ({ workspace: fixture.workspace, role: 'member' }),
    expected: forAdmins,
  },
  list_invites: {
    args: () => ({ workspace: fixture.workspace }),
    expected: everyone(
      'WF001',
      [DENIED, KEYS],
      ['WF002', ['workspaceGuest', 'member']],
      ['ok', ['manager', 'admin', 'owner']],
    ),
  },
  revoke_invite: {
    args: async (sql) => ({ invite: (await invite(sql, fixture.people.owner, fixture)).invite.id }),
    expected: everyone('WF001', [DENIED, KEYS], ['ok', ['admin', 'owner']]),
  },
  invite_info: {
    args: async (sql) => ({ secret: (await invite(sql, fixture.people.owner, fixture)).secret }),
    expected: everyone('ok', [DENIED, ['service']]),
  },
  accept_invite: {
    args: async (sql) => ({ secret: (await invite(sql, fixture.people.owner, fixture)).secret }),
    expected: forSignedIn,
  },
  my_invites: { args: () => ({}), expected: forSignedIn },
  database_identity: { args: () => ({}), expected: forSignedIn },
  accept_invite_by_id: {
    args: async (sql) => ({ invite: (await inviteEditor(sql)).invite.id }),
    expected: everyone('WF009', [DENIED, KEYS], ['ok', ['editor']]),
  },
  decline_invite: {
    args: async (sql) => ({ invite: (await inviteEditor(sql)).invite.id }),
    expected: everyone('WF009', [DENIED, KEYS], ['ok', ['editor']]),
  },
  list_members: {
    args: () => ({ workspace: fixture.workspace }),
    expected: everyone('WF001', [DENIED, KEYS], ['ok', MEMBERS]),
  },
  rename_workspace: { args: () => ({ workspace: fixture.workspace, name: 'Renamed' }), expected: forAdmins },
  transfer_workspace: {
    args: () => ({ workspace: fixture.workspace, person: fixture.people.member.id }),
    expected: forOwner,
  },
  delete_workspace: {
    args: () => ({ workspace: fixture.workspace, name: fixture.slug }),
    expected: forOwner,
  },
  open_watch: {
    args: () => ({ secret: fixture.links.viewer.secret, since: 0 }),
    expected: everyone('ok', [DENIED, ['service']]),
  },
  link_history: {
    args: async (sql) => {
      await sql.rows('update public.share_links set history = true where id = $1', [fixture.links.viewer.id]);
      return { secret: fixture.links.viewer.secret, after: 0, until: null };
    },
    expected: everyone('ok', [DENIED, ['service']]),
  },
};

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
      sql.outcome(async () => sql.call(caller, name, await row.args(sql, caller))),
    );
    expect(actual).toEqual(row.expected);
  }),
);

/** The functions that policies and generated columns call with the caller's role, and the roles that may run them. */
const POLICY_HELPERS = {
  may_remove_avatar: 'authenticated',
  may_remove_object: 'authenticated',
  may_see_avatar: 'anon,authenticated',
  may_see_object: 'anon,authenticated',
  may_see_profile: 'authenticated',
  may_upload_avatar: 'authenticated',
  may_upload_object: 'authenticated',
  may_use_topic: 'anon,authenticated',
  my_documents: 'authenticated',
  my_histories: 'authenticated',
  my_managed_documents: 'authenticated',
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
