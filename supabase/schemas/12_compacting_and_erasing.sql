-- Compacting a page's history, and erasing it for good.
--
-- Compacting puts one row in the place of the rows of an editing session. The database cannot merge edits, because it does not read
-- Yjs. A program with the service key does (`npm run compact`); the database hands out the rows and swaps them.

set check_function_bodies = off;

-- --- compacting ----------------------------------------------------------------------------------------------------

-- Pages with rows older than so many days that were not compacted, by their ids: the next ones after `after`.
create function public.pages_to_compact(older_than_days integer, after uuid default null, row_limit integer default 100)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(found.id order by found.id), '[]')
    from (
      select d.id
      from public.documents as d
      where (pages_to_compact.after is null or d.id > pages_to_compact.after) and exists (
        select
        from public.document_updates as u
        where u.document_id = d.id and u.seq > 1 and u.first_seq is null
          and u.created_at < now() - make_interval(days => greatest(least(pages_to_compact.older_than_days, 36500), 1))
      )
      order by d.id
      limit greatest(least(coalesce(pages_to_compact.row_limit, 100), 1000), 1)
    ) as found
  );
end
$$;

-- The rows of a page for the program that compacts them, at most 1 MiB at a time, with the numbers of the rows that versions name and
-- of the one that the text copy stands for. `now` is the database's clock.
create function public.rows_to_compact(document uuid, after bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  head bigint;
  text_seq bigint;
  rows record;
begin
  select h.head_seq, d.text_seq
  into head, text_seq
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = rows_to_compact.document;
  if head is null then
    perform weft.raise('WF001', 'no such page');
  end if;
  rows := weft.encode_rows(rows_to_compact.document, greatest(coalesce(rows_to_compact.after, 0), 0), head, null, max_bytes, 3);
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'textSeq', text_seq,
    'versions', (
      select coalesce(jsonb_agg(distinct v.seq), '[]')
      from public.document_versions as v
      where v.document_id = rows_to_compact.document
    ),
    'now', weft.unix_ms(clock_timestamp())
  );
end
$$;

-- Puts one row in the place of the rows first_seq to last_seq, which must be one editing session. `parts` are the edits of each
-- session, merged: `[{session, nFrom, nTo, update}]`, the last one becomes the row's own. `sha256` is that of the rows as the caller
-- read them (a row message of version 3 whose head is last_seq): if they are others by now, nothing changes and the answer is false.
-- Everything else that does not fit is refused: edits that the rows do not have or that would be lost, rows of the last day or
-- that the text copy lacks, damaged numbers, a version in the middle, a row that was put back (nothing says whose edits it holds).
create function public.compact_history(document uuid, first_seq bigint, last_seq bigint, sha256 text, parts jsonb)
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

-- A version names a row that is there. A tab may show a row that was compacted a moment ago.
create function weft.check_version_row() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if not exists (
    select from public.document_updates as u where u.document_id = new.document_id and u.seq = new.seq
  ) then
    raise exception using errcode = '22023', message = 'seq: a row of the page';
  end if;
  return new;
end
$$;
create trigger check_version_row before insert on public.document_versions
for each row execute function weft.check_version_row();

-- --- erasing -------------------------------------------------------------------------------------------------------

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

-- Fails as a lost network does while someone erases: the app tries again a moment later.
create function weft.require_no_pause(head public.document_heads) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if head.paused_until > clock_timestamp() then
    raise exception using errcode = '55P03', message = 'Somebody erases something on this page.';
  end if;
end
$$;

-- Deletes what Realtime has kept of these topics, where the owner of this function may: a hosted project forgets them after three
-- days, and its policies let no one join topics from before.
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
-- Yjs with the ids that its edits had. `title`: the page's title without the words. Rows, snapshots, versions, the text copy and the
-- quotes of comments go. Sessions stay, because their client ids are in the page. Everyone opens the page again, on new topics.
-- `erased` is false, and nothing is changed, if a newer row is there by now. A repeated call, whose first answer was lost, finds what
-- the first one did.
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
  where n.document_id = erase_history.document and n.detail ? 'excerpt' and not n.detail ? 'comment';
  perform weft.erase_quotes(erase_history.document);

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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  public.pages_to_compact, public.rows_to_compact, public.compact_history, weft.check_version_row, weft.beginning_of,
  weft.require_no_pause, weft.forget_messages, weft.require_eraser, public.prepare_erasing, public.erase_history,
  weft.beginning_note
from public, anon, authenticated, service_role;

grant execute on function
  public.prepare_erasing, public.erase_history
to authenticated;

grant execute on function
  public.pages_to_compact, public.rows_to_compact, public.compact_history
to service_role;
