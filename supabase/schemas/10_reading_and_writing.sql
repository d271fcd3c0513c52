-- Reading a document's log and appending to it, snapshots, and the copies of title and text.
--
-- The size of an answer, and the rows that are read for it, go with what the caller lacks and not with the page's age. A person whose
-- only access are links that do not show the history, watching or with an account, gets the newest snapshot and the rows after it,
-- never an older row: words that were deleted are not in a snapshot.

set check_function_bodies = off;

-- --- reading -------------------------------------------------------------------------------------------------------

-- Fails unless the log has the row `seq`, written at `known_at` (milliseconds since 1970). Passes if one of them is null: older apps
-- name no time. But if the page's history began again (weft.beginning_of), those get WF004, because they would go on showing what was
-- erased. A device that made the page has row 1 without its time: it gets WF016, as with a row that the log lacks.
create function weft.require_known_row(document uuid, seq bigint, known_at bigint) returns void
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

-- For the owner of the database, in the SQL editor, after a restore that was made to be rid of something: devices put back nothing that
-- is older (weft.settings).
create function weft.final_restore() returns void
language sql volatile security definer set search_path = ''
as $$
  update weft.settings as s set final_restore_at = now() where s.is_only_row
$$;

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

-- The row after which the person may read: `after`, or the one of the newest snapshot if that is later and they have no history.
create function weft.readable_after(document uuid, person uuid, after bigint, snapshot_seq bigint) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  if after < snapshot_seq and weft.documents_without_history(person, document) <> '{}' then
    return snapshot_seq;
  end if;
  return after;
end
$$;

-- Everything a client needs to show a page. The function is stable, so head, snapshot and rows are of one moment. Lists show the
-- copies of title and text as of row `textSeq`; a client that may edit makes new copies when it opens a page whose copies are behind.
-- `known_at` is when the row `since` was written, as the caller knows it. With `snapshotWanted` a client that may edit makes a
-- snapshot as soon as it can. `sessions` is always null: older apps expect it.
create function public.open_document(
  document uuid, since bigint, row_version integer default 1, known_at bigint default null
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
  head record;
  after bigint;
  snapshot jsonb;
  rows record;
begin
  perform weft.require_known_row(open_document.document, open_document.since, open_document.known_at);
  select h.head_seq, h.snapshot_seq, h.snapshot_wanted, d.text_seq
  into head
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = open_document.document;

  after := weft.readable_after(open_document.document, caller.user_id, coalesce(since, 0), head.snapshot_seq);
  if after > coalesce(since, 0) or weft.needs_snapshot(open_document.document, after, head.head_seq) then
    snapshot := weft.newest_snapshot(open_document.document);
  end if;
  rows := weft.encode_rows(
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, after), head.head_seq, null, max_bytes, row_version
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, caller.role),
    'workspace', weft.workspace_summary(caller.workspace_id, caller.user_id),
    'role', caller.role,
    'epoch', caller.topic_epoch,
    'head', head.head_seq,
    'changedAt', weft.changed_at(open_document.document, head.head_seq),
    'textSeq', head.text_seq,
    'schemaVersion', caller.schema_version,
    'snapshot', snapshot,
    'snapshotWanted', head.snapshot_wanted,
    'sessions', null,
    'rows', weft.to_base64(rows.message),
    'more', rows.more,
    'presenting', weft.presenting_of(open_document.document, false),
    'historyBeganAt', weft.unix_ms((weft.beginning_of(open_document.document)).created_at),
    'finalRestoreAt', (select weft.unix_ms(s.final_restore_at) from weft.settings as s)
  );
end
$$;

-- The rows after `seq`, which was written at `known_at`. Everyone who looks at a page calls this at least once a minute. That
-- is also when the roles of expired links are removed: nothing else runs at the time a link expires.
-- `watcher` and `stance` say that the caller watches the page, as weft.count_watcher has it.
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
  select h.head_seq, h.snapshot_seq, h.snapshot_wanted into head
  from public.document_heads as h where h.document_id = rows_since.document;
  caller := weft.require_role(rows_since.document, 'viewer');
  perform weft.require_known_row(rows_since.document, rows_since.seq, rows_since.known_at);
  perform weft.count_watcher(
    rows_since.document, rows_since.watcher, rows_since.stance, caller.user_id, null, caller.role >= 'editor'
  );
  if head.head_seq > head.snapshot_seq and not head.snapshot_wanted
    and weft.documents_without_history(caller.user_id, rows_since.document) <> '{}'
  then
    perform weft.want_snapshot(rows_since.document);
  end if;
  rows := weft.encode_rows(
    rows_since.document,
    weft.readable_after(rows_since.document, caller.user_id, coalesce(rows_since.seq, 0), head.snapshot_seq),
    head.head_seq,
    least(greatest(coalesce(rows_since.row_limit, max_rows), 1), max_rows), max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head.head_seq,
    'snapshotWanted', head.snapshot_wanted,
    'more', rows.more,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'schemaVersion', caller.schema_version,
    'presenting', weft.presenting_of(rows_since.document, false),
    'watchers', weft.watchers_of(rows_since.document)
  );
end
$$;

-- --- sessions ------------------------------------------------------------------------------------------------------

-- Registers a session just before its first live update or append. The session's updates contain the client id and
-- cannot be changed later, so a client id that is taken is refused here, before anything was written with it.
create function public.start_session(document uuid, session uuid, client_id bigint, schema_version integer)
returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  seed_session constant uuid := uuid '00000000-0000-0000-0000-000000000000';
  -- Lower client ids are reserved; the highest is the largest integer of JavaScript.
  first_client_id constant bigint := 1024;
  last_client_id constant bigint := 9007199254740991;
  caller weft.caller := weft.require_editor(document);
  started public.document_sessions;
begin
  perform weft.check_schema(start_session.schema_version);
  if start_session.schema_version < caller.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', caller.schema_version));
  elsif start_session.session is null or start_session.session = seed_session then
    perform weft.raise('WF005', 'not a session');
  elsif start_session.client_id is null or start_session.client_id not between first_client_id and last_client_id then
    perform weft.raise('WF006', 'client id out of range');
  end if;

  -- Before the insert: otherwise two calls with the same client id would wait for each other. If the session is refused
  -- below, this is rolled back.
  if start_session.schema_version > caller.schema_version then
    perform weft.lock_heads(array[start_session.document]);
    update public.documents as d
    set schema_version = start_session.schema_version
    where d.id = start_session.document and d.schema_version < start_session.schema_version;
  end if;

  insert into public.document_sessions (session, document_id, client_id, user_id, schema_version)
  values (
    start_session.session, start_session.document, start_session.client_id, caller.user_id,
    start_session.schema_version
  )
  on conflict do nothing;

  select s.*
  into started
  from public.document_sessions as s
  where s.document_id = start_session.document and s.session = start_session.session;
  if started.session is null then
    perform weft.raise('WF006', 'client id taken in this document');
  elsif started.user_id <> caller.user_id or started.client_id <> start_session.client_id then
    perform weft.raise('WF005', 'the session is registered for something else');
  end if;
  return jsonb_build_object('clientId', started.client_id, 'lastN', started.last_n);
end
$$;

-- The people behind these sessions, with their present roles. Unknown sessions are left out. One that has been announced
-- and not been registered has no client id; if several people announced it, it is left out. A person whose only access is a link
-- that does not show the history learns of an author only whether they may edit, which decides whether their live updates are
-- shown and passed on (D7, L6), and not who manages the page.
create function public.session_info(document uuid, sessions uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(session_info.document, 'viewer');
  is_by_link boolean := weft.documents_without_history(caller.user_id, session_info.document) <> '{}';
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'session', s.session, 'clientId', s.client_id, 'user', s.user_id, 'lastN', s.last_n,
          'role', case
            when is_by_link and s.role is not null then
              case when s.role >= 'editor' then 'editor' else 'viewer' end::public.document_role
            else s.role
          end
        )
        order by s.opened_at, s.session
      ),
      '[]'
    )
    from (
      select known.*, weft.document_role(known.document_id, known.user_id) as role
      from (
        select r.session, r.document_id, r.client_id, r.user_id, r.last_n, r.opened_at
        from public.document_sessions as r
        where r.document_id = session_info.document and r.session = any (session_info.sessions[1:1000])
        union all
        select a.session, a.document_id, null, a.user_id, 0, a.announced_at
        from weft.announced_sessions as a
        where a.document_id = session_info.document and a.session = any (session_info.sessions[1:1000])
          and not exists (
            select
            from public.document_sessions as r
            where r.document_id = a.document_id and r.session = a.session
          )
          and not exists (
            select
            from weft.announced_sessions as other
            where other.document_id = a.document_id and other.session = a.session and other.user_id <> a.user_id
          )
      ) as known
    ) as s
  );
end
$$;

-- Sessions that are on a page together with others, also those of people who only read: whose they are, and which of them
-- send live updates. Only functions use it. No one needs a row after its session has ended, so it is unlogged.
create unlogged table weft.announced_sessions (
  document_id uuid not null references public.documents (id) on delete cascade,
  session uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  announced_at timestamptz not null,
  -- Until then the session counts as one that sends live updates.
  writes_until timestamptz,
  -- Presence shows a session's id to everyone on the page, so several people may announce it. It has no name then.
  primary key (document_id, session, user_id)
);
create index announced_sessions_user_id_index on weft.announced_sessions (user_id, announced_at);
create index announced_sessions_writes_until_index on weft.announced_sessions (writes_until);
alter table weft.announced_sessions enable row level security;
revoke all on weft.announced_sessions from public, anon, authenticated, service_role;
create policy weft_nobody on weft.announced_sessions using (false);

-- Says that a session is on the page together with others, so that they can learn whose it is before it has written
-- anything. With `is_writing` it sends live updates, and counts for the next seconds. The answer is the number of pages that
-- share the project's live budget (weft.busy_pages).
create function public.announce_session(document uuid, session uuid, is_writing boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  -- A session that writes announces itself every 5 seconds.
  writes_for constant interval := interval '15 seconds';
  forget_after constant interval := interval '2 days';
  max_sessions_of_person constant integer := 100;
  caller weft.caller := weft.require_role(document, 'viewer');
  counts_until timestamptz;
begin
  if announce_session.session is null then
    perform weft.raise('WF005', 'not a session');
  elsif announce_session.is_writing and caller.role >= 'editor' then
    counts_until := clock_timestamp() + writes_for;
  end if;

  if exists (
    select
    from public.document_sessions as s
    where s.document_id = announce_session.document and s.session = announce_session.session
      and s.user_id <> caller.user_id
  ) then
    perform weft.raise('WF005', 'the session is somebody else''s');
  end if;
  insert into weft.announced_sessions as a (document_id, session, user_id, announced_at, writes_until)
  values (announce_session.document, announce_session.session, caller.user_id, clock_timestamp(), counts_until)
  on conflict on constraint announced_sessions_pkey do update
  set announced_at = excluded.announced_at, writes_until = excluded.writes_until;

  -- Another call may be deleting the same rows.
  delete from weft.announced_sessions as a
  using (
    select old.document_id, old.session
    from weft.announced_sessions as old
    where old.user_id = caller.user_id
      and (old.announced_at < clock_timestamp() - forget_after or (old.document_id, old.session) in (
        select many.document_id, many.session
        from weft.announced_sessions as many
        where many.user_id = caller.user_id
        order by many.announced_at desc
        offset max_sessions_of_person
      ))
    for update skip locked
  ) as gone
  where a.document_id = gone.document_id and a.session = gone.session and a.user_id = caller.user_id;

  return jsonb_build_object('busyPages', weft.busy_pages(null));
end
$$;

-- --- appending -----------------------------------------------------------------------------------------------------

-- A row that was just appended. All is null if none was.
create type weft.appended as (seq bigint, message bytea, unpublished boolean, publish_at timestamptz);

-- Appends a row behind `head`, which the caller has locked, counts it towards the author's quota, and publishes it: on the live
-- topic, unless `live_peers` is 0, and to watchers, if it is time.
create function weft.append_row(
  head public.document_heads, caller weft.caller, session uuid, client_id bigint, n_from integer, n_to integer,
  update bytea, dependencies bytea, schema_version integer, live_peers integer
) returns weft.appended
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_message_bytes constant integer := 200 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  -- As in `weft.count_text`.
  step constant integer := 16384;
  -- What a row takes beside its bytes, indexes included.
  row_bytes constant integer := 256;
  is_drawn boolean;
  is_full boolean;
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
  returning created_at, (select w.is_full from weft.texts_written as w where w.user_id = caller.user_id) into row_at, is_full;
  -- A key press must not write another row, nor wait for the person's other tabs, so only one of many small rows is counted.
  is_drawn := random() * step
    < octet_length(append_row.update) + coalesce(octet_length(append_row.dependencies), 0) + row_bytes;
  if is_drawn or is_full then
    perform weft.count_text(
      caller,
      case when append_row.n_to > 0 and append_row.session <> nobody then octet_length(append_row.update) end,
      case when append_row.session = nobody then octet_length(append_row.update) else octet_length(append_row.dependencies) end,
      append_row.session = nobody,
      is_drawn
    );
  end if;
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
      head.document_id, weft.readable_after(head.document_id, caller.user_id, known_seq, head.snapshot_seq), greatest(head.head_seq, appended.seq), max_rows, max_bytes, append_answer.row_version
    ) as e;
  end if;
  return jsonb_build_object(
    'seq', row_seq,
    'lastN', last_n,
    'head', greatest(head.head_seq, appended.seq),
    'snapshotWanted', head.snapshot_wanted,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(appended.unpublished, false),
    'publishIn', weft.milliseconds_until(appended.publish_at)
  );
end
$$;

-- Appends a row: the edits n_from to n_to of a session, merged into one update, and the dependencies they build on. It
-- is the only way into the log but for put_back.
--   The call may be repeated: edits up to last_n are not written again.
--   If edits before n_from are missing, or the log has some of n_from to n_to, nothing is written, and `seq` is null in the answer.
--   An append without edits of its own (numbers 0, empty update) is a relay: it brings edits of an author who vanished.
--   `live_peers` is the number of others on the live topic, or null if the caller has not joined it. With 0, nothing is
--   published there.
--   The answer has every row after known_seq, including the caller's own. `known_at` is when that row was written.
--   `publishIn` is the number of milliseconds until the rows may be published that watchers have not received yet.
-- A session that is not registered here may be one that a restored server has lost.
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

-- Publishes rows that the watchers have not received yet. They get one message in each weft.watch_pause at most: an author whose
-- append followed another one too soon calls this when that is over.
create function public.publish_pending(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head public.document_heads;
  caller weft.caller;
  publish_at timestamptz;
begin
  select h.* into head from public.document_heads as h where h.document_id = publish_pending.document for update;
  caller := weft.require_role(publish_pending.document, 'editor');

  publish_at := head.published_at + weft.watch_pause(publish_pending.document);
  if head.published_seq < head.head_seq
    and head.watched_until > clock_timestamp()
    and coalesce(publish_at <= clock_timestamp(), true)
  then
    perform weft.publish_to_watchers(publish_pending.document, caller.topic_epoch, head.published_seq, head.head_seq);
    update public.document_heads as h
    set published_seq = h.head_seq, published_at = clock_timestamp()
    where h.document_id = publish_pending.document;
    perform weft.pace_watch_topics(publish_pending.document, caller.user_id);
    head.published_seq := head.head_seq;
  end if;
  return jsonb_build_object(
    'publishedSeq', head.published_seq,
    'publishIn', weft.milliseconds_until(publish_at)
  );
end
$$;

-- --- putting back --------------------------------------------------------------------------------------------------

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

-- Puts back what a restored server lost: one update with the ids that its edits had, no matter who made them. As a seed, the row
-- belongs to no session. If another one was put back after row known_seq, nothing is appended and `seq` is null in the answer: the
-- caller takes the rows first, and puts back what is lacking then. Otherwise as append_update. What was set aside before the page's
-- history began again (`set_aside_at`: the time of the newest row that the device had then) is what the device had not sent, so no
-- version is made before it.
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

-- --- snapshots and copies of the text ------------------------------------------------------------------------------

-- Asks for the right to save the next snapshot. A caller who has it may ask again, so that a lost answer does not lock
-- them out.
create function public.claim_snapshot(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  claim_time constant interval := interval '30 seconds';
  head public.document_heads;
  caller weft.caller;
  granted boolean;
begin
  select h.* into head from public.document_heads as h where h.document_id = claim_snapshot.document for update;
  caller := weft.require_editor(claim_snapshot.document);

  granted := head.snapshot_claimed_by = caller.user_id
    or coalesce(head.snapshot_claimed_until <= clock_timestamp(), true);
  if granted then
    update public.document_heads as h
    set snapshot_claimed_by = caller.user_id, snapshot_claimed_until = clock_timestamp() + claim_time
    where h.document_id = claim_snapshot.document
    returning h.* into head;
  end if;
  return jsonb_build_object(
    'granted', granted,
    'until', head.snapshot_claimed_until,
    'head', head.head_seq,
    'snapshotSeq', head.snapshot_seq
  );
end
$$;

-- Asks the apps of editors for a snapshot (document_heads.snapshot_wanted), unless the newest one is younger than ten minutes. If
-- someone is writing, their call holds the lock of the row: this then does nothing, instead of waiting.
create function weft.want_snapshot(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pause constant interval := interval '10 minutes';
begin
  update public.document_heads as h
  set snapshot_wanted = true
  where h.document_id in (
    select f.document_id
    from public.document_heads as f
    where f.document_id = want_snapshot.document and not f.snapshot_wanted and f.head_seq > f.snapshot_seq
      and not coalesce(
        (
          select s.created_at > now() - pause
          from public.document_snapshots as s
          where s.document_id = f.document_id and s.seq = f.snapshot_seq
        ),
        false
      )
    for no key update skip locked
  );
end
$$;

-- People with a link without the history get the rows after the newest snapshot, words that were deleted since included: a new one
-- keeps those back.
create function weft.want_snapshot_for_link() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.want_snapshot(new.document_id);
  return null;
end
$$;
create trigger want_snapshot_for_link after insert on public.share_links
for each row when (not new.history) execute function weft.want_snapshot_for_link();

-- Stores a snapshot of the state as of row `seq`, written at `known_at`, and gives the claim back.
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

-- No snapshot is wanted any more. If the page has a link without the history, Realtime's messages of the page's topics are deleted: it
-- keeps rows in them and may send them again to people who join. Messages of the last seconds stay, as they may be on their way.
create function weft.snapshot_taken() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  young constant interval := interval '10 seconds';
  topics text[];
begin
  update public.document_heads as h
  set snapshot_wanted = false
  where h.document_id = new.document_id and h.snapshot_wanted;
  if not has_table_privilege('realtime.messages', 'delete') then
    return null;
  end if;
  select array_agg('w:' || l.topic_key) into topics
  from public.share_links as l
  where l.document_id = new.document_id and not l.history and weft.is_link_active(l.revoked_at, l.expires_at);
  if topics is not null then
    select topics || array_agg(k.kind || ':' || d.id || ':' || d.epoch || '.' || w.epoch) into topics
    from public.documents as d
    join public.workspaces as w on w.id = d.workspace_id
    cross join unnest(array['d', 'v']) as k (kind)
    where d.id = new.document_id;
    delete from realtime.messages as m where m.topic = any (topics) and m.inserted_at < localtimestamp - young;
  end if;
  return null;
end
$$;
create trigger snapshot_taken after insert on public.document_snapshots
for each row execute function weft.snapshot_taken();

-- Stores copies of title and text as of row `seq`, written at `known_at`. Copies race, so an older seq changes nothing; a seq that
-- does not exist yet is refused, because it would block all later copies. Time and author of the change are those of the row. A
-- page in the trash takes a copy too: what is copied is in its log already, and a page that went there right after it was renamed
-- would be listed under its old title.
create function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]',
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_title_length constant integer := 200;
  max_text_bytes constant integer := 20 * 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'editor');
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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.require_known_row, weft.final_restore, weft.time_before, weft.readable_after, public.open_document,
  public.rows_since, public.start_session, public.session_info, public.announce_session, weft.append_row,
  weft.append_answer, public.append_update, public.publish_pending, weft.keep_before_put_back, public.put_back,
  public.claim_snapshot, weft.want_snapshot, weft.want_snapshot_for_link, public.save_snapshot, weft.snapshot_taken,
  public.save_text
from public, anon, authenticated, service_role;

grant execute on function
  public.open_document, public.rows_since, public.start_session, public.session_info, public.announce_session,
  public.append_update, public.publish_pending, public.put_back, public.claim_snapshot, public.save_snapshot,
  public.save_text
to authenticated;
