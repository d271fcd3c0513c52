-- How often the database publishes to watchers. Realtime counts a message once when it is sent and once for everybody who
-- receives it, so with many watchers a message a second would use up what the project's plan allows. The rule is that of
-- src/sync/live/message-cost.ts and src/app/sessions/page-budget.ts, with the watchers whom the database counts. Whoever
-- waits longer than 15 seconds asks by themselves.

-- What the owner of the project sets, in the SQL editor. Only functions read it.
create table weft.settings (
  is_only_row boolean primary key default true check (is_only_row),
  -- Realtime's messages per second of the project's plan, as `liveBudget` in config.json.
  messages_per_second integer not null default 100 check (messages_per_second > 0)
);
insert into weft.settings default values;

-- When a page was last published to watchers, on whose behalf, and how long it rests since.
create unlogged table weft.watch_paces (
  document_id uuid primary key references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  published_at timestamptz not null,
  pause interval not null
);
create index watch_paces_user_id_index on weft.watch_paces (user_id);

alter table weft.settings enable row level security;
alter table weft.watch_paces enable row level security;
create policy weft_nobody on weft.settings using (false);
create policy weft_nobody on weft.watch_paces using (false);
revoke all on weft.settings, weft.watch_paces from public, anon, authenticated, service_role;

-- Within a minute; 0 for null and what is past.
create function weft.milliseconds_until(moment timestamptz) returns integer
language sql volatile security definer set search_path = ''
as $$
  select case
    when milliseconds_until.moment <= clock_timestamp() + interval '1 minute' then
      greatest(0, ceil(1000 * extract(epoch from milliseconds_until.moment - clock_timestamp())))
    when milliseconds_until.moment is not null then 60000
    else 0
  end::integer
$$;

-- How many pages share the project's messages: those on which somebody sends live updates, those that are published to
-- watchers, and `own`, if it is not null. A person counts on one page, so that nobody takes a part for many.
create function weft.busy_pages(own uuid) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  busy_for constant interval := '15 seconds';
begin
  return (
    select count(distinct busy.document_id)
    from (
      select newest.document_id
      from (
        select distinct on (used.user_id) used.document_id
        from (
          select a.user_id, a.document_id, a.announced_at as at
          from weft.announced_sessions as a
          where a.writes_until > clock_timestamp()
          union all
          select p.user_id, p.document_id, p.published_at
          from weft.watch_paces as p
          where p.published_at + greatest(p.pause, busy_for) > clock_timestamp()
        ) as used
        order by used.user_id, used.at desc
      ) as newest
      union all
      select busy_pages.own where busy_pages.own is not null
    ) as busy
  );
end
$$;

-- The time between two messages to the watchers of a page, `at_least` or longer: what they receive may take three quarters
-- of the page's messages, the rest is the writers'. While somebody presents, rows have one half of that, and the presenter's
-- places the other.
create function weft.watch_interval(document uuid, at_least interval, is_presenting boolean) returns interval
language plpgsql volatile security definer set search_path = ''
as $$
declare
  usable_share constant double precision := 0.8;
  max_page_share constant double precision := 0.5;
  watchers_share constant double precision := 0.75;
  counted_for constant interval := '2 minutes';
  max_counted constant integer := 20000;
  receivers bigint;
  budget double precision;
begin
  select count(*)
  into receivers
  from (
    select
    from weft.watchers as w
    where w.document_id = watch_interval.document and w.seen_at > clock_timestamp() - counted_for
    limit max_counted
  ) as counted;
  select s.messages_per_second * least(max_page_share, usable_share / weft.busy_pages(watch_interval.document))
  into budget
  from weft.settings as s;
  return greatest(
    watch_interval.at_least,
    make_interval(secs => (1 + receivers) / (
      budget * watchers_share * case when watch_interval.is_presenting then 0.5 else 1 end
    ))
  );
end
$$;

-- How long the watchers of a page wait after the last message; at most a minute, for soon there may be fewer of them.
create function weft.watch_pause(document uuid) returns interval
language plpgsql stable security definer set search_path = ''
as $$
begin
  return greatest(
    '1 second',
    (select least(p.pause, '1 minute') from weft.watch_paces as p where p.document_id = watch_pause.document)
  );
end
$$;

-- Called after each message to the watchers of a page, with its head locked: says when the next may follow.
create function weft.pace_watch_topics(document uuid, person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  forget_after constant interval := '5 minutes';
  max_deleted constant integer := 20;
  is_presented boolean := exists (
    select
    from weft.presenters as p
    where p.document_id = pace_watch_topics.document and p.place is not null
      and p.at > weft.unix_ms(clock_timestamp()) - 20000
  );
  rest interval := weft.watch_interval(pace_watch_topics.document, '1 second', is_presented);
begin
  update weft.watch_paces as p
  set user_id = pace_watch_topics.person, published_at = clock_timestamp(), pause = rest
  where p.document_id = pace_watch_topics.document;
  if found then
    return;
  end if;
  insert into weft.watch_paces as p (document_id, user_id, published_at, pause)
  values (pace_watch_topics.document, pace_watch_topics.person, clock_timestamp(), rest)
  on conflict on constraint watch_paces_pkey do nothing;
  -- After the own row is locked, and without waiting for others: no two calls wait for each other.
  delete from weft.watch_paces as p
  using (
    select old.document_id
    from weft.watch_paces as old
    where old.published_at < clock_timestamp() - forget_after
    limit max_deleted
    for update skip locked
  ) as gone
  where p.document_id = gone.document_id;
end
$$;

-- As before; pages that are published to watchers count as busy too.
create or replace function public.announce_session(document uuid, session uuid, is_writing boolean) returns jsonb
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

-- --- appending ----------------------------------------------------------------------------------------------------

-- As before, with the pause above in place of one second. `publishIn` is the number of milliseconds until the rows may be
-- published that watchers have not received yet.
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

-- As before, with the same pause.
create or replace function public.publish_pending(document uuid) returns jsonb
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

-- --- presenting ---------------------------------------------------------------------------------------------------

-- As before; with many watchers the presenter's place is published as often as the project's messages allow.
create or replace function public.present(
  document uuid, session uuid, place jsonb, starts boolean default false, live_peers integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  fresh_ms constant bigint := 20000;
  publish_interval interval := '500 milliseconds';
  caller weft.caller := weft.require_editor(document);
  moment timestamptz := clock_timestamp();
  before weft.presenters;
  is_known boolean;
  is_fresh boolean;
  is_own boolean;
  publishes boolean := false;
  new_at bigint;
begin
  if present.session is null or exists (
    select
    from public.document_sessions as s
    where s.document_id = present.document and s.session = present.session and s.user_id <> caller.user_id
  ) then
    perform weft.raise('WF005', 'not a session of this person');
  elsif jsonb_typeof(present.place) = 'null' then
    present.place := null;
  elsif present.place is not null and not weft.is_place(present.place) then
    raise exception using errcode = '22023', message = 'place: { "block": id, "offset": letters }, or null';
  end if;

  if coalesce(present.starts, false) or not exists (
    select from weft.presenters as p where p.document_id = present.document
  ) then
    perform weft.lock_heads(array[present.document]);
  end if;
  select p.* into before from weft.presenters as p where p.document_id = present.document for update;
  is_known := found;
  caller := weft.require_editor(present.document);
  moment := clock_timestamp();
  new_at := greatest(weft.unix_ms(moment), coalesce(before.at + 1, 0));
  is_own := is_known and before.session = present.session and before.user_id = caller.user_id;
  is_fresh := is_known and before.place is not null and before.at > weft.unix_ms(moment) - fresh_ms;

  if present.place is null then
    if is_own and before.place is not null then
      -- Whoever has seen the presentation must see its end, however little time has passed.
      publishes := coalesce(before.published_at >= before.since, false);
      update weft.presenters as p set place = null, at = new_at where p.document_id = present.document;
    else
      new_at := coalesce(before.at, 0);
    end if;
  elsif is_fresh and not is_own and not (coalesce(present.starts, false) and before.user_id = caller.user_id) then
    perform weft.raise('WF015', before.user_id::text);
  else
    if before.published_at <= moment - publish_interval then
      publish_interval := weft.watch_interval(present.document, publish_interval, true);
    end if;
    publishes := coalesce(before.published_at <= moment - publish_interval, true);
    insert into weft.presenters as p (document_id, session, user_id, place, since, at, published_at)
    values (
      present.document, present.session, caller.user_id, present.place, moment, new_at,
      case when publishes then moment end
    )
    on conflict on constraint presenters_pkey do update
    set
      session = excluded.session,
      user_id = excluded.user_id,
      place = excluded.place,
      since = case when is_own and is_fresh then p.since else moment end,
      at = excluded.at,
      published_at = case when publishes then moment else p.published_at end;
  end if;

  if publishes then
    perform weft.publish_presenting(present.document, caller.topic_epoch, present.live_peers);
  end if;
  return weft.audience_of(present.document)
    || jsonb_build_object('at', new_at, 'epoch', caller.topic_epoch, 'published', publishes);
end
$$;

revoke all on function
  weft.milliseconds_until, weft.busy_pages, weft.watch_interval, weft.watch_pause, weft.pace_watch_topics,
  public.announce_session, public.append_update, public.publish_pending, public.present
from public, anon, authenticated, service_role;
grant execute on function public.announce_session, public.append_update, public.publish_pending, public.present
to authenticated;
