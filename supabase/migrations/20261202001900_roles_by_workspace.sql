-- Roles are found among the documents of the person's workspaces, and no others are read.

-- The effective roles of a person on all documents, in one workspace or, with null, in all of them. It reads the documents of these
-- workspaces and no others.
create or replace function weft.document_roles(person uuid, workspace uuid)
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
