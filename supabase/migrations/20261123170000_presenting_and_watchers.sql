-- Presenting: an editor asks everybody on a page to follow them, and says where they are. Watching: how many people look at
-- a page, members by name, watchers by link as a number. Both are gone with a crash of the database, and come back with
-- the next calls of whoever presents and watches.

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

-- Who watches. A signed-in watcher is known, and a watcher by link is whatever uuid they choose.
create unlogged table weft.watchers (
  document_id uuid not null references public.documents (id) on delete cascade,
  watcher uuid not null,
  user_id uuid references public.profiles (id) on delete cascade,
  link_id uuid references public.share_links (id) on delete cascade,
  stance text not null check (stance in ('none', 'follows', 'declined')),
  seen_at timestamptz not null,
  primary key (document_id, watcher),
  constraint watchers_of_one_kind check ((user_id is null) <> (link_id is null))
);
create index watchers_seen_at_index on weft.watchers (document_id, seen_at);
create index watchers_user_id_index on weft.watchers (user_id, document_id);
create index watchers_link_id_index on weft.watchers (link_id);

alter table weft.presenters enable row level security;
alter table weft.watchers enable row level security;
create policy weft_nobody on weft.presenters using (false);
create policy weft_nobody on weft.watchers using (false);
revoke all on weft.presenters, weft.watchers from public, anon, authenticated, service_role;

drop function public.rows_since(uuid, bigint, integer, integer);
drop function public.keep_watching(uuid, bigint, integer);
drop function public.open_watch(text, bigint, integer);

-- As before, with WF015.
create or replace function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'You can’t open this page.'
      when 'WF002' then 'You can view this page, not edit it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to continue.'
      when 'WF005' then 'An edit couldn’t be saved.'
      when 'WF006' then 'Some edits couldn’t be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to continue.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      when 'WF015' then 'Someone else is presenting this page.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- --- presenting ---------------------------------------------------------------------------------------------------

-- Whether this is a place as src/protocol/place.ts has it. Nothing says that the page has such a block.
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
-- link nobody learns who it is.
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

-- Publishes the state of a presentation: on the live topic, unless the presenter says that nobody else is there, and to
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
-- changed and every 5 seconds; after 20 seconds without a call nobody presents. Messages go out at most twice a second.
--   While another session presents, the call is refused with WF015, and the detail is that session's user. With `starts`
--   a person takes over from another tab of their own.
--   `live_peers` is the number of others on the live topic, as in append_update.
-- A row is made only under the lock of the head, and the role is checked again once the row is locked. So whoever takes
-- the presenter's right away finds the row, and ends the presentation (weft.end_presenting).
create function public.present(
  document uuid, session uuid, place jsonb, starts boolean default false, live_peers integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  fresh_ms constant bigint := 20000;
  publish_interval constant interval := '500 milliseconds';
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

-- Ends the presentation of somebody who may no longer edit the page. Called after their rights have changed.
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

-- --- watchers -----------------------------------------------------------------------------------------------------

-- Counts a watcher for two minutes: a person, or somebody with a link. It costs a write at most every 50 seconds, and when
-- the stance changes, once a second at most. Whoever has a link may make up watchers, so a link counts 1,000 at most, and
-- each call deletes some that are gone. Somebody who edits is counted only while they follow or decline.
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

create function weft.watchers_of(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  seen record;
begin
  seen := weft.watchers_with(watchers_of.document, array['none', 'follows', 'declined']);
  return jsonb_build_object('people', seen.people, 'links', seen.links);
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

-- --- reading, with who presents and who watches -------------------------------------------------------------------

-- As before, with who presents.
create or replace function public.open_document(document uuid, since bigint, row_version integer default 1) returns jsonb
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
    'more', rows.more,
    'presenting', weft.presenting_of(open_document.document, false)
  );
end
$$;

-- The rows after `seq`. Everybody with an open page calls this at least every 30 seconds. That is also when the roles
-- of expired links are removed: nothing else runs at the time a link expires.
-- `watcher` and `stance` say that the caller watches the page, as weft.count_watcher has it.
create function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1, watcher uuid default null,
  stance text default null
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

-- Returns the rows after `seq`, as rows_since does, and extends the time in which rows are published to the view topic.
create function public.keep_watching(
  document uuid, seq bigint, row_version integer default 1, watcher uuid default null, stance text default null
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
    keep_watching.document, keep_watching.seq, 500, row_version, keep_watching.watcher, keep_watching.stance
  );
end
$$;

-- Returns the page of a link, from row `since` on. Needs no account.
create function public.open_watch(
  secret text, since bigint, row_version integer default 1, watcher uuid default null, stance text default null
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
      'presenting', weft.presenting_of(d.id, true)
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

revoke all on function
  weft.is_place, weft.presenting_of, weft.publish_presenting, weft.end_presenting, weft.end_presenting_of_document,
  weft.end_presenting_of_workspace, weft.count_watcher, weft.watchers_with, weft.watchers_of, weft.audience_of,
  weft.forget_watchers_of_link,
  public.present, public.rows_since, public.keep_watching, public.open_watch
from public, anon, authenticated, service_role;
grant execute on function public.present, public.rows_since, public.keep_watching, public.open_watch to authenticated;
grant execute on function public.open_watch to anon;
