-- The log of a document: its head, the sessions that write to it, its rows, and snapshots of its state.

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
  watched_until timestamptz
) with (fillfactor = 50);

-- One row per open document in one tab that ever wrote to it. Rows stay forever, because a device may send its outbox
-- after months.
create table public.document_sessions (
  session uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The Yjs client id of the session. Its updates contain no other.
  client_id bigint not null,
  -- References no profile, and neither does the log: what somebody wrote stays when they delete their account.
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
  primary key (document_id, seq)
);
-- Finds the row of an edit when its append is repeated.
create index document_updates_session_index on public.document_updates (document_id, session, n_to);

-- The state as of row `seq`: a Yjs update (V2), deflated. A snapshot only saves time; the rows stay the truth.
create table public.document_snapshots (
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  state bytea not null,
  sha256 text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (document_id, seq)
);
-- The state is compressed already. A second compression would cost time and gain nothing.
alter table public.document_snapshots alter column state set storage external;

-- --- policies -----------------------------------------------------------------------------------------------------

alter table public.document_heads enable row level security;
alter table public.document_sessions enable row level security;
alter table public.document_updates enable row level security;
alter table public.document_snapshots enable row level security;

revoke all on
  public.document_heads, public.document_sessions, public.document_updates, public.document_snapshots
from public, anon, authenticated, service_role;
grant select on
  public.document_heads, public.document_sessions, public.document_updates, public.document_snapshots
to authenticated;
grant select, insert, update, delete on
  public.document_heads, public.document_sessions, public.document_updates, public.document_snapshots
to service_role;

create policy weft_select on public.document_heads for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_sessions for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_updates for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_snapshots for select to authenticated
using (document_id in (select weft.my_documents()));

-- --- row messages -------------------------------------------------------------------------------------------------

-- Answers and topics contain rows in this layout, which src/protocol/row.ts decodes. Numbers are big-endian.
--   message := version(1 byte = 1) kind(1 byte) head(int8) [kind 1: count(int4) row*]
--   kind    := 1 rows · 2 fetch (the rows do not fit: ask the database for them)
--   row     := seq(int8) part dependencies(int2 count) part*
--   part    := session(16) client_id(int8) n_from(int4) n_to(int4) size(int4) bytes

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

-- `dependencies` is already encoded; null means none.
create function weft.encode_row(
  seq bigint, session uuid, client_id bigint, n_from integer, n_to integer, update bytea, dependencies bytea
) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select int8send(encode_row.seq)
    || weft.encode_part(
      encode_row.session, encode_row.client_id, encode_row.n_from, encode_row.n_to, encode_row.update
    )
    || coalesce(encode_row.dependencies, '\x0000'::bytea)
$$;

-- A message of kind 1 around encoded rows.
create function weft.encode_message(head bigint, count bigint, rows bytea) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select '\x0101'::bytea
    || int8send(encode_message.head)
    || int4send(encode_message.count::integer)
    || encode_message.rows
$$;

-- A message of kind 2.
create function weft.encode_fetch(head bigint) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select '\x0102'::bytea || int8send(encode_fetch.head)
$$;

-- Encodes rows after `after` and up to `head`: at most `max_rows`, and no more than fit into `max_bytes`. The first row
-- is always included, so that a large one never blocks a reader. `last` is the last encoded row, or `after` if there is
-- none.
create function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint,
  out message bytea, out last bigint, out more boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  encoded bytea;
  row_count bigint;
begin
  -- Rows are selected by size first, so that the others are never read. A row has 46 bytes besides update and
  -- dependencies.
  select max(sized.seq)
  into last
  from (
    select
      u.seq,
      row_number() over (order by u.seq) as nth,
      sum(46 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)) over (order by u.seq) as total
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    order by u.seq
    limit max_rows
  ) as sized
  where sized.nth = 1 or sized.total <= max_bytes;

  -- The seed has no session and the reserved client id 1. This does not call weft.encode_row, because Postgres cannot
  -- inline a function with settings of its own, and 9,000 calls took several times as long.
  select
    string_agg(
      int8send(u.seq)
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
  from public.document_updates as u
  left join public.document_sessions as s on s.document_id = u.document_id and s.session = u.session
  where u.document_id = encode_rows.document and u.seq > after and u.seq <= last;

  message := weft.encode_message(head, row_count, coalesce(encoded, ''::bytea));
  last := coalesce(last, after);
  more := last < head;
end
$$;

revoke all on function
  weft.encode_part, weft.encode_row, weft.encode_message, weft.encode_fetch, weft.encode_rows
from public, anon, authenticated, service_role;
