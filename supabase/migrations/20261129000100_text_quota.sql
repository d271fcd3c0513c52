-- A quota for the text of pages: how many bytes an account appends in a day (UTC). Without it one guest fills the disk in minutes.
-- Beyond it the answer is WF018: devices keep the edits and send them the next day. docs/security.md says why the numbers are these.

-- As before, with WF018.
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
      when 'WF008' then 'Too many requests. Try again later.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      when 'WF015' then 'Someone else is presenting this page.'
      when 'WF016' then 'The server was restored from an earlier state.'
      when 'WF017' then 'Your account has no more room for files.'
      when 'WF018' then 'Your account can’t save more text today. Edits are kept on this device and sent tomorrow.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- As before, with `text_bytes_per_day`.
create or replace function weft.quota(name text, person uuid) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  usual constant jsonb := '{
    "workspaces_per_hour": [3, 100],
    "workspaces_per_day": [5, 300],
    "pages_per_hour": [60, 1000],
    "pages_per_day": [200, 5000],
    "files_per_hour": [60, 1000],
    "files_per_day": [200, 5000],
    "file_bytes": [52428800, 5368709120],
    "text_bytes_per_day": [16777216, 2147483648]
  }';
begin
  return (
    select (s.quotas -> quota.name -> which.at)::bigint
    from (
      select usual || settings.quotas as quotas from weft.settings as settings
    ) as s
    cross join (
      select case when u.is_anonymous then 0 else 1 end as at from auth.users as u where u.id = quota.person
    ) as which
  );
end
$$;

-- What a person appended on a day: their own edits, and those of others that they passed on or put back. Two numbers, because otherwise
-- an editor whose live updates others append would use up their quota.
create unlogged table weft.texts_written (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  day date not null,
  own bigint not null,
  passed_on bigint not null,
  -- One of the two has reached the quota.
  is_full boolean not null
);
alter table weft.texts_written enable row level security;
create policy weft_nobody on weft.texts_written using (false);

-- Counts a row that is drawn to be counted, and fails if its author has appended the day's quota already. `own` and `passed_on`: its
-- bytes, null for a row that has none. What a restored server lost is put back by members whatever they have appended.
create function weft.count_text(caller weft.caller, own bigint, passed_on bigint, is_put_back boolean, is_drawn boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  step constant integer := 16384;
  row_bytes constant integer := 256;
  today constant date := (now() at time zone 'UTC')::date;
  most constant bigint := weft.quota('text_bytes_per_day', caller.user_id);
  bytes bigint := coalesce(count_text.own, 0) + coalesce(count_text.passed_on, 0) + row_bytes;
  counted_own bigint := 0;
  counted_passed_on bigint := 0;
  written weft.texts_written;
begin
  if is_drawn then
    -- A row of fewer bytes is drawn so rarely that it counts for a whole step.
    counted_passed_on := case
      when count_text.own is null then greatest(bytes, step)
      else coalesce(count_text.passed_on, 0) * greatest(1, step::numeric / bytes)
    end;
    counted_own := greatest(bytes, step) - counted_passed_on;
    insert into weft.texts_written as w (user_id, day, own, passed_on, is_full)
    values (caller.user_id, today, counted_own, counted_passed_on, greatest(counted_own, counted_passed_on) >= most)
    on conflict (user_id) do update
    set
      day = today,
      own = case when w.day = today then w.own else 0 end + excluded.own,
      passed_on = case when w.day = today then w.passed_on else 0 end + excluded.passed_on,
      is_full = excluded.is_full
        or (w.day = today and greatest(w.own + excluded.own, w.passed_on + excluded.passed_on) >= most)
    returning w.* into written;
  else
    select w.* into written from weft.texts_written as w where w.user_id = caller.user_id and w.day = today;
  end if;

  if (count_text.own is not null and written.own - counted_own >= most)
    or (count_text.passed_on > 0 and written.passed_on - counted_passed_on >= most)
  then
    if not count_text.is_put_back
      or coalesce(weft.workspace_role(caller.workspace_id, caller.user_id) = 'guest', true)
      or exists (select from auth.users as u where u.id = caller.user_id and u.is_anonymous)
    then
      perform weft.raise('WF018', format('%s bytes today, %s passed on', written.own - counted_own, written.passed_on - counted_passed_on));
    end if;
  end if;
end
$$;

-- As before, with the quota.
create or replace function weft.append_row(
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

revoke all on function weft.count_text from public, anon, authenticated, service_role;
