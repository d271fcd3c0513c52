-- People and the workspaces they belong to.

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
  -- Raised when rights change for everybody in it: it is part of every topic's name.
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

create table public.workspace_members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- The profile, not auth.users: REST can embed it.
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.workspace_role not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user_id_index on public.workspace_members (user_id);

-- The name of a new person: what they said, else their address before the @, else "Guest". A sign-up must not fail
-- because of a name, so what does not fit is cut instead of refused.
create function weft.name_of_new_user(metadata jsonb, email text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    (
      select tidy.name
      from unnest(array[metadata ->> 'display_name', split_part(email, '@', 1)]) with ordinality as said (name, nth)
      cross join lateral (
        select weft.trim_name(left(weft.trim_name(
          regexp_replace(left(said.name, 1000), '[\u0001-\u001f\u007f-\u009f]', '', 'g')
        ), 80)) as name
      ) as tidy
      where tidy.name <> ''
      order by said.nth
      limit 1
    ),
    'Guest'
  )
$$;

-- One of the sixteen dyes, by the last byte of a random id: the same for everybody who looks.
create function weft.color_of_new_user(id uuid) returns text
language sql immutable security definer set search_path = ''
as $$
  select (array[
    'saffron', 'larkspur', 'indigo', 'heather', 'cochineal', 'logwood', 'woad', 'rust',
    'gall', 'orchil', 'madder', 'cutch', 'lichen', 'nettle', 'verdigris', 'weld'
  ])[1 + get_byte(uuid_send(color_of_new_user.id), 15) % 16]
$$;

create function weft.make_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, display_name, color)
  values (new.id, weft.name_of_new_user(new.raw_user_meta_data, new.email), weft.color_of_new_user(new.id))
  on conflict (id) do nothing;
  return null;
end
$$;

create trigger weft_make_profile after insert on auth.users
for each row execute function weft.make_profile();

-- A project may have users already.
insert into public.profiles (id, display_name, color)
select u.id, weft.name_of_new_user(u.raw_user_meta_data, u.email), weft.color_of_new_user(u.id)
from auth.users as u
on conflict (id) do nothing;

revoke all on function weft.name_of_new_user, weft.color_of_new_user, weft.make_profile
from public, anon, authenticated, service_role;
