-- Erasing a passage for good: a password that was pasted by mistake, a name that must not stay. The letters are overwritten in
-- the rows of the log, so they are in no history, and nothing else of the log changes. Managers of the page may do it.

-- That something was erased, by whom and when; never what.
create table public.document_erasures (
  -- The client makes it, so that a repeated call finds what the first one did.
  id uuid primary key,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The newest row at that time.
  seq bigint not null,
  bytes integer not null,
  erased_by uuid references public.profiles (id) on delete set null,
  erased_at timestamptz not null default now()
);
create index document_erasures_document_id_index on public.document_erasures (document_id, erased_at);
create index document_erasures_erased_by_index on public.document_erasures (erased_by);

alter table public.document_erasures enable row level security;
revoke all on public.document_erasures from public, anon, authenticated, service_role;
grant select on public.document_erasures to authenticated;
grant select, insert, update, delete on public.document_erasures to service_role;
create policy weft_select on public.document_erasures for select to authenticated
using (document_id in (select weft.my_documents()));

-- Overwrites the bytes `first` to `last` (exclusive, from 0) of a text in an update of Yjs, letter by letter with a sign of as
-- many bytes, which is one of as many UTF-16 units: every position in the page stays. The text begins at byte `place` and is
-- `size` bytes long, which is written before it; so nothing else than a text is ever overwritten, and nobody can put words
-- into the mouth of others. Null if there is no such text.
create function weft.mask_text(bytes bytea, place integer, size integer, first integer, last integer) returns bytea
language plpgsql immutable security definer set search_path = ''
as $$
declare
  length_bytes bytea := ''::bytea;
  rest integer := mask_text.size;
  masked bytea;
begin
  if mask_text.place is null or mask_text.size is null or mask_text.first is null or mask_text.last is null
    or mask_text.place < 1 or mask_text.size < 1 or mask_text.size > octet_length(mask_text.bytes) or mask_text.place > octet_length(mask_text.bytes) - mask_text.size
    or mask_text.first < 0 or mask_text.last <= mask_text.first or mask_text.last > mask_text.size
  then
    return null;
  end if;
  -- Seven bits a byte, the lowest mask_text.first, as lib0 writes numbers.
  while rest > 127 loop
    length_bytes := length_bytes || set_byte('\x00'::bytea, 0, 128 + rest % 128);
    rest := rest / 128;
  end loop;
  length_bytes := length_bytes || set_byte('\x00'::bytea, 0, rest);
  if mask_text.place < octet_length(length_bytes)
    or substring(mask_text.bytes, mask_text.place - octet_length(length_bytes) + 1, octet_length(length_bytes)) <> length_bytes
  then
    return null;
  end if;
  select convert_to(
    string_agg(
      case octet_length(letter.sign) when 1 then '*' when 2 then '·' when 3 then '█' else '🟦' end, '' order by letter.nth
    ),
    'UTF8'
  )
  into masked
  from regexp_split_to_table(
    convert_from(substring(mask_text.bytes, mask_text.place + mask_text.first + 1, mask_text.last - mask_text.first), 'UTF8'),
    ''
  ) with ordinality as letter (sign, nth);
  if octet_length(masked) <> mask_text.last - mask_text.first then
    return null;
  end if;
  return overlay(mask_text.bytes placing masked from mask_text.place + mask_text.first + 1 for mask_text.last - mask_text.first);
exception when data_exception then
  -- Not whole letters.
  return null;
end
$$;

-- Erases letters of the page in all rows that hold them: `rows` `[{seq, sha256, update: [place], dependencies: [place]}]`, a place
-- `[start, size, first, last]` as of weft.mask_text, in the row's own update or its encoded dependencies; `sha256` is that of a row
-- message of version 3 with this row, whose head is its seq. False, and nothing is changed, if a row is another one by now.
-- Snapshots and the text copy, which have the letters too, go and are made anew. Everybody opens the page again.
create function public.erase_text(id uuid, document uuid, rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_rows constant integer := 20000;
  max_places constant integer := 2000;
  max_row_bytes constant bigint := 64 * 1024 * 1024;
  caller weft.caller := weft.require_editor(document);
  head public.document_heads;
  wanted record;
  place jsonb;
  field text;
  found_row public.document_updates;
  bytes bytea;
  erased_bytes integer := 0;
begin
  if jsonb_typeof(erase_text.rows) is distinct from 'array'
    or jsonb_array_length(erase_text.rows) not between 1 and max_rows
    or erase_text.id is null
  then
    raise exception using errcode = '22023', message = 'rows: 1 to 20000 rows with places';
  end if;
  select h.* into head from public.document_heads as h where h.document_id = erase_text.document for update;
  caller := weft.require_editor(erase_text.document);
  if caller.role < 'manager' then
    perform weft.raise('WF002', 'managers erase');
  end if;
  if exists (select from public.document_erasures as e where e.id = erase_text.id) then
    -- A repeated call, whose first answer was lost.
    return jsonb_build_object('erased', exists (
      select from public.document_erasures as e where e.id = erase_text.id and e.document_id = erase_text.document
    ));
  end if;

  for wanted in
    select r.seq, r.sha256, coalesce(r.update, '[]') as update, coalesce(r.dependencies, '[]') as dependencies
    from jsonb_to_recordset(erase_text.rows) as r (seq bigint, sha256 text, update jsonb, dependencies jsonb)
  loop
    select u.*
    into found_row
    from public.document_updates as u
    where u.document_id = erase_text.document and u.seq = wanted.seq;
    if found_row.seq is null or wanted.sha256 is distinct from encode(
      sha256((weft.encode_rows(erase_text.document, wanted.seq - 1, wanted.seq, null, max_row_bytes, 3)).message), 'hex'
    ) then
      -- Also for what the loop did before.
      raise exception using errcode = '40001', message = 'the rows are others by now';
    end if;
    foreach field in array array['update', 'dependencies'] loop
      bytes := case field when 'update' then found_row.update else found_row.dependencies end;
      for place in
        select p.place
        from jsonb_array_elements(case field when 'update' then wanted.update else wanted.dependencies end)
          with ordinality as p (place, nth)
        where p.nth <= max_places + 1
        order by p.nth
      loop
        bytes := weft.mask_text(
          bytes, (place ->> 0)::integer, (place ->> 1)::integer, (place ->> 2)::integer, (place ->> 3)::integer
        );
        erased_bytes := erased_bytes + (place ->> 3)::integer - (place ->> 2)::integer;
        if bytes is null then
          perform weft.raise('WF005', 'no text at this place');
        end if;
      end loop;
      if field = 'update' then
        found_row.update := bytes;
      else
        found_row.dependencies := bytes;
      end if;
    end loop;
    update public.document_updates as u
    set update = found_row.update, dependencies = found_row.dependencies
    where u.document_id = erase_text.document and u.seq = wanted.seq;
  end loop;

  delete from public.document_snapshots as s where s.document_id = erase_text.document;
  update public.document_heads as h
  set
    snapshot_seq = 0,
    snapshot_bytes = 0,
    snapshot_claimed_by = null,
    snapshot_claimed_until = null,
    tail_bytes = (
      select coalesce(sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)), 0)
      from public.document_updates as u
      where u.document_id = h.document_id
    )
  where h.document_id = erase_text.document;
  -- Whoever opens the page next and may edit it copies the text anew, because the copy is behind the log.
  update public.documents as d
  set body_text = '', text_seq = greatest(least(d.text_seq, head.head_seq - 1), 0)
  where d.id = erase_text.document;
  update weft.notifications as n
  set detail = n.detail - 'excerpt'
  where n.document_id = erase_text.document and n.detail ? 'excerpt';
  insert into public.document_erasures (id, document_id, seq, bytes, erased_by)
  values (erase_text.id, erase_text.document, head.head_seq, erased_bytes, caller.user_id);
  perform weft.move_topics(array[erase_text.document]);
  return jsonb_build_object('erased', true);
exception when serialization_failure then
  return jsonb_build_object('erased', false);
end
$$;

-- As before, with `erasures`: a device that stored the page when it was another number takes nothing of that.
create or replace function public.open_document(document uuid, since bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
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
    'sessions', sessions,
    'rows', weft.to_base64(rows.message),
    'more', rows.more,
    'presenting', weft.presenting_of(open_document.document, false),
    'erasures', (select count(*) from public.document_erasures as e where e.document_id = open_document.document)
  );
end
$$;

drop function public.save_snapshot(uuid, bigint, text, text);

-- As before. A snapshot from a device that does not know of an erasure would bring the words back: `erasures` is the number
-- that the device read with what it made the snapshot from.
create function public.save_snapshot(
  document uuid, seq bigint, state text, sha256 text, erasures integer default 0
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_bytes constant integer := 20 * 1024 * 1024;
  max_base64_length constant integer := 29000000;
  bytes bytea;
  head public.document_heads;
  caller weft.caller;
begin
  if octet_length(save_snapshot.state) > max_base64_length then
    perform weft.raise('WF005', 'the snapshot is larger than 20 MiB');
  end if;
  bytes := weft.from_base64(save_snapshot.state);
  if bytes is null or octet_length(bytes) not between 1 and max_bytes then
    perform weft.raise('WF005', 'the snapshot is not base64, empty, or larger than 20 MiB');
  elsif encode(sha256(bytes), 'hex') is distinct from save_snapshot.sha256 then
    perform weft.raise('WF005', 'the snapshot does not match its sha256');
  end if;

  select h.* into head from public.document_heads as h where h.document_id = save_snapshot.document for update;
  caller := weft.require_editor(save_snapshot.document);
  if head.snapshot_claimed_by is distinct from caller.user_id
    or coalesce(head.snapshot_claimed_until <= clock_timestamp(), true)
  then
    perform weft.raise('WF005', 'the snapshot is not claimed');
  elsif save_snapshot.seq is null or save_snapshot.seq < 1 or save_snapshot.seq > head.head_seq then
    perform weft.raise('WF005', 'the snapshot is not of a seq in the log');
  elsif save_snapshot.erasures is distinct from (
    select count(*)::integer from public.document_erasures as e where e.document_id = save_snapshot.document
  ) then
    perform weft.raise('WF005', 'something was erased since the snapshot was made');
  end if;

  if save_snapshot.seq > head.snapshot_seq then
    insert into public.document_snapshots (document_id, seq, state, sha256, created_by)
    values (save_snapshot.document, save_snapshot.seq, bytes, save_snapshot.sha256, caller.user_id);
    -- Keeps the last three snapshots, and the last one of each day.
    delete from public.document_snapshots as s
    using (
      select
        o.seq,
        row_number() over (order by o.seq desc) as nth,
        row_number() over (partition by date_trunc('day', o.created_at, 'UTC') order by o.seq desc) as nth_of_day
      from public.document_snapshots as o
      where o.document_id = save_snapshot.document
    ) as ranked
    where s.document_id = save_snapshot.document and s.seq = ranked.seq and ranked.nth > 3 and ranked.nth_of_day > 1;
  end if;
  update public.document_heads as h
  set
    snapshot_claimed_by = null,
    snapshot_claimed_until = null,
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

revoke all on function weft.mask_text, public.erase_text, public.save_snapshot from public, anon, authenticated, service_role;
grant execute on function public.erase_text, public.save_snapshot to authenticated;
