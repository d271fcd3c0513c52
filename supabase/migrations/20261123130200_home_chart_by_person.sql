-- The chart of the home also says who made the edits of each minute.

-- How many edits each page got in each minute of the last hour, the present minute last (at most 50 pages), in all and by
-- each person (at most 12 on a page, without those who deleted their account), and how many others made on the caller's
-- last visited pages since (at most 100 each).
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
          and weft.is_readable(readable, u.document_id)
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

-- The counts of each of so many minutes; 0 for those that are not named, the sum for those that are named twice.
create function weft.minute_counts(named integer[], counts integer[], minutes integer) returns jsonb
language sql immutable security definer set search_path = ''
as $$
  select jsonb_agg(coalesce(found.edits, 0) order by every.minute)
  from generate_series(0, minute_counts.minutes - 1) as every (minute)
  left join (
    select n.minute, sum(n.edits)::integer as edits
    from unnest(minute_counts.named, minute_counts.counts) as n (minute, edits)
    group by n.minute
  ) as found on found.minute = every.minute
$$;
revoke all on function weft.minute_counts from public, anon, authenticated, service_role;
