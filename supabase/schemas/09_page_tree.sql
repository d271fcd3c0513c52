-- The page tree: moving pages, their icons, the trash, and pages that a restored server has lost.
--
-- Order of locks: the workspace's row, then heads, then everything else. Whatever creates, moves, trashes, restores or purges
-- pages, or changes who may see them, locks the row first. So the tree and the places of rights stand still during each of
-- these calls.

set check_function_bodies = off;

-- --- moving --------------------------------------------------------------------------------------------------------

-- Locks the workspace's row, but no heads: the tree stands still, and appends go on.
create function weft.lock_tree(workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_tree.workspace for no key update;
end
$$;

-- The access of a page at a new place. At the top nothing is inherited, and a page that was opened to the workspace at the
-- top just inherits below another.
create function weft.access_at(page public.documents, parent uuid) returns public.document_access
language sql stable security definer set search_path = ''
as $$
  select case
    when access_at.parent is null and page.access = 'inherit' then
      case weft.resolved_access(page.parent_id, page.access) when 'workspace' then 'workspace' else 'restricted' end
    when access_at.parent is not null and page.parent_id is null and page.access = 'workspace' then 'inherit'
    else page.access::text
  end::public.document_access
$$;

-- Gives people the roles on a page that they inherit from the pages above.
create function weft.copy_inherited_roles(page public.documents) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.document_members as m (document_id, user_id, role)
  with recursive above as (
    select p.id, p.parent_id, p.access
    from public.documents as p
    where p.id = page.parent_id and page.access = 'inherit'
    union all
    select p.id, p.parent_id, p.access
    from above join public.documents as p on p.id = above.parent_id
    where above.access = 'inherit'
  )
  select page.id, given.user_id, max(given.role)
  from above join public.document_members as given on given.document_id = above.id
  where given.via_link is null
  group by given.user_id
  on conflict on constraint document_members_key do update
  set role = excluded.role where m.role < excluded.role
$$;

-- Puts a page at another place, with the rights of that place, and moves the topics if someone loses any. With `keep_roles`,
-- people keep the roles that they inherited. The caller holds the lock of the tree and has checked the rights.
create function weft.place_document(document uuid, parent uuid, rank text, keep_roles boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  page public.documents;
  access_there public.document_access;
  inheriting uuid[];
begin
  select d.* into page from public.documents as d where d.id = place_document.document;
  access_there := weft.access_at(page, place_document.parent);
  if page.parent_id is not distinct from place_document.parent then
    null;
  elsif place_document.keep_roles or place_document.parent is null and access_there = 'restricted' then
    perform weft.copy_inherited_roles(page);
  elsif exists (
    select
    from weft.roles_of_place(page.workspace_id, page.parent_id, page.access) as here
    left join weft.roles_of_place(page.workspace_id, place_document.parent, access_there) as there using (user_id)
    where coalesce(there.role < here.role, true)
  ) then
    inheriting := weft.inheriting_documents(page.id);
    -- Before the write: an append of somebody who loses the right to edit comes before it, or is refused.
    perform weft.lock_heads(inheriting);
    perform weft.note_cut('restricted', inheriting, array(
      select l.user_id from weft.losers(page.id, place_document.parent, access_there) as l
    ));
    perform weft.move_topics(inheriting);
  end if;
  update public.documents as d
  set parent_id = place_document.parent, rank = place_document.rank, access = access_there
  where d.id = page.id
    and (d.parent_id, d.rank, d.access) is distinct from (place_document.parent, place_document.rank, access_there);
end
$$;

-- Moves a page below another or to the top (parent null).
create function public.move_document(document uuid, parent uuid, rank text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  -- Twice: only editors may take the lock, and what counts are the rights after it.
  caller weft.caller := weft.require_editor(document);
  page public.documents;
  role_there public.document_role;
begin
  perform weft.lock_tree(caller.workspace_id);
  caller := weft.require_editor(move_document.document);
  select d.* into page from public.documents as d where d.id = move_document.document;

  if move_document.parent is not distinct from page.parent_id then
    null; -- A new order among the same pages needs no right on the parent.
  elsif move_document.parent is null then
    if coalesce(weft.workspace_role(page.workspace_id, caller.user_id) < 'member', true) then
      perform weft.raise('WF002', 'only members of the workspace may move a page to the top');
    end if;
  else
    role_there := weft.document_role(move_document.parent, caller.user_id);
    if role_there is null then
      perform weft.raise('WF010', 'no such page to move it to');
    elsif role_there < 'editor' then
      perform weft.raise('WF002', 'may not create pages there');
    elsif caller.role < 'manager' and weft.resolved_access(page.parent_id, page.access) = 'restricted'
      and weft.resolved_access(move_document.parent, weft.access_at(page, move_document.parent)) = 'workspace'
    then
      perform weft.raise('WF002', 'only a manager may open a restricted page to the workspace');
    end if;
  end if;
  perform weft.place_document(page.id, move_document.parent, move_document.rank, false);
  return weft.document_summary(page.id, weft.document_role(page.id, caller.user_id));
end
$$;

-- Gives a page a line icon by its name, or none (null).
create function public.set_document_icon(document uuid, icon text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_editor(document);
begin
  update public.documents as d
  set icon = set_document_icon.icon
  where d.id = set_document_icon.document and d.icon is distinct from set_document_icon.icon;
  return weft.document_summary(set_document_icon.document, caller.role);
end
$$;

-- --- the trash -----------------------------------------------------------------------------------------------------

-- A page goes to the trash with everything below it. Pages that were there before keep their own trash root, so that each
-- trashing is undone or made final by itself.

-- The page and those below it that went to the trash together with it. A page that did so with a page above it counts
-- without that one.
create function weft.trashed_together(document uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with recursive down as (
      select d.id, coalesce(d.trash_root, d.id) as root
      from public.documents as d
      where d.id = trashed_together.document and d.trashed_at is not null
      union all
      select c.id, down.root
      from down join public.documents as c on c.parent_id = down.id
      where c.trashed_at is not null and coalesce(c.trash_root, c.id) = down.root
    )
    select array_agg(down.id) from down
  );
end
$$;

-- Moves a page to the trash with everything below it. The call may be repeated.
create function public.trash_document(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'editor');
  pages uuid[];
begin
  perform weft.lock_tree(caller.workspace_id);
  caller := weft.require_role(trash_document.document, 'editor');
  if caller.is_trashed then
    -- A repeated call, whose first answer was lost.
    return jsonb_build_object('pages', cardinality(weft.trashed_together(trash_document.document)));
  end if;
  with recursive down as (
    select trash_document.document as id
    union all
    select c.id from down join public.documents as c on c.parent_id = down.id where c.trashed_at is null
  )
  select array_agg(down.id) into pages from down;
  -- Appends come before, or see that the page is in the trash.
  perform weft.lock_heads(pages);
  update public.documents as d
  set trashed_at = now(), trashed_by = caller.user_id, trash_root = trash_document.document
  where d.id = any (pages);
  return jsonb_build_object('pages', cardinality(pages));
end
$$;

-- Brings a page back from the trash with everything that went there together with it: to its parent, or to the top if the
-- parent is not there any more. No one gains or loses a role by that.
create function public.restore_document(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'editor');
  pages uuid[];
  parent record;
begin
  perform weft.lock_tree(caller.workspace_id);
  caller := weft.require_role(restore_document.document, 'editor');
  if caller.is_trashed then
    pages := weft.trashed_together(restore_document.document);
    perform weft.lock_heads(pages);
    select p.id, p.trashed_at, d.rank
    into parent
    from public.documents as d join public.documents as p on p.id = d.parent_id
    where d.id = restore_document.document;
    if parent.trashed_at is not null then
      perform weft.place_document(restore_document.document, null, parent.rank, true);
    end if;
    update public.documents as d
    set trashed_at = null, trashed_by = null, trash_root = null
    where d.id = any (pages);
  end if;
  return weft.document_summary(
    restore_document.document, weft.document_role(restore_document.document, caller.user_id)
  );
end
$$;

-- A person's effective roles on the pages in a workspace's trash, as one value by the page's id: joined lists would be compared one
-- by one. Each page is looked at from itself up, as document_role does.
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

-- Fails unless `roles` makes the person a manager of each of these pages in the trash, and of each that went there together with one.
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

-- Whether a page is known to have no text. Its text may not have been copied yet.
create function weft.is_empty(document uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select d.body_text !~ '\S' and (h.head_seq <= 1 or d.text_seq >= h.head_seq)
  from public.documents as d join public.document_heads as h on h.document_id = d.id
  where d.id = is_empty.document
$$;

-- The pages among `documents` that are in the workspace's trash and that `roles` has, in the order in which they went there: a page
-- that was in the trash before the one above it need not be moved to the top then.
create function weft.in_trash(workspace uuid, documents uuid[], roles jsonb) returns uuid[]
language sql stable security definer set search_path = ''
as $$
  select coalesce(array_agg(d.id order by d.trashed_at, d.id), '{}')
  from public.documents as d
  where d.id = any (in_trash.documents) and d.workspace_id = in_trash.workspace and d.trashed_at is not null
    and in_trash.roles ? d.id::text
$$;

-- The trash of a workspace, newest first: each page that the caller may see and that went there by itself, or together with
-- a page above that the caller may not see. `pages` counts those below it that go back with it and that the caller may see.
-- Roles are looked up in one value, and pages by their indexes: the planner knows nothing of the size of the caller's roles, and
-- compared each of 11,000 pages with each of 11,000 roles.
create function public.list_trash(workspace uuid) returns jsonb
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

-- --- deleting for good ---------------------------------------------------------------------------------------------

-- Deletes a page in the trash, and what went there together with it. Returns the number of pages.
create function weft.purge_together(document uuid) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pages uuid[] := weft.trashed_together(document);
  others uuid[];
  other record;
begin
  select array_agg(c.id)
  into others
  from public.documents as c
  where c.parent_id = any (pages) and c.id <> all (pages);
  -- In one step, so that no other call can hold some of these and wait for the rest.
  perform weft.lock_heads(array(
    select unnest(pages)
    union
    select i.id from unnest(others) as o (id) cross join lateral unnest(weft.inheriting_documents(o.id)) as i (id)
  ));
  for other in select d.id, d.rank from public.documents as d where d.id = any (others) loop
    perform weft.place_document(other.id, null, other.rank, true);
  end loop;
  perform weft.note_cut('purged', pages, array(
    select r.user_id
    from public.documents as d cross join lateral weft.readers(d.id, d.workspace_id, d.parent_id, d.access) as r
    where d.id = purge_together.document
  ));
  -- The pages below are deleted with it.
  delete from public.documents as d where d.id = purge_together.document;
  return cardinality(pages);
end
$$;

-- Deletes a page in the trash for good.
create function public.purge_document(document uuid) returns jsonb
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

-- Deletes for good what went to the trash together with each of these pages, all or nothing. What is not in the trash any more,
-- because someone restored or deleted it meanwhile, is left out, and so is what the caller may not see.
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

-- Deletes what has been in the trash for 30 days. A workspace that is in use is left for the next time. Returns the number of
-- pages.
create function weft.purge_trash() returns integer
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  kept_for constant interval := interval '30 days';
  -- One call stays short; what is left is for the next one.
  max_pages constant integer := 1000;
  purged integer := 0;
  due record;
begin
  for due in
    select d.id, d.workspace_id
    from public.documents as d
    where d.trashed_at < now() - kept_for and coalesce(d.trash_root, d.id) = d.id
    order by d.workspace_id, d.trashed_at, d.id
  loop
    exit when purged >= max_pages;
    begin
      perform weft.lock_tree(due.workspace_id);
      -- Somebody may have restored it meanwhile.
      if exists (
        select
        from public.documents as d
        where d.id = due.id and d.trashed_at < now() - kept_for and coalesce(d.trash_root, d.id) = d.id
      ) then
        purged := purged + weft.purge_together(due.id);
      end if;
    exception when lock_not_available or deadlock_detected then
      null;
    end;
  end loop;
  return purged;
end
$$;

-- Has pg_cron call weft.purge_trash every hour, where the project has enabled pg_cron; the embedded backend has a timer of
-- its own. Its owner runs this again after enabling it later. Returns whether there is a job.
create function weft.schedule_purge() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    return false;
  end if;
  execute $cron$select cron.schedule('weft-purge-trash', '17 * * * *', 'select weft.purge_trash()')$cron$;
  return true;
exception when insufficient_privilege then
  raise warning 'weft.schedule_purge: %', sqlerrm;
  return false;
end
$$;
select weft.schedule_purge();

-- --- pages that a restored server has lost -------------------------------------------------------------------------

-- Pages that a restored server has never heard of (docs/backup.md): a device that holds one makes it again, under the same id. What
-- was deleted for good stays deleted, so the database remembers the ids of those pages.
create table weft.purged_documents (
  id uuid primary key,
  purged_at timestamptz not null default now()
);
alter table weft.purged_documents enable row level security;
revoke all on weft.purged_documents from public, anon, authenticated, service_role;
create policy weft_nobody on weft.purged_documents using (false);

-- However pages are deleted: by themselves, with the page above, with their workspace or with an account.
create function weft.note_purged() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into weft.purged_documents (id) values (old.id) on conflict do nothing;
  return null;
end
$$;
create trigger note_purged after delete on public.documents for each row execute function weft.note_purged();

-- Of these pages, those that the caller's device should keep a copy of. `lost`: the ones that the database has never heard of, and,
-- for a month, the ones that were made again without the caller. `ahead`: the caller's pages whose newest row is older than the one
-- that the device has, as `known_at` says. Every other page that the caller may not open was closed to them or deleted; which of
-- both, the answer does not say.
create function public.lost_documents(documents uuid[], known_at bigint[] default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_documents constant integer := 500;
  kept_for constant interval := interval '30 days';
  me uuid := weft.require_user();
begin
  if documents is null or cardinality(documents) > max_documents then
    raise exception using errcode = '22023', message = 'documents: at most 500 ids';
  end if;
  return (
    with asked as materialized (
      select a.id, a.known_at, d.id is null as is_unknown, d.made_again_at, weft.document_role(d.id, me) as role
      from unnest(lost_documents.documents, lost_documents.known_at) as a (id, known_at)
      left join public.documents as d on d.id = a.id
    )
    select jsonb_build_object(
      'lost', coalesce(
        jsonb_agg(asked.id) filter (
          where asked.is_unknown and not exists (select from weft.purged_documents as p where p.id = asked.id)
            or asked.role is null and asked.made_again_at > now() - kept_for
        ),
        '[]'
      ),
      'ahead', coalesce(
        jsonb_agg(asked.id) filter (
          where asked.role is not null and asked.known_at > (
            select weft.unix_ms(u.created_at)
            from public.document_updates as u
            where u.document_id = asked.id
            order by u.seq desc
            limit 1
          )
        ),
        '[]'
      )
    )
    from asked
  );
end
$$;

-- Makes a page again that the database lost, with its first row; the caller's device puts back the rest (put_back). Below its parent,
-- if that is there and the caller may edit it, else at the top: there it is open to the workspace, or to the caller alone.
-- `known_at` is the time of the newest row that the caller holds. A repeated call, also of someone else, finds what the first made.
create function public.make_document_again(
  id uuid, workspace uuid, parent uuid, rank text, title text, access text, open_at_top boolean, known_at bigint,
  schema_version integer
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_title_length constant integer := 200;
  me uuid := weft.require_user();
  membership public.workspace_role;
  role public.document_role;
  place uuid;
  given public.document_access;
begin
  perform weft.check_schema(make_document_again.schema_version);
  if make_document_again.access is null or make_document_again.access not in ('inherit', 'workspace', 'restricted')
    or make_document_again.open_at_top is null or make_document_again.title is null
    or char_length(make_document_again.title) > max_title_length
  then
    perform weft.raise('WF005', 'access or title');
  end if;

  if not exists (select from public.documents as d where d.id = make_document_again.id) then
    if exists (select from weft.purged_documents as p where p.id = make_document_again.id) then
      perform weft.raise('WF001', 'the page was deleted for good');
    elsif exists (
      select
      from weft.settings as s
      where weft.unix_ms(s.final_restore_at) > coalesce(make_document_again.known_at, 0)
    ) then
      perform weft.raise('WF016', 'the restore was final');
    end if;

    select d.id
    into place
    from public.documents as d
    where d.id = make_document_again.parent and d.workspace_id = make_document_again.workspace and d.trashed_at is null
      and weft.document_role(d.id, me) >= 'editor';
    if place is null then
      membership := weft.workspace_role(make_document_again.workspace, me);
      if membership is null then
        perform weft.raise('WF001', 'not a member of this workspace');
      elsif membership = 'guest' then
        perform weft.raise('WF002', 'guests may not create top-level pages');
      end if;
    end if;
    given := case
      when place is not null or make_document_again.access <> 'inherit' then make_document_again.access
      when make_document_again.open_at_top then 'workspace'
      else 'restricted'
    end;

    insert into public.documents (
      id, workspace_id, parent_id, rank, access, title, schema_version, created_by, updated_by, made_again_at
    )
    values (
      make_document_again.id, make_document_again.workspace, place, make_document_again.rank, given, make_document_again.title,
      make_document_again.schema_version, me, me, now()
    )
    on conflict do nothing;
    if found then
      perform weft.create_log(make_document_again.id, 'blank', me);
      if given = 'restricted' then
        insert into public.document_members (document_id, user_id, role) values (make_document_again.id, me, 'manager');
      end if;
    end if;
  end if;

  role := weft.document_role(make_document_again.id, me);
  if role is null or not exists (
    select
    from public.documents as d
    where d.id = make_document_again.id and d.workspace_id = make_document_again.workspace
  ) then
    perform weft.raise('WF001', 'no role on this page');
  end if;
  return weft.document_summary(make_document_again.id, role);
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.lock_tree, weft.access_at, weft.copy_inherited_roles, weft.place_document, public.move_document,
  public.set_document_icon, weft.trashed_together, public.trash_document, public.restore_document, weft.trash_roles,
  weft.require_part, weft.require_purger, weft.is_empty, weft.in_trash, public.list_trash, weft.purge_together,
  public.purge_document, public.empty_trash, weft.purge_trash, weft.schedule_purge, weft.note_purged,
  public.lost_documents, public.make_document_again
from public, anon, authenticated, service_role;

grant execute on function
  public.move_document, public.set_document_icon, public.trash_document, public.restore_document, public.list_trash,
  public.purge_document, public.empty_trash, public.lost_documents, public.make_document_again
to authenticated;
