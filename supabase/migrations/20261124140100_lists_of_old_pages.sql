-- Lists of a page, and what gathers beside it, read and keep what people look at, however old the page is.

-- As before, but it reads the sessions of the sittings alone. `limit` keeps Postgres from joining the whole table.
create or replace function public.list_sittings(
  document uuid, before bigint default null, person uuid default null, row_limit integer default 30
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pause constant interval := interval '30 minutes';
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  wanted constant integer := greatest(least(coalesce(list_sittings.row_limit, 30), 100), 1);
  firsts bigint[] := '{}';
  lasts bigint[] := '{}';
  -- The sitting that is being read, from its last row back.
  first_seq bigint;
  last_seq bigint;
  first_at timestamptz;
  is_wanted boolean;
  r record;
begin
  perform weft.require_role(list_sittings.document, 'viewer');
  for r in
    select
      u.seq, coalesce(u.first_seq, u.seq) as first_seq, coalesce(u.first_at, u.created_at) as first_at,
      u.created_at, u.appended_by, u.n_to, u.dependencies
    from public.document_updates as u
    where u.document_id = list_sittings.document and (list_sittings.before is null or u.seq < list_sittings.before)
    order by u.seq desc
  loop
    if first_at - r.created_at > pause then
      if is_wanted then
        firsts := firsts || first_seq;
        lasts := lasts || last_seq;
        exit when cardinality(firsts) >= wanted;
      end if;
      first_seq := null;
    end if;
    if first_seq is null then
      last_seq := r.seq;
      is_wanted := list_sittings.person is null;
    end if;
    first_seq := r.first_seq;
    first_at := r.first_at;
    if not is_wanted then
      -- Whoever only relayed edits of others wrote nothing.
      if r.appended_by = list_sittings.person and (r.n_to > 0 or r.seq = 1) then
        is_wanted := true;
      elsif r.dependencies is not null then
        is_wanted := weft.is_author_of_part(list_sittings.document, r.dependencies, list_sittings.person);
      end if;
    end if;
  end loop;
  -- The first sitting of the page ends with its first row.
  if is_wanted and cardinality(firsts) < wanted then
    firsts := firsts || first_seq;
    lasts := lasts || last_seq;
  end if;

  return (
    with sittings as (
      select s.nth, s.first, s.last
      from unnest(firsts, lasts) with ordinality as s (first, last, nth)
    ),
    rows as (
      select
        s.nth, u.seq, u.n_from, u.n_to, u.appended_by, u.dependencies, u.created_at,
        coalesce(u.first_at, u.created_at) as first_at, u.first_seq is not null as is_compacted
      from sittings as s
      join public.document_updates as u
        on u.document_id = list_sittings.document and u.seq between s.first and s.last
    ),
    times as (
      select rows.nth, min(rows.first_at) as first, max(rows.created_at) as last from rows group by rows.nth
    ),
    parts as (
      select
        rows.nth, rows.appended_by as author, case when rows.seq = 1 then 0 else rows.n_to - rows.n_from + 1 end as edits,
        false as is_passed_on
      from rows
      where rows.n_to > 0 or rows.seq = 1
      union all
      select
        rows.nth, nullif(s.user_id, nobody), p.edits,
        -- The parts of a compacted row were rows of their authors.
        not rows.is_compacted and s.user_id is distinct from rows.appended_by
      from rows
      cross join lateral weft.dependency_parts(rows.dependencies) as p
      left join lateral (
        select o.user_id
        from public.document_sessions as o
        where o.document_id = list_sittings.document and o.session = p.session
        limit 1
      ) as s on true
      where rows.dependencies is not null
    ),
    authors as (
      select parts.nth, parts.author, sum(parts.edits) as edits,
        coalesce(sum(parts.edits) filter (where parts.is_passed_on), 0) as passed_on
      from parts
      group by parts.nth, parts.author
    ),
    totals as (
      select
        a.nth, sum(a.edits) as edits, sum(a.passed_on) as passed_on,
        jsonb_agg(a.author order by a.edits desc, a.author) as authors
      from authors as a
      group by a.nth
    )
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'fromSeq', s.first, 'toSeq', s.last, 'from', times.first, 'to', times.last,
        'edits', coalesce(totals.edits, 0), 'passedOn', coalesce(totals.passed_on, 0),
        'authors', coalesce(totals.authors, '[]')
      )
      order by s.nth
    ), '[]')
    from sittings as s
    join times on times.nth = s.nth
    left join totals on totals.nth = s.nth
  );
end
$$;

-- As before. An index is of no use to a comparison with clock_timestamp(): every session that was ever announced was read.
create or replace function weft.busy_pages(own uuid) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  busy_for constant interval := '15 seconds';
  at_once constant timestamptz := clock_timestamp();
begin
  return (
    select count(distinct busy.document_id)
    from (
      select newest.document_id
      from (
        select distinct on (used.user_id) used.document_id
        from (
          select a.user_id, a.document_id, a.announced_at as at
          from weft.announced_sessions as a
          where a.writes_until > at_once
          union all
          select p.user_id, p.document_id, p.published_at
          from weft.watch_paces as p
          where p.published_at + greatest(p.pause, busy_for) > at_once
        ) as used
        order by used.user_id, used.at desc
      ) as newest
      union all
      select busy_pages.own where busy_pages.own is not null
    ) as busy
  );
end
$$;

-- As before; lines of sittings that ended 90 days ago go here too, in a workspace where people only write.
create or replace function weft.note_edits(workspace uuid, document uuid, after bigint, seq bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_pause constant interval := interval '30 minutes';
  kept_for constant interval := interval '90 days';
  sitting record;
begin
  for sitting in
    select p.id as actor, min(u.created_at) as began, max(u.created_at) as ended
    from public.document_updates as u join public.profiles as p on p.id = u.appended_by
    where u.document_id = note_edits.document and u.seq > greatest(note_edits.after, 1) and u.seq <= note_edits.seq
    group by p.id
  loop
    update weft.activity as a
    set at = least(a.at, sitting.began), until = greatest(a.until, sitting.ended)
    where a.id = (
      select last.id
      from weft.activity as last
      where last.document_id = note_edits.document and last.actor = sitting.actor and last.kind = 'edited'
        and last.until >= sitting.began - max_pause and last.at <= sitting.ended + max_pause
      order by last.until desc
      limit 1
    );
    if not found then
      delete from weft.activity as a where a.workspace_id = note_edits.workspace and a.until < now() - kept_for;
      insert into weft.activity (workspace_id, document_id, actor, kind, at, until)
      values (note_edits.workspace, note_edits.document, sitting.actor, 'edited', sitting.began, sitting.ended);
    end if;
  end loop;
end
$$;

-- Of the snapshots older than a month only the last one of each month stays: a page that changes every day kept 365 a year. A page
-- of long ago is then read from further back. `save_snapshot` keeps the newest three and the last of each day.
create function weft.thin_snapshots() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  newest constant integer := 3;
  daily_for constant interval := interval '31 days';
begin
  delete from public.document_snapshots as s
  using (
    select
      o.seq,
      o.created_at,
      row_number() over (order by o.seq desc) as nth,
      row_number() over (partition by date_trunc('month', o.created_at, 'UTC') order by o.seq desc) as nth_of_month
    from public.document_snapshots as o
    where o.document_id = new.document_id
  ) as ranked
  where s.document_id = new.document_id and s.seq = ranked.seq
    and ranked.nth > newest and ranked.nth_of_month > 1 and ranked.created_at < now() - daily_for;
  return null;
end
$$;

revoke all on function weft.thin_snapshots from public, anon, authenticated, service_role;

create trigger thin_snapshots after insert on public.document_snapshots
for each row execute function weft.thin_snapshots();

-- Those of pages from before.
delete from public.document_snapshots as s
using (
  select
    o.document_id,
    o.seq,
    o.created_at,
    row_number() over (partition by o.document_id order by o.seq desc) as nth,
    row_number() over (
      partition by o.document_id, date_trunc('month', o.created_at, 'UTC') order by o.seq desc
    ) as nth_of_month
  from public.document_snapshots as o
) as ranked
where s.document_id = ranked.document_id and s.seq = ranked.seq
  and ranked.nth > 3 and ranked.nth_of_month > 1 and ranked.created_at < now() - interval '31 days';
