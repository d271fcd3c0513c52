-- Pictures in comments: attachments of the page that a comment has.

set check_function_bodies = off;

create table weft.comment_pictures (
  attachment_id uuid primary key references public.attachments (id) on delete cascade,
  -- The comment that it was sent with. Null until then.
  comment_id uuid references weft.comments (id) on delete set null
);
create index comment_pictures_comment_id_index on weft.comment_pictures (comment_id);
alter table weft.comment_pictures enable row level security;
revoke all on weft.comment_pictures from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_pictures using (false);

create function weft.is_comment_picture(attachment uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select from weft.comment_pictures as p where p.attachment_id = is_comment_picture.attachment)
$$;

-- A picture in a body: `{kind, picture, width, height, alt}`. `picture` is the id of an attachment, never an address. Its size in pixels
-- is as in src/protocol/attachment.ts.
create function weft.is_comment_picture_block(block jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    block - array['kind', 'picture', 'width', 'height', 'alt'] = '{}'
      and jsonb_typeof(block -> 'picture') = 'string'
      and block ->> 'picture' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
      and weft.is_short_text(block -> 'alt', 500)
      and case
        when concat_ws(' ', jsonb_typeof(block -> 'width'), jsonb_typeof(block -> 'height')) = 'number number'
          and block ->> 'width' ~ '^[1-9][0-9]{0,5}$' and block ->> 'height' ~ '^[1-9][0-9]{0,5}$'
          then (block ->> 'width')::bigint * (block ->> 'height')::bigint <= 64000000
      end,
    false
  )
$$;

-- The pictures of a well-formed body.
create function weft.comment_pictures_of(body jsonb) returns uuid[]
language sql immutable security definer set search_path = ''
as $$
  select array(
    select (block.value ->> 'picture')::uuid
    from jsonb_array_elements(comment_pictures_of.body) as block (value)
    where block.value ? 'picture'
  )
$$;

-- Registers a picture for a comment on a page before its upload. The same person may repeat the call.
create function public.create_comment_picture(id uuid, document uuid, name text, mime text, bytes bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_commenter(document);
begin
  if coalesce(mime in ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'), false) is not true then
    perform weft.raise('WF005', 'not a picture');
  end if;
  return weft.register_attachment(
    create_comment_picture.id, create_comment_picture.document, create_comment_picture.name, create_comment_picture.mime,
    create_comment_picture.bytes, caller, true
  );
end
$$;

-- Gives a comment the pictures of its body, and takes away those that it had before. WF005 unless its author registered each of them for a
-- comment on this page, and no other comment has it. A picture that was taken out is kept for 30 days, because another device may send
-- the comment with it; only its author sees it then.
create function weft.attach_pictures(comment uuid, page uuid, author uuid, body jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  wanted constant uuid[] := weft.comment_pictures_of(body);
  given integer;
begin
  update public.attachments as a
  set unreferenced_at = null
  from weft.comment_pictures as p
  where p.attachment_id = a.id and a.id = any (wanted) and a.document_id = attach_pictures.page
    and a.created_by = attach_pictures.author and a.purged_at is null
    and coalesce(p.comment_id, attach_pictures.comment) = attach_pictures.comment;
  get diagnostics given = row_count;
  if given <> cardinality(wanted) then
    perform weft.raise('WF005', 'not a picture for this comment');
  end if;
  update weft.comment_pictures as p
  set comment_id = attach_pictures.comment
  where p.attachment_id = any (wanted) and p.comment_id is null;
  update public.attachments as a
  set unreferenced_at = now()
  from weft.comment_pictures as p
  where p.attachment_id = a.id and p.comment_id = attach_pictures.comment and a.unreferenced_at is null
    and a.id <> all (wanted);
end
$$;

-- Nobody sees the pictures of a deleted comment any more, and the next call of purge_attachments names them.
create function weft.forget_pictures(comment uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.attachments as a
  set purged_at = now()
  from weft.comment_pictures as p
  where p.attachment_id = a.id and p.comment_id = forget_pictures.comment and a.purged_at is null
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
create or replace function public.create_attachment(id uuid, document uuid, name text, mime text, bytes bigint) returns jsonb
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
create or replace function public.copy_attachment(attachment uuid, document uuid, id uuid) returns jsonb
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
create or replace function public.set_document_attachments(document uuid, seq bigint, ids uuid[], known_at bigint default null) returns jsonb
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

-- The names of objects that no one needs any more, for the caller to remove from Storage. A call returns at most 300 of
-- them, and may be repeated. An attachment stays while the copy of the page's text is behind the log: clients store the
-- list of attachments before the text, so the newer rows may contain the attachment again.
create or replace function public.purge_attachments() returns jsonb
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

-- Readers of the page may see its objects; those of a comment, readers of the comments, and before it is sent and once the picture
-- was taken out of it, only its author. So may anyone who sends the secret of an active link to watch in the header
-- `x-weft-link`. When the link ends, so does this: no URL outlives it. Removing an object needs the right to see it, so
-- who may remove one sees it while removing it, and only then.
create or replace function weft.may_see_object(object text, metadata jsonb) returns boolean
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
create or replace function weft.may_upload_object(object text, metadata jsonb) returns boolean
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

-- Beyond one of these the answer is WF021, beyond the pace of a person (weft.quota) WF008. Lengths of texts are in UTF-16 units, as in
-- src/protocol/comments.ts: a comment that one device could not read would hide all others of the page from it.
create or replace function weft.comment_limit(name text) returns integer
language sql immutable security definer set search_path = ''
as $$
  select (jsonb '{
    "threads": 2000,
    "comments": 1000,
    "thread_bytes": 1048576,
    "body_bytes": 65536,
    "body_text": 10000,
    "blocks": 200,
    "runs": 2000,
    "mentions": 50,
    "pictures": 4,
    "anchor_bytes": 8192,
    "emoji": 50,
    "reactions": 1000
  }' -> comment_limit.name)::integer
$$;

-- A paragraph or an item of a list: `{kind, runs}`, or a picture: `{kind, picture, width, height, alt}`.
create or replace function weft.is_comment_block(block jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case
    when jsonb_typeof(block) = 'object' and block ->> 'kind' = 'picture' then weft.is_comment_picture_block(block)
    when jsonb_typeof(block) = 'object' and jsonb_typeof(block -> 'runs') = 'array' then
      block - array['kind', 'runs'] = '{}'
        and coalesce(block ->> 'kind' in ('paragraph', 'bullet', 'numbered'), false)
        and (
          select coalesce(bool_and(weft.is_comment_run(one.value)), true) from jsonb_array_elements(block -> 'runs') as one
        )
    else false
  end
$$;

-- The words of a body, each block in a line of its own.
create or replace function weft.comment_text(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    string_agg(
      (
        select coalesce(string_agg(run.value ->> 'text', '' order by run.nth), '')
        from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
      ),
      E'\n' order by block.nth
    ),
    ''
  )
  from jsonb_array_elements(comment_text.body) with ordinality as block (value, nth)
  where block.value ? 'runs'
$$;

-- Its first words, in one line. If it has none, how many pictures.
create or replace function weft.comment_excerpt(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select case
    when weft.comment_text(body) ~ '\S' then left(regexp_replace(weft.comment_text(body), '\s+', ' ', 'g'), 200)
    when cardinality(weft.comment_pictures_of(body)) = 1 then 'A picture'
    else cardinality(weft.comment_pictures_of(body)) || ' pictures'
  end
$$;

-- Fails unless it is the body of a comment that says something: WF021 if there is too much of it, else WF005.
create or replace function weft.require_comment_body(body jsonb) returns void
language plpgsql immutable security definer set search_path = ''
as $$
declare
  is_well_formed boolean;
begin
  perform weft.require_comment_limit('body_bytes', octet_length(require_comment_body.body::text));
  is_well_formed := case when jsonb_typeof(require_comment_body.body) = 'array' then (
    select bool_and(weft.is_comment_block(one.value)) from jsonb_array_elements(require_comment_body.body) as one
  ) end;
  if is_well_formed is not true or (
    weft.comment_text(require_comment_body.body) !~ '\S'
    and weft.comment_pictures_of(require_comment_body.body) = '{}'
  ) then
    perform weft.raise('WF005', 'not the body of a comment');
  end if;
  perform weft.require_comment_limit('blocks', jsonb_array_length(require_comment_body.body));
  perform
    weft.require_comment_limit('runs', count(*)),
    weft.require_comment_limit('body_text', sum(weft.utf16_length(run ->> 'text')))
  from jsonb_path_query(require_comment_body.body, '$[*].runs[*]') as run;
  perform weft.require_comment_limit('pictures', cardinality(weft.comment_pictures_of(require_comment_body.body)));
  perform weft.require_comment_limit('mentions', cardinality(weft.comment_mentions(require_comment_body.body)));
end
$$;

-- Gives an own comment other words. WF022 if it was deleted.
create or replace function public.edit_comment(comment uuid, body jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_comment(comment);
  caller weft.caller := weft.lock_comments(page);
  edited weft.comments;
begin
  select c.* into edited from weft.comments as c where c.id = edit_comment.comment;
  if edited.created_by is distinct from caller.user_id then
    perform weft.raise('WF002', 'someone else wrote this comment');
  elsif edited.body is null then
    perform weft.raise('WF022', 'the comment was deleted');
  elsif edited.body is distinct from edit_comment.body then
    perform weft.require_comment_body(edit_comment.body);
    perform weft.count_comment_change(caller.user_id);
    update weft.comments as c set body = edit_comment.body, edited_at = now() where c.id = edited.id;
    perform weft.attach_pictures(edited.id, page, caller.user_id, edit_comment.body);
    perform weft.settle_thread(edited.thread_id, page, weft.next_comment_change(page));
    update weft.notifications as n
    set detail = n.detail || jsonb_build_object('excerpt', weft.comment_excerpt(edit_comment.body))
    where n.document_id = page and n.subject = edited.id::text and n.detail ? 'comment';
    perform weft.notify_of_comment(edited.id, caller, false);
  end if;
  return weft.comment_answer(edited.thread_id);
end
$$;

-- Deletes an own comment, as a manager anyone's. Its place in the thread stays until the last one is deleted.
create or replace function public.delete_comment(comment uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_comment(comment);
  caller weft.caller := weft.lock_comments(page);
  deleted weft.comments;
begin
  select c.* into deleted from weft.comments as c where c.id = delete_comment.comment;
  if deleted.created_by is distinct from caller.user_id and caller.role < 'manager' then
    perform weft.raise('WF002', 'someone else wrote this comment');
  elsif deleted.body is not null then
    perform weft.count_comment_change(caller.user_id);
    update weft.comments as c set body = null where c.id = deleted.id;
    delete from weft.comment_reactions as r where r.comment_id = deleted.id;
    perform weft.forget_pictures(deleted.id);
    -- A removed thread keeps no quote of the page.
    update weft.comment_threads as t
    set is_removed = true, anchor = '{"kind": "page"}'
    where t.id = deleted.thread_id and not exists (
      select from weft.comments as c where c.thread_id = t.id and c.body is not null
    );
    perform weft.settle_thread(deleted.thread_id, page, weft.next_comment_change(page));
    perform weft.forget_comment(deleted.id, page);
  end if;
  return weft.comment_answer(deleted.thread_id);
end
$$;

-- A comment's body with "@someone" in place of each mention.
create or replace function weft.unnamed_body(body jsonb) returns jsonb
language sql immutable security definer set search_path = ''
as $$
  select case when jsonb_path_exists(unnamed_body.body, '$[*].runs[*].mention') then (
    select jsonb_agg(
      case when block.value ? 'runs' then block.value || jsonb_build_object('runs', (
        select coalesce(jsonb_agg(
          case when run.value ? 'mention' then jsonb '{"text": "@someone"}' else run.value end order by run.nth
        ), '[]')
        from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
      )) else block.value end
      order by block.nth
    )
    from jsonb_array_elements(unnamed_body.body) with ordinality as block (value, nth)
  ) else unnamed_body.body end
$$;

revoke all on function
  weft.is_comment_picture, weft.is_comment_picture_block, weft.comment_pictures_of, public.create_comment_picture,
  weft.attach_pictures, weft.forget_pictures, weft.register_attachment
from public, anon, authenticated, service_role;

grant execute on function public.create_comment_picture to authenticated;
