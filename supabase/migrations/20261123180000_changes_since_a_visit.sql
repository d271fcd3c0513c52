-- What changed since somebody's last visit: when that was, and the log up to any row.

-- As before, and `before` is the visit that this one continues: the caller's earlier one, null if there was none. It comes
-- with the same statement that replaces it, so that two tabs that open the page at once cannot both lose it.
create or replace function public.mark_visited(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
  before weft.visits;
  visit weft.visits;
begin
  -- Locked: another call must not take the same visit as its earlier one and then be older than it.
  select v.*
  into before
  from weft.visits as v
  where v.user_id = caller.user_id and v.document_id = mark_visited.document
  for update;
  insert into weft.visits as v (user_id, document_id, seen_seq, seen_at)
  select
    caller.user_id,
    h.document_id,
    least(greatest(coalesce(mark_visited.seq, 0), 0), h.head_seq),
    -- Right before the first row that was not seen; now if there is none.
    coalesce(
      (
        select u.created_at - interval '1 millisecond'
        from public.document_updates as u
        where u.document_id = h.document_id and u.seq > mark_visited.seq
        order by u.seq
        limit 1
      ),
      now()
    )
  from public.document_heads as h
  where h.document_id = mark_visited.document
  on conflict on constraint visits_pkey do update
  set
    seen_seq = greatest(v.seen_seq, excluded.seen_seq),
    seen_at = greatest(v.seen_at, excluded.seen_at),
    changed_xid = pg_current_xact_id()
  returning v.* into visit;
  if before.user_id is null or exists (
    select from public.documents as d
    where d.id = mark_visited.document and d.updated_at > before.seen_at and d.updated_at <= visit.seen_at
  ) then
    perform weft.publish_change(
      'u:' || caller.user_id, 'visit', 'changed', mark_visited.document, caller.workspace_id
    );
  end if;
  return jsonb_build_object(
    'seenSeq', visit.seen_seq,
    'seenAt', visit.seen_at,
    'before',
    case when before.user_id is not null
      then jsonb_build_object('seenSeq', before.seen_seq, 'seenAt', before.seen_at)
    end
  );
end
$$;

-- The log up to row `until`, for the page as it was then: the rows after `after`, at most 1 MiB of them. With `after` 0 the
-- newest snapshot that is not newer than `until` comes first, if one is kept, and then the rows after that.
create function public.rows_until(document uuid, after bigint, until bigint, row_version integer default 1)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
  last bigint;
  snapshot jsonb;
  rows record;
begin
  select least(greatest(coalesce(rows_until.until, 0), 0), h.head_seq)
  into last
  from public.document_heads as h
  where h.document_id = rows_until.document;
  if coalesce(rows_until.after, 0) <= 0 then
    select jsonb_build_object('seq', s.seq, 'state', weft.to_base64(s.state), 'sha256', s.sha256)
    into snapshot
    from public.document_snapshots as s
    where s.document_id = rows_until.document and s.seq <= last
    order by s.seq desc
    limit 1;
  end if;
  rows := weft.encode_rows(
    rows_until.document, coalesce((snapshot ->> 'seq')::bigint, greatest(rows_until.after, 0), 0), last, null, max_bytes,
    row_version
  );
  return jsonb_build_object(
    'snapshot', snapshot,
    'rows', weft.to_base64(rows.message),
    'until', last,
    'more', rows.more,
    'schemaVersion', caller.schema_version
  );
end
$$;

revoke all on function public.rows_until from public, anon, authenticated, service_role;
grant execute on function public.rows_until to authenticated;
