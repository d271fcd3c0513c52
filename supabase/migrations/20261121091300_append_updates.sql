-- The durable path (sync.md, D1): the only way into the log.

-- Parts of other sessions as an append brings them.
create type weft.part as (session uuid, n_from integer, n_to integer, update bytea);

-- Reads `[{session, nFrom, nTo, update}]`, or refuses.
create function weft.parse_parts(dependencies jsonb) returns weft.part[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  parts weft.part[];
begin
  if dependencies is null or dependencies = '[]' then
    return '{}';
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
  -- Together: a row is never split, so a huge one would be a dead end to whoever has little time or memory.
  if array_length(parts, 1) > 1000 or (
    select sum(octet_length(p.update)) from unnest(parts) as p
  ) > 4 * 1024 * 1024 or exists (
    select
    from unnest(parts) as p
    where p.session is null or p.n_from is null or p.n_to is null or p.n_from < 1 or p.n_to < p.n_from
      or p.update is null or octet_length(p.update) not between 1 and 1024 * 1024
  ) then
    perform weft.raise('WF005', 'dependencies: a part is malformed or too large');
  end if;
  return parts;
end
$$;

-- The parts that the log lacks, packed for the row; null when none is left. What a part carries is never counted as
-- its author's own append: last_n is theirs alone, and their edit comes again under their own name (harmless).
create function weft.pack_parts(document uuid, parts weft.part[], rescue boolean) returns bytea
language plpgsql stable security definer set search_path = ''
as $$
declare
  packed bytea;
  amount integer;
  unknown boolean;
  refused boolean;
begin
  select
    count(*) filter (where s.last_n < p.n_to),
    string_agg(weft.encode_part(p.session, s.client_id, p.n_from, p.n_to, p.update), ''::bytea order by p.nth)
      filter (where s.last_n < p.n_to),
    coalesce(bool_or(s.session is null), false),
    -- Rescue stands in for a vanished author, so it needs what they would need. What somebody's own edit builds on is
    -- carried whatever became of its author: the carrier answers for it (I8).
    rescue and coalesce(
      bool_or(coalesce(weft.document_role(s.document_id, s.user_id) < 'editor', true)) filter (where s.last_n < p.n_to),
      false
    )
  into amount, packed, unknown, refused
  from unnest(parts) with ordinality as p (session, n_from, n_to, update, nth)
  left join public.document_sessions as s on s.session = p.session and s.document_id = pack_parts.document;

  if unknown then
    perform weft.raise('WF005', 'dependencies: a session is not registered here');
  elsif refused then
    perform weft.raise('WF005', 'dependencies: its author may no longer edit');
  end if;
  return case when amount > 0 then int2send(amount::smallint) || packed end;
end
$$;

-- Appends edits n_from to n_to of a session, merged into one update, and what they build on. Repeats safely: what lies
-- at or below last_n is not written again. The answer holds every row after known_seq, the caller's own included.
create function public.append_update(
  document uuid,
  session uuid,
  n_from integer,
  n_to integer,
  update text,
  dependencies jsonb,
  known_seq bigint,
  schema_version integer,
  joined integer
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  bytes bytea;
  parts weft.part[];
  packed bytea;
  rescue boolean := n_to = 0;
  entry weft.entry;
  head public.document_heads;
  author public.document_sessions;
  row_seq bigint;
  message bytea;
  watched boolean;
  due boolean;
  more boolean := false;
begin
  -- Parse first: what is malformed costs no lock.
  if n_from is null or n_to is null or n_from < 0 or n_to < n_from or (n_from = 0) <> (n_to = 0) then
    perform weft.raise('WF005', 'the numbers of the edits do not fit');
  elsif known_seq is null or known_seq < 0 then
    perform weft.raise('WF005', 'known_seq is out of range');
  elsif update is null or octet_length(update) > 1500000 then
    perform weft.raise('WF005', 'the update is too large');
  end if;
  perform weft.check_schema(schema_version);
  bytes := weft.from_base64(update);
  parts := weft.parse_parts(dependencies);
  if bytes is null then
    perform weft.raise('WF005', 'the update is not base64');
  elsif octet_length(bytes) > 1024 * 1024 then
    perform weft.raise('WF005', 'the update is larger than 1 MiB');
  elsif (octet_length(bytes) = 0) <> rescue then
    perform weft.raise('WF005', 'an update without edits, or edits without an update');
  elsif rescue and cardinality(parts) = 0 then
    perform weft.raise('WF005', 'nothing to append');
  end if;

  -- Then the lock. Whoever takes rights away holds it too, so that everything below, in statements of its own, sees
  -- either the rights before or the rights after, and never appends in between.
  select h.* into head from public.document_heads as h where h.document_id = append_update.document for update;
  entry := weft.enter_to_write(append_update.document);

  select s.*
  into author
  from public.document_sessions as s
  where s.session = append_update.session and s.document_id = append_update.document;
  if author.user_id is distinct from entry."user" then
    perform weft.raise('WF005', 'not a session of this person in this document');
  elsif append_update.schema_version < entry.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', entry.schema_version));
  end if;

  if not rescue and n_to <= author.last_n then
    -- A repeat: the first answer was lost.
    select u.seq
    into row_seq
    from public.document_updates as u
    where u.document_id = append_update.document and u.session = append_update.session
      and u.n_to >= append_update.n_to
    order by u.n_to
    limit 1;
  elsif n_from <= author.last_n + 1 then
    packed := weft.pack_parts(append_update.document, parts, rescue);
    if rescue and packed is null then
      row_seq := head.head_seq; -- All of it has arrived by itself.
    else
      row_seq := head.head_seq + 1;
      watched := coalesce(head.watched_until > clock_timestamp(), false);
      due := watched and coalesce(head.published_at <= clock_timestamp() - interval '1 second', true);

      insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, dependencies)
      values (
        append_update.document, row_seq, append_update.session, append_update.n_from, append_update.n_to, entry."user",
        bytes, packed
      );
      update public.document_heads as h
      set
        head_seq = row_seq,
        tail_bytes = h.tail_bytes + octet_length(bytes) + coalesce(octet_length(packed), 0),
        -- Nobody watches: nobody waits for these rows. Who opens later gets them with the answer.
        published_seq = case when due or not watched then row_seq else h.published_seq end,
        published_at = case when due then clock_timestamp() else h.published_at end
      where h.document_id = append_update.document;
      if not rescue then
        update public.document_sessions as s
        set last_n = append_update.n_to
        where s.document_id = append_update.document and s.session = append_update.session;
        author.last_n := append_update.n_to;
      end if;
      if append_update.schema_version > entry.schema_version then
        update public.documents as d
        set schema_version = append_update.schema_version
        where d.id = append_update.document;
      end if;

      message := weft.encode_message(
        row_seq, 1,
        weft.encode_row(
          row_seq, append_update.session, author.client_id, append_update.n_from, append_update.n_to, bytes, packed
        )
      );
      if joined is distinct from 0 then
        perform weft.publish(
          case when octet_length(message) <= 200 * 1024 then message else weft.encode_fetch(row_seq) end,
          'rows', 'd:' || append_update.document || ':' || entry.epoch
        );
      end if;
      if due then
        perform weft.publish_to_watchers(append_update.document, entry.epoch, head.published_seq, row_seq);
      end if;
      head.head_seq := row_seq;
    end if;
  end if;

  if message is null or known_seq <> row_seq - 1 then
    select e.message, e.more
    into message, more
    from weft.encode_rows(append_update.document, known_seq, head.head_seq, 500, 1024 * 1024) as e;
  end if;
  return jsonb_build_object(
    'seq', row_seq,
    'lastN', author.last_n,
    'head', head.head_seq,
    'epoch', entry.epoch,
    'role', entry.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(watched and not due, false)
  );
end
$$;

-- Tells the watchers what they were not told yet. Called by the author whose append came too soon after another.
create function public.publish_tail(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head public.document_heads;
  entry weft.entry;
begin
  select h.* into head from public.document_heads as h where h.document_id = publish_tail.document for update;
  entry := weft.enter(publish_tail.document, 'editor');

  if head.published_seq < head.head_seq
    and head.watched_until > clock_timestamp()
    and coalesce(head.published_at <= clock_timestamp() - interval '1 second', true)
  then
    perform weft.publish_to_watchers(publish_tail.document, entry.epoch, head.published_seq, head.head_seq);
    update public.document_heads as h
    set published_seq = h.head_seq, published_at = clock_timestamp()
    where h.document_id = publish_tail.document;
    head.published_seq := head.head_seq;
  end if;
  return jsonb_build_object('publishedSeq', head.published_seq);
end
$$;

revoke all on function weft.parse_parts, weft.pack_parts, public.append_update, public.publish_tail
from public, anon, authenticated, service_role;
grant execute on function public.append_update, public.publish_tail to authenticated;
