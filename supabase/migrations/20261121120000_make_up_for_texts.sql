-- A copy of a page's text that got lost (its tab died, its network went) was made up for by the next edit only: lists said
-- "Untitled" until then, and pictures nobody was told of would have been removed after their 30 days.

-- Says how far the copy of the text goes: whoever opens the page, may edit and sees that it is behind makes up for it.
create or replace function public.open_document(document uuid, since bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter(document, 'viewer');
  head bigint;
  text_seq bigint;
  snapshot jsonb;
  sessions jsonb;
  rows record;
begin
  select h.head_seq, d.text_seq
  into head, text_seq
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = open_document.document;

  if weft.needs_snapshot(open_document.document, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(open_document.document);
  end if;
  if snapshot is not null then
    select coalesce(jsonb_object_agg(s.session, s.last_n), '{}')
    into sessions
    from public.document_sessions as s
    where s.document_id = open_document.document and s.last_n > 0;
  end if;
  rows := weft.encode_rows(
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, 1024 * 1024
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, entry.role),
    'workspace', weft.workspace_summary(entry.workspace_id, entry."user"),
    'role', entry.role,
    'epoch', entry.epoch,
    'head', head,
    'textSeq', text_seq,
    'schemaVersion', entry.schema_version,
    'snapshot', snapshot,
    'sessions', sessions,
    'rows', weft.to_base64(rows.message),
    'more', rows.more
  );
end
$$;

-- As it was; but who copies need not be who wrote.
create or replace function public.save_text(document uuid, seq bigint, title text, body_text text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter_to_write(document);
  newest record;
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

  -- The row may be gone since a snapshot took its place, its author since they left.
  select p.id as author, u.created_at
  into newest
  from public.document_updates as u left join public.profiles as p on p.id = u.appended_by
  where u.document_id = save_text.document and u.seq = save_text.seq;
  update public.documents as d
  set
    title = save_text.title,
    body_text = save_text.body_text,
    text_seq = save_text.seq,
    updated_at = coalesce(newest.created_at, now()),
    updated_by = coalesce(newest.author, entry."user")
  where d.id = save_text.document and d.text_seq <= save_text.seq
    and (d.title, d.body_text, d.text_seq) is distinct from (save_text.title, save_text.body_text, save_text.seq);
  return jsonb_build_object(
    'textSeq', (select d.text_seq from public.documents as d where d.id = save_text.document)
  );
end
$$;

-- As it was; but not of a page whose last rows nobody has told the files of. A client tells them before the text.
create or replace function public.purge_attachments() returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.me();
  mine uuid[];
begin
  select coalesce(array_agg(a.id), '{}')
  into mine
  from public.attachments as a
  where (
      a.purged_at is not null or a.document_id is null
      or a.unreferenced_at < now() - interval '30 days' and not exists (
        select
        from public.documents as d join public.document_heads as h on h.document_id = d.id
        where d.id = a.document_id and d.text_seq < h.head_seq
      )
    )
    and weft.may_purge(a, me);
  delete from public.attachments as a
  where a.id = any (mine) and a.purged_at is not null and not exists (
    select
    from storage.objects as o
    where o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
  );
  update public.attachments as a set purged_at = now() where a.id = any (mine) and a.purged_at is null;
  return (
    select jsonb_build_object('names', coalesce(jsonb_agg(due.name), '[]'))
    from (
      select o.name
      from public.attachments as a
      join storage.objects as o
        on o.bucket_id = 'attachments' and o.name in (a.path, a.path || '.view', a.path || '.small')
      where a.id = any (mine)
      order by o.name
      limit 300
    ) as due
  );
end
$$;
