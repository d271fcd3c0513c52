// The linters of hosted projects (`supabase db lint` and the database advisors) find nothing, as far as the catalogue shows
// it.
import { expect, test } from 'vitest';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();
const OURS = `in ('public'::regnamespace, 'weft'::regnamespace)`;

const NOT_OF_EXTENSION = `not exists (
  select from pg_depend as d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
)`;

/** By complaint: a query that lists the objects which earn it. */
const COMPLAINTS: Readonly<Record<string, string>> = {
  'a foreign key without an index': `
    select c.conrelid::regclass || ' ' || c.conname as object from pg_constraint as c
    where c.contype = 'f' and c.connamespace ${OURS} and not exists (
      select from pg_index as i
      where i.indrelid = c.conrelid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] operator(pg_catalog.@>) c.conkey
    )`,
  'a function without a fixed search_path': `
    select p.oid::regprocedure::text as object from pg_proc as p
    where p.pronamespace ${OURS} and ${NOT_OF_EXTENSION}
      and not coalesce(p.proconfig::text like '%search_path=%', false)`,
  'a table without row level security': `
    select c.oid::regclass::text as object from pg_class as c
    where c.relnamespace ${OURS} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  'a table with row level security and without a policy': `
    select c.oid::regclass::text as object from pg_class as c
    where c.relnamespace ${OURS} and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select from pg_policy as p where p.polrelid = c.oid)`,
  'a policy that asks who calls once per row': `
    select schemaname || '.' || tablename || ' ' || policyname as object from pg_policies
    where policyname like 'weft%' and regexp_replace(
      coalesce(qual, '') || ' ' || coalesce(with_check, ''), '\\( *select +(auth\\.\\w+|current_setting)\\(', '', 'gi'
    ) ~* '(auth\\.(uid|jwt|role|email)|current_setting)\\('`,
  'several policies for the same role and action': `
    select schemaname || '.' || tablename || ' ' || cmd as object from pg_policies, unnest(roles) as role
    where policyname like 'weft%' and permissive = 'PERMISSIVE'
    group by schemaname, tablename, cmd, role having count(*) > 1`,
  'two equal indexes': `
    select min(indexrelid::regclass::text) as object from pg_index join pg_class as c on c.oid = indrelid
    where c.relnamespace ${OURS} group by indrelid, indkey, indclass, indpred, indexprs having count(*) > 1`,
  'a view, which would read with its owner’s rights': `
    select oid::regclass::text as object from pg_class where relnamespace ${OURS} and relkind in ('v', 'm')`,
  'an extension in the schema public': `
    select extname as object from pg_extension where extnamespace = 'public'::regnamespace`,
  'a parameter named with a reserved word': `
    select p.oid::regprocedure || ' ' || name as object from pg_proc as p, unnest(p.proargnames) as name
    where p.pronamespace ${OURS} and ${NOT_OF_EXTENSION}
      and name in (select word from pg_get_keywords() where catcode = 'R')`,
};

test.each(Object.entries(COMPLAINTS))('the linters find nowhere %s', (_, query) =>
  withWorkspace(async (sql) => {
    expect(await sql.rows(`${query} order by 1`)).toEqual([]);
  })(),
);

const BAD_OBJECTS = `
  create table public.loose (id integer primary key, page uuid references public.documents (id));
  create unique index two on public.documents (rank, title);
  create unique index three on public.documents (rank, title);
  create table public.locked (id integer primary key);
  alter table public.locked enable row level security;
  create policy weft_own on public.profiles for select to authenticated using (id = auth.uid());
  create view public.seen as select 1;
  create function public.f("user" uuid) returns integer language sql as 'select 1';
  alter extension pgcrypto set schema public`;

test(
  'each of these queries finds a bad example',
  withWorkspace(async (sql) => {
    for (const statement of BAD_OBJECTS.split(';\n')) await sql.rows(statement);
    for (const [complaint, query] of Object.entries(COMPLAINTS))
      expect([complaint, await sql.rows(`${query} order by 1`)]).toEqual([complaint, [expect.anything()]]);
  }),
);

test(
  'plpgsql_check, which `supabase db lint` runs, complains about nothing, where the server has it',
  withWorkspace(async (sql) => {
    const [available] = await sql.rows(`select from pg_available_extensions where name = 'plpgsql_check'`);
    if (available === undefined) return;
    await sql.rows('create extension plpgsql_check');
    const complaints = await sql.rows(
      `select p.oid::regprocedure::text as function, c.lineno, c.level, c.message, c.detail
       from pg_proc as p
       left join pg_trigger as t on t.tgfoid = p.oid
       cross join lateral plpgsql_check_function_tb(
         p.oid, coalesce(t.tgrelid, 0), performance_warnings => true, extra_warnings => true
       ) as c
       where p.pronamespace ${OURS} and p.prolang = (select oid from pg_language where lanname = 'plpgsql')
         and c.level not like '%performance%'
       order by 1, 2`,
    );
    expect(complaints).toEqual([]);
  }),
);
