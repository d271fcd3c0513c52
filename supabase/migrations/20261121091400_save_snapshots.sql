-- Snapshots (a cache of the log, made by clients) and the copies of title and text for lists and search.

-- Asks for the right to make the next snapshot, for 30 seconds. Whoever holds it may ask again: a lost answer must not
-- lock them out.
create function public.claim_snapshot(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head public.document_heads;
  entry weft.entry;
  granted boolean;
begin
  select h.* into head from public.document_heads as h where h.document_id = claim_snapshot.document for update;
  entry := weft.enter_to_write(claim_snapshot.document);

  granted := head.snapshot_lease_by = entry."user"
    or coalesce(head.snapshot_lease_until <= clock_timestamp(), true);
  if granted then
    update public.document_heads as h
    set snapshot_lease_by = entry."user", snapshot_lease_until = clock_timestamp() + interval '30 seconds'
    where h.document_id = claim_snapshot.document
    returning h.* into head;
  end if;
  return jsonb_build_object(
    'granted', granted,
    'until', head.snapshot_lease_until,
    'head', head.head_seq,
    'snapshotSeq', head.snapshot_seq
  );
end
$$;

-- Stores the state as of `seq` (Yjs V2, deflated) and gives the lease back.
create function public.save_snapshot(document uuid, seq bigint, state text, sha256 text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  bytes bytea;
  head public.document_heads;
  entry weft.entry;
begin
  if octet_length(save_snapshot.state) > 29000000 then
    perform weft.raise('WF005', 'the snapshot is larger than 20 MiB');
  end if;
  bytes := weft.from_base64(save_snapshot.state);
  if bytes is null or octet_length(bytes) not between 1 and 20 * 1024 * 1024 then
    perform weft.raise('WF005', 'the snapshot is not base64, empty, or larger than 20 MiB');
  elsif encode(sha256(bytes), 'hex') is distinct from save_snapshot.sha256 then
    perform weft.raise('WF005', 'the snapshot does not match its sha256');
  end if;

  select h.* into head from public.document_heads as h where h.document_id = save_snapshot.document for update;
  entry := weft.enter_to_write(save_snapshot.document);
  if head.snapshot_lease_by is distinct from entry."user"
    or coalesce(head.snapshot_lease_until <= clock_timestamp(), true)
  then
    perform weft.raise('WF005', 'the snapshot lease is not held');
  elsif save_snapshot.seq is null or save_snapshot.seq < 1 or save_snapshot.seq > head.head_seq then
    perform weft.raise('WF005', 'the snapshot is not of a seq in the log');
  end if;

  if save_snapshot.seq > head.snapshot_seq then
    insert into public.document_snapshots (document_id, seq, state, sha256, created_by)
    values (save_snapshot.document, save_snapshot.seq, bytes, save_snapshot.sha256, entry."user");
    -- Kept: the last three, and the last one of each day.
    delete from public.document_snapshots as s
    using (
      select
        o.seq,
        row_number() over (order by o.seq desc) as nth,
        row_number() over (partition by date_trunc('day', o.created_at, 'UTC') order by o.seq desc) as nth_of_day
      from public.document_snapshots as o
      where o.document_id = save_snapshot.document
    ) as kept
    where s.document_id = save_snapshot.document and s.seq = kept.seq and kept.nth > 3 and kept.nth_of_day > 1;
  end if;
  update public.document_heads as h
  set
    snapshot_lease_by = null,
    snapshot_lease_until = null,
    snapshot_seq = greatest(h.snapshot_seq, save_snapshot.seq),
    snapshot_bytes = case when save_snapshot.seq > h.snapshot_seq then octet_length(bytes) else h.snapshot_bytes end,
    tail_bytes = (
      select coalesce(sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)), 0)
      from public.document_updates as u
      where u.document_id = h.document_id and u.seq > greatest(h.snapshot_seq, save_snapshot.seq)
    )
  where h.document_id = save_snapshot.document
  returning h.* into head;
  return jsonb_build_object('seq', head.snapshot_seq);
end
$$;

-- Copies what the page said at `seq`. Copies race: one that knows less than the stored one changes nothing, and a seq
-- that does not exist yet would silence all later ones.
create function public.save_text(document uuid, seq bigint, title text, body_text text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter_to_write(document);
begin
  if save_text.seq is null or save_text.seq < 0 or not exists (
    select from public.document_heads as h where h.document_id = save_text.document and h.head_seq >= save_text.seq
  ) then
    perform weft.raise('WF005', 'the text is not of a seq in the log');
  elsif save_text.title is null or char_length(save_text.title) > 200 then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  elsif save_text.body_text is null or octet_length(save_text.body_text) > 20 * 1024 * 1024 then
    perform weft.raise('WF005', 'the text is longer than 20 MiB');
  end if;

  update public.documents as d
  set
    title = save_text.title,
    body_text = save_text.body_text,
    text_seq = save_text.seq,
    updated_at = now(),
    updated_by = entry."user"
  where d.id = save_text.document and d.text_seq <= save_text.seq
    and (d.title, d.body_text, d.text_seq) is distinct from (save_text.title, save_text.body_text, save_text.seq);
  return jsonb_build_object(
    'textSeq', (select d.text_seq from public.documents as d where d.id = save_text.document)
  );
end
$$;

revoke all on function public.claim_snapshot, public.save_snapshot, public.save_text
from public, anon, authenticated, service_role;
grant execute on function public.claim_snapshot, public.save_snapshot, public.save_text to authenticated;
