-- Rows as they travel, in answers and on topics. The layout is that of src/protocol/row.ts, which reads it:
--   message := version(1 byte = 1) kind(1 byte) head(int8) [kind 1: count(int4) row*]
--   kind    := 1 rows · 2 fetch (there is more than fits, ask for it)
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

-- `dependencies` is packed already; null means none.
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

create function weft.encode_message(head bigint, count bigint, rows bytea) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select '\x0101'::bytea
    || int8send(encode_message.head)
    || int4send(encode_message.count::integer)
    || encode_message.rows
$$;

create function weft.encode_fetch(head bigint) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select '\x0102'::bytea || int8send(encode_fetch.head)
$$;

-- The rows after `after`, up to `head`: at most `max_rows`, and as many as stay within `max_bytes`, but always one, so
-- that a large row is no dead end. `last` is the last of them (`after` when there is none).
create function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint,
  out message bytea, out last bigint, out more boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  encoded bytea;
  amount bigint;
begin
  -- First by size alone: what does not fit is never read.
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

  -- The seed is nobody's session: its client id is the reserved 1. Spelled out instead of calling weft.encode_row:
  -- a function with settings of its own cannot be inlined, and 9,000 calls took several times as long as this.
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
  into encoded, amount
  from public.document_updates as u
  left join public.document_sessions as s on s.document_id = u.document_id and s.session = u.session
  where u.document_id = encode_rows.document and u.seq > after and u.seq <= last;

  message := weft.encode_message(head, amount, coalesce(encoded, ''::bytea));
  last := coalesce(last, after);
  more := last < head;
end
$$;

revoke all on function
  weft.encode_part, weft.encode_row, weft.encode_message, weft.encode_fetch, weft.encode_rows
from public, anon, authenticated, service_role;
