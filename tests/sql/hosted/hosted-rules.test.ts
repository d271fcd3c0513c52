// The migrations use only what a hosted project allows, and the checker finds every violation it should.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findViolations, unqualifiedNames } from './hosted-rules.ts';

const folder = join(import.meta.dirname, '../../../supabase/migrations');
const files = readdirSync(folder).toSorted();
const migrations = files.map((file) => ({ file, sql: readFileSync(join(folder, file), 'utf8') }));

const rulesBroken = async (sql: string) =>
  (await findViolations([{ file: 'x', sql }])).map((violation) => violation.rule);

test('every migration may run on a hosted project', async () => {
  expect(await findViolations(migrations)).toEqual([]);
});

test('migrations are named <yyyymmddhhmmss>_<topic>.sql, each with a time of its own', () => {
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(file).toMatch(/^20\d{12}_[a-z_]+\.sql$/);
  expect(new Set(files.map((file) => file.slice(0, 14))).size).toBe(files.length);
});

const FUNCTION = `create function weft.f() returns int language sql security definer set search_path = '' as $$ select 1 $$`;

test.each([
  'set check_function_bodies = off',
  'create schema weft',
  'create table public.t (); alter table public.t enable row level security',
  'create index i on public.t (a)',
  'create type public.color as enum ()',
  FUNCTION,
  'create trigger weft_x after insert on auth.users for each row execute function weft.f()',
  'create policy weft_p on public.t for select using (true)',
  'drop policy if exists weft_p on realtime.messages; create policy weft_p on realtime.messages for select using (true)',
  'drop policy if exists weft_p on storage.objects; create policy weft_p on storage.objects for select using (true)',
  'grant select on public.t to authenticated',
  'revoke all on function weft.f from public, anon',
  'insert into public.t select 1',
  'insert into storage.buckets (id, name) values (1, 1)',
  'select weft.f()',
])('allowed: %s', async (sql) => {
  expect(await rulesBroken(sql)).toEqual([]);
});

test.each([
  ['set search_path = public', 'search_path is not ours to set'],
  ['set role supabase_admin', 'role is not ours to set'],
  ['create table realtime.t ()', 'the schema realtime is not ours'],
  ['create table auth.t ()', 'the schema auth is not ours'],
  ['create table storage.t ()', 'the schema storage is not ours'],
  ['create table t ()', 'its schema is not named'],
  ['create table public.t ()', 'no row level security'],
  ['alter table realtime.messages enable row level security', 'the schema realtime is not ours'],
  ['alter table auth.users add column x int', 'the schema auth is not ours'],
  ['create index i on auth.users (x)', 'the schema auth is not ours'],
  ['create type auth.t as enum ()', 'the schema auth is not ours'],
  ['insert into storage.objects values (1)', 'the schema storage is not ours'],
  ['delete from storage.objects', 'the schema storage is not ours'],
  ['update auth.users set email = null', 'the schema auth is not ours'],
  ['delete from realtime.messages', 'the schema realtime is not ours'],
  ['create schema other', 'only the schema weft is ours to make'],
  ['grant select on realtime.messages to anon', 'the schema realtime is not ours'],
  ['grant usage on schema auth to anon', 'a grant on a schema that is not weft'],
  ['grant execute on function auth.uid to anon', 'the schema auth is not ours'],
  ['grant select on public.t to supabase_admin', 'a grant to supabase_admin'],
  ['revoke all on all tables in schema public from anon', 'grants on everything in a schema reach what is not ours'],
  [
    'create trigger weft_x after insert on realtime.messages for each row execute function weft.f()',
    'the schema realtime is not ours',
  ],
  [
    'create trigger weft_x after insert on storage.objects for each row execute function weft.f()',
    'the schema storage is not ours',
  ],
  [
    'create trigger mine after insert on auth.users for each row execute function weft.f()',
    'a trigger on auth.users without our prefix',
  ],
  ['create trigger weft_x after insert on auth.users for each row execute function f()', 'its schema is not named'],
  ['create policy weft_p on realtime.messages for select using (true)', 'no "drop policy if exists" before it'],
  ['create policy p on public.t for select using (true)', 'a policy without our prefix'],
  ['create policy weft_p on auth.users for select using (true)', 'the schema auth is not ours'],
  ['drop policy weft_p on realtime.messages', 'a drop without "if exists"'],
  ['drop policy if exists other on realtime.messages', 'drops a policy that is not ours'],
  ['drop table auth.users', 'the schema auth is not ours'],
  [FUNCTION.replace('weft.f', 'realtime.f'), 'the schema realtime is not ours'],
  [FUNCTION.replace('weft.f', 'f'), 'its schema is not named'],
  [FUNCTION.replace(" set search_path = ''", ''), 'no empty search_path'],
  [FUNCTION.replace("search_path = ''", 'search_path = public'), 'no empty search_path'],
  [FUNCTION.replace(' security definer', ''), 'no security definer'],
  [FUNCTION.replace('select 1', 'select x from documents'), 'documents is not qualified'],
  [FUNCTION.replace('select 1', 'select f()'), 'f is not qualified'],
  ['do $$ begin end $$', 'DoStmt is not known to be allowed'],
  ['create extension pgcrypto', 'CreateExtensionStmt is not known to be allowed'],
  ['create role r', 'CreateRoleStmt is not known to be allowed'],
  ['alter function realtime.send owner to postgres', 'AlterOwnerStmt is not known to be allowed'],
  ['alter default privileges grant all on tables to anon', 'AlterDefaultPrivilegesStmt is not known to be allowed'],
  ['alter publication supabase_realtime add table public.t', 'AlterPublicationStmt is not known to be allowed'],
  ['select weft.f(), auth.uid()', 'SelectStmt is not known to be allowed'],
  ['select realtime.send(null, null, null)', 'SelectStmt is not known to be allowed'],
])('refused: %s', async (sql, rule) => {
  expect(await rulesBroken(sql)).toContain(rule);
});

test('unqualifiedNames finds the unqualified names in a body and nothing else', () => {
  const mine = new Set(['raise', 'require_role']);
  const names = (body: string) => unqualifiedNames(body, mine);
  for (const [body, found] of [
    ['select 1 from documents', ['documents']],
    ['select 1 from a join documents on true', ['a', 'documents']],
    ['insert into documents values (1)', ['documents']],
    ['update documents set a = 1', ['documents']],
    ['update documents as d set a = 1', ['documents']],
    ['delete from documents', ['documents']],
    ['delete from public.a using documents', ['documents']],
    ['perform require_role(x)', ['require_role']],
    ['caller := require_role (x)', ['require_role']],
  ] as const) {
    expect([body, names(body)]).toEqual([body, found]);
  }
  for (const body of [
    'select 1 from public.documents as d join weft.f(a) as e on true',
    'with recursive x as (select 1 from public.a) select * from x join x as y on true',
    'with x (a) as (select 1) select a from x',
    'select a into b from unnest(c) as d',
    'perform weft.require_role(x); raise exception using errcode = y',
    'if a is distinct from b then',
    'select extract(epoch from a)',
    "select 'from documents' -- from documents",
    'select 1 from public.a for update',
    'insert into public.a values (1) on conflict do update set a = 1',
    'select from (select 1) as x',
  ]) {
    expect([body, names(body)]).toEqual([body, []]);
  }
});
