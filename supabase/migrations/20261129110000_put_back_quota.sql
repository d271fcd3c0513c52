-- Putting back is bounded too: without it whoever makes a workspace stored what they liked by calling `put_back`.

-- Counts a row that is drawn to be counted, and fails if its author has appended the day's quota already. `own` and `passed_on`: its
-- bytes, null for a row that has none. Members may put back `put_back_factor` times the quota.
create or replace function weft.count_text(caller weft.caller, own bigint, passed_on bigint, is_put_back boolean, is_drawn boolean) returns void
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
