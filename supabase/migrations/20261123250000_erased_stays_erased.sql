-- What was erased for good stays erased, whoever comes late: a device that does not know of it yet appends nothing and copies no
-- text, an edit sent twice brings back no letter, and watchers learn of it at once.

-- How often something was erased, beside the head, because every append compares it.
alter table public.document_heads add column erasures integer not null default 0;
update public.document_heads as h
set erasures = e.number
from (select o.document_id, count(*)::integer as number from public.document_erasures as o group by o.document_id) as e
where e.document_id = h.document_id;

drop function public.append_update(uuid, uuid, integer, integer, text, jsonb, bigint, integer, integer, integer);

-- As before, with `erasures`: how often something had been erased when the caller read the page. With another number nothing is
-- appended, because the edits or their dependencies may hold letters that rows held, and lost. The caller opens the page again.
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
  erasures integer default 0
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
    'erasures', head.erasures,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(is_watched and not may_publish, false),
    'publishIn', weft.milliseconds_until(publish_at)
  );
end
$$;

-- As before, with `erasures` in the answer.
create or replace function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1, watcher uuid default null,
  stance text default null
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

-- As before, with `erasures` in the answer.
create or replace function public.open_watch(
  secret text, since bigint, row_version integer default 1, watcher uuid default null, stance text default null
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

drop function public.save_text(uuid, bigint, text, text, jsonb);

-- As before. A copy from a device that does not know of an erasure would bring the words back.
create function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]', erasures integer default 0
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

revoke all on function public.append_update, public.save_text from public, anon, authenticated, service_role;
grant execute on function public.append_update, public.save_text to authenticated;
