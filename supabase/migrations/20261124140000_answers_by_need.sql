-- The size of an answer, and the rows that are read for it, go with what the caller lacks and not with the page's age.

-- As before, but `translate` looks at each letter: for 1 MiB it took 30 ms, this takes 4.
create or replace function weft.to_base64(bytes bytea) returns text
language sql immutable security definer set search_path = ''
as $$
  select replace(encode(to_base64.bytes, 'base64'), E'\n', '')
$$;

-- As before, but it reads no row behind the last one of the answer, and of the sessions only those of its rows: a join of both
-- tables read every session of the page.
create or replace function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint, row_version integer,
  out message bytea, out last bigint, out more boolean
)
-- Or the planner reads and sorts all rows of a page for the first of them. (Without `enable_sort` a plan that has to sort counts as
-- so dear that it is compiled first.)
language plpgsql stable security definer
set search_path = '' set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  has_times boolean := coalesce(row_version >= 2, false);
  has_firsts boolean := coalesce(row_version >= 3, false);
  total bigint := 0;
  encoded bytea;
  row_count bigint := 0;
  r record;
begin
  -- Rows are selected by size first, so that large ones are never unpacked in vain. A row has at most 70 bytes besides update
  -- and dependencies, and an empty one 56. A sum over a window would read every row up to the head.
  for r in
    select
      u.seq,
      70 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)
        + case when has_firsts then 0 else 56 * (u.seq - greatest(coalesce(u.first_seq, u.seq), least(after, u.seq) + 1)) end
        as size
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    order by u.seq
  loop
    total := total + r.size;
    exit when last is not null and total > max_bytes;
    last := r.seq;
    row_count := row_count + 1;
    exit when row_count >= max_rows;
  end loop;

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
  -- `limit` keeps Postgres from joining the whole tables.
  left join lateral (
    select o.client_id
    from public.document_sessions as o
    where o.document_id = encode_rows.document and o.session = u.session
    limit 1
  ) as s on true;

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

-- As before, without the last number of every session that ever wrote, which nobody needs: `session_info` names it when somebody
-- shows a live update that the log may hold. `sessions` stays in the answer for apps that look for it.
create or replace function public.open_document(document uuid, since bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
  head bigint;
  text_seq bigint;
  snapshot jsonb;
  rows record;
begin
  select h.head_seq, d.text_seq
  into head, text_seq
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = open_document.document;

  if weft.needs_snapshot(open_document.document, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(open_document.document);
  end if;
  rows := weft.encode_rows(
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, max_bytes, row_version
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, caller.role),
    'workspace', weft.workspace_summary(caller.workspace_id, caller.user_id),
    'role', caller.role,
    'epoch', caller.topic_epoch,
    'head', head,
    'changedAt', weft.changed_at(open_document.document, head),
    'textSeq', text_seq,
    'schemaVersion', caller.schema_version,
    'snapshot', snapshot,
    'sessions', null,
    'rows', weft.to_base64(rows.message),
    'more', rows.more,
    'presenting', weft.presenting_of(open_document.document, false),
    'erasures', (select count(*) from public.document_erasures as e where e.document_id = open_document.document)
  );
end
$$;
