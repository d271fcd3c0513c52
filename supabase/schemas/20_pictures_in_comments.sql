-- Pictures in comments. They are attachments of the page (16_files.sql) that a comment has, not the page's text: whoever may comment adds
-- them, and whoever reads the comments sees them.

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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.is_comment_picture, weft.is_comment_picture_block, weft.comment_pictures_of, public.create_comment_picture,
  weft.attach_pictures, weft.forget_pictures
from public, anon, authenticated, service_role;

grant execute on function
  public.create_comment_picture
to authenticated;
