-- People: profiles, workspaces and their members, and which address belongs to an account.

set check_function_bodies = off;

create type public.workspace_role as enum ('guest', 'member', 'admin', 'owner');

-- --- tables --------------------------------------------------------------------------------------------------------

-- What others see of an account: people who share a workspace or a document with it. Never an email address.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text not null,
  color text not null,
  -- An object of the bucket `avatars`. Null: no picture.
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
alter table public.profiles enable row level security;
revoke all on public.profiles from public, anon, authenticated, service_role;
grant select on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;

-- A workspace: its pages, and the people who share them.
create table public.workspaces (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Names the workspace in URLs.
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
create index workspaces_created_by_index on public.workspaces (created_by, created_at);
alter table public.workspaces enable row level security;
revoke all on public.workspaces from public, anon, authenticated, service_role;
grant select on public.workspaces to authenticated;
grant select, insert, update, delete on public.workspaces to service_role;

-- The people of a workspace, guests of it included. People who have single pages only are no members.
create table public.workspace_members (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- References profiles instead of auth.users, so that the REST API can embed the profile.
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.workspace_role not null,
  created_at timestamptz not null default now(),
  -- How someone became a member; both null for the founder.
  invited_by uuid references public.profiles (id) on delete set null,
  via text,
  primary key (workspace_id, user_id),
  constraint workspace_members_via_check check (via in ('email', 'link'))
);
create index workspace_members_user_id_index on public.workspace_members (user_id);
create index workspace_members_invited_by_index on public.workspace_members (invited_by);
alter table public.workspace_members enable row level security;
revoke all on public.workspace_members from public, anon, authenticated, service_role;
grant select on public.workspace_members to authenticated;
grant select, insert, update, delete on public.workspace_members to service_role;

-- --- profiles ------------------------------------------------------------------------------------------------------

-- A new user's name: the one they gave, else the one of the other service, else the part of their email before the @, else
-- "Guest". A name must not make sign-up fail, so an unsuitable one is shortened instead of refused.
create function weft.name_of_new_user(metadata jsonb, email text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    (
      select tidy.name
      from unnest(array[
        metadata ->> 'display_name', metadata ->> 'full_name', metadata ->> 'name', split_part(email, '@', 1)
      ]) with ordinality as candidate (name, nth)
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

-- `avatar_path`: an uploaded picture of the caller, null for none, or `keep`. `leftovers` are the caller's objects that the
-- profile does not name, for the caller to remove.
create function public.update_profile(display_name text, color text, avatar_path text default 'keep') returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  changed public.profiles;
begin
  if update_profile.avatar_path <> 'keep' and not exists (
    select
    from storage.objects as o
    where o.bucket_id = 'avatars' and o.name = update_profile.avatar_path and weft.owner_of_avatar(o.name) = me
  ) then
    raise exception using errcode = '22023', message = 'avatar_path: keep, null, or an uploaded picture of the caller';
  end if;
  update public.profiles as p
  set
    display_name = weft.trim_name(update_profile.display_name),
    color = update_profile.color,
    avatar_path = case when update_profile.avatar_path = 'keep' then p.avatar_path else update_profile.avatar_path end
  where p.id = me
  returning p.* into changed;
  if changed.id is null then
    perform weft.raise('WF003', 'this account is gone');
  end if;
  return jsonb_build_object(
    'id', changed.id, 'displayName', changed.display_name, 'color', changed.color, 'avatarPath', changed.avatar_path,
    'leftovers', (
      select coalesce(jsonb_agg(o.name order by o.name), '[]')
      from storage.objects as o
      where o.bucket_id = 'avatars' and o.name like me || '/%' and o.name is distinct from changed.avatar_path
    )
  );
end
$$;

-- --- workspaces ----------------------------------------------------------------------------------------------------

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

-- Locks the heads of all pages of a workspace. It locks the workspace first, as the creation of a page does, so it
-- misses no page and none is created until the transaction ends. The workspace's lock must not exclude foreign keys, as
-- a full `for update` does: a call that changes one page locks the page's head and may then ask for the workspace
-- through the foreign key of a row that it updates twice, and the two calls would wait for each other.
create function weft.lock_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_workspace.workspace for no key update;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = lock_workspace.workspace
  ));
end
$$;

-- --- addresses -----------------------------------------------------------------------------------------------------

-- Which address belongs to an account: the one that a mail was sent to, once the mail's link or code was used.
--
-- Auth's `email_confirmed_at` does not say so: a project with "Confirm email" off, and the embedded backend, set it unseen, for
-- whatever address someone types. What Auth does with the tokens of its mails says so: it stores one when it sends a mail, and
-- clears it when the mail is used. (A new password clears tokens too, but with the time at which they were sent.)
--
-- An account may have been made with someone else's address, a password and sessions, before the owner of the address came:
-- where Auth confirms addresses unseen, and by a guest who sets one. When a mail, or a service like Google to which the account is
-- linked, proves the address for the first time, that password and those sessions end in the same transaction, and so do accounts
-- of other services with another address. The session that the mail opens comes after.
--
-- A password stays if it was set together with the one mail that is used: the mail of a sign-up or of a guest's new address, which
-- says what it confirms. After a second mail (the owner signs up too, and Auth answers with another mail about the same account)
-- no one knows whose password it is.
create table weft.addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Where the newest mail went. Someone may change the address of the account before they use the mail.
  mailed text,
  proven text,
  -- Mails since the password was set.
  mails integer not null default 0
);
-- The project may already have users. Only those that confirmed the mail of their sign-up can be told apart. Others use a mail once
-- more.
insert into weft.addresses (user_id, proven)
select u.id, lower(u.email)
from auth.users as u
where u.email is not null and u.confirmation_sent_at <= u.email_confirmed_at;
alter table weft.addresses enable row level security;
revoke all on weft.addresses from public, anon, authenticated, service_role;
create policy weft_nobody on weft.addresses using (false);

-- The address of the account, if it is proven: by a mail, or by another service that says so (OAuth). Null otherwise, and for guests
-- without an account.
create function weft.confirmed_email(person uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select lower(u.email)
    from auth.users as u
    where u.id = confirmed_email.person and (
      exists (select from weft.addresses as a where a.user_id = u.id and a.proven = lower(u.email))
      or exists (
        select
        from auth.identities as i
        where i.user_id = u.id and i.provider <> 'email' and lower(i.identity_data ->> 'email') = lower(u.email)
          and i.identity_data ->> 'email_verified' = 'true'
      )
    )
  );
end
$$;

-- The address that the account names. It counts beside the secret of an invitation, which came by the mail to that address.
create function weft.named_email(person uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select lower(u.email)
    from auth.users as u
    where u.id = named_email.person and u.email_confirmed_at is not null and not u.is_anonymous
  );
end
$$;

create function weft.note_proven_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  address text := lower(new.email);
  -- The embedded Auth has no columns for a change of address.
  before jsonb := to_jsonb(old);
  change_token text := to_jsonb(new) ->> 'email_change_token_new';
  known weft.addresses;
  is_confirmed boolean;
  is_changed boolean;
  is_known boolean;
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    update weft.addresses as a set mails = 0 where a.user_id = new.id;
  end if;
  if coalesce(change_token, '') not in ('', coalesce(before ->> 'email_change_token_new', '')) then
    insert into weft.addresses as a (user_id, mails) values (new.id, 1)
    on conflict on constraint addresses_pkey do update set mails = a.mails + 1;
  end if;
  if coalesce(new.recovery_token, '') not in ('', coalesce(old.recovery_token, ''))
    or coalesce(new.confirmation_token, '') not in ('', coalesce(old.confirmation_token, ''))
  then
    insert into weft.addresses as a (user_id, mailed, mails) values (new.id, address, 1)
    on conflict on constraint addresses_pkey do update set mailed = excluded.mailed, mails = a.mails + 1;
    return null;
  end if;

  select a.* into known from weft.addresses as a where a.user_id = new.id;
  is_confirmed := coalesce(
    old.email_confirmed_at is null and new.email_confirmed_at is not null
      and old.confirmation_token <> '' and coalesce(new.confirmation_token, '') = '',
    false
  );
  is_changed := coalesce(
    new.email is distinct from old.email and before ->> 'email_change_sent_at' is not null
      and lower(before ->> 'email_change') = address,
    false
  );
  if is_changed
    or new.email = old.email and known.mailed = address and (
      is_confirmed
      or old.recovery_token <> '' and coalesce(new.recovery_token, '') = '' and new.recovery_sent_at is not null
    )
  then
    is_known := weft.confirmed_email(new.id) is not distinct from address;
    insert into weft.addresses as a (user_id, proven) values (new.id, address)
    on conflict on constraint addresses_pkey do update set proven = excluded.proven;
    -- Who changes an address had one before, unless they were a guest.
    if not is_known and (not is_changed or old.email is null) then
      perform weft.end_other_access(new.id, (is_confirmed or is_changed) and known.mails = 1);
    end if;
    perform weft.tell_open_invites(new.id);
  elsif weft.is_vouched_first(new.id, old.raw_app_meta_data -> 'providers', new.raw_app_meta_data -> 'providers')
    and known.proven is distinct from address
  then
    insert into weft.addresses as a (user_id, proven) values (new.id, address)
    on conflict on constraint addresses_pkey do update set proven = excluded.proven;
    perform weft.end_other_access(new.id, false);
  end if;
  return null;
end
$$;
-- Triggers run in the order of their names: this one before `weft_notify_open_invites`.
create trigger weft_note_proven_address after update on auth.users
for each row execute function weft.note_proven_address();

create function weft.end_other_access(person uuid, keeps_password boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from auth.sessions as s where s.user_id = end_other_access.person;
  if not end_other_access.keeps_password then
    update auth.users as u
    set encrypted_password = null
    where u.id = end_other_access.person and u.encrypted_password is not null;
    delete from auth.identities as i
    using auth.users as u
    where i.user_id = end_other_access.person and u.id = i.user_id and i.provider <> 'email'
      and lower(i.identity_data ->> 'email') is distinct from lower(u.email);
  end if;
end
$$;

-- Whether another service (OAuth) has just begun to vouch for the account's address, and none did before. Auth writes the identity,
-- then the list of providers, then the session of the sign-in.
create function weft.is_vouched_first(person uuid, before jsonb, after jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return is_vouched_first.before is distinct from is_vouched_first.after and (
    select coalesce(bool_and(not coalesce(is_vouched_first.before, '[]') ? i.provider), false)
    from auth.identities as i join auth.users as u on u.id = i.user_id
    where u.id = is_vouched_first.person and i.provider <> 'email'
      and lower(i.identity_data ->> 'email') = lower(u.email) and i.identity_data ->> 'email_verified' = 'true'
  );
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.name_of_new_user, weft.color_of_new_user, weft.create_profile, public.update_profile, weft.workspace_role,
  weft.workspace_summary, weft.slug_of, weft.lock_workspace, weft.confirmed_email, weft.named_email,
  weft.note_proven_address, weft.end_other_access, weft.is_vouched_first
from public, anon, authenticated, service_role;

grant execute on function
  public.update_profile
to authenticated;
