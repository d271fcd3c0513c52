-- Watching a page, by link or signed in; presenting it; and the pace at which rows are published to watchers.

set check_function_bodies = off;

-- --- watching ------------------------------------------------------------------------------------------------------

-- The view topic of a document and the watch topics of its links that someone watches at the moment.
create function weft.watch_topics(document uuid, epoch text) returns setof text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select 'v:' || watch_topics.document || ':' || watch_topics.epoch
    union all
    select 'w:' || l.topic_key
    from public.share_links as l
    where l.document_id = watch_topics.document
      and l.watched_until > clock_timestamp()
      and weft.is_link_active(l.revoked_at, l.expires_at);
end
$$;

-- Publishes the rows after `after` to all watchers, or a fetch message if they are too large for one message.
create function weft.publish_to_watchers(document uuid, epoch text, after bigint, head bigint) returns void
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

-- Rows are published to watch topics only while someone watches. Every 15 seconds a watcher calls keep_watching (signed
-- in, on the view topic) or open_watch (through a link). A call extends the publishing to 60 seconds from now, and writes
-- only if less than 40 seconds are left, so 500 watchers cause one write in 20 seconds.

-- Extends the time in which rows are published to a link's watch topic. It locks the head first, like all other
-- functions, so that it cannot deadlock with them.
create function weft.extend_watch(link public.share_links) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  renew_before constant timestamptz := clock_timestamp() + interval '40 seconds';
begin
  if link.watched_until > renew_before and exists (
    select from public.document_heads as h where h.document_id = link.document_id and h.watched_until > renew_before
  ) then
    return;
  end if;
  perform weft.lock_heads(array[link.document_id]);
  update public.document_heads as h
  set watched_until = clock_timestamp() + interval '60 seconds'
  where h.document_id = link.document_id;
  update public.share_links as l
  set watched_until = clock_timestamp() + interval '60 seconds'
  where l.id = link.id;
end
$$;

-- Returns the rows after `seq`, as rows_since does, and extends the time in which rows are published to the view topic.
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

-- Returns the page of a link with the rows after `since`, whether the link shows the page's history, and the number of the newest change
-- of its comments if the link shows them. Needs no account.
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
  snapshot_seq bigint;
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
        'history', link.history,
        'comments', null
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

  select h.head_seq, h.snapshot_seq
  into head, snapshot_seq
  from public.document_heads as h
  where h.document_id = link.document_id;
  if not link.history then
    perform weft.want_snapshot(link.document_id);
  end if;
  if weft.needs_snapshot(link.document_id, coalesce(since, 0), head) or (not link.history and coalesce(since, 0) < snapshot_seq)
  then
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
      'history', link.history,
      'comments', weft.comments_by_link(d.id)
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

-- --- presenting ----------------------------------------------------------------------------------------------------

-- Presenting: an editor asks everyone on a page to follow them, and says where they are. Watching: how many people look at
-- a page, members by name, watchers by link as a number. Both are gone with a crash of the database, and come back with
-- the next calls of those who present and watch.

-- The one who presents a page, or did until just now. `at` orders what clients receive, whatever way it takes.
create unlogged table weft.presenters (
  document_id uuid primary key references public.documents (id) on delete cascade,
  session uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- Null: the presentation is over. The row stays, so that `at` goes on growing.
  place jsonb,
  since timestamptz not null,
  -- Milliseconds since 1970.
  at bigint not null,
  published_at timestamptz
);
create index presenters_user_id_index on weft.presenters (user_id);
alter table weft.presenters enable row level security;
revoke all on weft.presenters from public, anon, authenticated, service_role;
create policy weft_nobody on weft.presenters using (false);

-- Who watches. A signed-in watcher is known by their account; a watcher by link chooses a uuid of their own.
create unlogged table weft.watchers (
  document_id uuid not null references public.documents (id) on delete cascade,
  watcher uuid not null,
  user_id uuid references public.profiles (id) on delete cascade,
  link_id uuid references public.share_links (id) on delete cascade,
  -- Whether they follow the page's presenter, or were asked to and declined.
  stance text not null check (stance in ('none', 'follows', 'declined')),
  seen_at timestamptz not null,
  primary key (document_id, watcher),
  constraint watchers_of_one_kind check ((user_id is null) <> (link_id is null))
);
create index watchers_seen_at_index on weft.watchers (document_id, seen_at);
create index watchers_user_id_index on weft.watchers (user_id, document_id);
create index watchers_link_id_index on weft.watchers (link_id);
alter table weft.watchers enable row level security;
revoke all on weft.watchers from public, anon, authenticated, service_role;
create policy weft_nobody on weft.watchers using (false);

-- Whether this is a place as src/sync/protocol/place.ts has it. Nothing says that the page has such a block.
create function weft.is_place(place jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case
    when jsonb_typeof(is_place.place) is distinct from 'object' then false
    when is_place.place - 'block' - 'offset' <> '{}' then false
    when jsonb_typeof(is_place.place -> 'block') is distinct from 'string' then false
    when is_place.place ->> 'block' !~ '^[0-9A-Za-z_-]{1,64}$' then false
    when jsonb_typeof(is_place.place -> 'offset') is distinct from 'number' then false
    when is_place.place ->> 'offset' !~ '^(0|[1-9][0-9]{0,9})$' then false
    else (is_place.place ->> 'offset')::bigint <= 2147483647
  end
$$;

-- What answers say of the page's presenter: null without one. For 20 seconds they also say that a presentation is over. By
-- link no one learns who it is.
create function weft.presenting_of(document uuid, by_link boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  fresh_ms constant bigint := 20000;
  now_ms bigint := weft.unix_ms(clock_timestamp());
begin
  return (
    select jsonb_build_object('at', p.at, 'age', greatest(0, now_ms - p.at), 'place', p.place)
      || case
        when presenting_of.by_link then '{}'
        else jsonb_build_object('session', p.session, 'user', p.user_id)
      end
    from weft.presenters as p
    where p.document_id = presenting_of.document and p.at > now_ms - fresh_ms
  );
end
$$;

-- Publishes the state of a presentation: on the live topic, unless the presenter says that no one else is there, and to
-- watchers while there are any.
create function weft.publish_presenting(document uuid, epoch text, live_peers integer) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  unnamed jsonb;
  named jsonb;
  topic text;
begin
  select
    jsonb_build_object('at', p.at, 'place', p.place),
    jsonb_build_object('at', p.at, 'place', p.place, 'session', p.session, 'user', p.user_id)
  into unnamed, named
  from weft.presenters as p
  where p.document_id = publish_presenting.document;
  if live_peers is distinct from 0 then
    perform weft.publish_bytes(
      convert_to(named::text, 'UTF8'), 'presenting',
      'd:' || publish_presenting.document || ':' || publish_presenting.epoch
    );
  end if;
  if not exists (
    select
    from public.document_heads as h
    where h.document_id = publish_presenting.document and h.watched_until > clock_timestamp()
  ) then
    return;
  end if;
  for topic in select t from weft.watch_topics(publish_presenting.document, publish_presenting.epoch) as t loop
    perform weft.publish_bytes(
      convert_to((case when topic like 'v:%' then named else unnamed end)::text, 'UTF8'), 'presenting', topic
    );
  end loop;
end
$$;

-- Says where the caller's session is on the page that it presents; without a place it stops. It is called when the place
-- changed and every 5 seconds; after 20 seconds without a call no one presents. Messages go out at most twice a second, and to many
-- watchers as often as the project's messages allow.
--   While another session presents, the call is refused with WF015, and the detail is that session's user. With `starts`
--   a person takes over from another tab of their own.
--   `live_peers` is the number of others on the live topic, as in append_update.
-- A row is made only under the lock of the head, and the role is checked again once the row is locked. So a call that takes
-- the presenter's right away finds the row, and ends the presentation (weft.end_presenting).
create function public.present(
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

-- Ends the presentation of someone who may no longer edit the page. Called after their rights have changed.
create function weft.end_presenting(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  ended uuid;
begin
  select p.user_id
  into ended
  from weft.presenters as p
  where p.document_id = end_presenting.document and p.place is not null
  for update;
  if ended is null or exists (
    select
    from public.documents as d
    where d.id = end_presenting.document and d.trashed_at is null and weft.document_role(d.id, ended) >= 'editor'
  ) then
    return;
  end if;
  update weft.presenters as p
  set place = null, at = greatest(weft.unix_ms(clock_timestamp()), p.at + 1)
  where p.document_id = end_presenting.document;
  -- Members learn it from "moved", which this change publishes on the topics that they are leaving.
  perform weft.publish_presenting(end_presenting.document, weft.topic_epoch(end_presenting.document), 0);
end
$$;

create function weft.end_presenting_of_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.end_presenting(new.id);
  return null;
end
$$;
create trigger end_presenting after update of epoch, trashed_at on public.documents
for each row when (new.epoch <> old.epoch or (new.trashed_at is null) <> (old.trashed_at is null))
execute function weft.end_presenting_of_document();

create function weft.end_presenting_of_workspace() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.end_presenting(one.document_id)
  from (
    select p.document_id
    from weft.presenters as p join public.documents as d on d.id = p.document_id
    where d.workspace_id = new.id and p.place is not null
    order by p.document_id
  ) as one;
  return null;
end
$$;
create trigger end_presenting after update of epoch on public.workspaces
for each row when (new.epoch <> old.epoch)
execute function weft.end_presenting_of_workspace();

-- Counts a watcher for two minutes: a person, or someone with a link. It costs a write at most every 50 seconds, and when
-- the stance changes, once a second at most. Anyone with a link may make up watchers, so a link counts 1,000 at most, and
-- each call deletes some that are gone. An editor is counted only while they follow or decline.
create function weft.count_watcher(
  document uuid, watcher uuid, stance text, person uuid, link uuid, edits boolean
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  write_after constant interval := '50 seconds';
  stance_after constant interval := '1 second';
  counted_for constant interval := '2 minutes';
  max_of_link constant integer := 1000;
  max_of_person constant integer := 20;
  max_deleted constant integer := 50;
  moment timestamptz := clock_timestamp();
  given text := case when count_watcher.stance in ('follows', 'declined') then count_watcher.stance else 'none' end;
  counts boolean := not count_watcher.edits or given <> 'none';
  known weft.watchers;
begin
  if count_watcher.watcher is null then
    return;
  end if;
  select w.*
  into known
  from weft.watchers as w
  where w.document_id = count_watcher.document and w.watcher = count_watcher.watcher;

  if known.watcher is not null then
    if known.user_id is distinct from count_watcher.person or known.link_id is distinct from count_watcher.link then
      return; -- Somebody else's.
    elsif not counts then
      delete from weft.watchers as w
      where w.document_id = count_watcher.document and w.watcher = count_watcher.watcher;
    elsif known.seen_at <= moment - write_after or known.stance <> given and known.seen_at <= moment - stance_after then
      update weft.watchers as w
      set stance = given, seen_at = moment
      where w.document_id = count_watcher.document and w.watcher = count_watcher.watcher;
    end if;
    return;
  elsif not counts then
    return;
  end if;

  delete from weft.watchers as w
  using (
    select old.document_id, old.watcher
    from weft.watchers as old
    where old.document_id = count_watcher.document and old.seen_at < moment - counted_for
    order by old.seen_at
    limit max_deleted
    for update skip locked -- Another call may be deleting the same rows.
  ) as gone
  where w.document_id = gone.document_id and w.watcher = gone.watcher;
  if count_watcher.person is not null then
    perform weft.lock_limit('watchers.' || count_watcher.document, count_watcher.person);
  -- Watchers by link do not wait for each other in the call that shows them the page: their next one counts them. With few of them,
  -- calls at the same time cannot reach the limit.
  elsif exists (select from weft.watchers as w where w.link_id = count_watcher.link offset max_of_link / 2)
    and not weft.try_lock_limit('watchers', count_watcher.link)
  then
    return;
  end if;
  if count_watcher.link is not null and (
    select count(*)
    from (select from weft.watchers as w where w.link_id = count_watcher.link limit max_of_link) as of_link
  ) >= max_of_link then
    return;
  elsif count_watcher.person is not null and (
    select count(*)
    from weft.watchers as w
    where w.user_id = count_watcher.person and w.document_id = count_watcher.document
  ) >= max_of_person then
    return;
  end if;
  insert into weft.watchers (document_id, watcher, user_id, link_id, stance, seen_at)
  values (
    count_watcher.document, count_watcher.watcher, count_watcher.person, count_watcher.link, given, moment
  )
  on conflict on constraint watchers_pkey do nothing;
end
$$;

-- Who watches a page with one of these stances: the first 100 people, and how many by link, up to 1,000.
create function weft.watchers_with(document uuid, stances text[], out people jsonb, out links bigint)
language plpgsql stable security definer set search_path = ''
as $$
declare
  since timestamptz := clock_timestamp() - interval '2 minutes';
begin
  select coalesce(jsonb_agg(named.user_id order by named.user_id), '[]')
  into people
  from (
    select distinct w.user_id
    from weft.watchers as w
    where w.document_id = watchers_with.document and w.seen_at > since and w.stance = any (watchers_with.stances)
      and w.user_id is not null
    order by w.user_id
    limit 100
  ) as named;
  select count(*)
  into links
  from (
    select
    from weft.watchers as w
    where w.document_id = watchers_with.document and w.seen_at > since and w.stance = any (watchers_with.stances)
      and w.link_id is not null
    limit 1000
  ) as counted;
end
$$;

-- The people who watch, without those who may edit: they are no readers.
create function weft.watchers_of(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  seen record;
  undecided record;
begin
  seen := weft.watchers_with(watchers_of.document, array['none', 'follows', 'declined']);
  -- Nobody of these may edit; roles are looked up for the others alone.
  undecided := weft.watchers_with(watchers_of.document, array['none']);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(person.id order by person.id), '[]')
      from jsonb_array_elements_text(seen.people) as person (id)
      where case
        when undecided.people ? person.id then true
        else coalesce(weft.document_role(watchers_of.document, person.id::uuid) < 'editor', true)
      end
    ),
    'links', seen.links
  );
end
$$;

-- The same for a presenter: who follows, who does not want to, and how many watch in all.
create function weft.audience_of(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  following record := weft.watchers_with(document, array['follows']);
  declined record := weft.watchers_with(document, array['declined']);
  seen record := weft.watchers_with(document, array['none', 'follows', 'declined']);
begin
  return jsonb_build_object(
    'followers', jsonb_build_object(
      'people', following.people,
      'links', following.links,
      -- Somebody with two tabs may do both.
      'declined', (
        select coalesce(jsonb_agg(person order by person), '[]')
        from jsonb_array_elements(declined.people) as person
        where not following.people @> person
      )
    ),
    'watching', jsonb_array_length(seen.people) + seen.links
  );
end
$$;

create function weft.forget_watchers_of_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from weft.watchers as w where w.link_id = new.id;
  return null;
end
$$;
create trigger forget_watchers after update of revoked_at on public.share_links
for each row when (new.revoked_at is not null and old.revoked_at is null)
execute function weft.forget_watchers_of_link();

-- --- the pace of publishing ----------------------------------------------------------------------------------------

-- How often the database publishes to watchers. Realtime counts a message once when it is sent and once for everyone who
-- receives it, so with many watchers a message a second would use up what the project's plan allows. The rule is that of
-- src/sync/live/message-cost.ts and src/sessions/page-budget.ts, with the watchers whom the database counts. A watcher who
-- waits longer than 15 seconds asks by themselves.

-- When a page was last published to watchers, on whose behalf, and how long it rests since.
create unlogged table weft.watch_paces (
  document_id uuid primary key references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  published_at timestamptz not null,
  pause interval not null
);
create index watch_paces_user_id_index on weft.watch_paces (user_id);
alter table weft.watch_paces enable row level security;
revoke all on weft.watch_paces from public, anon, authenticated, service_role;
create policy weft_nobody on weft.watch_paces using (false);

-- How many pages share the project's messages: those on which someone sends live updates, those that are published to
-- watchers, and `own`, if it is not null. A person counts on one page, so that no one takes a part for many.
-- Indexes are of no use to a comparison with clock_timestamp(): with it every session that was ever announced is read.
create function weft.busy_pages(own uuid) returns bigint
language plpgsql volatile security definer set search_path = ''
as $$
declare
  busy_for constant interval := '15 seconds';
  at_once constant timestamptz := clock_timestamp();
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
          where a.writes_until > at_once
          union all
          select p.user_id, p.document_id, p.published_at
          from weft.watch_paces as p
          where p.published_at + greatest(p.pause, busy_for) > at_once
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
-- of the page's messages, the rest is the writers'. While someone presents, rows have one half of that, and the presenter's
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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.watch_topics, weft.publish_to_watchers, weft.extend_watch, public.keep_watching, public.open_watch,
  weft.is_place, weft.presenting_of, weft.publish_presenting, public.present, weft.end_presenting,
  weft.end_presenting_of_document, weft.end_presenting_of_workspace, weft.count_watcher, weft.watchers_with,
  weft.watchers_of, weft.audience_of, weft.forget_watchers_of_link, weft.busy_pages, weft.watch_interval,
  weft.watch_pause, weft.pace_watch_topics
from public, anon, authenticated, service_role;

grant execute on function
  public.open_watch
to anon, authenticated;

grant execute on function
  public.keep_watching, public.present
to authenticated;
