-- What lists of pages need to say how many threads of comments are open and unread. Home and the list of members take a tenth of the
-- time: the right to read is looked at for each page and not for each row, and only shown pages are counted minute by minute.

set check_function_bodies = off;

alter index public.document_updates_created_at_index set (autosummarize = on);

alter table weft.comment_heads add column open_threads integer not null default 0;
update weft.comment_heads as h
set open_threads = counted.open
from (
  select t.document_id, count(*) as open
  from weft.comment_threads as t
  where t.resolved_at is null and not t.is_removed
  group by t.document_id
) as counted
where h.document_id = counted.document_id;
alter table weft.comment_reads add column changed_xid xid8 not null default pg_current_xact_id();
create index comment_reads_changed_xid_index on weft.comment_reads (user_id, changed_xid);

drop function weft.minute_counts(integer[], integer[], integer);

-- The threads with a comment of someone else that is newer than a change, counted up to `most`.
create function weft.unread_threads(document uuid, person uuid, after bigint, most integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer
  from (
    select
    from weft.comment_threads as t
    where t.document_id = unread_threads.document and t.change > unread_threads.after and not t.is_removed and exists (
      select
      from weft.comments as c
      where c.thread_id = t.id and c.change > unread_threads.after and c.body is not null
        and c.created_by is distinct from unread_threads.person
    )
    limit unread_threads.most
  ) as unread
$$;

-- The sums of the counts of each of so many minutes; 0 for those that are not named.
create function weft.minute_counts(named integer[], counts integer[], minutes integer) returns integer[]
language plpgsql immutable security definer set search_path = ''
as $$
declare
  sums integer[] := array_fill(0, array[minutes]);
  nth integer;
begin
  for nth in 1 .. cardinality(named) loop
    sums[named[nth] + 1] := sums[named[nth] + 1] + counts[nth];
  end loop;
  return sums;
end
$$;

-- The documents whose summaries a list may lack that has all transactions before `unseen`, and those that the person visited or
-- made a favourite since, or whose comments they read.
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
      union all
      select r.document_id
      from weft.comment_reads as r
      where r.user_id = changed_documents.person and r.changed_xid >= changed_documents.unseen
    ) as own
    join public.documents as d on d.id = own.document_id
    where d.workspace_id = changed_documents.workspace;
end
$$;

-- The people of a workspace, for its members: members, and guests who have roles on single pages only. Of pages that the
-- caller may not see, nothing is counted or dated. `pages` counts the pages on which a guest has a role of their own.
create or replace function public.list_members(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  readable constant weft.readable := weft.readable_documents(me, workspace);
begin
  if weft.workspace_role(list_members.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  end if;
  return (
    with given as (
      select m.document_id, m.user_id, m.created_at, m.via_link
      from public.document_members as m left join public.share_links as l on l.id = m.via_link
      where m.workspace_id = list_members.workspace
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
        and (
          readable.is_member and m.document_id not in (select unnest(readable.shut))
          or m.document_id in (select unnest(readable.given))
        )
    ),
    on_pages as (
      select
        given.user_id, min(given.created_at) as joined_at, count(distinct given.document_id) as pages,
        bool_and(given.via_link is not null) as by_links
      from given
      group by given.user_id
    ),
    people as (
      select m.user_id, m.role, m.created_at as joined_at, m.invited_by, m.via, o.pages
      from public.workspace_members as m left join on_pages as o on o.user_id = m.user_id
      where m.workspace_id = list_members.workspace
      union all
      select o.user_id, 'guest', o.joined_at, null, case when o.by_links then 'share-link' else 'page' end, o.pages
      from on_pages as o
      where not exists (
        select
        from public.workspace_members as m
        where m.workspace_id = list_members.workspace and m.user_id = o.user_id
      )
    )
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'user', p.user_id, 'role', p.role, 'joinedAt', p.joined_at, 'invitedBy', p.invited_by, 'via', p.via,
          'lastActiveAt', weft.last_active_at(p.user_id, list_members.workspace, me),
          'pages', case when p.role = 'guest' then coalesce(p.pages, 0) end,
          'hasAccount', not u.is_anonymous
        )
        order by p.role desc, p.joined_at, p.user_id
      ),
      '[]'
    )
    from people as p
    join auth.users as u on u.id = p.user_id
  );
end
$$;

-- How many edits each page got in each minute of the last hour, the present minute last (at most 50 pages), in all and, for people
-- who may read who wrote when, by each person (at most 12 on a page, without those who deleted their account); and how many others
-- made on the caller's last visited pages since (at most 100 each).
create or replace function public.home_summary(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  minutes constant integer := 60;
  -- Computed once, not for each row.
  until constant timestamptz := now();
  since constant timestamptz := until - minutes * interval '1 minute';
  max_charts constant integer := 50;
  max_people constant integer := 12;
  max_visited constant integer := 30;
  max_changes constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  me uuid := auth.uid();
  closed constant uuid[] := weft.documents_without_history(me);
begin
  return jsonb_build_object(
    'chart', (
      -- Of all workspaces: to look a row's page up costs more than to read the row.
      with edits as materialized (
        select u.document_id, u.appended_by as author, u.created_at, greatest(u.n_to - u.n_from + 1, 1) as edits
        from public.document_updates as u
        where u.created_at > since and u.created_at <= until and u.seq > 1
      ),
      chart as materialized (
        select e.document_id, e.total
        -- Without the offset the right to read is looked at for each row.
        from (select e.document_id, sum(e.edits) as total from edits as e group by e.document_id offset 0) as e
        join public.documents as d on d.id = e.document_id
        where d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, e.document_id) and not e.document_id = any (closed)
        order by e.total desc, e.document_id
        limit max_charts
      ),
      cells as materialized (
        select
          e.document_id, e.author, e.edits,
          minutes - 1 - floor(date_part('epoch', until - e.created_at) / 60)::integer as minute
        from chart as c join edits as e on e.document_id = c.document_id
      ),
      wholes as (
        select c.document_id, weft.minute_counts(array_agg(c.minute), array_agg(c.edits), minutes) as counts
        from cells as c
        group by c.document_id
      ),
      lines as (
        select
          l.*,
          row_number() over (partition by l.document_id order by l.total desc, l.author) as nth
        from (
          select
            c.document_id, c.author, sum(c.edits) as total, array_agg(c.minute) as named, array_agg(c.edits) as counts
          from cells as c
          where c.author is not null
          group by c.document_id, c.author
        ) as l
      ),
      people as (
        select
          l.document_id,
          jsonb_agg(
            jsonb_build_object('user', l.author, 'minutes', weft.minute_counts(l.named, l.counts, minutes))
            order by l.nth
          ) as people
        from lines as l
        where l.nth <= max_people
        group by l.document_id
      )
      select coalesce(jsonb_agg(
        jsonb_build_object('document', c.document_id, 'minutes', w.counts, 'people', coalesce(p.people, '[]'))
        order by c.total desc, c.document_id
      ), '[]')
      from chart as c
      join wholes as w on w.document_id = c.document_id
      left join people as p on p.document_id = c.document_id
    ),
    'changes', (
      select coalesce(jsonb_agg(
        jsonb_build_object('document', visited.document_id, 'count', (
          select count(*)
          from (
            select
            from public.document_updates as u
            where u.document_id = visited.document_id and u.seq > visited.seen_seq and u.appended_by <> me
            limit max_changes
          ) as edits
        ))
        order by visited.seen_at desc
      ), '[]')
      from (
        select v.document_id, v.seen_seq, v.seen_at
        from weft.visits as v join public.documents as d on d.id = v.document_id
        where v.user_id = me and d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, v.document_id)
        order by v.seen_at desc
        limit max_visited
      ) as visited
    )
  );
end
$$;

revoke all on function weft.unread_threads, weft.minute_counts from public, anon, authenticated, service_role;
