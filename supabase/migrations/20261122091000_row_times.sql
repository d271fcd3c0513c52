-- Version 2 of row messages: each row has the time at which the database wrote it. Apps from before read version 1, so an
-- answer has version 1 unless the caller says in `row_version` that it reads a newer one. Topics get version 2: what an
-- older app cannot decode there it ignores, and it fetches the rows some seconds later, as after a lost message.
--   message := version(1 byte = 2) kind(1 byte) head(int8) [kind 1: count(int4) row*]
--   row     := seq(int8) at(int8, ms since 1970) part dependencies(int2 count) part*
-- Messages of kind 2, which hold no rows, stay version 1: every app reads them.

drop function weft.encode_row(bigint, uuid, bigint, integer, integer, bytea, bytea);
drop function weft.encode_message(bigint, bigint, bytea);
drop function weft.encode_rows(uuid, bigint, bigint, integer, bigint);
drop function public.open_document(uuid, bigint);
drop function public.rows_since(uuid, bigint, integer);
drop function public.append_update(
  uuid, uuid, integer, integer, text, jsonb, bigint, integer, integer
);
drop function public.keep_watching(uuid, bigint);
drop function public.open_watch(text, bigint);

-- --- row messages -------------------------------------------------------------------------------------------------

-- Milliseconds since 1970.
create function weft.unix_ms(at timestamptz) returns bigint
language sql stable security definer set search_path = ''
as $$
  select floor(extract(epoch from unix_ms.at) * 1000)::bigint
$$;

-- A row of version 2. `dependencies` is already encoded; null means none.
create function weft.encode_row(
  seq bigint, at timestamptz, session uuid, client_id bigint, n_from integer, n_to integer, update bytea,
  dependencies bytea
) returns bytea
language sql stable security definer set search_path = ''
as $$
  select int8send(encode_row.seq)
    || int8send(weft.unix_ms(encode_row.at))
    || weft.encode_part(
      encode_row.session, encode_row.client_id, encode_row.n_from, encode_row.n_to, encode_row.update
    )
    || coalesce(encode_row.dependencies, '\x0000'::bytea)
$$;

-- A message of kind 1 around encoded rows of this version.
create function weft.encode_message(row_version integer, head bigint, count bigint, rows bytea) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select case encode_message.row_version when 1 then '\x0101'::bytea else '\x0201'::bytea end
    || int8send(encode_message.head)
    || int4send(encode_message.count::integer)
    || encode_message.rows
$$;

-- Encodes rows after `after` and up to `head`: at most `max_rows`, and no more than fit into `max_bytes`. The first row
-- is always included, so that a large one never blocks a reader. `last` is the last encoded row, or `after` if there is
-- none. The rows are in version 1 or 2, whichever is the newest that a reader of `row_version` reads.
create function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint, row_version integer,
  out message bytea, out last bigint, out more boolean
)
language plpgsql stable security definer set search_path = ''
as $$
declare
  has_times boolean := coalesce(row_version >= 2, false);
  encoded bytea;
  row_count bigint;
begin
  -- Rows are selected by size first, so that the others are never read. A row has 54 bytes besides update and
  -- dependencies.
  select max(sized.seq)
  into last
  from (
    select
      u.seq,
      row_number() over (order by u.seq) as nth,
      sum(54 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)) over (order by u.seq) as total
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    order by u.seq
    limit max_rows
  ) as sized
  where sized.nth = 1 or sized.total <= max_bytes;

  -- The seed has no session and the reserved client id 1. This calls no function of ours, because Postgres cannot
  -- inline a function with settings of its own, and 9,000 calls took several times as long.
  select
    string_agg(
      int8send(u.seq)
        || case when has_times then int8send(floor(extract(epoch from u.created_at) * 1000)::bigint) else ''::bytea end
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
  from public.document_updates as u
  left join public.document_sessions as s on s.document_id = u.document_id and s.session = u.session
  where u.document_id = encode_rows.document and u.seq > after and u.seq <= last;

  message := weft.encode_message(case when has_times then 2 else 1 end, head, row_count, coalesce(encoded, ''::bytea));
  last := coalesce(last, after);
  more := last < head;
end
$$;

-- The time of the newest row up to `head`. A row may be deleted because a snapshot covers it: then the time at which the
-- page's text was copied last.
create function weft.changed_at(document uuid, head bigint) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (select u.created_at from public.document_updates as u
     where u.document_id = changed_at.document and u.seq = changed_at.head),
    (select d.updated_at from public.documents as d where d.id = changed_at.document)
  );
end
$$;

-- --- publishing ---------------------------------------------------------------------------------------------------

-- Publishes the rows after `after` to all watchers, or a fetch message if they are too large for one message.
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
  rows := weft.encode_rows(publish_to_watchers.document, after, head, max_rows, max_message_bytes, 2);
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

-- Everything a client needs to show a page. The function is stable, so all its statements see the same moment:
-- `sessions` must not name edits whose rows the answer lacks. Lists show the copies of title and text as of row
-- `textSeq`; a client that may edit makes new copies when it opens a page whose copies are behind.
create function public.open_document(document uuid, since bigint, row_version integer default 1) returns jsonb
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
    'more', rows.more
  );
end
$$;

-- The rows after `seq`. Everybody with an open page calls this at least every 30 seconds. That is also when the roles
-- of expired links are removed: nothing else runs at the time a link expires.
create function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1
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
    'schemaVersion', caller.schema_version
  );
end
$$;

-- Returns the rows after `seq`, as rows_since does, and extends the time in which rows are published to the view topic.
create function public.keep_watching(document uuid, seq bigint, row_version integer default 1) returns jsonb
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
  return public.rows_since(keep_watching.document, keep_watching.seq, 500, row_version);
end
$$;

-- Returns the page of a link, from row `since` on. Needs no account.
create function public.open_watch(secret text, since bigint, row_version integer default 1) returns jsonb
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
  end if;
  perform weft.extend_watch(link);
  -- The call above may have waited for the one that ended the link.
  link := weft.active_link(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;

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
      'expiresAt', link.expires_at
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

-- --- appending ----------------------------------------------------------------------------------------------------

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
  live_peers integer,
  row_version integer default 1
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
  row_at timestamptz;
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
      )
      returning created_at into row_at;
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
        2, row_seq, 1,
        weft.encode_row(
          row_seq, row_at, append_update.session, author.client_id, append_update.n_from, append_update.n_to,
          bytes, encoded_dependencies
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

  if message is null or known_seq <> row_seq - 1 or coalesce(row_version < 2, true) then
    select e.message, e.more
    into message, more
    from weft.encode_rows(
      append_update.document, known_seq, head.head_seq, max_answer_rows, max_answer_bytes, append_update.row_version
    ) as e;
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

revoke all on function
  weft.unix_ms, weft.encode_row, weft.encode_message, weft.encode_rows, weft.changed_at,
  public.open_document, public.rows_since, public.append_update, public.keep_watching, public.open_watch
from public, anon, authenticated, service_role;
grant execute on function
  public.open_document, public.rows_since, public.append_update, public.keep_watching, public.open_watch
to authenticated;
grant execute on function public.open_watch to anon;
