-- The schema `weft`, the helpers that every later migration uses, and people: profiles, workspaces and their members.
--
-- Rules for all migrations (tests/sql/hosted/hosted-rules.test.ts checks them):
--   Each function runs as its owner (`security definer`) with an empty search_path, so every name has its schema.
--   Arguments often share their name with a column, so a body writes `function_name.argument`.
--   A hosted project grants everything to the API roles by default: each file revokes that, then grants the least.
--   Clients only read tables. They write through the functions in `public`.

-- PostgREST does not expose this schema: it holds what no client calls.
create schema weft;
revoke all on schema weft from public;
-- Policies run as the client's role and call a few functions of this schema. Those are granted one by one.
grant usage on schema weft to anon, authenticated;

create type public.workspace_role as enum ('guest', 'member', 'admin', 'owner');

-- --- helpers ------------------------------------------------------------------------------------------------------

-- Fails with a code of the error catalogue (SPECIFICATION.md, point 8; the texts are those of src/protocol/errors.ts).
-- `detail` says what was wrong, for the console and for reports.
create function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'You can’t open this page.'
      when 'WF002' then 'You can view this page, not edit it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to continue.'
      when 'WF005' then 'An edit couldn’t be saved.'
      when 'WF006' then 'Some edits couldn’t be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to continue.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- The id of the signed-in user. Fails without one; a service key alone is not a user.
create function weft.require_user() returns uuid
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

-- Base64 in one line; Postgres breaks it into lines of 76 characters.
create function weft.to_base64(bytes bytea) returns text
language sql immutable security definer set search_path = ''
as $$
  select translate(encode(to_base64.bytes, 'base64'), E'\n', '')
$$;

-- Null if the text is not base64.
create function weft.from_base64(text text) returns bytea
language plpgsql immutable security definer set search_path = ''
as $$
begin
  return decode(from_base64.text, 'base64');
exception when data_exception then
  return null;
end
$$;

-- 128 random bits in 22 characters that need no escaping in a URL.
create function weft.random_key() returns text
language sql volatile security definer set search_path = ''
as $$
  select rtrim(translate(encode(extensions.gen_random_bytes(16), 'base64'), '+/', '-_'), '=')
$$;

-- The database stores only the hash of a secret. A secret has 128 random bits, so it needs neither salt nor a slow
-- hash.
create function weft.hash_secret(secret text) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select extensions.digest(hash_secret.secret, 'sha256')
$$;

-- Names are stored without white space around them.
create function weft.trim_name(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(trim_name.name, '^\s+|\s+$', '', 'g')
$$;

revoke all on function
  weft.raise, weft.require_user, weft.to_base64, weft.from_base64, weft.random_key, weft.hash_secret, weft.trim_name
from public, anon, authenticated, service_role;

-- --- tables -------------------------------------------------------------------------------------------------------

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text not null,
  color text not null,
  avatar_path text,
  created_at timestamptz not null default now(),
  constraint profiles_display_name_check check (
    char_length(display_name) between 1 and 80
    and display_name !~ '[\u0001-\u001f\u007f-\u009f]'
    and display_name !~ '^\s|\s$'
  ),
  -- The names in src/protocol/colors.ts.
  constraint profiles_color_check check (
    color in (
      'saffron', 'larkspur', 'indigo', 'heather', 'cochineal', 'logwood', 'woad', 'rust',
      'gall', 'orchil', 'madder', 'cutch', 'lichen', 'nettle', 'verdigris', 'weld'
    )
  )
);

create table public.workspaces (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null unique,
  -- Part of every topic name in the workspace. A change of rights that concerns the whole workspace raises it.
  epoch bigint not null default 1,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint workspaces_name_check check (
    char_length(name) between 1 and 80
    and name !~ '[\u0001-\u001f\u007f-\u009f]'
    and name !~ '^\s|\s$'
  ),
  constraint workspaces_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60)
);

create index workspaces_created_by_index on public.workspaces (created_by);

create table public.workspace_members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- References profiles instead of auth.users, so that the REST API can embed the profile.
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.workspace_role not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user_id_index on public.workspace_members (user_id);

-- --- profiles -----------------------------------------------------------------------------------------------------

-- A new user's name: the one they gave, else the part of their email before the @, else "Guest". A name must not make
-- sign-up fail, so an unsuitable one is shortened instead of refused.
create function weft.name_of_new_user(metadata jsonb, email text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    (
      select tidy.name
      from unnest(array[metadata ->> 'display_name', split_part(email, '@', 1)]) with ordinality as candidate (name, nth)
      cross join lateral (
        select weft.trim_name(left(weft.trim_name(
          regexp_replace(left(candidate.name, 1000), '[\u0001-\u001f\u007f-\u009f]', '', 'g')
        ), 80)) as name
      ) as tidy
      where tidy.name <> ''
      order by candidate.nth
      limit 1
    ),
    'Guest'
  )
$$;

-- Picks one of the sixteen colors by the last byte of the user's random id.
create function weft.color_of_new_user(id uuid) returns text
language sql immutable security definer set search_path = ''
as $$
  select (array[
    'saffron', 'larkspur', 'indigo', 'heather', 'cochineal', 'logwood', 'woad', 'rust',
    'gall', 'orchil', 'madder', 'cutch', 'lichen', 'nettle', 'verdigris', 'weld'
  ])[1 + get_byte(uuid_send(color_of_new_user.id), 15) % 16]
$$;

create function weft.create_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, display_name, color)
  values (new.id, weft.name_of_new_user(new.raw_user_meta_data, new.email), weft.color_of_new_user(new.id))
  on conflict (id) do nothing;
  return null;
end
$$;

create trigger weft_create_profile after insert on auth.users
for each row execute function weft.create_profile();

-- The project may already have users.
insert into public.profiles (id, display_name, color)
select u.id, weft.name_of_new_user(u.raw_user_meta_data, u.email), weft.color_of_new_user(u.id)
from auth.users as u
on conflict (id) do nothing;

create function public.update_profile(display_name text, color text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  changed public.profiles;
begin
  update public.profiles as p
  set display_name = weft.trim_name(update_profile.display_name), color = update_profile.color
  where p.id = me
  returning p.* into changed;
  if changed.id is null then
    perform weft.raise('WF003', 'this account is gone');
  end if;
  return jsonb_build_object('id', changed.id, 'displayName', changed.display_name, 'color', changed.color);
end
$$;

-- --- workspaces ---------------------------------------------------------------------------------------------------

create function weft.workspace_role(workspace uuid, person uuid) returns public.workspace_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select w.role
    from public.workspace_members as w
    where w.workspace_id = workspace_role.workspace and w.user_id = workspace_role.person
  );
end
$$;

-- A workspace as clients see it.
create function weft.workspace_summary(workspace uuid, person uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', w.id, 'name', w.name, 'slug', w.slug, 'epoch', w.epoch,
      'role', weft.workspace_role(w.id, workspace_summary.person)
    )
    from public.workspaces as w
    where w.id = workspace_summary.workspace
  );
end
$$;

-- The name as part of a URL: letters without accents, digits and single hyphens. It is shortened first, because a name
-- of several megabytes, which the table refuses later, would keep the database busy for seconds.
create function weft.slug_of(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    nullif(
      btrim(
        left(
          btrim(
            regexp_replace(
              regexp_replace(lower(normalize(left(slug_of.name, 80), NFKD)), '[\u0300-\u036f]', '', 'g'),
              '[^a-z0-9]+', '-', 'g'
            ),
            '-'
          ),
          40
        ),
        '-'
      ),
      ''
    ),
    'workspace'
  )
$$;

revoke all on function
  weft.name_of_new_user, weft.color_of_new_user, weft.create_profile, weft.workspace_role, weft.workspace_summary,
  weft.slug_of, public.update_profile
from public, anon, authenticated, service_role;
grant execute on function public.update_profile to authenticated;
