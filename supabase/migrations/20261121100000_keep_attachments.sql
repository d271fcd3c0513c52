-- Pictures and files of pages. The bytes lie in Storage, bucket `attachments`, under `<document>/<attachment>`, with what a
-- device made of a large picture beside them (`.view`, `.small`). This table says what they are; policies ask it.
-- Rows of storage.objects cannot be deleted by SQL on a hosted project (Storage would keep the bytes), so that cleaning
-- up is done by members: `purge_attachments` says what, the policies let them, and the next call forgets what is gone.

-- What is shown as a picture comes with its own type; everything else is bytes to download, whatever it claims to be:
-- nothing in the bucket can run in a browser.
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

create table public.attachments (
  -- Made by the device, so that a picture stands in a page before the server hears of it.
  id uuid primary key,
  -- Null: the page is gone for good, the bytes are still to be removed. The same of the workspace.
  document_id uuid references public.documents (id) on delete set null,
  workspace_id uuid references public.workspaces (id) on delete set null,
  path text not null unique,
  name text not null,
  mime text not null,
  bytes bigint not null,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Since when no page names it; null while one does.
  unreferenced_at timestamptz default now(),
  -- Its bytes are being removed; nobody reads it any more.
  purged_at timestamptz,
  constraint attachments_name_check check (char_length(name) between 1 and 255 and name !~ '[[:cntrl:]]'),
  constraint attachments_mime_check check (char_length(mime) <= 255 and mime ~ '^[!-~]+/[!-~]+$'),
  constraint attachments_bytes_check check (bytes between 0 and 26214400)
);
create index attachments_document_id_index on public.attachments (document_id);
create index attachments_workspace_id_index on public.attachments (workspace_id);
create index attachments_created_by_index on public.attachments (created_by);

-- Of which row `note_attachments` last told.
alter table public.documents add column attachments_seq bigint not null default 0;

alter table public.attachments enable row level security;
revoke all on public.attachments from public, anon, authenticated;
grant select on public.attachments to authenticated;
create policy weft_select on public.attachments for select to authenticated
using (document_id in (select weft.my_documents()));

create function weft.attachment_summary(attachment public.attachments) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', attachment.id, 'documentId', attachment.document_id, 'path', attachment.path, 'name', attachment.name,
    'mime', attachment.mime, 'bytes', attachment.bytes, 'createdBy', attachment.created_by,
    'createdAt', attachment.created_at
  )
$$;

-- --- functions ----------------------------------------------------------------------------------------------------

-- Says what will be uploaded, before a byte of it is. Repeats safely for the same person and page.
create function public.create_attachment(id uuid, document uuid, name text, mime text, bytes bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter_to_write(create_attachment.document);
  made public.attachments;
begin
  insert into public.attachments (id, document_id, workspace_id, path, name, mime, bytes, created_by)
  values (
    create_attachment.id, create_attachment.document, entry.workspace_id,
    create_attachment.document || '/' || create_attachment.id, weft.trim_name(create_attachment.name),
    create_attachment.mime, create_attachment.bytes, entry."user"
  )
  on conflict on constraint attachments_pkey do nothing;
  select a.* into made from public.attachments as a where a.id = create_attachment.id;
  if made.document_id is distinct from create_attachment.document
    or made.created_by is distinct from entry."user" or made.purged_at is not null
  then
    perform weft.raise('WF005', 'the id is of another attachment');
  end if;
  return weft.attachment_summary(made);
end
$$;

-- A page's picture in another page: an attachment of that page's own, so that who may see the one need not see the other.
-- The caller copies the objects from the path in `from`; Storage's policies ask the same two questions again.
create function public.copy_attachment(attachment uuid, document uuid, id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  source public.attachments;
begin
  select a.* into source from public.attachments as a where a.id = copy_attachment.attachment and a.purged_at is null;
  if source.document_id is null then
    perform weft.raise('WF001', 'no such attachment');
  end if;
  perform weft.enter(source.document_id, 'viewer');
  return jsonb_build_object(
    'attachment',
    public.create_attachment(copy_attachment.id, copy_attachment.document, source.name, source.mime, source.bytes),
    'from', source.path
  );
end
$$;

-- Which attachments the page names as of row `seq`. An older word changes nothing. What no page names is kept for 30 days:
-- undo, versions and people who were away bring it back until then.
create function public.note_attachments(document uuid, seq bigint, ids uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head bigint;
  noted bigint;
begin
  perform weft.enter_to_write(note_attachments.document);
  select h.head_seq into head from public.document_heads as h where h.document_id = note_attachments.document;
  if note_attachments.seq is null or note_attachments.seq > head or note_attachments.ids is null then
    raise exception using errcode = '22023', message = 'seq: of a row in the log; ids: not null';
  end if;
  update public.documents as d
  set attachments_seq = note_attachments.seq
  where d.id = note_attachments.document and d.attachments_seq <= note_attachments.seq
  returning d.attachments_seq into noted;
  if noted is not null then
    update public.attachments as a
    set unreferenced_at = case when a.id = any (note_attachments.ids) then null else now() end
    where a.document_id = note_attachments.document and a.purged_at is null
      and (a.unreferenced_at is null) <> (a.id = any (note_attachments.ids));
  end if;
  return (
    select jsonb_build_object('attachmentsSeq', d.attachments_seq)
    from public.documents as d where d.id = note_attachments.document
  );
end
$$;

-- Names of objects that nobody needs any more, for the caller to remove from Storage; at most 300, the rest next time.
-- Theirs to remove are those of their workspaces and what they uploaded themselves. Repeats safely.
create function public.purge_attachments() returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.me();
  mine uuid[];
begin
  select coalesce(array_agg(a.id), '{}')
  into mine
  from public.attachments as a
  where (a.purged_at is not null or a.document_id is null or a.unreferenced_at < now() - interval '30 days')
    and weft.may_purge(a, me);
  delete from public.attachments as a
  where a.id = any (mine) and a.purged_at is not null and not exists (
    select
    from storage.objects as o
    where o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
  );
  update public.attachments as a set purged_at = now() where a.id = any (mine) and a.purged_at is null;
  return (
    select jsonb_build_object('names', coalesce(jsonb_agg(due.name), '[]'))
    from (
      select o.name
      from public.attachments as a
      join storage.objects as o
        on o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
      where a.id = any (mine)
      order by o.name
      limit 300
    ) as due
  );
end
$$;

-- The page behind a link to watch: the folder of its pictures.
create function public.watched_document(secret text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  link public.share_links := weft.link_of(secret);
begin
  if link.id is null then
    perform weft.raise('WF009', 'no living link with this secret');
  end if;
  return jsonb_build_object('document', link.document_id);
end
$$;

-- --- what Storage's policies ask ----------------------------------------------------------------------------------

create function weft.may_purge(attachment public.attachments, person uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select attachment.created_by = person or exists (
    select
    from public.workspace_members as m
    where m.workspace_id = attachment.workspace_id and m.user_id = person and m.role <> 'guest'
  )
$$;

-- The attachment that an object is of.
create function weft.attachment_at(object text) returns public.attachments
language sql stable security definer set search_path = ''
as $$
  select a.* from public.attachments as a where a.path = regexp_replace(attachment_at.object, '\.(view|small)$', '')
$$;

-- Whoever may see the page; and whoever holds a living link to it and says so in the header `x-weft-link`, which Storage
-- hands to the database as PostgREST does. A link that ends, ends this too: there is no address that outlives it.
create function weft.may_see_object(object text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_at(object);
  link public.share_links;
begin
  if attachment.id is null then
    return false;
  elsif attachment.purged_at is not null or attachment.document_id is null then
    -- To be removed it has to be seen.
    return coalesce(weft.may_purge(attachment, auth.uid()), false);
  elsif weft.document_role(attachment.document_id, auth.uid()) is not null then
    return true;
  end if;
  link := weft.link_of(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-weft-link');
  return coalesce(link.document_id = attachment.document_id, false);
end
$$;

-- Whoever said what it will be, while they may write the page. Nobody replaces: what an id means never changes.
create function weft.may_store_object(object text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_at(object);
begin
  return attachment.created_by = auth.uid() and attachment.purged_at is null
    and coalesce(weft.document_role(attachment.document_id, auth.uid()) >= 'editor', false)
    and exists (
      select from public.documents as d where d.id = attachment.document_id and d.trashed_at is null
    );
end
$$;

create function weft.may_remove_object(object text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_at(object);
begin
  return attachment.purged_at is not null and weft.may_purge(attachment, auth.uid());
end
$$;

drop policy if exists weft_see on storage.objects;
create policy weft_see on storage.objects for select to anon, authenticated
using (bucket_id = 'attachments' and weft.may_see_object(name));

drop policy if exists weft_store on storage.objects;
create policy weft_store on storage.objects for insert to authenticated
with check (bucket_id = 'attachments' and weft.may_store_object(name));

drop policy if exists weft_remove on storage.objects;
create policy weft_remove on storage.objects for delete to authenticated
using (bucket_id = 'attachments' and weft.may_remove_object(name));

revoke all on function
  weft.attachment_summary, weft.may_purge, weft.attachment_at, weft.may_see_object, weft.may_store_object,
  weft.may_remove_object, public.create_attachment, public.copy_attachment, public.note_attachments,
  public.purge_attachments, public.watched_document
from public, anon, authenticated, service_role;
grant execute on function weft.may_see_object to anon, authenticated;
grant execute on function weft.may_store_object, weft.may_remove_object to authenticated;
grant execute on function
  public.create_attachment, public.copy_attachment, public.note_attachments, public.purge_attachments
to authenticated;
grant execute on function public.watched_document to anon, authenticated;
