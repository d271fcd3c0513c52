-- As before, but a visit counts as old as what was seen: somebody who read a copy of the page offline, or left while an edit
-- arrived, keeps the unread mark for the rows that they did not see.
create or replace function public.mark_visited(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
  before timestamptz;
  visit weft.visits;
begin
  select v.seen_at
  into before
  from weft.visits as v
  where v.user_id = caller.user_id and v.document_id = mark_visited.document;
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
  if before is null or exists (
    select from public.documents as d
    where d.id = mark_visited.document and d.updated_at > before and d.updated_at <= visit.seen_at
  ) then
    perform weft.publish_change(
      'u:' || caller.user_id, 'visit', 'changed', mark_visited.document, caller.workspace_id
    );
  end if;
  return jsonb_build_object('seenSeq', visit.seen_seq, 'seenAt', visit.seen_at);
end
$$;
