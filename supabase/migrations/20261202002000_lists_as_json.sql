-- The list of a workspace is written as json. Its functions have other types now, so they are made anew.

set check_function_bodies = off;

drop function public.list_documents(uuid, text);
drop function weft.document_summaries(uuid[], public.document_role[]);

-- Documents as clients see them, each with the given role of the caller and the caller's own last visit and favourite.
-- `isImported`: an import made the page, and no one wrote in it since. As json, not jsonb: a list of 10,000 pages is a text of 5 MB, and
-- to take it apart and to write it again takes three times as long as the rest.
create function weft.document_summaries(ids uuid[], roles public.document_role[])
returns table (id uuid, rank text, summary json)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  return query
    select d.id, d.rank, row_to_json(s)
    from unnest(ids, roles) as given (id, role)
    join public.documents as d on d.id = given.id
    left join weft.visits as v on v.document_id = d.id and v.user_id = me
    left join weft.favourites as f on f.document_id = d.id and f.user_id = me
    cross join lateral (
      select
        d.id, d.workspace_id as "workspaceId", d.parent_id as "parentId", d.kind, d.title, d.icon, d.rank, d.access, given.role,
        d.created_at as "createdAt", d.updated_at as "updatedAt", d.updated_by as "updatedBy",
        v.seen_at as "visitedAt", f.rank as "favouriteRank", d.trashed_at as "trashedAt", d.trashed_by as "trashedBy",
        d.import_id is not null and weft.is_imported_row(d, d.updated_by, d.updated_at) as "isImported"
    ) as s;
end
$$;

-- The caller's documents in a workspace, without those in the trash. With the stamp of an earlier answer: only those that
-- changed since, and the ids of those that went to the trash, unless rights changed (`isComplete`). The function is
-- stable, so that everything in the answer is of one moment.
create function public.list_documents(workspace uuid, since text default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Above that many, a complete list costs less.
  max_changed constant integer := 500;
  me uuid := weft.require_user();
  membership public.workspace_role := weft.workspace_role(workspace, me);
  unseen xid8 := weft.first_unseen(since, workspace, me);
  is_complete boolean := true;
  changed uuid[];
  ids uuid[];
  roles public.document_role[];
  removed uuid[];
begin
  if unseen is not null then
    select array_agg(c.id)
    into changed
    from (
      select c.id from weft.changed_documents(list_documents.workspace, me, unseen) as c (id) limit max_changed + 1
    ) as c;
    if coalesce(cardinality(changed), 0) <= max_changed then
      select
        array_agg(d.id) filter (where d.trashed_at is null),
        array_agg(seen.role) filter (where d.trashed_at is null),
        array_agg(d.id) filter (where d.trashed_at is not null)
      into ids, roles, removed
      from public.documents as d
      cross join lateral weft.document_role(d.id, me) as seen (role)
      where d.id = any (changed) and seen.role is not null;
      -- Somebody whose last page went to the trash gets the refusal below.
      is_complete := membership is null and removed is not null;
    end if;
  end if;

  if is_complete then
    removed := null;
    select array_agg(r.document_id), array_agg(r.role)
    into ids, roles
    from weft.document_roles(me, list_documents.workspace) as r
    join public.documents as d on d.id = r.document_id
    where d.trashed_at is null;
    if ids is null and membership is null then
      perform weft.raise('WF001', 'no member, and no page to see');
    end if;
  end if;
  return json_build_object(
    'workspace', weft.workspace_summary(list_documents.workspace, me),
    'stamp', weft.present_stamp(),
    'isComplete', is_complete,
    'documents', (
      select coalesce(json_agg(s.summary order by s.rank, s.id), '[]') from weft.document_summaries(ids, roles) as s
    ),
    'removed', coalesce(removed, '{}')
  );
end
$$;

revoke all on function weft.document_summaries, public.list_documents from public, anon, authenticated, service_role;
grant execute on function public.list_documents to authenticated;
