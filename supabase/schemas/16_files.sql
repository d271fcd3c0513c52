-- Pictures and files of pages. Storage holds the bytes, in the bucket `attachments` at `<document>/<attachment>`, and
-- smaller versions of a large picture beside it (`.view`, `.small`). A table describes them, and the policies on
-- Storage look at that table. Pictures of people are in a bucket of their own.
--
-- On a hosted project SQL cannot delete objects: Storage would keep the bytes of a deleted row. So members clean up:
-- `purge_attachments` lists the objects to remove, the policies allow it, and the next call deletes the rows of removed
-- objects.

set check_function_bodies = off;

-- --- files of pages ------------------------------------------------------------------------------------------------

create table public.attachments (
  -- The device chooses the id, so that a picture is in the page before the server knows of it.
  id uuid primary key,
  -- Null when the page has been deleted for good and the bytes remain to be removed; the same for the workspace.
  document_id uuid references public.documents (id) on delete set null,
  workspace_id uuid references public.workspaces (id) on delete set null,
  path text not null unique,
  name text not null,
  mime text not null,
  bytes bigint not null,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The time since which neither the page nor a comment contains the attachment; null while one does.
  unreferenced_at timestamptz default now(),
  -- From then on its bytes are being removed, and no one can read it.
  purged_at timestamptz,
  constraint attachments_name_check check (char_length(name) between 1 and 255 and name !~ '[[:cntrl:]]'),
  constraint attachments_mime_check check (char_length(mime) <= 255 and mime ~ '^[!-~]+/[!-~]+$'),
  constraint attachments_bytes_check check (bytes between 0 and 26214400)
);
create index attachments_document_id_index on public.attachments (document_id);
create index attachments_workspace_id_index on public.attachments (workspace_id);
create index attachments_created_by_index on public.attachments (created_by, created_at) include (bytes);
alter table public.attachments enable row level security;
revoke all on public.attachments from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.attachments to service_role;
create policy weft_nobody on public.attachments using (false);

-- An attachment as clients see it.
create function weft.attachment_summary(attachment public.attachments) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', attachment.id, 'documentId', attachment.document_id, 'path', attachment.path, 'name', attachment.name,
    'mime', attachment.mime, 'bytes', attachment.bytes, 'createdBy', attachment.created_by,
    'createdAt', attachment.created_at
  )
$$;

-- Registers an attachment before its upload: of the page, or of a comment on it.
create function weft.register_attachment(
  id uuid, document uuid, name text, mime text, bytes bigint, caller weft.caller, is_of_comment boolean
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  made public.attachments;
begin
  if not exists (select from public.attachments as a where a.id = register_attachment.id) then
    perform weft.require_quota('files', caller.user_id, register_attachment.bytes);
  end if;
  insert into public.attachments (id, document_id, workspace_id, path, name, mime, bytes, created_by)
  values (
    register_attachment.id, register_attachment.document, caller.workspace_id,
    register_attachment.document || '/' || register_attachment.id, weft.trim_name(register_attachment.name),
    register_attachment.mime, register_attachment.bytes, caller.user_id
  )
  on conflict on constraint attachments_pkey do nothing;
  if found and register_attachment.is_of_comment then
    insert into weft.comment_pictures (attachment_id) values (register_attachment.id);
  end if;
  select a.* into made from public.attachments as a where a.id = register_attachment.id;
  if made.document_id is distinct from register_attachment.document
    or made.created_by is distinct from caller.user_id or made.purged_at is not null
    or weft.is_comment_picture(made.id) <> register_attachment.is_of_comment
  then
    perform weft.raise('WF005', 'the id is of another attachment');
  end if;
  return weft.attachment_summary(made);
end
$$;

-- Registers an attachment of a page before its upload. The same person may repeat the call for the same page.
create function public.create_attachment(id uuid, document uuid, name text, mime text, bytes bigint) returns jsonb
language sql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
  select weft.register_attachment(
    create_attachment.id, create_attachment.document, create_attachment.name, create_attachment.mime,
    create_attachment.bytes, weft.require_editor(create_attachment.document), false
  )
$$;

-- Registers a copy of an attachment for another page. Each page has attachments of its own, because the readers of one
-- need not be readers of the other. The caller copies the objects from the path in `from`, and Storage's policies check
-- both rights again.
create function public.copy_attachment(attachment uuid, document uuid, id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  source public.attachments;
begin
  select a.* into source
  from public.attachments as a
  where a.id = copy_attachment.attachment and a.purged_at is null and not weft.is_comment_picture(a.id);
  if source.document_id is null then
    perform weft.raise('WF001', 'no such attachment');
  end if;
  perform weft.require_role(source.document_id, 'viewer');
  return jsonb_build_object(
    'attachment',
    public.create_attachment(copy_attachment.id, copy_attachment.document, source.name, source.mime, source.bytes),
    'from', source.path
  );
end
$$;

-- Stores which attachments the page contains as of row `seq`; an older seq changes nothing. An attachment that is on no
-- page is kept for 30 days, because undo, versions and people who were away may bring it back.
create function public.set_document_attachments(document uuid, seq bigint, ids uuid[], known_at bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head bigint;
  stored_seq bigint;
begin
  perform weft.require_editor(set_document_attachments.document);
  -- Erasing takes the same lock.
  perform from public.documents as d where d.id = set_document_attachments.document for no key update;
  perform weft.require_known_row(
    set_document_attachments.document, set_document_attachments.seq, set_document_attachments.known_at
  );
  select h.head_seq into head from public.document_heads as h where h.document_id = set_document_attachments.document;
  if set_document_attachments.seq is null or set_document_attachments.seq > head
    or set_document_attachments.ids is null
  then
    raise exception using errcode = '22023', message = 'seq: of a row in the log; ids: not null';
  end if;
  update public.documents as d
  set attachments_seq = set_document_attachments.seq
  where d.id = set_document_attachments.document and d.attachments_seq <= set_document_attachments.seq
  returning d.attachments_seq into stored_seq;
  if stored_seq is not null then
    update public.attachments as a
    set unreferenced_at = case when a.id = any (set_document_attachments.ids) then null else now() end
    where a.document_id = set_document_attachments.document and a.purged_at is null and not weft.is_comment_picture(a.id)
      and (a.unreferenced_at is null) <> (a.id = any (set_document_attachments.ids));
  end if;
  return (
    select jsonb_build_object('attachmentsSeq', d.attachments_seq)
    from public.documents as d where d.id = set_document_attachments.document
  );
end
$$;

-- Whether a person may remove an attachment for good: its creator may, and so may all members of its workspace except
-- guests. While its page exists, they also need a role on the page. Bytes of a page and an author who are both gone belong to
-- no one: anyone may remove them.
create function weft.may_purge_attachment(attachment public.attachments, person uuid) returns boolean
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

-- The names of objects that no one needs any more, for the caller to remove from Storage. A call returns at most 300 of
-- them, and may be repeated. An attachment stays while the copy of the page's text is behind the log: clients store the
-- list of attachments before the text, so the newer rows may contain the attachment again.
create function public.purge_attachments() returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_names constant integer := 300;
  kept_for constant interval := interval '30 days';
  me uuid := weft.require_user();
  purgeable uuid[];
begin
  select coalesce(array_agg(a.id), '{}')
  into purgeable
  from public.attachments as a
  where (
      a.purged_at is not null or a.document_id is null
      or a.unreferenced_at < now() - kept_for and not exists (
        select
        from public.documents as d join public.document_heads as h on h.document_id = d.id
        where d.id = a.document_id and d.text_seq < h.head_seq and not weft.is_comment_picture(a.id)
      )
    )
    and weft.may_purge_attachment(a, me);
  delete from public.attachments as a
  where a.id = any (purgeable) and a.purged_at is not null and not exists (
    select
    from storage.objects as o
    where o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
  );
  update public.attachments as a set purged_at = now() where a.id = any (purgeable) and a.purged_at is null;
  return (
    select jsonb_build_object('names', coalesce(jsonb_agg(due.name), '[]'))
    from (
      select o.name
      from public.attachments as a
      join storage.objects as o
        on o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
      where a.id = any (purgeable)
      order by o.name
      limit max_names
    ) as due
  );
end
$$;

-- --- objects of Storage --------------------------------------------------------------------------------------------

-- Only these pictures keep their type. All else is stored as bytes to download, whatever it claims to be, so nothing in
-- the bucket can run in a browser. src/protocol/attachment.ts has the same types and the same limit of 25 MiB.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'attachments', 'attachments', false, 26214400,
  array['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'application/octet-stream']
)
on conflict (id) do update
set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- The attachment that an object belongs to.
create function weft.attachment_of_object(object text) returns public.attachments
language sql stable security definer set search_path = ''
as $$
  select a.*
  from public.attachments as a
  where a.path = regexp_replace(attachment_of_object.object, '\.(view|small)$', '')
$$;

-- The operation that Storage performs, such as `object.upload`; some of its versions write `storage.` before it. The policies name
-- the few operations that Weft needs. All others are refused: a signed address would outlive the right to read (it may be
-- valid for 50 years), and a resumable upload, one through S3 or a form declares its size and type in other ways.
create function weft.storage_operation() returns text
language sql stable security definer set search_path = ''
as $$
  select regexp_replace(coalesce(current_setting('storage.operation', true), ''), '^storage\.', '')
$$;

-- The headers of the request. Storage passes them to the database as PostgREST does.
create function weft.request_headers() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(nullif(current_setting('request.headers', true), '')::jsonb, '{}')
$$;

-- Whether a body of this type and size may be stored, with this header for caches. Rights end at once, so no cache may
-- keep a copy. The bucket has the types and the largest size.
create function weft.is_allowed_object(mime text, bytes text, cache_control text) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from storage.buckets as b
    where b.id = 'attachments' and is_allowed_object.mime = any (b.allowed_mime_types)
      and is_allowed_object.cache_control = 'private, no-store'
      and case
        when is_allowed_object.bytes ~ '^[0-9]{1,12}$' then is_allowed_object.bytes::bigint <= b.file_size_limit
      end
  )
$$;

-- Whether a stored object is what an upload may store. Before the upload, Storage checks the policies with rows that have
-- no metadata, or only the type and the size. Only the row that it writes at the end tells the size of an upload
-- without a length, and the type and header that a copy has chosen, and it writes that row without asking the policies.
create function weft.is_allowed_metadata(metadata jsonb) returns boolean
language sql stable security definer set search_path = ''
as $$
  select is_allowed_metadata.metadata is null or (
    weft.is_allowed_object(
      coalesce(is_allowed_metadata.metadata ->> 'mimetype', 'application/octet-stream'),
      coalesce(is_allowed_metadata.metadata ->> 'size', is_allowed_metadata.metadata ->> 'contentLength', '0'),
      coalesce(is_allowed_metadata.metadata ->> 'cacheControl', 'private, no-store')
    )
    and is_allowed_metadata.metadata ->> 'contentEncoding' is null
  )
$$;

-- Readers of the page may see its objects; those of a comment, readers of the comments, and before it is sent and once the picture
-- was taken out of it, only its author. So may anyone who sends the secret of an active link to watch in the header
-- `x-weft-link`. When the link ends, so does this: no URL outlives it. Removing an object needs the right to see it, so
-- who may remove one sees it while removing it, and only then.
create function weft.may_see_object(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments;
  is_of_comment boolean;
  link public.share_links;
begin
  if weft.storage_operation() in ('object.delete', 'object.delete_many') then
    return weft.may_remove_object(may_see_object.object);
  elsif weft.storage_operation() not in ('object.get_authenticated', 'object.upload', 'object.copy')
    or not weft.is_allowed_metadata(may_see_object.metadata)
  then
    return false;
  end if;
  attachment := weft.attachment_of_object(may_see_object.object);
  if attachment.document_id is null or attachment.purged_at is not null then
    return false;
  end if;
  is_of_comment := weft.is_comment_picture(attachment.id);
  if is_of_comment and attachment.unreferenced_at is not null and coalesce(attachment.created_by <> auth.uid(), true) then
    return false;
  elsif weft.document_role(attachment.document_id, auth.uid()) is not null
    and (not is_of_comment or weft.may_read_comments(attachment.document_id, auth.uid()))
  then
    return true;
  end if;
  link := weft.active_link(weft.request_headers() ->> 'x-weft-link');
  return coalesce(
    link.document_id = attachment.document_id and link.role = 'viewer'
      and (not is_of_comment or weft.comments_by_link(attachment.document_id) is not null),
    false
  );
end
$$;

-- Only the creator of the attachment may upload, while they may edit the page, or comment on it if it is a comment's. No one may replace an object: the
-- content behind an id never changes. The request must tell type and size before its body: Storage does not limit an
-- upload without a length. A compressed body would unfold in the browsers of its readers. No object is larger than
-- create_attachment was told, neither the file nor a smaller version of a picture: so what a person stores is at most three times
-- what is counted.
create function weft.may_upload_object(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_of_object(may_upload_object.object);
  headers jsonb := weft.request_headers();
begin
  if weft.storage_operation() = 'object.upload' then
    if headers ? 'content-encoding' or headers ? 'transfer-encoding' or not weft.is_allowed_object(
      headers ->> 'content-type', headers ->> 'content-length', headers ->> 'cache-control'
    ) or (headers ->> 'content-length')::bigint > attachment.bytes then
      return false;
    end if;
  elsif weft.storage_operation() <> 'object.copy' then
    return false;
  end if;
  return weft.is_allowed_metadata(may_upload_object.metadata)
    and coalesce((may_upload_object.metadata ->> 'size')::bigint <= attachment.bytes, true)
    and attachment.created_by = auth.uid() and attachment.purged_at is null
    and coalesce(
      weft.document_role(attachment.document_id, auth.uid()) >= case when weft.is_comment_picture(attachment.id)
        then 'commenter'
        else 'editor'
      end::public.document_role,
      false
    )
    and exists (
      select from public.documents as d where d.id = attachment.document_id and d.trashed_at is null
    );
end
$$;

create function weft.may_remove_object(object text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_of_object(object);
begin
  return attachment.purged_at is not null and weft.may_purge_attachment(attachment, auth.uid());
end
$$;

-- --- pictures of people --------------------------------------------------------------------------------------------

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

-- People store pictures in their own folder: a few, of which the profile names one. They are counted under a lock. Hosted Storage
-- asks before the upload and writes the row afterwards, so there uploads at the same time are counted when the next one begins.
create function weft.may_upload_avatar(object text, metadata jsonb) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_stored constant integer := 10;
  me uuid := auth.uid();
  headers jsonb := weft.request_headers();
begin
  if not (
    weft.storage_operation() = 'object.upload'
    and not headers ? 'content-encoding' and not headers ? 'transfer-encoding'
    and weft.is_allowed_avatar(headers ->> 'content-type', headers ->> 'content-length', headers ->> 'cache-control')
    and weft.is_allowed_avatar_metadata(may_upload_avatar.metadata)
    and coalesce(weft.owner_of_avatar(may_upload_avatar.object) = me, false)
    and exists (select from public.profiles as p where p.id = me)
  ) then
    return false;
  end if;
  perform weft.lock_limit('avatars', me);
  return (
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

-- --- policies on Storage -------------------------------------------------------------------------------------------

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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.attachment_summary, weft.register_attachment, public.create_attachment, public.copy_attachment, public.set_document_attachments,
  weft.may_purge_attachment, public.purge_attachments, weft.attachment_of_object, weft.storage_operation,
  weft.request_headers, weft.is_allowed_object, weft.is_allowed_metadata, weft.may_see_object, weft.may_upload_object,
  weft.may_remove_object, weft.owner_of_avatar, weft.is_allowed_avatar, weft.is_allowed_avatar_metadata,
  weft.may_see_avatar, weft.may_upload_avatar, weft.may_remove_avatar
from public, anon, authenticated, service_role;

grant execute on function
  weft.may_see_object, weft.may_see_avatar
to anon, authenticated;

grant execute on function
  public.create_attachment, public.copy_attachment, public.set_document_attachments, public.purge_attachments,
  weft.may_upload_object, weft.may_remove_object, weft.may_upload_avatar, weft.may_remove_avatar
to authenticated;
