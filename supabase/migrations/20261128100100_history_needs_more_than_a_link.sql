-- The history is for people with a role of their own, and for those of links that show it. Somebody whose only access is another
-- link sees the page as it is and what is written from now on; not its rows, versions and sittings, and not who else has access.

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

-- For policies: the documents whose history the caller may read.
create function weft.my_histories() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select r.document_id from weft.document_roles(auth.uid(), null) as r
    except
    select unnest(weft.documents_without_history(auth.uid()));
end
$$;

revoke all on function weft.documents_without_history, weft.require_history, weft.my_histories
from public, anon, authenticated, service_role;
grant execute on function weft.my_histories to authenticated;

-- The app reads none of these tables itself.
drop policy weft_select on public.document_updates;
create policy weft_select on public.document_updates for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_snapshots;
create policy weft_select on public.document_snapshots for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_versions;
create policy weft_select on public.document_versions for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_sessions;
create policy weft_select on public.document_sessions for select to authenticated
using (document_id in (select weft.my_histories()));
-- As document_people: such a person finds themselves alone.
drop policy weft_select on public.document_members;
create policy weft_select on public.document_members for select to authenticated
using (
  document_id in (select weft.my_histories())
  or user_id = (select auth.uid()) and document_id in (select weft.my_documents())
);

-- These are as before, for people who may read the history.

create or replace function public.list_versions(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_history(list_versions.document);
  return (
    select coalesce(jsonb_agg(weft.version_summary(v) order by v.seq desc, v.created_at desc, v.id), '[]')
    from public.document_versions as v
    where v.document_id = list_versions.document
  );
end
$$;

create or replace function public.list_activity(workspace uuid, before uuid default null, row_limit integer default 30)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  closed constant uuid[] := weft.documents_without_history(auth.uid());
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', entry.id, 'document', entry.document_id, 'title', entry.title, 'actor', entry.actor, 'kind', entry.kind,
        'detail', entry.detail, 'at', entry.at, 'until', entry.until
      )
      order by entry.until desc, entry.id desc
    ), '[]')
    from (
      select a.*, d.title
      from weft.activity as a left join public.documents as d on d.id = a.document_id
      where a.workspace_id = list_activity.workspace
        and case when a.document_id is null then readable.is_member else weft.is_readable(readable, a.document_id) end
        and not coalesce(a.document_id = any (closed), false)
        and (list_activity.before is null or (a.until, a.id) < (
          select b.until, b.id
          from weft.activity as b
          where b.id = list_activity.before and b.workspace_id = list_activity.workspace
        ))
      order by a.until desc, a.id desc
      limit least(greatest(coalesce(row_limit, 30), 0), max_rows)
    ) as entry
  );
end
$$;

-- The chart says who wrote when. How many edits are new since a visit does not.
create or replace function public.home_summary(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  minutes constant integer := 60;
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
      with edits as materialized (
        select
          u.document_id,
          u.appended_by as author,
          minutes - 1 - floor(extract(epoch from now() - u.created_at) / 60)::integer as minute,
          sum(greatest(u.n_to - u.n_from + 1, 1)) as edits
        from public.document_updates as u join public.documents as d on d.id = u.document_id
        where u.created_at > now() - minutes * interval '1 minute' and u.created_at <= now() and u.seq > 1
          and d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, u.document_id) and not u.document_id = any (closed)
        group by 1, 2, 3
      ),
      -- Under the empty author: of everybody.
      lines as (
        select
          e.document_id, e.author, grouping(e.author) = 1 as is_whole, sum(e.edits) as total,
          weft.minute_counts(array_agg(e.minute), array_agg(e.edits::integer), minutes) as counts
        from edits as e
        group by grouping sets ((e.document_id), (e.document_id, e.author))
      ),
      people as (
        select
          ranked.document_id,
          jsonb_agg(
            jsonb_build_object('user', ranked.author, 'minutes', ranked.counts) order by ranked.total desc, ranked.author
          ) as people
        from (
          select l.*, row_number() over (partition by l.document_id order by l.total desc, l.author) as nth
          from lines as l
          where not l.is_whole and l.author is not null
        ) as ranked
        where ranked.nth <= max_people
        group by ranked.document_id
      )
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'document', chart.document_id, 'minutes', chart.counts, 'people', coalesce(p.people, '[]')
        )
        order by chart.total desc, chart.document_id
      ), '[]')
      from (
        select l.*
        from lines as l
        where l.is_whole
        order by l.total desc, l.document_id
        limit max_charts
      ) as chart
      left join people as p on p.document_id = chart.document_id
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
