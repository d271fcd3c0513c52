-- What a person has marked and seen: favourites, and the last visit to each page, from which unread marks follow. Both are
-- the person's own: only their own lists have them, and only their own topic has messages about them.

create table weft.favourites (
  user_id uuid not null references public.profiles (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- Fractional index, as for pages. Null: no favourite any more; the row stays, so that lists of changes have it.
  rank text collate "C",
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (user_id, document_id),
  constraint favourites_rank_check check (rank ~ '^[!-~]{1,255}$')
);
create index favourites_document_id_index on weft.favourites (document_id);
create index favourites_changed_xid_index on weft.favourites (user_id, changed_xid);

create table weft.visits (
  user_id uuid not null references public.profiles (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The newest row of the log that the person's app had shown.
  seen_seq bigint not null,
  seen_at timestamptz not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (user_id, document_id)
);
create index visits_document_id_index on weft.visits (document_id);
create index visits_changed_xid_index on weft.visits (user_id, changed_xid);

alter table weft.favourites enable row level security;
alter table weft.visits enable row level security;
create policy weft_nobody on weft.favourites using (false);
create policy weft_nobody on weft.visits using (false);
revoke all on weft.favourites, weft.visits from public, anon, authenticated, service_role;

-- Makes a page a favourite of the caller, or with a rank of null no longer one, which needs no role.
create function public.set_favourite(document uuid, rank text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if set_favourite.rank is not null then
    perform weft.require_role(set_favourite.document, 'viewer');
    insert into weft.favourites as f (user_id, document_id, rank)
    values (me, set_favourite.document, set_favourite.rank)
    on conflict on constraint favourites_pkey do update
    set rank = excluded.rank, changed_xid = pg_current_xact_id() where f.rank is distinct from excluded.rank;
  else
    update weft.favourites as f
    set rank = null, changed_xid = pg_current_xact_id()
    where f.user_id = me and f.document_id = set_favourite.document and f.rank is not null;
  end if;
  if found then
    perform weft.publish_change(
      'u:' || me, 'favourite', case when set_favourite.rank is null then 'removed' else 'changed' end, d.id, d.workspace_id
    )
    from public.documents as d
    where d.id = set_favourite.document;
  end if;
  return jsonb_build_object('rank', set_favourite.rank);
end
$$;

-- The caller has seen the page up to this row. Other devices get a message if an unread mark ends by that, or if it is the
-- first visit.
create function public.mark_visited(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
  before timestamptz;
  visit weft.visits;
begin
  select v.seen_at
  into before
  from weft.visits as v
  where v.user_id = caller.user_id and v.document_id = mark_visited.document;
  insert into weft.visits as v (user_id, document_id, seen_seq, seen_at)
  select caller.user_id, h.document_id, least(greatest(coalesce(mark_visited.seq, 0), 0), h.head_seq), now()
  from public.document_heads as h
  where h.document_id = mark_visited.document
  on conflict on constraint visits_pkey do update
  set
    seen_seq = greatest(v.seen_seq, excluded.seen_seq),
    seen_at = greatest(v.seen_at, excluded.seen_at),
    changed_xid = pg_current_xact_id()
  returning v.* into visit;
  if before is null or exists (
    select from public.documents as d where d.id = mark_visited.document and d.updated_at > before
  ) then
    perform weft.publish_change(
      'u:' || caller.user_id, 'visit', 'changed', mark_visited.document, caller.workspace_id
    );
  end if;
  return jsonb_build_object('seenSeq', visit.seen_seq, 'seenAt', visit.seen_at);
end
$$;

revoke all on function public.set_favourite, public.mark_visited
from public, anon, authenticated, service_role;
grant execute on function public.set_favourite, public.mark_visited to authenticated;

-- --- lists --------------------------------------------------------------------------------------------------------

-- As before, with the caller's own last visit and favourite.
create or replace function weft.document_summaries(ids uuid[], roles public.document_role[])
returns table (id uuid, rank text, summary jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  return query
    select
      d.id,
      d.rank,
      jsonb_build_object(
        'id', d.id, 'workspaceId', d.workspace_id, 'parentId', d.parent_id, 'kind', d.kind,
        'title', d.title, 'icon', d.icon, 'rank', d.rank, 'access', d.access, 'role', given.role,
        'createdAt', d.created_at, 'updatedAt', d.updated_at, 'updatedBy', d.updated_by,
        'visitedAt', v.seen_at, 'favouriteRank', f.rank, 'trashedAt', d.trashed_at, 'trashedBy', d.trashed_by
      )
    from unnest(ids, roles) as given (id, role)
    join public.documents as d on d.id = given.id
    left join weft.visits as v on v.document_id = d.id and v.user_id = me
    left join weft.favourites as f on f.document_id = d.id and f.user_id = me;
end
$$;

-- As before, with the documents that the person visited or made a favourite.
create or replace function weft.changed_documents(workspace uuid, person uuid, unseen xid8) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.id
    from public.documents as d
    where d.workspace_id = changed_documents.workspace and d.changed_xid >= changed_documents.unseen
    union
    select d.id
    from (
      select f.document_id
      from weft.favourites as f
      where f.user_id = changed_documents.person and f.changed_xid >= changed_documents.unseen
      union all
      select v.document_id
      from weft.visits as v
      where v.user_id = changed_documents.person and v.changed_xid >= changed_documents.unseen
    ) as own
    join public.documents as d on d.id = own.document_id
    where d.workspace_id = changed_documents.workspace;
end
$$;
