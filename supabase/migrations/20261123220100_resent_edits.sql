-- An edit that is sent again after its row was compacted is in the log: its session's last_n says so.

-- As before; such a call is answered with the head.
create or replace function public.append_update(
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
  publish_at timestamptz;
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
    -- Its row may be part of a compacted one, under another session.
    row_seq := coalesce(row_seq, head.head_seq);
  elsif n_from <= author.last_n + 1 then
    encoded_dependencies := weft.encode_dependencies(append_update.document, parts, is_relay);
    if is_relay and encoded_dependencies is null then
      row_seq := head.head_seq; -- The authors' own appends have brought all of it.
    else
      row_seq := head.head_seq + 1;
      is_watched := coalesce(head.watched_until > clock_timestamp(), false);
      if is_watched then
        publish_at := head.published_at + weft.watch_pause(append_update.document);
      end if;
      may_publish := is_watched and coalesce(publish_at <= clock_timestamp(), true);

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
        perform weft.pace_watch_topics(append_update.document, caller.user_id);
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
    'unpublished', coalesce(is_watched and not may_publish, false),
    'publishIn', weft.milliseconds_until(publish_at)
  );
end
$$;
