-- Roles and row level security (SPECIFICATION.md, section 6). Two functions compute effective roles: document_role for
-- one document, from the document up to its ancestors, and document_roles for all documents, from the top of the tree
-- down. tests/sql/access/roles.test.ts compares the two on random trees.

set check_function_bodies = off;

-- --- effective roles -----------------------------------------------------------------------------------------------

-- A link expires without any write, so every query checks again.
create function weft.is_link_active(revoked_at timestamptz, expires_at timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select is_link_active.revoked_at is null and (is_link_active.expires_at is null or is_link_active.expires_at > now())
$$;

-- The effective role of a person on one document, or null. It is the highest of
--   the roles a manager gave them on it or on an ancestor, up to and including the first whose access is not `inherit`;
--   the roles from active links to this very document, because a link shows one page and not its subpages;
--   the workspace's default, where access resolves to `workspace`; an owner is a manager everywhere.
create function weft.document_role(document uuid, person uuid) returns public.document_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with recursive chain as (
      select d.id, d.parent_id, d.workspace_id, d.access, 1 as height
      from public.documents as d
      where d.id = document_role.document
      union all
      select p.id, p.parent_id, p.workspace_id, p.access, chain.height + 1
      from chain join public.documents as p on p.id = chain.parent_id
      where chain.access = 'inherit'
    ),
    given (role) as (
      select m.role
      from public.document_members as m join chain on chain.id = m.document_id
      where m.user_id = document_role.person and m.via_link is null
      union all
      select m.role
      from public.document_members as m join public.share_links as l on l.id = m.via_link
      where m.document_id = document_role.document and m.user_id = document_role.person
        and weft.is_link_active(l.revoked_at, l.expires_at)
      union all
      select weft.default_role(w.role, top.access)
      from (select c.workspace_id, c.access from chain as c order by c.height desc limit 1) as top
      join public.workspace_members as w on w.workspace_id = top.workspace_id
      where w.user_id = document_role.person
    )
    select max(given.role) from given
  );
end
$$;

-- The role that a workspace role gives on a document whose access resolves to `access`.
create function weft.default_role(role public.workspace_role, access public.document_access)
returns public.document_role
language sql immutable security definer set search_path = ''
as $$
  select case
    when default_role.role = 'owner' then 'manager'
    when default_role.access <> 'workspace' then null
    when default_role.role = 'admin' then 'manager'
    when default_role.role = 'member' then 'editor'
  end::public.document_role
$$;

-- The effective roles of a person on all documents, in one workspace or, with null, in all of them. It reads the documents of these
-- workspaces and no others.
create function weft.document_roles(person uuid, workspace uuid)
returns table (document_id uuid, role public.document_role)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with recursive mine as (
      select w.workspace_id, w.role from public.workspace_members as w where w.user_id = document_roles.person
    ),
    given as (
      select m.document_id, m.role, m.via_link, d.workspace_id
      from public.document_members as m
      join public.documents as d on d.id = m.document_id
      left join public.share_links as l on l.id = m.via_link
      where m.user_id = document_roles.person
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
    ),
    relevant as (
      select found.workspace_id
      from (select mine.workspace_id from mine union select given.workspace_id from given) as found
      where document_roles.workspace is null or found.workspace_id = document_roles.workspace
    ),
    -- Otherwise the recursive step hashes the documents of all workspaces. Without the offset a join with all of them is planned.
    pages as materialized (
      select found.*
      from relevant
      cross join lateral (
        select d.id, d.parent_id, d.workspace_id, d.access
        from public.documents as d
        where d.workspace_id = relevant.workspace_id
        offset 0
      ) as found
    ),
    tree as (
      select p.id, p.workspace_id, p.access as resolved, g.role as inherited
      from pages as p
      left join given as g on g.document_id = p.id and g.via_link is null
      where p.parent_id is null
      union all
      select
        p.id,
        p.workspace_id,
        case when p.access = 'inherit' then tree.resolved else p.access end,
        greatest(case when p.access = 'inherit' then tree.inherited end, g.role)
      from tree
      join pages as p on p.parent_id = tree.id
      left join given as g on g.document_id = p.id and g.via_link is null
    ),
    by_default as (
      select mine.workspace_id, a.access, weft.default_role(mine.role, a.access) as role
      from mine cross join unnest(enum_range(null::public.document_access)) as a (access)
    ),
    by_link as (
      select g.document_id, max(g.role) as role from given as g where g.via_link is not null group by g.document_id
    ),
    resolved as (
      select tree.id, greatest(tree.inherited, by_default.role, by_link.role) as role
      from tree
      left join by_default on by_default.workspace_id = tree.workspace_id and by_default.access = tree.resolved
      left join by_link on by_link.document_id = tree.id
    )
    select resolved.id, resolved.role from resolved where resolved.role is not null;
end
$$;

-- `<documents.epoch>.<workspaces.epoch>`, the end of the names of the document's topics.
create function weft.topic_epoch(document uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select d.epoch || '.' || w.epoch
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = topic_epoch.document
  );
end
$$;

-- The caller's role on a document, and the properties of the document that most functions need.
create type weft.caller as (
  user_id uuid,
  role public.document_role,
  topic_epoch text,
  workspace_id uuid,
  schema_version integer,
  is_trashed boolean
);

-- Fails unless the caller has at least the role `needed`: WF003 if no one is signed in, WF001 without any role, WF002
-- with a lower one.
create function weft.require_role(document uuid, needed public.document_role) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller;
begin
  caller.user_id := weft.require_user();
  select
    weft.document_role(d.id, caller.user_id), d.epoch || '.' || w.epoch, d.workspace_id, d.schema_version,
    d.trashed_at is not null
  into caller.role, caller.topic_epoch, caller.workspace_id, caller.schema_version, caller.is_trashed
  from public.documents as d join public.workspaces as w on w.id = d.workspace_id
  where d.id = require_role.document;

  if caller.role is null then
    perform weft.raise('WF001', 'no role on this document');
  elsif caller.role < needed then
    perform weft.raise('WF002', format('needs %s, is %s', needed, caller.role));
  end if;
  return caller;
end
$$;

-- Fails unless the caller may change the page's content. No one may do that while it is in the trash.
create function weft.require_editor(document uuid) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'editor');
begin
  if caller.is_trashed then
    perform weft.raise('WF002', 'the page is in the trash');
  end if;
  return caller;
end
$$;

-- --- who may read the history --------------------------------------------------------------------------------------

-- The history is for people with a role of their own, and for those of links that show it. Someone whose only access is another
-- link sees the page as it is and what is written from now on; not its rows, versions and editing sessions, and not who else has
-- access.

-- The documents on which a person's only roles come from links that do not show the history; with `document`, only this one.
create function weft.documents_without_history(person uuid, document uuid default null) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select d.id
    from public.documents as d
    where d.id in (
        select m.document_id
        from public.document_members as m
        where m.user_id = documents_without_history.person and m.via_link is not null
          and (documents_without_history.document is null or m.document_id = documents_without_history.document)
      )
      and not exists (
        select
        from weft.access_sources(d.id, d.parent_id, d.access) as s
        left join public.share_links as l on l.id = s.source_link
        where s.user_id = documents_without_history.person and (s.kind <> 'link' or l.history)
      )
  );
end
$$;

-- Fails unless the caller may read the page and its history.
create function weft.require_history(document uuid) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
begin
  if weft.documents_without_history(caller.user_id, require_history.document) <> '{}' then
    perform weft.raise('WF002', 'the link does not show the history');
  end if;
  return caller;
end
$$;

-- --- policies ------------------------------------------------------------------------------------------------------

-- Only these tables are read as tables; all others are private to the functions. A page is looked at from itself up, so that reading
-- one costs its depth. The set of workspaces is asked for once per query.

create function weft.may_read(document uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return weft.document_role(may_read.document, auth.uid()) is not null;
end
$$;

create function weft.may_manage(document uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(weft.document_role(may_manage.document, auth.uid()) = 'manager', false);
end
$$;

-- Workspaces that the caller is a member of.
create function weft.my_workspaces() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select w.workspace_id from public.workspace_members as w where w.user_id = auth.uid();
end
$$;

-- Workspaces that the caller is a member of, and those of single pages on which the caller has a role.
create function weft.my_visible_workspaces() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select w.workspace_id from public.workspace_members as w where w.user_id = auth.uid()
    union
    select d.workspace_id
    from public.document_members as m
    join public.documents as d on d.id = m.document_id
    left join public.share_links as l on l.id = m.via_link
    where m.user_id = auth.uid() and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at));
end
$$;

-- Whether the caller may see someone's profile (weft.sees_profile). It is called per profile, because lists of people ask for a
-- handful of ids.
create function weft.may_see_profile(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(weft.sees_profile(auth.uid(), may_see_profile.person), false);
end
$$;

create policy weft_select on public.profiles for select to authenticated
using (weft.may_see_profile(id));

create policy weft_select on public.workspaces for select to authenticated
using (id = any (array(select weft.my_visible_workspaces())));

create policy weft_select on public.workspace_members for select to authenticated
using (workspace_id = any (array(select weft.my_workspaces())));

create policy weft_select on public.documents for select to authenticated
using (workspace_id = any (array(select weft.my_visible_workspaces())) and weft.may_read(id));

create policy weft_nobody on public.document_members using (false);

create policy weft_select on public.share_links for select to authenticated
using (weft.may_manage(document_id));

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.is_link_active, weft.document_role, weft.default_role, weft.document_roles, weft.topic_epoch,
  weft.require_role, weft.require_editor, weft.documents_without_history, weft.require_history, weft.may_read,
  weft.may_manage, weft.my_workspaces, weft.my_visible_workspaces, weft.may_see_profile
from public, anon, authenticated, service_role;

grant execute on function
  weft.may_read, weft.may_manage, weft.my_workspaces, weft.my_visible_workspaces, weft.may_see_profile
to authenticated;
