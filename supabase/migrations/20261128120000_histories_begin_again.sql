-- Erasing words for good begins the page's history again: one row takes the place of all others, and says what the page is without
-- the words. Nobody knows that row, so whoever holds the page starts anew (WF016; HI1, HI3 and HI9 in src/sync/SPEC.md) and keeps
-- their unsent edits. That replaces letters overwritten inside of rows, and the number of erasures in calls and answers.

drop function public.erase_text;
drop function weft.mask_texts;
drop function weft.texts_in_update;
drop function weft.erasures_of;
drop function public.append_update;
drop function public.save_text;
drop function public.save_snapshot;
drop function public.put_back;
drop table public.document_erasures;
alter table public.document_heads drop column erasures;
-- Until then nothing is appended, because somebody erases.
alter table public.document_heads add column paused_until timestamptz;

-- The row with which the page's history began again; null if it never did. No compacted row begins with the first one.
create function weft.beginning_of(document uuid) returns public.document_updates
language plpgsql stable security definer set search_path = ''
as $$
declare
  first_row public.document_updates;
begin
  select u.*
  into first_row
  from public.document_updates as u
  where u.document_id = beginning_of.document
  order by u.seq
  limit 1;
  return case when first_row.first_seq = 1 then first_row end;
end
$$;

-- As before, and WF004 for apps that name no time, if the page's history began again: they would show what was erased for ever. A page
-- made on this device has row 1 without its time.
create or replace function weft.require_known_row(document uuid, seq bigint, known_at bigint) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if require_known_row.seq is null or require_known_row.seq < 1 then
    return;
  elsif require_known_row.known_at is null then
    if (weft.beginning_of(require_known_row.document)).seq is not null then
      perform weft.raise(
        case when require_known_row.seq = 1 then 'WF016' else 'WF004' end, 'the history of the page began again'
      );
    end if;
  elsif not exists (
    select
    from public.document_updates as u
    where u.document_id = require_known_row.document and u.seq = require_known_row.seq
      and weft.unix_ms(u.created_at) = require_known_row.known_at
  ) then
    perform weft.raise('WF016', format('the log has no row %s of this time', require_known_row.seq));
  end if;
end
$$;

-- Fails as a lost network does while somebody erases: the app tries again a moment later.
create function weft.require_no_pause(head public.document_heads) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if head.paused_until > clock_timestamp() then
    raise exception using errcode = '55P03', message = 'Somebody erases something on this page.';
  end if;
end
$$;

-- As before, without the number of erasures.

create or replace function public.open_document(
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
    'historyBeganAt', weft.unix_ms((weft.beginning_of(open_document.document)).created_at),
    'finalRestoreAt', (select weft.unix_ms(s.final_restore_at) from weft.settings as s)
  );
end
$$;

create or replace function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1, watcher uuid default null,
  stance text default null, known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_rows constant integer := 500;
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller;
  head bigint;
  rows record;
begin
  perform weft.remove_expired_members(rows_since.document);
  -- The head is read before the schema version, so an answer that names an older version has no row of a newer one.
  select h.head_seq into head from public.document_heads as h where h.document_id = rows_since.document;
  caller := weft.require_role(rows_since.document, 'viewer');
  perform weft.require_known_row(rows_since.document, rows_since.seq, rows_since.known_at);
  perform weft.count_watcher(
    rows_since.document, rows_since.watcher, rows_since.stance, caller.user_id, null, caller.role >= 'editor'
  );
  rows := weft.encode_rows(
    rows_since.document, coalesce(rows_since.seq, 0), head,
    least(greatest(coalesce(rows_since.row_limit, max_rows), 1), max_rows), max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'schemaVersion', caller.schema_version,
    'presenting', weft.presenting_of(rows_since.document, false),
    'watchers', weft.watchers_of(rows_since.document)
  );
end
$$;

create or replace function public.open_watch(
  secret text, since bigint, row_version integer default 1, watcher uuid default null, stance text default null,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  snapshot jsonb;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  elsif link.role <> 'viewer' then
    -- Whoever opens a link to edit or comment is asked to sign in, and sees nothing but the page's name before.
    return (
      select jsonb_build_object(
        'documentId', d.id,
        'title', d.title,
        'topic', 'w:' || link.topic_key,
        'role', link.role,
        'head', 0,
        'changedAt', weft.changed_at(d.id, h.head_seq),
        'schemaVersion', d.schema_version,
        'snapshot', null,
        'rows', weft.to_base64(weft.encode_message(coalesce(open_watch.row_version, 1), 0, 0, 0, ''::bytea)),
        'more', false,
        'expiresAt', link.expires_at,
        'presenting', null,
        'history', link.history
      )
      from public.documents as d
      join public.document_heads as h on h.document_id = d.id
      where d.id = link.document_id
    );
  end if;
  perform weft.extend_watch(link);
  -- The call above may have waited for the one that ended the link.
  link := weft.active_link(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  perform weft.require_known_row(link.document_id, open_watch.since, open_watch.known_at);

  perform weft.count_watcher(link.document_id, open_watch.watcher, open_watch.stance, null, link.id, false);

  select h.head_seq into head from public.document_heads as h where h.document_id = link.document_id;
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

create or replace function weft.append_answer(
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
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(appended.unpublished, false),
    'publishIn', weft.milliseconds_until(appended.publish_at)
  );
end
$$;


-- As before; an append that overlaps the log is answered like one after a gap, so that nothing that the log has comes again.
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
  perform weft.require_no_pause(head);

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
  elsif not is_relay and n_from <= author.last_n then
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


-- As before, while nobody erases. What was set aside before the page's history began again (`set_aside_at`: the time of the newest row
-- that the device had then) is what the device had not sent, so no version is made before it.
create function public.put_back(
  document uuid,
  known_seq bigint,
  known_at bigint,
  update text,
  schema_version integer,
  live_peers integer,
  row_version integer default 1,
  set_aside_at bigint default null
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
  perform weft.require_no_pause(head);
  if put_back.schema_version < caller.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', caller.schema_version));
  end if;

  if not exists (
    select
    from public.document_updates as u
    where u.document_id = put_back.document and u.session = nobody and u.seq > put_back.known_seq
  ) then
    if coalesce(
      put_back.set_aside_at >= weft.unix_ms((weft.beginning_of(put_back.document)).created_at), true
    ) then
      perform weft.keep_before_put_back(head, caller.user_id);
    end if;
    appended := weft.append_row(
      head, caller, nobody, reserved_client_id, 1, 1, bytes, null, put_back.schema_version, put_back.live_peers
    );
  end if;
  return weft.append_answer(head, caller, appended.seq, 0, appended, put_back.known_seq, put_back.row_version);
end
$$;


create function public.save_snapshot(
  document uuid, seq bigint, state text, sha256 text, known_at bigint default null
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

create function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]',
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
  -- Again, because erasing takes the same lock.
  perform weft.require_known_row(save_text.document, save_text.seq, save_text.known_at);
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


-- --- erasing ------------------------------------------------------------------------------------------------------

-- Deletes what Realtime has kept of these topics, where the owner of this function may: a hosted project forgets them after three days,
-- and its policies let nobody join topics from before.
create function weft.forget_messages(topics text[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if has_table_privilege('realtime.messages', 'delete') then
    delete from realtime.messages as m where m.topic = any (forget_messages.topics);
  end if;
end
$$;

-- Managers of a page erase. The caller must have locked the page's head.
create function weft.require_eraser(document uuid) returns weft.caller
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_editor(document);
begin
  if caller.role < 'manager' then
    perform weft.raise('WF002', 'managers erase');
  end if;
  return caller;
end
$$;

-- Nothing is appended for the next seconds, so that the page stays as the caller reads it now. Answers with the head.
create function public.prepare_erasing(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  pause constant interval := interval '20 seconds';
  head public.document_heads;
begin
  perform weft.require_eraser(prepare_erasing.document);
  select h.* into head from public.document_heads as h where h.document_id = prepare_erasing.document for update;
  perform weft.require_eraser(prepare_erasing.document);
  update public.document_heads as h
  set paused_until = clock_timestamp() + pause
  where h.document_id = prepare_erasing.document;
  return jsonb_build_object('head', head.head_seq);
end
$$;

-- Begins the page's history again with `update`: the page as of row `known_seq`, the newest one, without the words, in one update of
-- Yjs with the ids that its edits had. `title`: the page's title without the words. Rows, snapshots, versions and the text copy go;
-- sessions stay, because their client ids are in the page. Everybody opens the page again, on new topics. `erased` is false, and
-- nothing is changed, if a newer row is there by now. A repeated call, whose first answer was lost, finds what the first one did.
create function public.erase_history(document uuid, known_seq bigint, known_at bigint, update text, title text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  max_bytes constant integer := 20 * 1024 * 1024;
  max_base64_length constant integer := 29000000;
  max_title_length constant integer := 200;
  bytes bytea;
  caller weft.caller := weft.require_eraser(document);
  head public.document_heads;
  beginning public.document_updates;
  topics text[];
  began_at timestamptz;
begin
  if erase_history.update is null or octet_length(erase_history.update) > max_base64_length then
    perform weft.raise('WF005', 'the update is larger than 20 MiB');
  elsif erase_history.title is null or char_length(erase_history.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  end if;
  bytes := weft.from_base64(erase_history.update);
  if bytes is null or octet_length(bytes) not between 1 and max_bytes then
    perform weft.raise('WF005', 'the update is not base64, empty, or larger than 20 MiB');
  end if;

  select h.* into head from public.document_heads as h where h.document_id = erase_history.document for update;
  caller := weft.require_eraser(erase_history.document);
  beginning := weft.beginning_of(erase_history.document);
  if beginning.seq - 1 = erase_history.known_seq and beginning.update = bytes and beginning.appended_by = caller.user_id then
    return jsonb_build_object('erased', true);
  end if;
  perform weft.require_known_row(erase_history.document, erase_history.known_seq, erase_history.known_at);
  if erase_history.known_seq is distinct from head.head_seq then
    return jsonb_build_object('erased', false);
  end if;
  -- save_text takes the same lock.
  perform from public.documents as d where d.id = erase_history.document for no key update;

  select coalesce(u.first_at, u.created_at)
  into began_at
  from public.document_updates as u
  where u.document_id = erase_history.document
  order by u.seq
  limit 1;
  delete from public.document_updates as u where u.document_id = erase_history.document;
  delete from public.document_snapshots as s where s.document_id = erase_history.document;
  delete from public.document_versions as v where v.document_id = erase_history.document;
  insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, first_seq, first_at)
  values (erase_history.document, head.head_seq + 1, nobody, 1, 1, caller.user_id, bytes, 1, began_at);
  update public.document_heads as h
  set
    head_seq = head.head_seq + 1,
    published_seq = head.head_seq + 1,
    snapshot_seq = 0,
    snapshot_bytes = 0,
    snapshot_claimed_by = null,
    snapshot_claimed_until = null,
    tail_bytes = octet_length(bytes),
    paused_until = null
  where h.document_id = erase_history.document;
  -- Whoever opens the page next and may edit it copies the text anew, because the copy is behind the log.
  update public.documents as d
  set title = erase_history.title, body_text = '', text_seq = head.head_seq
  where d.id = erase_history.document;
  update weft.notifications as n
  set detail = n.detail - 'excerpt'
  where n.document_id = erase_history.document and n.detail ? 'excerpt';

  -- Realtime keeps messages for days and sends them again to who joins their topic.
  select array_agg('w:' || l.topic_key) into topics
  from public.share_links as l
  where l.document_id = erase_history.document and weft.is_link_active(l.revoked_at, l.expires_at);
  select coalesce(topics, '{}') || array_agg(k.kind || ':' || d.id || ':' || d.epoch || '.' || w.epoch) into topics
  from public.documents as d
  join public.workspaces as w on w.id = d.workspace_id
  cross join unnest(array['d', 'v']) as k (kind)
  where d.id = erase_history.document;
  perform weft.forget_messages(topics);
  perform weft.publish_json('{}', 'erased', t) from unnest(topics) as t where t like 'w:%';
  update public.share_links as l
  set topic_key = weft.random_key()
  where l.document_id = erase_history.document and weft.is_link_active(l.revoked_at, l.expires_at);
  perform weft.move_topics(array[erase_history.document]);
  return jsonb_build_object('erased', true);
end
$$;

-- --- the history --------------------------------------------------------------------------------------------------

-- How the page's history began again: the row, when, by whom, and who had written on the page by then. `with_names` is for people who
-- may read who wrote on the page. Null: it never did.
create function weft.beginning_note(document uuid, with_names boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_authors constant integer := 200;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  beginning public.document_updates := weft.beginning_of(beginning_note.document);
begin
  if beginning.seq is null then
    return null;
  end if;
  return jsonb_build_object('seq', beginning.seq, 'at', beginning.created_at)
    || case
      when beginning_note.with_names then jsonb_build_object(
        'by', beginning.appended_by,
        'authors', (
          select coalesce(jsonb_agg(a.user_id order by a.user_id), '[]')
          from (
            select distinct s.user_id
            from public.document_sessions as s
            where s.document_id = beginning_note.document and s.last_n > 0 and s.user_id <> nobody
              and s.opened_at < beginning.created_at
            limit max_authors
          ) as a
        )
      )
      else '{}'
    end;
end
$$;

-- As before, with `beginning` in the place of `erasures`, and for people who may read the history.
create or replace function public.history_rows(document uuid, after bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  caller weft.caller := weft.require_history(document);
  head bigint;
  rows record;
begin
  select h.head_seq into head from public.document_heads as h where h.document_id = history_rows.document;
  rows := weft.encode_rows(
    history_rows.document, greatest(history_rows.after, 0), head, null, max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'schemaVersion', caller.schema_version,
    'beginning', weft.beginning_note(history_rows.document, true),
    'putBack', (
      select coalesce(jsonb_agg(jsonb_build_object('seq', u.seq, 'by', u.appended_by) order by u.seq), '[]')
      from public.document_updates as u
      where u.document_id = history_rows.document and u.session = nobody and u.first_seq is null
        and u.seq > greatest(history_rows.after, 1) and u.seq <= rows.last
    )
  );
end
$$;

-- As before, with `beginning`, which names nobody.
create or replace function public.link_history(
  secret text, after bigint, until bigint, row_version integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  last bigint;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  elsif not link.history or link.role <> 'viewer' then
    perform weft.raise('WF002', 'the link does not show the history');
  end if;
  select h.head_seq into head from public.document_heads as h where h.document_id = link.document_id;
  last := least(greatest(coalesce(link_history.until, head), 0), head);
  rows := weft.encode_rows(
    link.document_id, greatest(link_history.after, 0), last, null, max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'schemaVersion', (select d.schema_version from public.documents as d where d.id = link.document_id),
    'versions', case when coalesce(link_history.after, 0) <= 0 then (
      select coalesce(jsonb_agg(
        jsonb_build_object('id', v.id, 'seq', v.seq, 'name', v.name, 'kind', v.kind) order by v.seq desc, v.id
      ), '[]')
      from public.document_versions as v
      where v.document_id = link.document_id
    ) else '[]' end,
    'beginning', weft.beginning_note(link.document_id, false)
  );
end
$$;

revoke all on function
  weft.beginning_of, weft.require_no_pause, weft.forget_messages, weft.require_eraser, weft.beginning_note,
  public.append_update, public.put_back, public.save_text, public.save_snapshot, public.prepare_erasing, public.erase_history
from public, anon, authenticated, service_role;
grant execute on function
  public.append_update, public.put_back, public.save_text, public.save_snapshot, public.prepare_erasing, public.erase_history
to authenticated;
