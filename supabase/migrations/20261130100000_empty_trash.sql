-- The trash: emptied in one transaction; its calls look at the pages in it, no longer at the whole workspace; and a page that goes there
-- right after it was renamed has its new title.

create index documents_in_trash_index on public.documents (workspace_id) where trashed_at is not null;

-- --- roles --------------------------------------------------------------------------------------------------------

-- A person's effective roles on the pages in a workspace's trash, as one value by the page's id: lists that are joined were compared
-- one by one. Each page is looked at from itself up, as `document_role` does.
create function weft.trash_roles(person uuid, workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  member_role public.workspace_role := weft.workspace_role(workspace, person);
begin
  return (
    with recursive chain as (
      select d.id as page, d.id, d.parent_id, d.access, 1 as height
      from public.documents as d
      where d.workspace_id = trash_roles.workspace and d.trashed_at is not null
      union all
      select chain.page, p.id, p.parent_id, p.access, chain.height + 1
      from chain join public.documents as p on p.id = chain.parent_id
      where chain.access = 'inherit'
    ),
    found as (
      select
        chain.page,
        (array_agg(chain.access order by chain.height desc))[1] as resolved,
        max((
          select max(m.role)
          from public.document_members as m
          where m.document_id = chain.id and m.user_id = trash_roles.person and m.via_link is null
        )) as given
      from chain
      group by chain.page
    ),
    resolved as (
      select
        found.page,
        greatest(
          found.given,
          weft.default_role(member_role, found.resolved),
          (
            select max(m.role)
            from public.document_members as m join public.share_links as l on l.id = m.via_link
            where m.document_id = found.page and m.user_id = trash_roles.person
              and weft.is_link_active(l.revoked_at, l.expires_at)
          )
        ) as role
      from found
    )
    select coalesce(jsonb_object_agg(resolved.page, resolved.role), '{}') from resolved where resolved.role is not null
  );
end
$$;

-- Fails unless the person is a member of the workspace, or has a role on one of its pages.
create function weft.require_part(workspace uuid, person uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if weft.workspace_role(require_part.workspace, require_part.person) is null and not exists (
    select
    from public.document_members as m
    join public.documents as d on d.id = m.document_id
    left join public.share_links as l on l.id = m.via_link
    where m.user_id = require_part.person and d.workspace_id = require_part.workspace
      and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
  ) then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
end
$$;

-- Fails unless each of these pages in the trash, and each that went there together with one, is one that `roles` says its manager of.
create function weft.require_purger(pages uuid[], roles jsonb) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if exists (
    select
    from unnest(require_purger.pages) as page (id)
    cross join lateral unnest(weft.trashed_together(page.id)) as inside (id)
    where require_purger.roles ->> inside.id::text is distinct from 'manager'
  ) then
    perform weft.raise('WF002', 'not a manager of every page inside');
  end if;
end
$$;

-- --- listing and deleting -----------------------------------------------------------------------------------------

-- Whether a page is known to have no text. Its text may not have been copied yet.
create function weft.is_empty(document uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select d.body_text !~ '\S' and (h.head_seq <= 1 or d.text_seq >= h.head_seq)
  from public.documents as d join public.document_heads as h on h.document_id = d.id
  where d.id = is_empty.document
$$;

-- As before, with the roles on pages in the trash only, and whether a page is empty.
create or replace function public.list_trash(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  roles jsonb := weft.trash_roles(me, list_trash.workspace);
begin
  perform weft.require_part(list_trash.workspace, me);
  return (
    with recursive listed as (
      select t.id, t.parent_id, coalesce(t.trash_root, t.id) as root, t.trashed_at, t.trashed_by
      from public.documents as t
      left join public.documents as above
        on above.id = t.parent_id and above.trashed_at is not null
          and coalesce(above.trash_root, above.id) = coalesce(t.trash_root, t.id)
      where t.workspace_id = list_trash.workspace and t.trashed_at is not null and roles ? t.id::text
        and (
          coalesce(t.trash_root, t.id) = t.id
          or not roles ? t.trash_root::text and (above.id is null or not roles ? above.id::text)
        )
    ),
    inside as (
      select l.id as listed_id, l.id, l.root from listed as l
      union all
      select i.listed_id, c.id, i.root
      from inside as i join public.documents as c on c.parent_id = i.id
      where c.trashed_at is not null and coalesce(c.trash_root, c.id) = i.root
    ),
    counted as (
      select
        i.listed_id as id,
        count(*) filter (where roles ? i.id::text and i.id <> i.listed_id) as pages,
        bool_and(coalesce(roles ->> i.id::text = 'manager', false)) as may_purge,
        coalesce(sum(f.files) filter (where roles ? i.id::text), 0) as files
      from inside as i
      cross join lateral (select count(*) as files from public.attachments as a where a.document_id = i.id) as f
      group by i.listed_id
    )
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'document', weft.document_summary(l.id, (roles ->> l.id::text)::public.document_role),
          'trashedAt', l.trashed_at,
          'trashedBy', l.trashed_by,
          'pages', c.pages,
          'parentTitle', case when parent.trashed_at is null then
            case when weft.document_role(parent.id, me) is not null then parent.title end
          end,
          'restoresToTop', parent.id is null or parent.trashed_at is not null,
          'files', c.files,
          'isEmpty', c.pages = 0 and c.files = 0 and weft.is_empty(l.id),
          'mayPurge', c.may_purge
        )
        order by l.trashed_at desc, l.id
      ),
      '[]'
    )
    from listed as l
    join counted as c on c.id = l.id
    left join public.documents as parent on parent.id = l.parent_id
  );
end
$$;

-- As before, with the roles on pages in the trash only.
create or replace function public.purge_document(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
begin
  perform weft.lock_tree(caller.workspace_id);
  caller := weft.require_role(purge_document.document, 'manager');
  if not caller.is_trashed then
    perform weft.raise('WF002', 'the page is not in the trash');
  end if;
  perform weft.require_purger(
    array[purge_document.document], weft.trash_roles(caller.user_id, caller.workspace_id)
  );
  return jsonb_build_object('pages', weft.purge_together(purge_document.document));
end
$$;

-- The pages among `documents` that are in the workspace's trash and that `roles` has, those that went there first first: a page that was
-- in the trash before the one above it need not be moved to the top then.
create function weft.in_trash(workspace uuid, documents uuid[], roles jsonb) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(d.id order by d.trashed_at, d.id), '{}')
  from public.documents as d
  where d.id = any (in_trash.documents) and d.workspace_id = in_trash.workspace and d.trashed_at is not null
    and in_trash.roles ? d.id::text
$$;

-- Deletes for good what went to the trash together with each of these pages, all or nothing. What is not in the trash any more, because
-- somebody restored or deleted it meanwhile, is left out, and so is what the caller may not see.
create function public.empty_trash(workspace uuid, documents uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  -- One call stays short.
  max_documents constant integer := 500;
  me uuid := weft.require_user();
  roles jsonb;
  pages uuid[];
  page uuid;
  purged integer := 0;
begin
  if cardinality(empty_trash.documents) > max_documents then
    raise exception using errcode = '22023', message = 'documents: at most 500 ids';
  end if;
  perform weft.require_part(empty_trash.workspace, me);
  roles := weft.trash_roles(me, empty_trash.workspace);
  pages := weft.in_trash(empty_trash.workspace, empty_trash.documents, roles);
  if pages = '{}' then
    return jsonb_build_object('pages', 0);
  end if;
  -- Twice: only managers may take the lock, and what counts are the rights after it.
  perform weft.require_purger(pages, roles);
  perform weft.lock_tree(empty_trash.workspace);
  roles := weft.trash_roles(me, empty_trash.workspace);
  pages := weft.in_trash(empty_trash.workspace, empty_trash.documents, roles);
  perform weft.require_purger(pages, roles);
  -- All at once, before anything else is locked.
  perform weft.lock_heads(array(
    select inside.id from unnest(pages) as p (id) cross join lateral unnest(weft.trashed_together(p.id)) as inside (id)
  ));
  foreach page in array pages loop
    -- Null if it was deleted with one above it.
    purged := purged + coalesce(weft.purge_together(page), 0);
  end loop;
  return jsonb_build_object('pages', purged);
end
$$;

-- --- titles -------------------------------------------------------------------------------------------------------

-- As before, also for a page in the trash: what is copied is in its log already. A page that went there right after it was renamed was
-- listed under its old title.
create or replace function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]',
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_title_length constant integer := 200;
  max_text_bytes constant integer := 20 * 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'editor');
  newest record;
  before bigint;
  stored bigint;
begin
  perform weft.require_known_row(save_text.document, save_text.seq, save_text.known_at);
  if save_text.seq is null or save_text.seq < 0 or not exists (
    select from public.document_heads as h where h.document_id = save_text.document and h.head_seq >= save_text.seq
  ) then
    perform weft.raise('WF005', 'the text is not of a seq in the log');
  elsif save_text.title is null or char_length(save_text.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  elsif save_text.body_text is null or octet_length(save_text.body_text) > max_text_bytes then
    perform weft.raise('WF005', 'the text is longer than 20 MiB');
  elsif jsonb_typeof(save_text.mentions) is distinct from 'array' then
    perform weft.raise('WF005', 'mentions is no list');
  end if;

  -- Two copies at once: the second one finds the rows of the first noted.
  select d.text_seq into before from public.documents as d where d.id = save_text.document for no key update;
  -- Again, because erasing takes the same lock.
  perform weft.require_known_row(save_text.document, save_text.seq, save_text.known_at);
  -- The row may be deleted because a snapshot covers it, and its author may have deleted their account.
  select p.id as author, u.created_at
  into newest
  from public.document_updates as u left join public.profiles as p on p.id = u.appended_by
  where u.document_id = save_text.document and u.seq = save_text.seq;
  update public.documents as d
  set
    title = save_text.title,
    body_text = save_text.body_text,
    text_seq = save_text.seq,
    updated_at = coalesce(newest.created_at, now()),
    updated_by = coalesce(newest.author, caller.user_id)
  where d.id = save_text.document and d.text_seq <= save_text.seq
    and (d.title, d.body_text, d.text_seq) is distinct from (save_text.title, save_text.body_text, save_text.seq);
  if found then
    perform weft.note_edits(caller.workspace_id, save_text.document, before, save_text.seq);
    perform weft.save_mentions(
      save_text.document, caller.workspace_id, save_text.mentions,
      weft.authors_between(save_text.document, before, save_text.seq)
    );
  end if;
  select d.text_seq into stored from public.documents as d where d.id = save_text.document;
  return jsonb_build_object('textSeq', stored);
end
$$;

revoke all on function weft.trash_roles, weft.is_empty, weft.require_part, weft.require_purger, weft.in_trash, public.empty_trash
from public, anon, authenticated, service_role;
grant execute on function public.empty_trash to authenticated;
