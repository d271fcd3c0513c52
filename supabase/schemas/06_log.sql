-- The log of a document: its head, the sessions that write to it, its rows, and snapshots of its state.

set check_function_bodies = off;

-- --- tables --------------------------------------------------------------------------------------------------------

-- One narrow row per document, which every append locks and updates. The fill factor leaves room on its page for the
-- new version of the row, so that Postgres does not have to touch the index.
create table public.document_heads (
  document_id uuid primary key references public.documents (id) on delete cascade,
  head_seq bigint not null default 0,
  -- Bytes of the rows after snapshot_seq. Clients make a new snapshot when there are many.
  tail_bytes bigint not null default 0,
  snapshot_seq bigint not null default 0,
  snapshot_bytes bigint not null default 0,
  -- The user who may save the next snapshot, and until when.
  snapshot_claimed_by uuid,
  snapshot_claimed_until timestamptz,
  -- The last row that was published to the watch topics, and the time of that.
  published_seq bigint not null default 0,
  published_at timestamptz,
  -- Rows are published to the watch topics until then.
  watched_until timestamptz,
  -- Until then nothing is appended, because someone erases.
  paused_until timestamptz,
  -- An app of an editor makes the next snapshot as soon as it can: rows that people without the history would get
  -- have deleted words.
  snapshot_wanted boolean not null default false
) with (fillfactor = 50);
-- For the deletion of an account.
create index document_heads_snapshot_claimed_by_index on public.document_heads (snapshot_claimed_by)
where snapshot_claimed_by is not null;
alter table public.document_heads enable row level security;
revoke all on public.document_heads from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_heads to service_role;
create policy weft_nobody on public.document_heads using (false);

-- One row per open document in one tab that ever wrote to it. Rows stay forever, because a device may send its outbox
-- after months.
create table public.document_sessions (
  session uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The Yjs client id of the session. Its updates contain no other.
  client_id bigint not null,
  -- References no profile, and neither does the log: what someone wrote stays when they delete their account.
  user_id uuid not null,
  -- The number of the session's last edit in the log.
  last_n integer not null default 0,
  schema_version integer not null,
  opened_at timestamptz not null default now(),
  -- A session's id is unique within its document only. Presence shows the id to all viewers before it is registered: if
  -- it had to be unique everywhere, any of them could register it for a page of their own, and its owner could never
  -- save.
  primary key (document_id, session),
  unique (document_id, client_id)
);
-- Finds what someone has written.
create index document_sessions_user_id_index on public.document_sessions (user_id);
alter table public.document_sessions enable row level security;
revoke all on public.document_sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_sessions to service_role;
create policy weft_nobody on public.document_sessions using (false);

-- The rows of the log. Rows of the zero session belong to none: the seed, and what was put back, whose author is `appended_by`.
create table public.document_updates (
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  session uuid not null,
  -- `update` merges the session's edits n_from to n_to. Both are 0 in the row of a relay, which has only dependencies.
  n_from integer not null,
  n_to integer not null,
  appended_by uuid,
  update bytea not null,
  -- Parts of other sessions that this row builds on, encoded as in a row message. Null if there are none.
  dependencies bytea,
  created_at timestamptz not null default now(),
  -- A compacted row stands for the rows first_seq to seq, which were written from first_at to created_at. `dependencies` are edits
  -- that their authors appended themselves. It has the number of the last of these rows, so that a reader who stopped anywhere
  -- among them gets it next; what they have already is in it once more, which is harmless.
  first_seq bigint,
  first_at timestamptz,
  primary key (document_id, seq)
);
-- Finds the row of an edit when its append is repeated.
create index document_updates_session_index on public.document_updates (document_id, session, n_to);
-- For the chart of the last hour, in all pages of a workspace at once. Rows are added in the order of their times. Without the setting
-- all rows since the last vacuum would be read.
create index document_updates_created_at_index on public.document_updates using brin (created_at)
with (autosummarize = on);
create index document_updates_put_back_index on public.document_updates (appended_by)
where session = '00000000-0000-0000-0000-000000000000' and seq > 1;
alter table public.document_updates enable row level security;
revoke all on public.document_updates from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_updates to service_role;
create policy weft_nobody on public.document_updates using (false);

-- The state as of row `seq`: a Yjs update (V2), deflated. A snapshot only saves time; the rows stay the truth.
create table public.document_snapshots (
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  -- Compressed already. A second compression would cost time and gain nothing.
  state bytea storage external not null,
  -- Of `state`, in hex: readers check it.
  sha256 text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (document_id, seq)
);
alter table public.document_snapshots enable row level security;
revoke all on public.document_snapshots from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_snapshots to service_role;
create policy weft_nobody on public.document_snapshots using (false);

-- --- row messages --------------------------------------------------------------------------------------------------

-- Answers and topics contain rows in this layout, which src/sync/protocol/row.ts decodes. Numbers are big-endian, times are ms since 1970.
--   message := version(1 byte) kind(1 byte) head(int8) [kind 1: before count(int4) row*]
--   kind    := 1 rows · 2 fetch (the rows do not fit: ask the database for them)
--   before  := nothing · from version 4 on at(int8): when the row before the first one was written; 0 if there is none
--   row     := seq(int8) times part dependencies(int2 count) part*
--   times   := nothing · version 2: at(int8) · from version 3 on: at(int8) first_seq(int8) first_at(int8)
--   part    := session(16) client_id(int8) n_from(int4) n_to(int4) size(int4) bytes
-- Topics have version 4. What an older app cannot decode there it ignores, and it fetches the rows some seconds later.
create function weft.encode_part(session uuid, client_id bigint, n_from integer, n_to integer, update bytea)
returns bytea
language sql immutable security definer set search_path = ''
as $$
  select uuid_send(encode_part.session)
    || int8send(encode_part.client_id)
    || int4send(encode_part.n_from)
    || int4send(encode_part.n_to)
    || int4send(octet_length(encode_part.update))
    || encode_part.update
$$;

-- A row of version 3 and 4 that was not compacted. `dependencies` is already encoded; null means none.
create function weft.encode_row(
  seq bigint, at timestamptz, session uuid, client_id bigint, n_from integer, n_to integer, update bytea,
  dependencies bytea
) returns bytea
language sql stable security definer set search_path = ''
as $$
  select int8send(encode_row.seq)
    || int8send(weft.unix_ms(encode_row.at))
    || int8send(encode_row.seq)
    || int8send(weft.unix_ms(encode_row.at))
    || weft.encode_part(
      encode_row.session, encode_row.client_id, encode_row.n_from, encode_row.n_to, encode_row.update
    )
    || coalesce(encode_row.dependencies, '\x0000'::bytea)
$$;

-- A message of kind 1 around encoded rows of this version.
create function weft.encode_message(row_version integer, head bigint, before bigint, count bigint, rows bytea) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select case encode_message.row_version
      when 1 then '\x0101'::bytea when 2 then '\x0201'::bytea when 3 then '\x0301'::bytea else '\x0401'::bytea
    end
    || int8send(encode_message.head)
    || case when encode_message.row_version >= 4 then int8send(encode_message.before) else ''::bytea end
    || int4send(encode_message.count::integer)
    || encode_message.rows
$$;

-- A message of kind 2.
create function weft.encode_fetch(head bigint) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select '\x0102'::bytea || int8send(encode_fetch.head)
$$;

-- A message of kind 1. Readers of a version below 3 refuse a log with missing numbers: they get empty rows in the place of those that
-- a compacted row stands for. It reads no row behind the first one that does not fit, and of the sessions only those of its rows: a
-- join of both tables would read every session of the page.
create function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint, row_version integer,
  out message bytea, out last bigint, out more boolean
)
-- With other settings the planner reads and sorts all rows of a page for the first of them. (Without `enable_sort` a plan that has to
-- sort counts as so dear that it is compiled first.)
language plpgsql stable security definer
set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = auto
as $$
declare
  -- The rows of more numbers than this gain more by a plan of their own than it costs.
  many constant integer := 500;
  has_times boolean := coalesce(row_version >= 2, false);
  has_firsts boolean := coalesce(row_version >= 3, false);
  beyond bigint;
  encoded bytea;
  row_count bigint;
  before bigint;
begin
  -- The first row that does not fit. Sizes alone are read, so that large rows are never unpacked in vain: a row has at most 70 bytes
  -- besides update and dependencies, and an empty one 56. The window reads no row behind it.
  select w.seq
  into beyond
  from (
    select
      u.seq,
      row_number() over in_order as nth,
      sum(
        70 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)
          + case
              when has_firsts or u.first_seq is null then 0
              else 56 * (u.seq - greatest(u.first_seq, least(after, u.seq) + 1))::integer
            end
      ) over in_order as bytes
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    window in_order as (order by u.seq rows unbounded preceding)
  ) as w
  where w.nth > max_rows or w.nth > 1 and w.bytes > max_bytes
  order by w.seq
  limit 1;

  -- A plan that knows the number of rows looks each session up once.
  if coalesce(beyond, head) - greatest(after, 0) > many then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
  end if;
  -- The seed has no session and the reserved client id 1. This calls no function of ours, because Postgres cannot
  -- inline a function with settings of its own. Each call counts with 9,000 rows: n_from and n_to are sent as one number, and
  -- times are computed as floats, which is exact until 2106 and twice as fast.
  select
    string_agg(
      case when u.first_number = u.seq then ''::bytea else (
        select string_agg(
          int8send(missing.seq)
            || case
                 when has_times then int8send((date_part('epoch', u.first_at) * 1000000)::bigint / 1000)
                 else ''::bytea
               end
            || coalesce(s.author, uuid_send(u.session) || int8send(1))
            || '\x0000000000000000000000000000'::bytea,
          ''::bytea order by missing.seq
        )
        from generate_series(u.first_number, u.seq - 1) as missing (seq)
      ) end
        || case
             when not has_times then int8send(u.seq)
             when not has_firsts then u.place
             when u.first_seq is null then u.place || u.place
             else u.place || int8send(u.first_seq) || int8send((date_part('epoch', u.first_at) * 1000000)::bigint / 1000)
           end
        || coalesce(s.author, uuid_send(u.session) || int8send(1))
        || int8send(u.n_from * 4294967296 + u.n_to)
        || int4send(octet_length(u.update))
        || u.update
        || coalesce(u.dependencies, '\x0000'::bytea),
      ''::bytea order by u.seq
    ),
    sum(u.seq - u.first_number + 1),
    max(u.seq)
  into encoded, row_count, last
  from (
    select
      u.seq, u.first_seq, u.first_at, u.session, u.n_from, u.n_to, u.update, u.dependencies,
      int8send(u.seq) || int8send((date_part('epoch', u.created_at) * 1000000)::bigint / 1000) as place,
      case
        when has_firsts or u.first_seq is null then u.seq
        else greatest(u.first_seq, least(after, u.seq) + 1)
      end as first_number
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= coalesce(beyond - 1, head)
    -- Not for the order alone: it keeps Postgres from computing `place` twice.
    order by u.seq
  ) as u
  -- `limit` keeps Postgres from joining the whole tables.
  left join lateral (
    select uuid_send(o.session) || int8send(o.client_id) as author
    from public.document_sessions as o
    where o.document_id = encode_rows.document and o.session = u.session
    limit 1
  ) as s on true;

  if row_version >= 4 then
    select weft.time_before(encode_rows.document, coalesce(u.first_seq, u.seq))
    into before
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= last
    order by u.seq
    limit 1;
  end if;
  message := weft.encode_message(
    case when row_version >= 4 then 4 when has_firsts then 3 when has_times then 2 else 1 end,
    head, coalesce(before, 0), coalesce(row_count, 0), ''::bytea
  ) || coalesce(encoded, ''::bytea);
  last := coalesce(last, after);
  -- Not `last < head`: a head in the middle of a compacted row, as rows_until has it, is never reached.
  more := beyond is not null;
end
$$;

-- The time of the newest row up to `head`. A row may be deleted because a snapshot covers it: then the time at which the
-- page's text was copied last.
create function weft.changed_at(document uuid, head bigint) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (select u.created_at from public.document_updates as u
     where u.document_id = changed_at.document and u.seq = changed_at.head),
    (select d.updated_at from public.documents as d where d.id = changed_at.document)
  );
end
$$;

-- --- heads ---------------------------------------------------------------------------------------------------------

-- Locks the heads of these documents, always in the same order, so that two callers cannot deadlock.
create function weft.lock_heads(documents uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.document_heads as h where h.document_id = any (documents) order by h.document_id for update;
end
$$;

-- Gives a new document its head and its first row, an update of weft.seed_update (`seed`: blank or welcome). No session owns that row:
-- its session is zero.
create function weft.create_log(document uuid, seed text, person uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  bytes bytea := weft.seed_update(create_log.seed);
begin
  insert into public.document_heads (document_id, head_seq, tail_bytes, published_seq)
  values (create_log.document, 1, octet_length(bytes), 1);
  insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
  values (create_log.document, 1, '00000000-0000-0000-0000-000000000000', 1, 1, create_log.person, bytes);
end
$$;

-- --- snapshots -----------------------------------------------------------------------------------------------------

-- The newest snapshot with its bytes, or null. `at` is the time of the snapshot's row; null if that was compacted.
create function weft.newest_snapshot(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'seq', s.seq, 'at', weft.unix_ms(u.created_at), 'state', weft.to_base64(s.state), 'sha256', s.sha256
    )
    from public.document_snapshots as s
    left join public.document_updates as u on u.document_id = s.document_id and u.seq = s.seq
    where s.document_id = newest_snapshot.document
    order by s.seq desc
    limit 1
  );
end
$$;

-- Whether a reader who has all rows up to `since` needs a snapshot. One who starts at 0 does, because a snapshot is
-- shorter than all rows; so does one whose next row has been deleted. A `since` below 0 asks for the rows alone, after
-- a snapshot that could not be read: a signed-in client could use rows_since for that, but a watcher has only
-- open_watch.
create function weft.needs_snapshot(document uuid, since bigint, head bigint) returns boolean
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

-- Of the snapshots older than a month only the last one of each month stays: a page that changes every day would keep 365 a year. A
-- page of long ago is then read from further back. save_snapshot keeps the newest three and the last of each day.
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
create trigger thin_snapshots after insert on public.document_snapshots
for each row execute function weft.thin_snapshots();

-- --- dependencies --------------------------------------------------------------------------------------------------

-- Some edits of one session, as an append names them in `dependencies`.
create type weft.part as (session uuid, n_from integer, n_to integer, update bytea);

-- Parses `[{session, nFrom, nTo, update}]`, or fails.
create function weft.parse_dependencies(dependencies jsonb) returns weft.part[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_parts constant integer := 1000;
  -- For all parts together: a row is never split, so a huge one would block readers with little time or memory.
  max_bytes constant integer := 4 * 1024 * 1024;
  max_update_bytes constant integer := 1024 * 1024;
  parts weft.part[];
begin
  if dependencies is null or dependencies = '[]' then
    return array[]::weft.part[];
  end if;
  begin
    select array_agg((p.session, p."nFrom", p."nTo", weft.from_base64(p."update"))::weft.part order by p.nth)
    into parts
    from rows from (
      jsonb_to_recordset(dependencies) as (session uuid, "nFrom" integer, "nTo" integer, "update" text)
    ) with ordinality as p (session, "nFrom", "nTo", "update", nth);
  exception when data_exception then
    perform weft.raise('WF005', 'dependencies: ' || sqlerrm);
  end;
  if array_length(parts, 1) > max_parts or (
    select sum(octet_length(p.update)) from unnest(parts) as p
  ) > max_bytes or exists (
    select
    from unnest(parts) as p
    where p.session is null or p.n_from is null or p.n_to is null or p.n_from < 1 or p.n_to < p.n_from
      or p.update is null or octet_length(p.update) not between 1 and max_update_bytes
  ) then
    perform weft.raise('WF005', 'dependencies: a part is malformed or too large');
  end if;
  return parts;
end
$$;

-- Encodes the parts that the log lacks for the new row; null if it lacks none. Dependencies do not advance the numbers
-- of their author's session: its own append brings the same edits again, which is harmless. A session that is not registered may
-- be one that a restored server has lost.
create function weft.encode_dependencies(document uuid, parts weft.part[], is_relay boolean) returns bytea
language plpgsql stable security definer set search_path = ''
as $$
declare
  encoded bytea;
  part_count integer;
  is_unknown boolean;
  is_refused boolean;
begin
  select
    count(*) filter (where s.last_n < p.n_to),
    string_agg(weft.encode_part(p.session, s.client_id, p.n_from, p.n_to, p.update), ''::bytea order by p.nth)
      filter (where s.last_n < p.n_to),
    coalesce(bool_or(s.session is null), false),
    -- A relay acts for a vanished author, who must still have the right to edit. Dependencies of the caller's own edits
    -- are stored whatever rights their authors have now: the caller answers for them.
    is_relay and coalesce(
      bool_or(coalesce(weft.document_role(s.document_id, s.user_id) < 'editor', true)) filter (where s.last_n < p.n_to),
      false
    )
  into part_count, encoded, is_unknown, is_refused
  from unnest(parts) with ordinality as p (session, n_from, n_to, update, nth)
  left join public.document_sessions as s on s.session = p.session and s.document_id = encode_dependencies.document;

  if is_unknown then
    perform weft.raise('WF016', 'dependencies: a session is not registered here');
  elsif is_refused then
    perform weft.raise('WF005', 'dependencies: its author may no longer edit');
  end if;
  return case when part_count > 0 then int2send(part_count::smallint) || encoded end;
end
$$;

-- The parts of other sessions in an encoded list of dependencies, with the number of edits of each.
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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.encode_part, weft.encode_row, weft.encode_message, weft.encode_fetch, weft.encode_rows, weft.changed_at,
  weft.lock_heads, weft.create_log, weft.newest_snapshot, weft.needs_snapshot, weft.thin_snapshots,
  weft.parse_dependencies, weft.encode_dependencies, weft.dependency_parts, weft.is_author_of_part,
  weft.dependency_numbers
from public, anon, authenticated, service_role;
