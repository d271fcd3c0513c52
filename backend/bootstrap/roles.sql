-- The roles, schemas and default privileges that a hosted project has before its first migration. Repeats safely.

do $$
declare
  name text;
begin
  foreach name in array array['anon', 'authenticated', 'service_role', 'supabase_realtime_admin', 'supabase_storage_admin', 'supabase_auth_admin'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I nologin noinherit', name);
    end if;
  end loop;
  -- All databases of a server share its roles: needless changes conflict when several databases start at once.
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
end
$$;

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;
create extension if not exists pgcrypto with schema extensions;

grant usage on schema public, extensions, auth, storage to anon, authenticated, service_role;

-- As older hosted projects do; newer ones grant nothing. Migrations revoke what a role may not do, and grant what it may.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
