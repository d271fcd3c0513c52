-- Compacting a page's history: one row in the place of the rows of a sitting. The database cannot merge edits, because it does
-- not read Yjs. A program with the service key does (`npm run compact`); the database hands out the rows and swaps them.

-- A compacted row stands for the rows first_seq to seq, which were written from first_at to created_at. `dependencies` are edits
-- that their authors appended themselves. It has the number of the last of these rows, so that a reader who stopped anywhere
-- among them gets it next; what they have already is in it once more, which is harmless.
alter table public.document_updates add column first_seq bigint, add column first_at timestamptz;

-- --- row messages -------------------------------------------------------------------------------------------------

-- Version 3 of row messages has compacted rows:
--   row := seq(int8) at(int8) first_seq(int8) first_at(int8) part dependencies(int2 count) part*
-- Readers of an older version refuse a log with missing numbers. They get empty rows in their place. Topics stay at version 2:
-- what is published was written a moment ago.
create or replace function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint, row_version integer,
  out message bytea, out last bigint, out more boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  has_times boolean := coalesce(row_version >= 2, false);
  has_firsts boolean := coalesce(row_version >= 3, false);
  encoded bytea;
  row_count bigint;
begin
  -- Rows are selected by size first, so that the others are never read. A row has at most 70 bytes besides update and
  -- dependencies, and an empty one 56.
  select max(sized.seq)
  into last
  from (
    select
      u.seq,
      row_number() over (order by u.seq) as nth,
      sum(
        70 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)
          + case when has_firsts then 0 else 56 * (u.seq - greatest(coalesce(u.first_seq, u.seq), least(after, u.seq) + 1)) end
      ) over (order by u.seq) as total
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    order by u.seq
    limit max_rows
  ) as sized
  where sized.nth = 1 or sized.total <= max_bytes;

  -- The seed has no session and the reserved client id 1. This calls no function of ours, because Postgres cannot
  -- inline a function with settings of its own, and 9,000 calls took several times as long.
  select
    string_agg(
      int8send(u.seq)
        || case when has_times then int8send(floor(extract(epoch from u.created_at) * 1000)::bigint) else ''::bytea end
        || case when has_firsts
             then int8send(coalesce(u.first_seq, u.seq))
               || int8send(floor(extract(epoch from coalesce(u.first_at, u.created_at)) * 1000)::bigint)
             else ''::bytea
           end
        || uuid_send(u.session)
        || int8send(coalesce(s.client_id, 1))
        || int4send(u.n_from)
        || int4send(u.n_to)
        || int4send(octet_length(u.update))
        || u.update
        || coalesce(u.dependencies, '\x0000'::bytea),
      ''::bytea order by u.seq
    ),
    count(*)
  into encoded, row_count
  from (
    select
      u.seq, u.first_seq, u.first_at, u.created_at, u.session, u.n_from, u.n_to, u.update, u.dependencies
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= last
    union all
    select missing.seq, null, null, u.first_at, u.session, 0, 0, ''::bytea, null
    from public.document_updates as u
    cross join lateral generate_series(greatest(u.first_seq, least(after, u.seq) + 1), u.seq - 1) as missing (seq)
    where not has_firsts and u.first_seq is not null
      and u.document_id = encode_rows.document and u.seq > after and u.seq <= last
  ) as u
  left join public.document_sessions as s on s.document_id = encode_rows.document and s.session = u.session;

  message := weft.encode_message(
    case when has_firsts then 3 when has_times then 2 else 1 end, head, row_count, coalesce(encoded, ''::bytea)
  );
  last := coalesce(last, after);
  -- Not `last < head`: a head in the middle of a compacted row, as rows_until has it, is never reached.
  more := exists (
    select
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > encode_rows.last and u.seq <= encode_rows.head
  );
end
$$;

-- A message of kind 1 around encoded rows of this version.
create or replace function weft.encode_message(row_version integer, head bigint, count bigint, rows bytea) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select case encode_message.row_version when 1 then '\x0101'::bytea when 2 then '\x0201'::bytea else '\x0301'::bytea end
    || int8send(encode_message.head)
    || int4send(encode_message.count::integer)
    || encode_message.rows
$$;

-- Whether a reader who has all rows up to `since` needs a snapshot. One who starts at 0 does, because a snapshot is
-- shorter than all rows; so does one whose next row has been deleted. A `since` below 0 asks for the rows alone, after
-- a snapshot that could not be read: a signed-in client could use rows_since for that, but a watcher has only
-- open_watch.
create or replace function weft.needs_snapshot(document uuid, since bigint, head bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return needs_snapshot.since = 0 or needs_snapshot.since between 1 and head - 1 and coalesce(
    (
      select coalesce(u.first_seq, u.seq) > needs_snapshot.since + 1
      from public.document_updates as u
      where u.document_id = needs_snapshot.document and u.seq > needs_snapshot.since
      order by u.seq
      limit 1
    ),
    true
  );
end
$$;

-- The newest sittings whose rows are all below `before`, at most `row_limit`; of a person only those in which they wrote. To
-- go on, the caller passes the first row of the last one. Reads only the rows of the sittings that it returns.
--   `authors` are the people whom the database knows as the authors of edits: null for one who deleted their account.
--   `passedOn` counts edits that another person's client appended for their author, who had vanished before they could.
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

-- --- compacting ---------------------------------------------------------------------------------------------------

-- The parts in an encoded list of dependencies, with the numbers of their edits.
create function weft.dependency_numbers(dependencies bytea)
returns table (session uuid, n_from integer, n_to integer)
language plpgsql immutable security definer set search_path = ''
as $$
declare
  header_bytes constant integer := 36;
  place integer := 3;
begin
  while place + header_bytes - 1 <= octet_length(dependency_numbers.dependencies) loop
    session := encode(substring(dependency_numbers.dependencies, place, 16), 'hex')::uuid;
    n_from := ('x' || encode(substring(dependency_numbers.dependencies, place + 24, 4), 'hex'))::bit(32)::integer;
    n_to := ('x' || encode(substring(dependency_numbers.dependencies, place + 28, 4), 'hex'))::bit(32)::integer;
    return next;
    place := place + header_bytes
      + ('x' || encode(substring(dependency_numbers.dependencies, place + 32, 4), 'hex'))::bit(32)::integer;
  end loop;
end
$$;

-- Pages with rows older than so many days that were not compacted, the largest page id last: the next ones after `after`.
create function public.pages_to_compact(older_than_days integer, after uuid default null, row_limit integer default 100)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(found.id order by found.id), '[]')
    from (
      select d.id
      from public.documents as d
      where (pages_to_compact.after is null or d.id > pages_to_compact.after) and exists (
        select
        from public.document_updates as u
        where u.document_id = d.id and u.seq > 1 and u.first_seq is null
          and u.created_at < now() - make_interval(days => greatest(least(pages_to_compact.older_than_days, 36500), 1))
      )
      order by d.id
      limit greatest(least(coalesce(pages_to_compact.row_limit, 100), 1000), 1)
    ) as found
  );
end
$$;

-- The rows of a page for whoever compacts them, at most 1 MiB at a time, with the numbers of the rows that versions name and of
-- the one that the text copy stands for. `now` is the database's clock.
create function public.rows_to_compact(document uuid, after bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  head bigint;
  text_seq bigint;
  rows record;
begin
  select h.head_seq, d.text_seq
  into head, text_seq
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = rows_to_compact.document;
  if head is null then
    perform weft.raise('WF001', 'no such page');
  end if;
  rows := weft.encode_rows(rows_to_compact.document, greatest(coalesce(rows_to_compact.after, 0), 0), head, null, max_bytes, 3);
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'textSeq', text_seq,
    'versions', (
      select coalesce(jsonb_agg(distinct v.seq), '[]')
      from public.document_versions as v
      where v.document_id = rows_to_compact.document
    ),
    'now', weft.unix_ms(clock_timestamp())
  );
end
$$;

-- Puts one row in the place of the rows first_seq to last_seq, which must be one sitting. `parts` are the edits of each session,
-- merged: `[{session, nFrom, nTo, update}]`, the last one becomes the row's own. `sha256` is that of the rows as the caller read
-- them (a row message of version 3 whose head is last_seq): if they are others by now, nothing changes and the answer is false.
-- Everything else that does not fit is refused: edits that the rows do not have or that would be lost, rows of the last day or
-- that the text copy lacks, damaged numbers, a version in the middle.
create function public.compact_history(document uuid, first_seq bigint, last_seq bigint, sha256 text, parts jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  youngest constant interval := interval '1 day';
  pause constant interval := interval '30 minutes';
  max_numbers constant integer := 4000;
  max_bytes constant bigint := 64 * 1024 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  given weft.part[] := weft.parse_dependencies(parts);
  own weft.part;
  encoded bytea;
  rows record;
begin
  if cardinality(given) = 0 or first_seq is null or last_seq is null or first_seq < 2 or last_seq <= first_seq
    or last_seq - first_seq > max_numbers
  then
    raise exception using errcode = '22023', message = 'the rows of a sitting after the first row, and its edits';
  end if;
  perform weft.lock_heads(array[compact_history.document]);
  if not exists (select from public.document_heads as h where h.document_id = compact_history.document) then
    perform weft.raise('WF001', 'no such page');
  elsif exists (
    select from public.documents as d where d.id = compact_history.document and d.text_seq < compact_history.last_seq
  ) then
    raise exception using errcode = '55000', message = 'the text copy does not have these rows yet';
  end if;

  select
    min(coalesce(u.first_seq, u.seq)) as first, max(u.seq) as last, count(*) as number,
    max(u.created_at) as ended, min(coalesce(u.first_at, u.created_at)) as began,
    coalesce(bool_or(u.starts_at - u.ends_before > pause), false) as has_pause,
    coalesce(bool_or(u.n_to = 0), false) as has_relay
  into rows
  from (
    select
      r.*, coalesce(r.first_at, r.created_at) as starts_at, lag(r.created_at) over (order by r.seq) as ends_before
    from public.document_updates as r
    where r.document_id = compact_history.document and r.seq between compact_history.first_seq and compact_history.last_seq
  ) as u;
  if rows.number < 2 or rows.first <> compact_history.first_seq or rows.last <> compact_history.last_seq
    or compact_history.sha256 is distinct from encode(
      sha256(
        (weft.encode_rows(
          compact_history.document, compact_history.first_seq - 1, compact_history.last_seq, null, max_bytes, 3
        )).message
      ),
      'hex'
    )
  then
    return jsonb_build_object('compacted', false);
  elsif rows.ended > now() - youngest or rows.has_pause or rows.has_relay then
    raise exception using errcode = '22023', message = 'rows of the last day, a pause of more than 30 minutes, or a relay';
  elsif exists (
    select
    from public.document_versions as v
    where v.document_id = compact_history.document
      and v.seq >= compact_history.first_seq and v.seq < compact_history.last_seq
  ) then
    raise exception using errcode = '22023', message = 'a version is in the middle';
  end if;

  -- The same edits of the same sessions, before and after. What a row brought for somebody who appended it too is in theirs.
  if exists (
    with replaced as (
      select u.* from public.document_updates as u
      where u.document_id = compact_history.document
        and u.seq between compact_history.first_seq and compact_history.last_seq
    ),
    appended as (
      select r.session, r.n_from, r.n_to from replaced as r
      union all
      select p.session, p.n_from, p.n_to
      from replaced as r cross join lateral weft.dependency_numbers(r.dependencies) as p
      where r.first_seq is not null
    ),
    brought as (
      select p.session, p.n_from, p.n_to
      from replaced as r cross join lateral weft.dependency_numbers(r.dependencies) as p
      where r.first_seq is null
    ),
    before as (
      select a.session, min(a.n_from) as n_from, max(a.n_to) as n_to from appended as a group by a.session
    ),
    after as (
      select g.session, g.n_from, g.n_to from unnest(given) as g
    )
    select from (select * from before except all select * from after) as lost
    union all
    select from (select * from after except all select * from before) as made
    union all
    select from brought as b
    where not exists (
      select from after as a where a.session = b.session and a.n_from <= b.n_from and a.n_to >= b.n_to
    )
  ) then
    raise exception using errcode = '22023', message = 'not the edits of these rows';
  end if;

  own := given[cardinality(given)];
  if cardinality(given) > 1 then
    select int2send(count(*)::smallint)
      || string_agg(weft.encode_part(p.session, s.client_id, p.n_from, p.n_to, p.update), ''::bytea order by p.nth)
    into encoded
    from unnest(given[:cardinality(given) - 1]) with ordinality as p (session, n_from, n_to, update, nth)
    join public.document_sessions as s on s.document_id = compact_history.document and s.session = p.session;
  end if;
  delete from public.document_updates as u
  where u.document_id = compact_history.document and u.seq >= compact_history.first_seq and u.seq < compact_history.last_seq;
  update public.document_updates as u
  set
    session = own.session,
    n_from = own.n_from,
    n_to = own.n_to,
    appended_by = (
      select nullif(s.user_id, nobody)
      from public.document_sessions as s
      where s.document_id = compact_history.document and s.session = own.session
    ),
    update = own.update,
    dependencies = encoded,
    first_seq = compact_history.first_seq,
    first_at = rows.began
  where u.document_id = compact_history.document and u.seq = compact_history.last_seq;
  update public.document_heads as h
  set tail_bytes = (
    select coalesce(sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)), 0)
    from public.document_updates as u
    where u.document_id = h.document_id and u.seq > h.snapshot_seq
  )
  where h.document_id = compact_history.document and h.snapshot_seq < compact_history.last_seq;
  return jsonb_build_object('compacted', true);
end
$$;

-- A version names a row that is there. A tab may show a row that was compacted a moment ago.
create function weft.check_version_row() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from public.document_updates as u where u.document_id = new.document_id and u.seq = new.seq
  ) then
    raise exception using errcode = '22023', message = 'seq: a row of the page';
  end if;
  return new;
end
$$;

create trigger check_version_row before insert on public.document_versions
for each row execute function weft.check_version_row();

revoke all on function
  weft.dependency_numbers, weft.check_version_row,
  public.pages_to_compact, public.rows_to_compact, public.compact_history
from public, anon, authenticated, service_role;
grant execute on function public.pages_to_compact, public.rows_to_compact, public.compact_history to service_role;
