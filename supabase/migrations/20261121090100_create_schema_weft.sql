-- The schema for everything that no client calls: helpers, encoders, what policies ask. PostgREST does not expose it.
--
-- House rules of all migrations, held by tests/sql: functions run as their owner (`security definer`) with an empty
-- search_path, every name is qualified; what the hosted service grants by default is revoked, then the least is granted.

create schema weft;
revoke all on schema weft from public;
-- Policies run as the client's role and call a handful of helpers here. Each is granted by itself; nothing else is.
grant usage on schema weft to anon, authenticated;

create type public.workspace_role as enum ('guest', 'member', 'admin', 'owner');
-- In this order: a later one may everything an earlier one may, so that roles compare with < and max().
create type public.document_role as enum ('viewer', 'commenter', 'editor', 'manager');
create type public.document_access as enum ('inherit', 'workspace', 'restricted');

-- Refuses with a code of the catalogue (SPECIFICATION.md, point 8). `detail` says what was wrong, for reports.
create function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'This page does not exist or you have no access to it.'
      when 'WF002' then 'You can read this page but not change it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to go on.'
      when 'WF005' then 'An edit could not be saved.'
      when 'WF006' then 'Some edits could not be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to go on.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page cannot be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- Who calls. Refuses a call without a person behind it, which a service key is not.
create function weft.me() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  if me is null then
    perform weft.raise('WF003', 'nobody is signed in');
  end if;
  return me;
end
$$;

-- Postgres breaks base64 into lines of 76; answers carry it in one.
create function weft.to_base64(bytes bytea) returns text
language sql immutable security definer set search_path = ''
as $$
  select translate(encode(to_base64.bytes, 'base64'), E'\n', '')
$$;

-- The bytes, or null when it is not base64.
create function weft.from_base64(text text) returns bytea
language plpgsql immutable security definer set search_path = ''
as $$
begin
  return decode(from_base64.text, 'base64');
exception when data_exception then
  return null;
end
$$;

-- 128 random bits in 22 characters that need no escaping in an address.
create function weft.random_key() returns text
language sql volatile security definer set search_path = ''
as $$
  select rtrim(translate(encode(extensions.gen_random_bytes(16), 'base64'), '+/', '-_'), '=')
$$;

-- What is stored of a secret. It has 128 random bits, so it needs neither salt nor a slow hash.
create function weft.hash_secret(secret text) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select extensions.digest(hash_secret.secret, 'sha256')
$$;

-- A name as it is stored: without white space around it.
create function weft.trim_name(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(trim_name.name, '^\s+|\s+$', '', 'g')
$$;

revoke all on function
  weft.raise, weft.me, weft.to_base64, weft.from_base64, weft.random_key, weft.hash_secret, weft.trim_name
from public, anon, authenticated, service_role;
