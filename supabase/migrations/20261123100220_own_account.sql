-- A person's own account: their picture, and its deletion.

-- --- deleting an account ------------------------------------------------------------------------------------------

-- Finds what somebody has written.
create index document_sessions_user_id_index on public.document_sessions (user_id);

-- Whether a workspace would be left to others without an owner.
create function weft.is_last_owner(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select
    from public.workspace_members as mine
    where mine.user_id = is_last_owner.person and mine.role = 'owner'
      and exists (
        select
        from public.workspace_members as other
        where other.workspace_id = mine.workspace_id and other.user_id <> is_last_owner.person
      )
      and not exists (
        select
        from public.workspace_members as other
        where other.workspace_id = mine.workspace_id and other.user_id <> is_last_owner.person and other.role = 'owner'
      )
  );
end
$$;

-- Removes a person's name from what they wrote, which stays. A call does part of it, because a statement has only
-- seconds; it returns whether something is left.
create function weft.forget_author(person uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  rows_per_call constant integer := 20000;
  forgotten integer;
begin
  update public.document_updates as u
  set appended_by = null
  from (
    select w.document_id, w.seq
    from public.document_sessions as s
    join public.document_updates as w on w.document_id = s.document_id and w.session = s.session
    where s.user_id = forget_author.person and w.appended_by = forget_author.person
    limit rows_per_call
  ) as written
  where u.document_id = written.document_id and u.seq = written.seq;
  get diagnostics forgotten = row_count;
  return forgotten = rows_per_call;
end
$$;

-- Deletes the caller's account, with the workspaces in which nobody else is. What they wrote in others stays and has no
-- author. `isDeleted` is false while there is more to do: the caller calls again.
create function public.delete_account() returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  -- Stands for everybody who deleted their account. It is no user, so nobody can go on writing in these sessions.
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  me uuid := weft.require_user();
  workspaces uuid[];
  -- With roles of their own, in whatever workspace.
  pages uuid[];
  one uuid;
begin
  if weft.is_last_owner(me) then
    perform weft.raise('WF014', 'the last owner of a workspace with other members');
  elsif weft.forget_author(me) then
    return jsonb_build_object('isDeleted', false);
  end if;

  -- Workspaces before heads, as in every change of rights.
  perform
  from public.workspaces as w
  where w.id in (select m.workspace_id from public.workspace_members as m where m.user_id = me)
  order by w.id
  for no key update;
  select coalesce(array_agg(m.workspace_id order by m.workspace_id), '{}')
  into workspaces
  from public.workspace_members as m
  where m.user_id = me;
  select coalesce(array_agg(distinct i.id), '{}')
  into pages
  from public.document_members as m cross join lateral unnest(weft.inheriting_documents(m.document_id)) as i (id)
  where m.user_id = me;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = any (workspaces)
    union
    select unnest(pages)
    union
    select h.document_id from public.document_heads as h where h.snapshot_claimed_by = me
  ));
  -- Another owner may have left before these locks.
  if weft.is_last_owner(me) then
    perform weft.raise('WF014', 'the last owner of a workspace with other members');
  end if;

  -- Only what was appended since the last call can be left.
  perform weft.forget_author(me);
  update public.document_updates as u
  set appended_by = null
  from public.documents as d
  where d.created_by = me and u.document_id = d.id and u.seq = 1 and u.appended_by = me;
  update public.document_sessions as s set user_id = nobody where s.user_id = me;
  update public.document_snapshots as s set created_by = null where s.created_by = me;
  update public.document_heads as h set snapshot_claimed_by = null where h.snapshot_claimed_by = me;

  foreach one in array workspaces loop
    if exists (
      select from public.workspace_members as m where m.workspace_id = one and m.user_id <> me
    ) then
      delete from public.workspace_members as m where m.workspace_id = one and m.user_id = me;
      perform weft.move_workspace_topics(one);
    else
      perform weft.delete_workspace(one, null);
    end if;
  end loop;
  delete from public.document_members as m where m.user_id = me;
  perform weft.move_topics(pages);
  delete from auth.users as u where u.id = me;
  -- It references no profile, and these very deletions have added to it.
  delete from weft.workspace_rights as r where r.user_id = me;
  return jsonb_build_object('isDeleted', true);
end
$$;

-- As before. Bytes of a page and an author who are both gone belong to nobody: anybody may remove them.
create or replace function weft.may_purge_attachment(attachment public.attachments, person uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select (
      attachment.created_by = person
      or attachment.created_by is null and attachment.workspace_id is null
      or exists (
        select
        from public.workspace_members as m
        where m.workspace_id = attachment.workspace_id and m.user_id = person and m.role <> 'guest'
      )
    )
    and (attachment.document_id is null or weft.document_role(attachment.document_id, person) is not null)
$$;

-- --- pictures of people -------------------------------------------------------------------------------------------

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', false, 1048576, array['image/png', 'image/jpeg', 'image/webp'])
on conflict (id) do update
set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- The person to whom an object of the bucket `avatars` belongs: its name is `<user>/<uuid>`. Null for any other name.
create function weft.owner_of_avatar(object text) returns uuid
language sql immutable security definer set search_path = ''
as $$
  select (regexp_match(
    owner_of_avatar.object, '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  ))[1]::uuid
$$;

-- As is_allowed_object and is_allowed_metadata, for the bucket of pictures.
create function weft.is_allowed_avatar(mime text, bytes text, cache_control text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from storage.buckets as b
    where b.id = 'avatars' and is_allowed_avatar.mime = any (b.allowed_mime_types)
      and is_allowed_avatar.cache_control = 'private, no-store'
      and case
        when is_allowed_avatar.bytes ~ '^[0-9]{1,12}$' then is_allowed_avatar.bytes::bigint <= b.file_size_limit
      end
  )
$$;

create function weft.is_allowed_avatar_metadata(metadata jsonb) returns boolean
language sql stable security definer set search_path = ''
as $$
  select is_allowed_avatar_metadata.metadata is null or (
    weft.is_allowed_avatar(
      coalesce(is_allowed_avatar_metadata.metadata ->> 'mimetype', 'image/png'),
      coalesce(
        is_allowed_avatar_metadata.metadata ->> 'size', is_allowed_avatar_metadata.metadata ->> 'contentLength', '0'
      ),
      coalesce(is_allowed_avatar_metadata.metadata ->> 'cacheControl', 'private, no-store')
    )
    and is_allowed_avatar_metadata.metadata ->> 'contentEncoding' is null
  )
$$;

-- The picture of a profile is for those who may see the profile. Its owner sees the object too while storing or removing
-- it, which Storage asks for.
create function weft.may_see_avatar(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  owner uuid := weft.owner_of_avatar(object);
begin
  if weft.storage_operation() in ('object.delete', 'object.delete_many', 'object.upload') then
    return coalesce(owner = auth.uid(), false);
  end if;
  return weft.storage_operation() = 'object.get_authenticated'
    and weft.is_allowed_avatar_metadata(may_see_avatar.metadata)
    and exists (
      select from public.profiles as p where p.id = owner and p.avatar_path = may_see_avatar.object
    )
    and weft.may_see_profile(owner);
end
$$;

-- People store pictures in their own folder: a few, of which the profile names one.
create function weft.may_upload_avatar(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_stored constant integer := 10;
  me uuid := auth.uid();
  headers jsonb := weft.request_headers();
begin
  return weft.storage_operation() = 'object.upload'
    and not headers ? 'content-encoding' and not headers ? 'transfer-encoding'
    and weft.is_allowed_avatar(headers ->> 'content-type', headers ->> 'content-length', headers ->> 'cache-control')
    and weft.is_allowed_avatar_metadata(may_upload_avatar.metadata)
    and coalesce(weft.owner_of_avatar(may_upload_avatar.object) = me, false)
    and exists (select from public.profiles as p where p.id = me)
    and (
      select count(*)
      from storage.objects as o
      where o.bucket_id = 'avatars' and o.name like me || '/%'
    ) < max_stored;
end
$$;

create function weft.may_remove_avatar(object text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(weft.owner_of_avatar(may_remove_avatar.object) = auth.uid(), false)
$$;

-- As before, with the second bucket.
drop policy if exists weft_see on storage.objects;
create policy weft_see on storage.objects for select to anon, authenticated
using (
  bucket_id = 'attachments' and weft.may_see_object(name, metadata)
  or bucket_id = 'avatars' and weft.may_see_avatar(name, metadata)
);

drop policy if exists weft_store on storage.objects;
create policy weft_store on storage.objects for insert to authenticated
with check (
  bucket_id = 'attachments' and weft.may_upload_object(name, metadata)
  or bucket_id = 'avatars' and weft.may_upload_avatar(name, metadata)
);

drop policy if exists weft_remove on storage.objects;
create policy weft_remove on storage.objects for delete to authenticated
using (
  bucket_id = 'attachments' and weft.may_remove_object(name)
  or bucket_id = 'avatars' and weft.may_remove_avatar(name)
);

drop function public.update_profile(text, text);

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

-- A new picture shows where a new name does.
drop trigger publish_profile_change on public.profiles;
create trigger publish_profile_change after update of display_name, color, avatar_path on public.profiles
for each row when (
  (new.display_name, new.color, new.avatar_path) is distinct from (old.display_name, old.color, old.avatar_path)
)
execute function weft.publish_profile_change();

revoke all on function
  weft.is_last_owner, weft.forget_author, weft.owner_of_avatar, weft.is_allowed_avatar, weft.is_allowed_avatar_metadata,
  weft.may_see_avatar, weft.may_upload_avatar, weft.may_remove_avatar, public.delete_account, public.update_profile
from public, anon, authenticated, service_role;
grant execute on function weft.may_see_avatar to anon, authenticated;
grant execute on function weft.may_upload_avatar, weft.may_remove_avatar to authenticated;
grant execute on function public.delete_account, public.update_profile to authenticated;
