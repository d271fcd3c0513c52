-- As before, but for people who may read the history, and the author of an edit is the account that appended it: nobody can check
-- whose edits a dependency has. `passedOn` counts those that came under another account's session. The row with which
-- a history begins again is in no sitting: it stands for all rows from the first one on.
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
  perform weft.require_history(list_sittings.document);
  for r in
    select
      u.seq, coalesce(u.first_seq, u.seq) as first_seq, coalesce(u.first_at, u.created_at) as first_at,
      u.created_at, u.appended_by, u.n_to, u.dependencies, u.first_seq is not null as is_compacted
    from public.document_updates as u
    where u.document_id = list_sittings.document and (list_sittings.before is null or u.seq < list_sittings.before)
      and u.first_seq is distinct from 1
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
      if r.appended_by = list_sittings.person and (r.n_to > 0 or r.seq = 1 or r.dependencies is not null) then
        is_wanted := true;
      elsif r.is_compacted and r.dependencies is not null then
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
        rows.nth,
        -- The parts of a compacted row were rows of their authors.
        case when rows.is_compacted then nullif(s.user_id, nobody) else rows.appended_by end,
        p.edits, not rows.is_compacted and s.user_id is distinct from rows.appended_by
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
