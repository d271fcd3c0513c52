-- Reading a document's log and appending to it, snapshots, and the copies of title and text.

-- --- opening a page -----------------------------------------------------------------------------------------------

-- The newest snapshot with its bytes, or null.
create function weft.newest_snapshot(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object('seq', s.seq, 'state', weft.to_base64(s.state), 'sha256', s.sha256)
    from public.document_snapshots as s
    where s.document_id = newest_snapshot.document
    order by s.seq desc
    limit 1
  );
end
$$;

-- Whether a reader who has all rows up to `since` needs a snapshot. One who starts at 0 does, because a snapshot is
-- shorter than all rows; so does one whose next row has been deleted. A `since` below 0 asks for the rows alone, after
-- a snapshot that could not be read: a signed-in client could use rows_since for that, but a watcher has only
-- open_watch.
create function weft.needs_snapshot(document uuid, since bigint, head bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return needs_snapshot.since = 0 or needs_snapshot.since between 1 and head - 1 and not exists (
    select
    from public.document_updates as u
    where u.document_id = needs_snapshot.document and u.seq = needs_snapshot.since + 1
  );
end
$$;

-- Everything a client needs to show a page. The function is stable, so all its statements see the same moment:
-- `sessions` must not name edits whose rows the answer lacks. Lists show the copies of title and text as of row
-- `textSeq`; a client that may edit makes new copies when it opens a page whose copies are behind.
create function public.open_document(document uuid, since bigint) returns jsonb
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
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, max_bytes
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, caller.role),
    'workspace', weft.workspace_summary(caller.workspace_id, caller.user_id),
    'role', caller.role,
    'epoch', caller.topic_epoch,
    'head', head,
    'textSeq', text_seq,
    'schemaVersion', caller.schema_version,
    'snapshot', snapshot,
    'sessions', sessions,
    'rows', weft.to_base64(rows.message),
    'more', rows.more
  );
end
$$;

-- The rows after `seq`. Everybody with an open page calls this at least every 30 seconds. That is also when the roles
-- of expired links are removed: nothing else runs at the time a link expires.
create function public.rows_since(document uuid, seq bigint, row_limit integer) returns jsonb
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
  rows := weft.encode_rows(
    rows_since.document, coalesce(rows_since.seq, 0), head,
    least(greatest(coalesce(rows_since.row_limit, max_rows), 1), max_rows), max_bytes
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'schemaVersion', caller.schema_version
  );
end
$$;

-- --- sessions -----------------------------------------------------------------------------------------------------

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

-- The people behind these sessions, with their present roles. Unknown sessions are left out.
create function public.session_info(document uuid, sessions uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(session_info.document, 'viewer');
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'session', s.session, 'clientId', s.client_id, 'user', s.user_id, 'lastN', s.last_n,
          'role', weft.document_role(s.document_id, s.user_id)
        )
        order by s.opened_at, s.session
      ),
      '[]'
    )
    from public.document_sessions as s
    where s.document_id = session_info.document and s.session = any (session_info.sessions[1:1000])
  );
end
$$;

-- --- appending ----------------------------------------------------------------------------------------------------

-- Some edits of one session, as an append names them in `dependencies`.
create type weft.part as (session uuid, n_from integer, n_to integer, update bytea);

-- Parses `[{session, nFrom, nTo, update}]`, or fails.
create function weft.parse_dependencies(dependencies jsonb) returns weft.part[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_parts constant integer := 1000;
  -- For all parts together: a row is never split, so a huge one would block readers with little time or memory.
  max_bytes constant integer := 4 * 1024 * 1024;
  max_update_bytes constant integer := 1024 * 1024;
  parts weft.part[];
begin
  if dependencies is null or dependencies = '[]' then
    return array[]::weft.part[];
  end if;
  begin
    select array_agg((p.session, p."nFrom", p."nTo", weft.from_base64(p."update"))::weft.part order by p.nth)
    into parts
    from rows from (
      jsonb_to_recordset(dependencies) as (session uuid, "nFrom" integer, "nTo" integer, "update" text)
    ) with ordinality as p (session, "nFrom", "nTo", "update", nth);
  exception when data_exception then
    perform weft.raise('WF005', 'dependencies: ' || sqlerrm);
  end;
  if array_length(parts, 1) > max_parts or (
    select sum(octet_length(p.update)) from unnest(parts) as p
  ) > max_bytes or exists (
    select
    from unnest(parts) as p
    where p.session is null or p.n_from is null or p.n_to is null or p.n_from < 1 or p.n_to < p.n_from
      or p.update is null or octet_length(p.update) not between 1 and max_update_bytes
  ) then
    perform weft.raise('WF005', 'dependencies: a part is malformed or too large');
  end if;
  return parts;
end
$$;

-- Encodes the parts that the log lacks for the new row; null if it lacks none. Dependencies do not advance the numbers
-- of their author's session: its own append brings the same edits again, which is harmless.
create function weft.encode_dependencies(document uuid, parts weft.part[], is_relay boolean) returns bytea
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
    perform weft.raise('WF005', 'dependencies: a session is not registered here');
  elsif is_refused then
    perform weft.raise('WF005', 'dependencies: its author may no longer edit');
  end if;
  return case when part_count > 0 then int2send(part_count::smallint) || encoded end;
end
$$;

-- Appends a row: the edits n_from to n_to of a session, merged into one update, and the dependencies they build on. It
-- is the only way into the log.
--   The call may be repeated: edits up to last_n are not written again.
--   If edits before n_from are missing, nothing is written, and `seq` is null in the answer.
--   An append without edits of its own (numbers 0, empty update) is a relay: it brings edits of an author who vanished.
--   `live_peers` is the number of others on the live topic, or null if the caller has not joined it. With 0, nothing is
--   published there.
--   The answer has every row after known_seq, including the caller's own.
create function public.append_update(
  document uuid,
  session uuid,
  n_from integer,
  n_to integer,
  update text,
  dependencies jsonb,
  known_seq bigint,
  schema_version integer,
  live_peers integer
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_update_bytes constant integer := 1024 * 1024;
  max_base64_length constant integer := 1500000;
  max_message_bytes constant integer := 200 * 1024;
  max_answer_bytes constant integer := 1024 * 1024;
  max_answer_rows constant integer := 500;
  -- Watchers get one message per second at most.
  watch_interval constant interval := interval '1 second';
  bytes bytea;
  parts weft.part[];
  encoded_dependencies bytea;
  is_relay boolean := n_to = 0;
  caller weft.caller;
  head public.document_heads;
  author public.document_sessions;
  row_seq bigint;
  message bytea;
  is_watched boolean;
  may_publish boolean;
  more boolean := false;
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

  select s.*
  into author
  from public.document_sessions as s
  where s.session = append_update.session and s.document_id = append_update.document;
  if author.user_id is distinct from caller.user_id then
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
  elsif n_from <= author.last_n + 1 then
    encoded_dependencies := weft.encode_dependencies(append_update.document, parts, is_relay);
    if is_relay and encoded_dependencies is null then
      row_seq := head.head_seq; -- The authors' own appends have brought all of it.
    else
      row_seq := head.head_seq + 1;
      is_watched := coalesce(head.watched_until > clock_timestamp(), false);
      may_publish := is_watched and coalesce(head.published_at <= clock_timestamp() - watch_interval, true);

      insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, dependencies)
      values (
        append_update.document, row_seq, append_update.session, append_update.n_from, append_update.n_to,
        caller.user_id, bytes, encoded_dependencies
      );
      update public.document_heads as h
      set
        head_seq = row_seq,
        tail_bytes = h.tail_bytes + octet_length(bytes) + coalesce(octet_length(encoded_dependencies), 0),
        -- Without watchers nobody waits for these rows: whoever opens the page later gets them in the answer.
        published_seq = case when may_publish or not is_watched then row_seq else h.published_seq end,
        published_at = case when may_publish then clock_timestamp() else h.published_at end
      where h.document_id = append_update.document;
      if not is_relay then
        update public.document_sessions as s
        set last_n = append_update.n_to
        where s.document_id = append_update.document and s.session = append_update.session;
        author.last_n := append_update.n_to;
      end if;
      if append_update.schema_version > caller.schema_version then
        update public.documents as d
        set schema_version = append_update.schema_version
        where d.id = append_update.document;
      end if;

      message := weft.encode_message(
        row_seq, 1,
        weft.encode_row(
          row_seq, append_update.session, author.client_id, append_update.n_from, append_update.n_to, bytes,
          encoded_dependencies
        )
      );
      if live_peers is distinct from 0 then
        perform weft.publish_bytes(
          case when octet_length(message) <= max_message_bytes then message else weft.encode_fetch(row_seq) end,
          'rows', 'd:' || append_update.document || ':' || caller.topic_epoch
        );
      end if;
      if may_publish then
        perform weft.publish_to_watchers(append_update.document, caller.topic_epoch, head.published_seq, row_seq);
      end if;
      head.head_seq := row_seq;
    end if;
  end if;

  if message is null or known_seq <> row_seq - 1 then
    select e.message, e.more
    into message, more
    from weft.encode_rows(append_update.document, known_seq, head.head_seq, max_answer_rows, max_answer_bytes) as e;
  end if;
  return jsonb_build_object(
    'seq', row_seq,
    'lastN', author.last_n,
    'head', head.head_seq,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(is_watched and not may_publish, false)
  );
end
$$;

-- Publishes rows that the watchers have not received yet. Watchers get one message per second at most: an author whose
-- append followed another one too soon calls this when the second is over.
create function public.publish_pending(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  watch_interval constant interval := interval '1 second';
  head public.document_heads;
  caller weft.caller;
begin
  select h.* into head from public.document_heads as h where h.document_id = publish_pending.document for update;
  caller := weft.require_role(publish_pending.document, 'editor');

  if head.published_seq < head.head_seq
    and head.watched_until > clock_timestamp()
    and coalesce(head.published_at <= clock_timestamp() - watch_interval, true)
  then
    perform weft.publish_to_watchers(publish_pending.document, caller.topic_epoch, head.published_seq, head.head_seq);
    update public.document_heads as h
    set published_seq = h.head_seq, published_at = clock_timestamp()
    where h.document_id = publish_pending.document;
    head.published_seq := head.head_seq;
  end if;
  return jsonb_build_object('publishedSeq', head.published_seq);
end
$$;

-- --- snapshots ----------------------------------------------------------------------------------------------------

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

-- Stores a snapshot of the state as of row `seq` and gives the claim back.
create function public.save_snapshot(document uuid, seq bigint, state text, sha256 text) returns jsonb
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

-- --- text ---------------------------------------------------------------------------------------------------------

-- Stores copies of title and text as of row `seq`. Copies race, so an older seq changes nothing; a seq that does not
-- exist yet is refused, because it would block all later copies. Time and author of the change are those of the row.
create function public.save_text(document uuid, seq bigint, title text, body_text text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_title_length constant integer := 200;
  max_text_bytes constant integer := 20 * 1024 * 1024;
  caller weft.caller := weft.require_editor(document);
  newest record;
begin
  if save_text.seq is null or save_text.seq < 0 or not exists (
    select from public.document_heads as h where h.document_id = save_text.document and h.head_seq >= save_text.seq
  ) then
    perform weft.raise('WF005', 'the text is not of a seq in the log');
  elsif save_text.title is null or char_length(save_text.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  elsif save_text.body_text is null or octet_length(save_text.body_text) > max_text_bytes then
    perform weft.raise('WF005', 'the text is longer than 20 MiB');
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
  return jsonb_build_object(
    'textSeq', (select d.text_seq from public.documents as d where d.id = save_text.document)
  );
end
$$;

revoke all on function
  weft.newest_snapshot, weft.needs_snapshot, weft.parse_dependencies, weft.encode_dependencies,
  public.open_document, public.rows_since, public.start_session, public.session_info, public.append_update,
  public.publish_pending, public.claim_snapshot, public.save_snapshot, public.save_text
from public, anon, authenticated, service_role;
grant execute on function
  public.open_document, public.rows_since, public.start_session, public.session_info, public.append_update,
  public.publish_pending, public.claim_snapshot, public.save_snapshot, public.save_text
to authenticated;
