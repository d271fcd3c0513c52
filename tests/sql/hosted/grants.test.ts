// Every right that the API's roles have on objects of ours, as the catalogue has it. New hosted projects grant nothing on new
// objects, older ones grant everything, so the migrations must say it all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemplateName, copyDatabase, dropDatabase } from '../../support/database/databases.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';

/** By role. A role that is left out has no right. */
type Rights = Readonly<Record<string, string>>;

const READ_AND_WRITE = 'DELETE, INSERT, SELECT, UPDATE';
const READABLE: Rights = { authenticated: 'SELECT', service_role: READ_AND_WRITE };

/** Only functions of ours and the service key read it. */
const PRIVATE: Rights = { service_role: READ_AND_WRITE };

/** Null: only functions of ours use it. */
const TABLES: Readonly<Record<string, Rights | null>> = {
  access_cuts: null,
  access_requests: null,
  addresses: null,
  announced_imports: null,
  announced_sessions: null,
  presenters: null,
  settings: null,
  texts_written: null,
  watch_paces: null,
  watchers: null,
  withdrawn_comments: null,
  attachments: PRIVATE,
  comment_heads: null,
  comment_paces: null,
  comment_pictures: null,
  comment_reactions: null,
  comment_reads: null,
  comment_threads: null,
  comments: null,
  cut_people: null,
  document_heads: PRIVATE,
  document_members: PRIVATE,
  document_sessions: PRIVATE,
  document_snapshots: PRIVATE,
  document_updates: PRIVATE,
  document_versions: PRIVATE,
  documents: READABLE,
  invite_uses: null,
  invites: null,
  profiles: READABLE,
  purged_documents: null,
  request_attempts: null,
  activity: null,
  favourites: null,
  mentions: null,
  notifications: null,
  search_texts: null,
  visits: null,
  share_links: { service_role: 'DELETE' },
  workspace_members: READABLE,
  workspace_rights: null,
  workspaces: READABLE,
};

const SHARE_LINK_COLUMNS = [
  ...[
    'created_at',
    'created_by',
    'document_id',
    'expires_at',
    'history',
    'id',
    'name',
    'revoked_at',
    'role',
    'uses',
    'watched_until',
  ],
];

/** Functions that more or other roles may call than people who are signed in. */
const FUNCTIONS: Readonly<Record<string, Rights>> = {
  'public.compact_history': { service_role: 'EXECUTE' },
  'public.pages_to_compact': { service_role: 'EXECUTE' },
  'public.rows_to_compact': { service_role: 'EXECUTE' },
  'public.invite_info': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'public.link_history': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'public.list_link_comments': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'public.open_watch': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'weft.may_see_avatar': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'weft.may_see_object': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
  'weft.may_use_topic': { anon: 'EXECUTE', authenticated: 'EXECUTE' },
};
const POLICY_HELPERS = /^weft\.(?:may_(?:remove|upload)_(?:avatar|object)|may_(?:manage|read|see_profile)|my_\w+)$/;

/** Rights of the owner are left out; PUBLIC is `public`. */
const rightsIn = (acl: string, kind: string, owner: string) => `
  (select jsonb_object_agg(given.role, given.rights) from (
    select coalesce(r.rolname, 'public') as role, string_agg(distinct a.privilege_type, ', ' order by a.privilege_type) as rights
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) as a left join pg_roles as r on r.oid = a.grantee
    where a.grantee <> ${owner}
    group by 1
  ) as given)`;

const CATALOGUE = {
  tables: `select c.relname as name, ${rightsIn('c.relacl', 'r', 'c.relowner')} as rights from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'weft'::regnamespace) and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
  sequences: `select c.relname as name, ${rightsIn('c.relacl', 's', 'c.relowner')} as rights from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'weft'::regnamespace) and c.relkind = 'S'`,
  columns: `select c.relname || '.' || a.attname as name, ${rightsIn('a.attacl', 'c', 'c.relowner')} as rights
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid
    where c.relnamespace in ('public'::regnamespace, 'weft'::regnamespace) and a.attacl is not null`,
  functions: `select p.pronamespace::regnamespace || '.' || p.proname as name, ${rightsIn('p.proacl', 'f', 'p.proowner')} as rights
    from pg_proc as p where p.pronamespace in ('public'::regnamespace, 'weft'::regnamespace)`,
  schema: `select n.nspname as name, ${rightsIn('n.nspacl', 'n', 'n.nspowner')} as rights from pg_namespace as n
    where n.nspname = 'weft'`,
} as const;

const urls: string[] = [];
const catalogues = new Map<TemplateName, Readonly<Record<string, Readonly<Record<string, Rights | null>>>>>();

beforeAll(async () => {
  for (const template of ['hosted', 'backend'] as const) {
    const url = await copyDatabase(template);
    urls.push(url);
    const connection = await PgConnection.open(url);
    const found: Record<string, Record<string, Rights | null>> = {};
    for (const [kind, text] of Object.entries(CATALOGUE)) {
      const rows = await connection.query<{ name: string; rights: Rights | null }>(`${text} order by 1`);
      found[kind] = Object.fromEntries(rows.map(({ name, rights }) => [name, rights]));
    }
    await connection.close();
    catalogues.set(template, found);
  }
});
afterAll(() => Promise.all(urls.map(dropDatabase)));

test.each([
  ['a new project, which grants nothing by default', 'hosted'],
  ['the embedded backend and older projects, which grant everything by default', 'backend'],
] as const)('on %s, roles have exactly these rights', (_, template) => {
  const { tables, sequences, columns, functions = {}, schema } = catalogues.get(template) ?? {};
  expect(tables).toEqual(TABLES);
  expect(sequences).toEqual({});
  expect(columns).toEqual(
    Object.fromEntries(
      SHARE_LINK_COLUMNS.map((name) => [`share_links.${name}`, { authenticated: 'SELECT', service_role: 'SELECT' }]),
    ),
  );
  expect(schema).toEqual({ weft: { anon: 'USAGE', authenticated: 'USAGE' } });
  const expected = Object.keys(functions).map((name) => [
    name,
    FUNCTIONS[name] ?? (name.startsWith('public.') || POLICY_HELPERS.test(name) ? { authenticated: 'EXECUTE' } : null),
  ]);
  expect(functions).toEqual(Object.fromEntries(expected));
});
