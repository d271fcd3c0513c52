-- Who may what (SPECIFICATION.md, point 6), in one place each: one document from below, all documents from above.
-- tests/sql/roles.test.ts holds both against each other on random trees.

-- A link's rights end without anybody doing anything, so every question asks again.
create function weft.is_live(revoked_at timestamptz, expires_at timestamptz) returns boolean
language sql stable security definer set search_path = ''
as $$
  select is_live.revoked_at is null and (is_live.expires_at is null or is_live.expires_at > now())
$$;

-- The effective role of a person on one document, or null. The highest of
--   what they were given on it or on an ancestor, up to and with the first whose access is not `inherit`;
--   what a living link gave them on this very document: a link shows one page, not what lies below it;
--   the workspace's default where access resolves to `workspace`; an owner is manager everywhere.
create function weft.document_role(document uuid, "user" uuid) returns public.document_role
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
      where m.user_id = document_role."user" and m.via_link is null
      union all
      select m.role
      from public.document_members as m join public.share_links as l on l.id = m.via_link
      where m.document_id = document_role.document and m.user_id = document_role."user"
        and weft.is_live(l.revoked_at, l.expires_at)
      union all
      select weft.default_role(w.role, top.access)
      from (select c.workspace_id, c.access from chain as c order by c.height desc limit 1) as top
      join public.workspace_members as w on w.workspace_id = top.workspace_id
      where w.user_id = document_role."user"
    )
    select max(given.role) from given
  );
end
$$;

-- What belonging to the workspace gives on a document whose access resolves to `access`.
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

-- The same for all documents at once; of one workspace, or of all when it is null.
create function weft.document_roles("user" uuid, workspace uuid)
returns table (document_id uuid, role public.document_role)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with recursive mine as (
      select w.workspace_id, w.role from public.workspace_members as w where w.user_id = document_roles."user"
    ),
    given as (
      select m.document_id, m.role, m.via_link, d.workspace_id
      from public.document_members as m
      join public.documents as d on d.id = m.document_id
      left join public.share_links as l on l.id = m.via_link
      where m.user_id = document_roles."user" and (m.via_link is null or weft.is_live(l.revoked_at, l.expires_at))
    ),
    looked_at as (
      select found.workspace_id
      from (select mine.workspace_id from mine union select given.workspace_id from given) as found
      where document_roles.workspace is null or found.workspace_id = document_roles.workspace
    ),
    tree as (
      select d.id, d.workspace_id, d.access as resolved, g.role as inherited
      from public.documents as d
      join looked_at as w on w.workspace_id = d.workspace_id
      left join given as g on g.document_id = d.id and g.via_link is null
      where d.parent_id is null
      union all
      select
        d.id,
        d.workspace_id,
        case when d.access = 'inherit' then tree.resolved else d.access end,
        greatest(case when d.access = 'inherit' then tree.inherited end, g.role)
      from tree
      join public.documents as d on d.parent_id = tree.id
      left join given as g on g.document_id = d.id and g.via_link is null
    ),
    resolved as (
      select
        tree.id,
        greatest(
          tree.inherited,
          weft.default_role(mine.role, tree.resolved),
          (select max(g.role) from given as g where g.document_id = tree.id and g.via_link is not null)
        ) as role
      from tree left join mine on mine.workspace_id = tree.workspace_id
    )
    select resolved.id, resolved.role from resolved where resolved.role is not null;
end
$$;

create function weft.workspace_role(workspace uuid, "user" uuid) returns public.workspace_role
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select w.role
    from public.workspace_members as w
    where w.workspace_id = workspace_role.workspace and w.user_id = workspace_role."user"
  );
end
$$;

-- `<documents.epoch>.<workspaces.epoch>`, as in the topics' names.
create function weft.epoch_of(document uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select d.epoch || '.' || w.epoch
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = epoch_of.document
  );
end
$$;

-- What a function needs to know before it does anything for the caller.
create type weft.entry as (
  "user" uuid,
  role public.document_role,
  epoch text,
  workspace_id uuid,
  schema_version integer,
  trashed boolean
);

-- Lets the caller in to a document, or refuses: WF003 nobody, WF001 no role at all, WF002 less than `needed`.
create function weft.enter(document uuid, needed public.document_role) returns weft.entry
language plpgsql stable security definer set search_path = ''
as $$
declare
  entry weft.entry;
begin
  entry."user" := weft.me();
  select
    weft.document_role(d.id, entry."user"), d.epoch || '.' || w.epoch, d.workspace_id, d.schema_version,
    d.trashed_at is not null
  into entry.role, entry.epoch, entry.workspace_id, entry.schema_version, entry.trashed
  from public.documents as d join public.workspaces as w on w.id = d.workspace_id
  where d.id = enter.document;

  if entry.role is null then
    perform weft.raise('WF001', 'no role on this document');
  elsif entry.role < needed then
    perform weft.raise('WF002', format('needs %s, is %s', needed, entry.role));
  end if;
  return entry;
end
$$;

-- The same for those who change what the page holds: nobody does that in the trash.
create function weft.enter_to_write(document uuid) returns weft.entry
language plpgsql stable security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter(document, 'editor');
begin
  if entry.trashed then
    perform weft.raise('WF002', 'the page is in the trash');
  end if;
  return entry;
end
$$;

revoke all on function
  weft.is_live, weft.document_role, weft.default_role, weft.document_roles, weft.workspace_role, weft.epoch_of,
  weft.enter, weft.enter_to_write
from public, anon, authenticated, service_role;
