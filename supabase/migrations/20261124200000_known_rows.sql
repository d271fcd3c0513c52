-- A server that goes back in time (HI1–HI8 in src/sync/SPEC.md): a restored backup has other rows under the numbers of rows that
-- devices hold. A row is known by its number and its time; whoever names one that is not in the log is refused, and puts back what
-- the log lost.

drop function weft.encode_row(bigint, timestamptz, uuid, bigint, integer, integer, bytea, bytea);
drop function public.open_document(uuid, bigint, integer);
drop function public.rows_since(uuid, bigint, integer, integer, uuid, text);
drop function public.keep_watching(uuid, bigint, integer, uuid, text);
drop function public.open_watch(text, bigint, integer, uuid, text);
drop function public.append_update(
  uuid, uuid, integer, integer, text, jsonb, bigint, integer, integer, integer, integer
);
drop function public.save_text(uuid, bigint, text, text, jsonb, integer);
drop function public.save_snapshot(uuid, bigint, text, text, integer);

-- As before, with WF016.
create or replace function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'You can’t open this page.'
      when 'WF002' then 'You can view this page, not edit it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to continue.'
      when 'WF005' then 'An edit couldn’t be saved.'
      when 'WF006' then 'Some edits couldn’t be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to continue.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      when 'WF015' then 'Someone else is presenting this page.'
      when 'WF016' then 'The server was restored from an earlier state.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- Fails unless the log has the row `seq`, written at `known_at` (milliseconds since 1970). Passes without a row or without a time:
-- apps from before name none.
create function weft.require_known_row(document uuid, seq bigint, known_at bigint) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if require_known_row.known_at is not null and require_known_row.seq >= 1 and not exists (
    select
    from public.document_updates as u
    where u.document_id = require_known_row.document and u.seq = require_known_row.seq
      and weft.unix_ms(u.created_at) = require_known_row.known_at
  ) then
    perform weft.raise('WF016', format('the log has no row %s of this time', require_known_row.seq));
  end if;
end
$$;

-- When a restore was made to be rid of something: devices put back nothing that is older. Null: never.
alter table weft.settings add column final_restore_at timestamptz;

-- For the owner of the database, in the SQL editor, after such a restore.
create function weft.final_restore() returns void
language sql volatile security definer set search_path = ''
as $$
  update weft.settings as s set final_restore_at = now() where s.is_only_row
$$;

-- --- row messages -------------------------------------------------------------------------------------------------

-- Version 4 of row messages says which row comes before the first one, by its time:
--   message := version(1 byte = 4) kind(1 byte) head(int8) [kind 1: before(int8, ms since 1970; 0: none) count(int4) row*]
-- Rows are those of version 3. Topics have version 4: what an older app cannot decode there it ignores, and it fetches the rows
-- some seconds later.

-- The time of the newest row below `seq`; 0 if there is none.
create function weft.time_before(document uuid, seq bigint) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (
      select weft.unix_ms(u.created_at)
      from public.document_updates as u
      where u.document_id = time_before.document and u.seq < time_before.seq
      order by u.seq desc
      limit 1
    ),
    0
  );
end
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

-- A message of kind 1 around encoded rows of this version. `before` is only in version 4.
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

-- As before, with version 4, and:
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
  before bigint;
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
    head, coalesce(before, 0), row_count, coalesce(encoded, ''::bytea)
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

drop function weft.encode_message(integer, bigint, bigint, bytea);

-- As before, in version 4.
create or replace function weft.publish_to_watchers(document uuid, epoch text, after bigint, head bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  max_message_bytes constant integer := 200 * 1024;
  max_rows constant integer := 1000;
  rows record;
  message bytea;
  topic text;
begin
  rows := weft.encode_rows(publish_to_watchers.document, after, head, max_rows, max_message_bytes, 4);
  if rows.more or octet_length(rows.message) > max_message_bytes then
    message := weft.encode_fetch(head);
  else
    message := rows.message;
  end if;
  for topic in select t from weft.watch_topics(publish_to_watchers.document, publish_to_watchers.epoch) as t loop
    perform weft.publish_bytes(message, 'rows', topic);
  end loop;
end
$$;

-- --- reading ------------------------------------------------------------------------------------------------------

-- As before, with the time of the snapshot's row, `at`; null if that was compacted.
create or replace function weft.newest_snapshot(document uuid) returns jsonb
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

-- These are as before, with `known_at`: when the row was written that the caller names, as it knows it.

create function public.open_document(
  document uuid, since bigint, row_version integer default 1, known_at bigint default null
) returns jsonb
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
  perform weft.require_known_row(open_document.document, open_document.since, open_document.known_at);
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
    'erasures', (select count(*) from public.document_erasures as e where e.document_id = open_document.document),
    'finalRestoreAt', (select weft.unix_ms(s.final_restore_at) from weft.settings as s)
  );
end
$$;

create function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1, watcher uuid default null,
  stance text default null, known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_rows constant integer := 500;
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller;
  head record;
  rows record;
begin
  perform weft.remove_expired_members(rows_since.document);
  -- The head is read before the schema version, so an answer that names an older version has no row of a newer one.
  select h.head_seq, h.erasures into head from public.document_heads as h where h.document_id = rows_since.document;
  caller := weft.require_role(rows_since.document, 'viewer');
  perform weft.require_known_row(rows_since.document, rows_since.seq, rows_since.known_at);
  perform weft.count_watcher(
    rows_since.document, rows_since.watcher, rows_since.stance, caller.user_id, null, caller.role >= 'editor'
  );
  rows := weft.encode_rows(
    rows_since.document, coalesce(rows_since.seq, 0), head.head_seq,
    least(greatest(coalesce(rows_since.row_limit, max_rows), 1), max_rows), max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head.head_seq,
    'erasures', head.erasures,
    'more', rows.more,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'schemaVersion', caller.schema_version,
    'presenting', weft.presenting_of(rows_since.document, false),
    'watchers', weft.watchers_of(rows_since.document)
  );
end
$$;

create function public.keep_watching(
  document uuid, seq bigint, row_version integer default 1, watcher uuid default null, stance text default null,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  renew_before constant timestamptz := clock_timestamp() + interval '40 seconds';
begin
  perform weft.require_role(keep_watching.document, 'viewer');
  -- Reads without a lock first: a lock on the head would delay every append.
  if not exists (
    select
    from public.document_heads as h
    where h.document_id = keep_watching.document and h.watched_until > renew_before
  ) then
    update public.document_heads as h
    set watched_until = clock_timestamp() + interval '60 seconds'
    where h.document_id = keep_watching.document
      and coalesce(h.watched_until <= renew_before, true); -- Another call may have extended it meanwhile.
  end if;
  return public.rows_since(
    keep_watching.document, keep_watching.seq, 500, row_version, keep_watching.watcher, keep_watching.stance,
    keep_watching.known_at
  );
end
$$;

create function public.open_watch(
  secret text, since bigint, row_version integer default 1, watcher uuid default null, stance text default null,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  erasures integer;
  snapshot jsonb;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  perform weft.extend_watch(link);
  -- The call above may have waited for the one that ended the link.
  link := weft.active_link(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  perform weft.require_known_row(link.document_id, open_watch.since, open_watch.known_at);

  -- Whoever opens a link to edit or comment is asked to sign in, and sees nothing of the page before.
  if link.role = 'viewer' then
    perform weft.count_watcher(link.document_id, open_watch.watcher, open_watch.stance, null, link.id, false);
  end if;

  select h.head_seq, h.erasures into head, erasures from public.document_heads as h where h.document_id = link.document_id;
  if weft.needs_snapshot(link.document_id, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(link.document_id);
    head := greatest(head, (snapshot ->> 'seq')::bigint); -- The snapshot may be newer than the head read above.
  end if;
  rows := weft.encode_rows(
    link.document_id, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, max_bytes, row_version
  );
  return (
    select jsonb_build_object(
      'documentId', d.id,
      'title', d.title,
      'topic', 'w:' || link.topic_key,
      'role', link.role,
      'head', head,
      'erasures', erasures,
      'changedAt', weft.changed_at(d.id, head),
      'schemaVersion', d.schema_version,
      'snapshot', snapshot,
      'rows', weft.to_base64(rows.message),
      'more', rows.more,
      'expiresAt', link.expires_at,
      'presenting', weft.presenting_of(d.id, true),
      'history', link.history
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

-- --- copies -------------------------------------------------------------------------------------------------------

-- As before, with `known_at`.
create function public.save_snapshot(
  document uuid, seq bigint, state text, sha256 text, erasures integer default 0, known_at bigint default null
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
  perform weft.require_known_row(save_snapshot.document, save_snapshot.seq, save_snapshot.known_at);
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

-- As before, with `known_at`.
create function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]', erasures integer default 0,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_title_length constant integer := 200;
  max_text_bytes constant integer := 20 * 1024 * 1024;
  caller weft.caller := weft.require_editor(document);
  newest record;
  before bigint;
  stored bigint;
begin
  perform weft.require_known_row(save_text.document, save_text.seq, save_text.known_at);
  if save_text.seq is null or save_text.seq < 0 or not exists (
    select from public.document_heads as h where h.document_id = save_text.document and h.head_seq >= save_text.seq
  ) then
    perform weft.raise('WF005', 'the text is not of a seq in the log');
  elsif save_text.title is null or char_length(save_text.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  elsif save_text.body_text is null or octet_length(save_text.body_text) > max_text_bytes then
    perform weft.raise('WF005', 'the text is longer than 20 MiB');
  elsif jsonb_typeof(save_text.mentions) is distinct from 'array' then
    perform weft.raise('WF005', 'mentions is no list');
  end if;

  -- Two copies at once: the second one finds the rows of the first noted.
  select d.text_seq into before from public.documents as d where d.id = save_text.document for no key update;
  if save_text.erasures is distinct from (
    select h.erasures from public.document_heads as h where h.document_id = save_text.document
  ) then
    perform weft.raise('WF005', 'something was erased since the text was read');
  end if;
  -- The row may be deleted because a snapshot covers it, and its author may have deleted their account.
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
    updated_by = coalesce(newest.author, caller.user_id)
  where d.id = save_text.document and d.text_seq <= save_text.seq
    and (d.title, d.body_text, d.text_seq) is distinct from (save_text.title, save_text.body_text, save_text.seq);
  if found then
    perform weft.note_edits(caller.workspace_id, save_text.document, before, save_text.seq);
    perform weft.save_mentions(
      save_text.document, caller.workspace_id, save_text.mentions,
      weft.authors_between(save_text.document, before, save_text.seq)
    );
  end if;
  select d.text_seq into stored from public.documents as d where d.id = save_text.document;
  return jsonb_build_object('textSeq', stored);
end
$$;

-- --- appending ----------------------------------------------------------------------------------------------------

-- As before; a session that is not registered may be one that a restored server has lost.
create or replace function weft.encode_dependencies(document uuid, parts weft.part[], is_relay boolean) returns bytea
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

-- A row that was just appended. All is null if none was.
create type weft.appended as (seq bigint, message bytea, unpublished boolean, publish_at timestamptz);

-- Appends a row behind `head`, which the caller has locked, and publishes it: on the live topic, unless `live_peers` is 0, and to
-- watchers, if it is time.
create function weft.append_row(
  head public.document_heads, caller weft.caller, session uuid, client_id bigint, n_from integer, n_to integer,
  update bytea, dependencies bytea, schema_version integer, live_peers integer
) returns weft.appended
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_message_bytes constant integer := 200 * 1024;
  document constant uuid := head.document_id;
  appended weft.appended;
  row_at timestamptz;
  is_watched constant boolean := coalesce(head.watched_until > clock_timestamp(), false);
  may_publish boolean;
begin
  appended.seq := head.head_seq + 1;
  if is_watched then
    appended.publish_at := head.published_at + weft.watch_pause(document);
  end if;
  may_publish := is_watched and coalesce(appended.publish_at <= clock_timestamp(), true);
  appended.unpublished := is_watched and not may_publish;

  insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, dependencies)
  values (
    document, appended.seq, append_row.session, append_row.n_from, append_row.n_to, caller.user_id, append_row.update,
    append_row.dependencies
  )
  returning created_at into row_at;
  update public.document_heads as h
  set
    head_seq = appended.seq,
    tail_bytes = h.tail_bytes + octet_length(append_row.update) + coalesce(octet_length(append_row.dependencies), 0),
    -- Without watchers nobody waits for these rows: whoever opens the page later gets them in the answer.
    published_seq = case when may_publish or not is_watched then appended.seq else h.published_seq end,
    published_at = case when may_publish then clock_timestamp() else h.published_at end
  where h.document_id = document;
  if append_row.schema_version > caller.schema_version then
    update public.documents as d set schema_version = append_row.schema_version where d.id = document;
  end if;

  appended.message := weft.encode_message(
    4, appended.seq, weft.time_before(document, appended.seq), 1,
    weft.encode_row(
      appended.seq, row_at, append_row.session, append_row.client_id, append_row.n_from, append_row.n_to,
      append_row.update, append_row.dependencies
    )
  );
  if live_peers is distinct from 0 then
    perform weft.publish_bytes(
      case
        when octet_length(appended.message) <= max_message_bytes then appended.message
        else weft.encode_fetch(appended.seq)
      end,
      'rows', 'd:' || document || ':' || caller.topic_epoch
    );
  end if;
  if may_publish then
    perform weft.publish_to_watchers(document, caller.topic_epoch, head.published_seq, appended.seq);
    perform weft.pace_watch_topics(document, caller.user_id);
  end if;
  return appended;
end
$$;

-- The answer to an append: `row_seq` is the row with what the caller sent, and `appended` that row if it is new.
create function weft.append_answer(
  head public.document_heads, caller weft.caller, row_seq bigint, last_n integer, appended weft.appended, known_seq bigint,
  row_version integer
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  max_rows constant integer := 500;
  message bytea := appended.message;
  more boolean := false;
begin
  if message is null or known_seq <> row_seq - 1 or coalesce(row_version < 4, true) then
    select e.message, e.more
    into message, more
    from weft.encode_rows(
      head.document_id, known_seq, greatest(head.head_seq, appended.seq), max_rows, max_bytes, append_answer.row_version
    ) as e;
  end if;
  return jsonb_build_object(
    'seq', row_seq,
    'lastN', last_n,
    'head', greatest(head.head_seq, appended.seq),
    'erasures', head.erasures,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(appended.unpublished, false),
    'publishIn', weft.milliseconds_until(appended.publish_at)
  );
end
$$;

-- As before, with `known_at`: when the row known_seq was written. A session that is not registered here may be one that a restored
-- server has lost.
create function public.append_update(
  document uuid,
  session uuid,
  n_from integer,
  n_to integer,
  update text,
  dependencies jsonb,
  known_seq bigint,
  schema_version integer,
  live_peers integer,
  row_version integer default 1,
  erasures integer default 0,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_update_bytes constant integer := 1024 * 1024;
  max_base64_length constant integer := 1500000;
  bytes bytea;
  parts weft.part[];
  encoded_dependencies bytea;
  is_relay boolean := n_to = 0;
  caller weft.caller;
  head public.document_heads;
  author public.document_sessions;
  row_seq bigint;
  appended weft.appended;
begin
  -- Arguments are checked before the lock, so a malformed call delays nobody.
  if n_from is null or n_to is null or n_from < 0 or n_to < n_from or (n_from = 0) <> (n_to = 0) then
    perform weft.raise('WF005', 'the numbers of the edits do not fit');
  elsif known_seq is null or known_seq < 0 then
    perform weft.raise('WF005', 'known_seq is out of range');
  elsif update is null or octet_length(update) > max_base64_length then
    perform weft.raise('WF005', 'the update is too large');
  end if;
  perform weft.check_schema(schema_version);
  bytes := weft.from_base64(update);
  parts := weft.parse_dependencies(dependencies);
  if bytes is null then
    perform weft.raise('WF005', 'the update is not base64');
  elsif octet_length(bytes) > max_update_bytes then
    perform weft.raise('WF005', 'the update is larger than 1 MiB');
  elsif (octet_length(bytes) = 0) <> is_relay then
    perform weft.raise('WF005', 'an update without edits, or edits without an update');
  elsif is_relay and cardinality(parts) = 0 then
    perform weft.raise('WF005', 'nothing to append');
  end if;

  -- Taking rights away needs the same lock. So the statements below see the rights either before or after that, and no
  -- append comes in between.
  select h.* into head from public.document_heads as h where h.document_id = append_update.document for update;
  caller := weft.require_editor(append_update.document);
  perform weft.require_known_row(append_update.document, append_update.known_seq, append_update.known_at);

  select s.*
  into author
  from public.document_sessions as s
  where s.session = append_update.session and s.document_id = append_update.document;
  if author.session is null then
    perform weft.raise('WF016', 'the session is not registered in this document');
  elsif author.user_id is distinct from caller.user_id then
    perform weft.raise('WF005', 'not a session of this person in this document');
  elsif append_update.schema_version < caller.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', caller.schema_version));
  elsif append_update.erasures is distinct from head.erasures then
    raise exception using errcode = '55000', message = 'Something was erased. Open the page again.';
  end if;

  if not is_relay and n_to <= author.last_n then
    -- A repeated call, whose first answer was lost.
    select u.seq
    into row_seq
    from public.document_updates as u
    where u.document_id = append_update.document and u.session = append_update.session
      and u.n_to >= append_update.n_to
    order by u.n_to
    limit 1;
    -- Its row may be part of a compacted one, under another session.
    row_seq := coalesce(row_seq, head.head_seq);
  elsif head.erasures > 0 and not is_relay and n_from <= author.last_n then
    -- A repeated call with newer edits. What the log has of it may have been erased: as after a gap, only the rest comes again.
    row_seq := null;
  elsif n_from <= author.last_n + 1 then
    encoded_dependencies := weft.encode_dependencies(append_update.document, parts, is_relay);
    if is_relay and encoded_dependencies is null then
      row_seq := head.head_seq; -- The authors' own appends have brought all of it.
    else
      if not is_relay then
        update public.document_sessions as s
        set last_n = append_update.n_to
        where s.document_id = append_update.document and s.session = append_update.session;
        author.last_n := append_update.n_to;
      end if;
      appended := weft.append_row(
        head, caller, author.session, author.client_id, append_update.n_from, append_update.n_to, bytes,
        encoded_dependencies, append_update.schema_version, append_update.live_peers
      );
      row_seq := appended.seq;
    end if;
  end if;

  return weft.append_answer(head, caller, row_seq, author.last_n, appended, append_update.known_seq, append_update.row_version);
end
$$;

alter table public.document_versions drop constraint document_versions_kind_check;
alter table public.document_versions add constraint document_versions_kind_check
check (kind in ('named', 'restore', 'import', 'suggestion', 'putBack'));

-- Makes a version of the page before something is put back, once a minute, so that many devices make one. On a page that has as many
-- versions as it may have, it takes the place of the oldest of its kind.
create function weft.keep_before_put_back(head public.document_heads, person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_versions constant integer := 1000;
begin
  if exists (
    select
    from public.document_versions as v
    where v.document_id = head.document_id and v.kind = 'putBack' and v.created_at > now() - interval '1 minute'
  ) then
    return;
  end if;
  delete from public.document_versions as v
  where v.id = (
    select o.id
    from public.document_versions as o
    where o.document_id = head.document_id and o.kind = 'putBack' and o.name is null
    order by o.created_at, o.id
    limit 1
  ) and (select count(*) from public.document_versions as o where o.document_id = head.document_id) >= max_versions;
  insert into public.document_versions (id, document_id, seq, kind, created_by)
  values (gen_random_uuid(), head.document_id, head.head_seq, 'putBack', keep_before_put_back.person);
end
$$;

-- Puts back what a restored server lost: one update with the ids that its edits had, whoever made them. As a seed, the row belongs
-- to no session. If another one was put back after row known_seq, nothing is appended and `seq` is null in the answer: the caller
-- takes the rows first, and puts back what is lacking then. Otherwise as append_update.
create function public.put_back(
  document uuid,
  known_seq bigint,
  known_at bigint,
  update text,
  schema_version integer,
  live_peers integer,
  row_version integer default 1
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  reserved_client_id constant bigint := 1;
  max_bytes constant integer := 20 * 1024 * 1024;
  max_base64_length constant integer := 29000000;
  bytes bytea;
  caller weft.caller;
  head public.document_heads;
  appended weft.appended;
begin
  if known_seq is null or known_seq < 0 then
    perform weft.raise('WF005', 'known_seq is out of range');
  elsif update is null or octet_length(update) > max_base64_length then
    perform weft.raise('WF005', 'the update is larger than 20 MiB');
  end if;
  perform weft.check_schema(schema_version);
  bytes := weft.from_base64(update);
  if bytes is null or octet_length(bytes) not between 1 and max_bytes then
    perform weft.raise('WF005', 'the update is not base64, empty, or larger than 20 MiB');
  end if;

  select h.* into head from public.document_heads as h where h.document_id = put_back.document for update;
  caller := weft.require_editor(put_back.document);
  perform weft.require_known_row(put_back.document, put_back.known_seq, put_back.known_at);
  if put_back.schema_version < caller.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', caller.schema_version));
  end if;

  if not exists (
    select
    from public.document_updates as u
    where u.document_id = put_back.document and u.session = nobody and u.seq > put_back.known_seq
  ) then
    perform weft.keep_before_put_back(head, caller.user_id);
    appended := weft.append_row(
      head, caller, nobody, reserved_client_id, 1, 1, bytes, null, put_back.schema_version, put_back.live_peers
    );
  end if;
  return weft.append_answer(head, caller, appended.seq, 0, appended, put_back.known_seq, put_back.row_version);
end
$$;

-- --- rows without a session ---------------------------------------------------------------------------------------

create index document_updates_put_back_index on public.document_updates (appended_by)
where session = '00000000-0000-0000-0000-000000000000' and seq > 1;

-- As before, with the rows that the person put back.
create or replace function weft.forget_author(person uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  rows_per_call constant integer := 20000;
  forgotten integer;
begin
  update public.document_updates as u
  set appended_by = null
  from (
    select w.document_id, w.seq
    from public.document_sessions as s
    join public.document_updates as w on w.document_id = s.document_id and w.session = s.session
    where s.user_id = forget_author.person and w.appended_by = forget_author.person
    union all
    select p.document_id, p.seq
    from public.document_updates as p
    where p.session = '00000000-0000-0000-0000-000000000000' and p.seq > 1 and p.appended_by = forget_author.person
    limit rows_per_call
  ) as written
  where u.document_id = written.document_id and u.seq = written.seq;
  get diagnostics forgotten = row_count;
  return forgotten = rows_per_call;
end
$$;

-- As before; a row that was put back is not merged with others, because nothing says whose edits it holds.
create or replace function public.compact_history(document uuid, first_seq bigint, last_seq bigint, sha256 text, parts jsonb)
returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  youngest constant interval := interval '1 day';
  pause constant interval := interval '30 minutes';
  max_numbers constant integer := 4000;
  max_bytes constant bigint := 64 * 1024 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  given weft.part[] := weft.parse_dependencies(parts);
  own weft.part;
  encoded bytea;
  rows record;
begin
  if cardinality(given) = 0 or first_seq is null or last_seq is null or first_seq < 2 or last_seq <= first_seq
    or last_seq - first_seq > max_numbers
  then
    raise exception using errcode = '22023', message = 'the rows of a sitting after the first row, and its edits';
  end if;
  perform weft.lock_heads(array[compact_history.document]);
  if not exists (select from public.document_heads as h where h.document_id = compact_history.document) then
    perform weft.raise('WF001', 'no such page');
  elsif exists (
    select from public.documents as d where d.id = compact_history.document and d.text_seq < compact_history.last_seq
  ) then
    raise exception using errcode = '55000', message = 'the text copy does not have these rows yet';
  end if;

  select
    min(coalesce(u.first_seq, u.seq)) as first, max(u.seq) as last, count(*) as number,
    max(u.created_at) as ended, min(coalesce(u.first_at, u.created_at)) as began,
    coalesce(bool_or(u.starts_at - u.ends_before > pause), false) as has_pause,
    coalesce(bool_or(u.n_to = 0 or u.session = nobody), false) as has_other
  into rows
  from (
    select
      r.*, coalesce(r.first_at, r.created_at) as starts_at, lag(r.created_at) over (order by r.seq) as ends_before
    from public.document_updates as r
    where r.document_id = compact_history.document and r.seq between compact_history.first_seq and compact_history.last_seq
  ) as u;
  if rows.number < 2 or rows.first <> compact_history.first_seq or rows.last <> compact_history.last_seq
    or compact_history.sha256 is distinct from encode(
      sha256(
        (weft.encode_rows(
          compact_history.document, compact_history.first_seq - 1, compact_history.last_seq, null, max_bytes, 3
        )).message
      ),
      'hex'
    )
  then
    return jsonb_build_object('compacted', false);
  elsif rows.ended > now() - youngest or rows.has_pause or rows.has_other then
    raise exception using errcode = '22023', message = 'rows of the last day, a pause of more than 30 minutes, a relay, or what was put back';
  elsif exists (
    select
    from public.document_versions as v
    where v.document_id = compact_history.document
      and v.seq >= compact_history.first_seq and v.seq < compact_history.last_seq
  ) then
    raise exception using errcode = '22023', message = 'a version is in the middle';
  end if;

  -- The same edits of the same sessions, before and after. What a row brought for somebody who appended it too is in theirs.
  if exists (
    with replaced as (
      select u.* from public.document_updates as u
      where u.document_id = compact_history.document
        and u.seq between compact_history.first_seq and compact_history.last_seq
    ),
    appended as (
      select r.session, r.n_from, r.n_to from replaced as r
      union all
      select p.session, p.n_from, p.n_to
      from replaced as r cross join lateral weft.dependency_numbers(r.dependencies) as p
      where r.first_seq is not null
    ),
    brought as (
      select p.session, p.n_from, p.n_to
      from replaced as r cross join lateral weft.dependency_numbers(r.dependencies) as p
      where r.first_seq is null
    ),
    before as (
      select a.session, min(a.n_from) as n_from, max(a.n_to) as n_to from appended as a group by a.session
    ),
    after as (
      select g.session, g.n_from, g.n_to from unnest(given) as g
    )
    select from (select * from before except all select * from after) as lost
    union all
    select from (select * from after except all select * from before) as made
    union all
    select from brought as b
    where not exists (
      select from after as a where a.session = b.session and a.n_from <= b.n_from and a.n_to >= b.n_to
    )
  ) then
    raise exception using errcode = '22023', message = 'not the edits of these rows';
  end if;

  own := given[cardinality(given)];
  if cardinality(given) > 1 then
    select int2send(count(*)::smallint)
      || string_agg(weft.encode_part(p.session, s.client_id, p.n_from, p.n_to, p.update), ''::bytea order by p.nth)
    into encoded
    from unnest(given[:cardinality(given) - 1]) with ordinality as p (session, n_from, n_to, update, nth)
    join public.document_sessions as s on s.document_id = compact_history.document and s.session = p.session;
  end if;
  delete from public.document_updates as u
  where u.document_id = compact_history.document and u.seq >= compact_history.first_seq and u.seq < compact_history.last_seq;
  update public.document_updates as u
  set
    session = own.session,
    n_from = own.n_from,
    n_to = own.n_to,
    appended_by = (
      select nullif(s.user_id, nobody)
      from public.document_sessions as s
      where s.document_id = compact_history.document and s.session = own.session
    ),
    update = own.update,
    dependencies = encoded,
    first_seq = compact_history.first_seq,
    first_at = rows.began
  where u.document_id = compact_history.document and u.seq = compact_history.last_seq;
  update public.document_heads as h
  set tail_bytes = (
    select coalesce(sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)), 0)
    from public.document_updates as u
    where u.document_id = h.document_id and u.seq > h.snapshot_seq
  )
  where h.document_id = compact_history.document and h.snapshot_seq < compact_history.last_seq;
  return jsonb_build_object('compacted', true);
end
$$;

revoke all on function
  weft.require_known_row, weft.final_restore, weft.time_before, weft.encode_row, weft.encode_message, weft.append_row,
  weft.append_answer, weft.keep_before_put_back,
  public.open_document, public.rows_since, public.keep_watching, public.open_watch, public.save_snapshot, public.save_text,
  public.append_update, public.put_back
from public, anon, authenticated, service_role;
grant execute on function
  public.open_document, public.rows_since, public.keep_watching, public.open_watch, public.save_snapshot, public.save_text,
  public.append_update, public.put_back
to authenticated;
grant execute on function public.open_watch to anon;
