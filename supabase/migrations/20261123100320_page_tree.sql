-- The page tree: moving pages, their icons, and the trash.
--
-- Order of locks: the workspace's row, then heads, then everything else. Whatever creates, moves, trashes, restores or purges
-- pages, or changes who may see them, locks the row first. So the tree and the places of rights stand still during each of
-- these calls.

alter table public.documents
  -- The page whose trashing took this page to the trash. Null while the page is not in the trash.
  add column trash_root uuid references public.documents (id) on delete set null;
create index documents_trash_root_index on public.documents (trash_root) where trash_root is not null;

-- An icon is the name of a line icon, and a column only: the page's Y.Doc does not have it.
update public.documents set icon = null where icon !~ '^[a-z0-9-]{1,64}$';
alter table public.documents drop constraint documents_icon_check;
alter table public.documents add constraint documents_icon_check check (icon ~ '^[a-z0-9-]{1,64}$');

-- --- the tree -----------------------------------------------------------------------------------------------------

-- As before, with two differences. It locks the workspace's row instead of an advisory lock, which was taken before the row
-- when a page was created: two calls could wait for each other. And no page comes to lie below one in the trash.
create or replace function weft.check_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  max_levels constant integer := 12;
  parent record;
  above integer;
  below integer;
begin
  if tg_op = 'UPDATE' and new.workspace_id <> old.workspace_id then
    perform weft.raise('WF010', 'a page stays in its workspace');
  end if;
  if new.parent_id is null then
    return new;
  end if;
  -- Two moves at the same time could each be right and make a cycle together.
  perform from public.workspaces as w where w.id = new.workspace_id for no key update;

  select p.trashed_at into parent
  from public.documents as p
  where p.id = new.parent_id and p.workspace_id = new.workspace_id;
  if not found then
    perform weft.raise('WF010', 'the parent is not in this workspace');
  elsif parent.trashed_at is not null and new.trashed_at is null then
    perform weft.raise('WF010', 'the parent is in the trash');
  end if;

  -- Stops one level too deep: a cycle would never end.
  with recursive up as (
    select p.id, p.parent_id, 1 as height from public.documents as p where p.id = new.parent_id
    union all
    select p.id, p.parent_id, up.height + 1
    from up join public.documents as p on p.id = up.parent_id
    where up.height <= max_levels and up.id <> new.id
  )
  select case when bool_or(up.id = new.id) then null else max(up.height) end into above from up;
  if above is null then
    perform weft.raise('WF010', 'a page cannot lie below itself');
  end if;

  with recursive down as (
    select new.id as id, 1 as height
    union all
    select c.id, down.height + 1
    from down join public.documents as c on c.parent_id = down.id
    where down.height <= max_levels
  )
  select max(down.height) into below from down;
  if above + below > max_levels then
    perform weft.raise('WF010', format('deeper than %s levels', max_levels));
  end if;
  return new;
end
$$;

-- Locks the workspace's row, but no heads: the tree stands still, and appends go on.
create function weft.lock_tree(workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_tree.workspace for no key update;
end
$$;

-- --- changing rights, with the tree's lock ------------------------------------------------------------------------

-- As before, with the lock of the tree: otherwise a page that is moved below this one at the same time would keep its topics
-- although its rights change.
create or replace function public.set_document_member(document uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_role;
  before public.document_role;
  seen uuid[];
begin
  perform weft.lock_tree(caller.workspace_id);
  inheriting := weft.inheriting_documents(set_document_member.document);
  perform weft.lock_heads(inheriting);
  perform weft.require_role(set_document_member.document, 'manager');
  begin
    given := set_document_member.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  if not exists (select from public.profiles as p where p.id = set_document_member.person) then
    perform weft.raise('WF001', 'no such person');
  end if;

  select max(m.role)
  into before
  from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person;

  if before is not null and coalesce(given < before, true) then
    seen := weft.seen_among(inheriting, set_document_member.person);
  end if;
  delete from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person
    and (given is null or m.via_link is not null);
  if given is not null then
    insert into public.document_members as m (document_id, user_id, role, added_by)
    values (set_document_member.document, set_document_member.person, given, auth.uid())
    on conflict on constraint document_members_key do update
    set role = excluded.role where m.role <> excluded.role;
  end if;
  if before is not null and coalesce(given < before, true) then
    perform weft.move_topics(inheriting);
    perform weft.note_losses('removed', seen, set_document_member.person);
  end if;
  return jsonb_build_object('role', given);
end
$$;

-- As before, with the lock of the tree.
create or replace function public.set_document_access(document uuid, access text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_access;
  before public.document_access;
  losers uuid[];
begin
  perform weft.lock_tree(caller.workspace_id);
  inheriting := weft.inheriting_documents(set_document_access.document);
  perform weft.lock_heads(inheriting);
  caller := weft.require_role(set_document_access.document, 'manager');
  select d.access into before from public.documents as d where d.id = set_document_access.document;
  begin
    given := set_document_access.access::public.document_access;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null or given = 'inherit' and not exists (
    select from public.documents as d where d.id = set_document_access.document and d.parent_id is not null
  ) then
    raise exception using errcode = '22023', message = 'access: workspace, restricted, or, below another page, inherit';
  end if;
  if given <> before then
    losers := array(
      select l.user_id
      from public.documents as d cross join lateral weft.losers(d.id, d.parent_id, given) as l
      where d.id = set_document_access.document
    );
    update public.documents as d set access = given where d.id = set_document_access.document;
    if weft.document_role(set_document_access.document, caller.user_id) is distinct from 'manager' then
      insert into public.document_members (document_id, user_id, role)
      values (set_document_access.document, caller.user_id, 'manager')
      on conflict on constraint document_members_key do update set role = 'manager';
    end if;
    perform weft.move_topics(inheriting);
    perform weft.note_cut('restricted', inheriting, losers);
  end if;
  return jsonb_build_object('access', given);
end
$$;

-- --- moving -------------------------------------------------------------------------------------------------------

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

-- Puts a page at another place, with the rights of that place, and moves the topics if somebody loses any. With `keep_roles`,
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

-- The name of a line icon, or null for none.
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

-- --- the trash ----------------------------------------------------------------------------------------------------

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
-- parent is not there any more. Nobody gains or loses a role by that.
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

-- Deletes pages for good that went to the trash together with `document`. Pages below them that went there before are moved to
-- the top first. The caller holds the lock of the tree.
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
  elsif exists (
    select
    from unnest(weft.trashed_together(purge_document.document)) as page (id)
    left join weft.document_roles(caller.user_id, caller.workspace_id) as r on r.document_id = page.id
    where r.role is distinct from 'manager'
  ) then
    perform weft.raise('WF002', 'not a manager of every page inside');
  end if;
  return jsonb_build_object('pages', weft.purge_together(purge_document.document));
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

-- The trash of a workspace, newest first: each page that the caller may see and that went there by itself, or together with
-- a page above that the caller may not see. `pages` counts those below it that go back with it and that the caller may see.
create function public.list_trash(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  answer jsonb;
begin
  with seen as materialized (
    select r.document_id as id, r.role from weft.document_roles(me, list_trash.workspace) as r
  ),
  trashed as materialized (
    select d.id, d.parent_id, coalesce(d.trash_root, d.id) as root, d.trashed_at, d.trashed_by, s.role
    from public.documents as d left join seen as s on s.id = d.id
    where d.workspace_id = list_trash.workspace and d.trashed_at is not null
  ),
  listed as (
    select t.*
    from trashed as t
    left join trashed as above on above.id = t.parent_id and above.root = t.root
    left join trashed as root on root.id = t.root
    where t.role is not null and (t.id = t.root or root.role is null and above.role is null)
  ),
  inside as (
    select l.id as listed_id, t.id, t.role
    from listed as l
    cross join lateral unnest(weft.trashed_together(l.id)) as i (id)
    join trashed as t on t.id = i.id
  ),
  counted as (
    select
      i.listed_id as id,
      count(*) filter (where i.role is not null and i.id <> i.listed_id) as pages,
      bool_and(i.role is not distinct from 'manager') as may_purge,
      coalesce(sum(f.files) filter (where i.role is not null), 0) as files
    from inside as i
    cross join lateral (select count(*) as files from public.attachments as a where a.document_id = i.id) as f
    group by i.listed_id
  )
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'document', weft.document_summary(l.id, l.role),
        'trashedAt', l.trashed_at,
        'trashedBy', l.trashed_by,
        'pages', c.pages,
        'parentTitle', case when parent.trashed_at is null and s.id is not null then parent.title end,
        'restoresToTop', parent.id is null or parent.trashed_at is not null,
        'files', c.files,
        'mayPurge', c.may_purge
      )
      order by l.trashed_at desc, l.id
    ),
    '[]'
  )
  into answer
  from listed as l
  join counted as c on c.id = l.id
  left join public.documents as parent on parent.id = l.parent_id
  left join seen as s on s.id = l.parent_id;

  if answer = '[]' and weft.workspace_role(list_trash.workspace, me) is null
    and not exists (select from weft.document_roles(me, list_trash.workspace))
  then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
  return answer;
end
$$;

-- --- automatic purge ----------------------------------------------------------------------------------------------

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

-- --- the change stream --------------------------------------------------------------------------------------------

-- As before, but pages that go to the trash or come back with a page above them are published only to people who do not hear
-- of that one.
create or replace function weft.publish_document_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_trashed boolean := new.trashed_at is not null;
begin
  if tg_op = 'INSERT' then
    perform weft.publish_document(new.id, 'document', 'created');
    return null;
  end if;
  if (new.parent_id, new.access) is distinct from (old.parent_id, old.access) then
    perform weft.publish_new_place(old, new);
  end if;
  if is_trashed <> (old.trashed_at is not null) then
    if coalesce(new.trash_root, old.trash_root, new.id) = new.id
      -- A page that comes back without the one above it.
      or not is_trashed and not exists (
        select from public.documents as p where p.id = new.parent_id and p.changed_xid = new.changed_xid
      )
    then
      perform weft.publish_document(new.id, 'document', case when is_trashed then 'trashed' else 'restored' end);
    elsif new.access <> 'inherit' or exists (
      select from public.document_members as m where m.document_id = new.id
    ) then
      perform weft.publish_at_place(
        new.id, new.workspace_id, new.parent_id, new.access, 'document',
        case when is_trashed then 'trashed' else 'restored' end, true, 'viewer'
      );
    end if;
  elsif (new.parent_id, new.rank) is distinct from (old.parent_id, old.rank) then
    perform weft.publish_document(new.id, 'document', 'moved');
  elsif new.update_published_at is distinct from old.update_published_at then
    perform weft.publish_document(new.id, 'document', 'changed');
  end if;
  -- A page that is moved gets its new access by that.
  if new.access <> old.access and new.parent_id is not distinct from old.parent_id then
    perform weft.publish_document(new.id, 'access', 'changed');
  end if;
  return null;
end
$$;

-- As before, but lists stay deltas if nobody's role changes: a page of the top that is moved below another one inherits what it
-- had before.
create or replace function weft.publish_new_place(old public.documents, new public.documents) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lost uuid;
begin
  for lost in
    select r.user_id from weft.readers(old.id, old.workspace_id, old.parent_id, old.access) as r
    except
    select r.user_id from weft.readers(new.id, new.workspace_id, new.parent_id, new.access) as r
  loop
    perform weft.publish_change('u:' || lost, 'document', 'removed', new.id, new.workspace_id);
  end loop;
  if exists (
    select
    from weft.roles_of_place(old.workspace_id, old.parent_id, old.access) as here
    full join weft.roles_of_place(new.workspace_id, new.parent_id, new.access) as there using (user_id)
    where here.role is distinct from there.role
  ) then
    perform weft.touch_rights(new.workspace_id);
  end if;
end
$$;

revoke all on function
  weft.lock_tree, weft.access_at, weft.copy_inherited_roles, weft.place_document, weft.trashed_together,
  weft.purge_together, weft.purge_trash, weft.schedule_purge, public.move_document, public.set_document_icon,
  public.trash_document, public.restore_document, public.purge_document, public.list_trash
from public, anon, authenticated, service_role;
grant execute on function
  public.move_document, public.set_document_icon, public.trash_document, public.restore_document,
  public.purge_document, public.list_trash
to authenticated;
