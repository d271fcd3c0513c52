-- The sittings of a page's history: runs of rows of the log without a pause of more than 30 minutes, and who wrote in each.

-- The parts of other sessions in an encoded list of dependencies (20261122090400_log.sql has its layout), with the number of
-- edits of each.
create function weft.dependency_parts(dependencies bytea) returns table (session uuid, edits integer)
language plpgsql immutable security definer set search_path = ''
as $$
declare
  header_bytes constant integer := 36;
  at integer := 3;
begin
  while at + header_bytes - 1 <= octet_length(dependencies) loop
    session := encode(substring(dependencies, at, 16), 'hex')::uuid;
    edits := 1
      + ('x' || encode(substring(dependencies, at + 28, 4), 'hex'))::bit(32)::integer
      - ('x' || encode(substring(dependencies, at + 24, 4), 'hex'))::bit(32)::integer;
    return next;
    at := at + header_bytes + ('x' || encode(substring(dependencies, at + 32, 4), 'hex'))::bit(32)::integer;
  end loop;
end
$$;

-- Whether a person is the author of an edit among these dependencies.
create function weft.is_author_of_part(document uuid, dependencies bytea, person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select
    from weft.dependency_parts(is_author_of_part.dependencies) as p
    join public.document_sessions as s on s.document_id = is_author_of_part.document and s.session = p.session
    where s.user_id = is_author_of_part.person
  );
end
$$;

-- The newest sittings whose rows are all below `before`, at most `row_limit`; of a person only those in which they wrote. To
-- go on, the caller passes the first row of the last one. Reads only the rows of the sittings that it returns.
--   `authors` are the people whom the database knows as the authors of edits: null for one who deleted their account.
--   `passedOn` counts edits that another person's client appended for their author, who had vanished before they could.
create function public.list_sittings(
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
    select u.seq, u.created_at, u.appended_by, u.n_to, u.dependencies
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
    first_seq := r.seq;
    first_at := r.created_at;
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
      select s.nth, u.seq, u.n_from, u.n_to, u.appended_by, u.dependencies, u.created_at
      from sittings as s
      join public.document_updates as u
        on u.document_id = list_sittings.document and u.seq between s.first and s.last
    ),
    times as (
      select rows.nth, min(rows.created_at) as first, max(rows.created_at) as last from rows group by rows.nth
    ),
    parts as (
      select
        rows.nth, rows.appended_by as author, case when rows.seq = 1 then 0 else rows.n_to - rows.n_from + 1 end as edits,
        false as is_passed_on
      from rows
      where rows.n_to > 0 or rows.seq = 1
      union all
      select
        rows.nth, nullif(s.user_id, nobody), p.edits, s.user_id is distinct from rows.appended_by
      from rows
      cross join lateral weft.dependency_parts(rows.dependencies) as p
      left join public.document_sessions as s on s.document_id = list_sittings.document and s.session = p.session
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

revoke all on function weft.dependency_parts, weft.is_author_of_part, public.list_sittings
from public, anon, authenticated, service_role;
grant execute on function public.list_sittings to authenticated;
