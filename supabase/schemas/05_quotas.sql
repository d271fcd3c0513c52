-- Quotas of each account: how many workspaces, pages and files it makes and how often it changes comments in an hour and a day, how
-- many bytes its files may have together, and how many bytes of text it appends in a day (UTC). Without them one guest can fill the
-- disk, and then no one can write. docs/security.md lists the numbers and says why they are these.
--
-- Beyond a pace the answer is WF008, and devices try again by themselves. Beyond the bytes of files it is WF017: a device keeps the
-- file and says so. Beyond the bytes of text it is WF018: devices keep the edits and send them the next day.

set check_function_bodies = off;

-- The quota of this name for a person: the first number is for anonymous guests, the second for accounts.
create function weft.quota(name text, person uuid) returns bigint
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
    "text_bytes_per_day": [16777216, 2147483648],
    "comment_changes_per_hour": [120, 1000],
    "comment_changes_per_day": [400, 5000]
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

-- Fails if the person may not make one more workspace, page or file now (`what`: workspaces, pages or files). `bytes`: the size of
-- that file. Until the transaction ends, the person's other calls for the same wait.
create function weft.require_quota(what text, person uuid, bytes bigint default 0) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  in_hour bigint;
  in_day bigint;
  stored bigint := 0;
begin
  perform weft.lock_limit(require_quota.what, require_quota.person);
  select count(*) filter (where made.at > now() - interval '1 hour'), count(*)
  into in_hour, in_day
  from (
    select w.created_at as at from public.workspaces as w
    where require_quota.what = 'workspaces' and w.created_by = require_quota.person
    union all
    select d.created_at from public.documents as d
    where require_quota.what = 'pages' and d.created_by = require_quota.person
    union all
    select a.created_at from public.attachments as a
    where require_quota.what = 'files' and a.created_by = require_quota.person
  ) as made
  where made.at > now() - interval '1 day';
  if in_hour >= weft.quota(require_quota.what || '_per_hour', require_quota.person)
    or in_day >= weft.quota(require_quota.what || '_per_day', require_quota.person)
  then
    perform weft.raise('WF008', format('%s %s in an hour, %s in a day', in_hour, require_quota.what, in_day));
  end if;
  if require_quota.bytes > 0 then
    select coalesce(sum(a.bytes), 0) into stored from public.attachments as a where a.created_by = require_quota.person;
    if stored + require_quota.bytes > weft.quota('file_bytes', require_quota.person) then
      perform weft.raise('WF017', format('%s bytes of files', stored));
    end if;
  end if;
end
$$;

-- How many bytes a person appended on a day: their own edits, and those of others that they passed on or put back. Two numbers,
-- because otherwise an editor whose live updates others append would use up their quota.
create unlogged table weft.texts_written (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  day date not null,
  own bigint not null,
  passed_on bigint not null,
  -- One of the two has reached the quota.
  is_full boolean not null
);
alter table weft.texts_written enable row level security;
revoke all on weft.texts_written from public, anon, authenticated, service_role;
create policy weft_nobody on weft.texts_written using (false);

-- Counts a row if `is_drawn`, and fails if its author has appended the day's quota already: weft.append_row draws which rows count,
-- large ones more often, so that not every key press writes here. `own` and `passed_on`: the row's bytes, null for a row that has none.
-- Putting back is bounded too: otherwise anyone who makes a workspace stores what they like by calling put_back. Members may put back
-- `put_back_factor` times the quota.
create function weft.count_text(caller weft.caller, own bigint, passed_on bigint, is_put_back boolean, is_drawn boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  step constant integer := 16384;
  row_bytes constant integer := 256;
  put_back_factor constant integer := 16;
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
      or written.passed_on - counted_passed_on >= put_back_factor * most
      or coalesce(weft.workspace_role(caller.workspace_id, caller.user_id) = 'guest', true)
      or exists (select from auth.users as u where u.id = caller.user_id and u.is_anonymous)
    then
      perform weft.raise('WF018', format('%s bytes today, %s passed on', written.own - counted_own, written.passed_on - counted_passed_on));
    end if;
  end if;
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.quota, weft.require_quota, weft.count_text
from public, anon, authenticated, service_role;
