-- Watching by a share link, without an account: the one function that `anon` may call.

-- Keeps rows coming to whoever watches, for 60 seconds more. Written only when 20 of them are gone, so that 500
-- watchers cost one write. The head is locked first: the same order as everywhere else.
create function weft.keep_watching(link public.share_links) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  enough timestamptz := clock_timestamp() + interval '40 seconds';
begin
  if link.watched_until > enough and exists (
    select from public.document_heads as h where h.document_id = link.document_id and h.watched_until > enough
  ) then
    return;
  end if;
  perform weft.lock_heads(array[link.document_id]);
  update public.document_heads as h
  set watched_until = clock_timestamp() + interval '60 seconds'
  where h.document_id = link.document_id;
  update public.share_links as l
  set watched_until = clock_timestamp() + interval '60 seconds'
  where l.id = link.id;
end
$$;

-- What a link shows: one page, from `since` on. Asked again every 15 seconds while somebody watches.
create function public.open_watch(secret text, since bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  link public.share_links := weft.link_of(secret);
  head bigint;
  snapshot jsonb;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no living link with this secret');
  end if;
  perform weft.keep_watching(link);
  -- It may have waited for the very call that ended the link.
  link := weft.link_of(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no living link with this secret');
  end if;

  select h.head_seq into head from public.document_heads as h where h.document_id = link.document_id;
  if weft.needs_snapshot(link.document_id, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(link.document_id);
    head := greatest(head, (snapshot ->> 'seq')::bigint); -- It may be younger than the head that was just read.
  end if;
  rows := weft.encode_rows(
    link.document_id, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, 1024 * 1024
  );
  return (
    select jsonb_build_object(
      'title', d.title,
      'topic', 'w:' || link.topic_key,
      'role', link.role,
      'head', head,
      'schemaVersion', d.schema_version,
      'snapshot', snapshot,
      'rows', weft.to_base64(rows.message),
      'more', rows.more,
      'expiresAt', link.expires_at
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

revoke all on function weft.keep_watching, public.open_watch from public, anon, authenticated, service_role;
grant execute on function public.open_watch to anon, authenticated;
