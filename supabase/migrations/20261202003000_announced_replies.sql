-- People who may comment, but not edit, tell the others on the page that they write a reply.

set check_function_bodies = off;

alter table weft.comment_paces add column announced_at timestamptz;
alter table weft.comment_paces add column is_announced boolean not null default false;

-- Tells the people on the page that the caller writes a reply, or no longer does. Editors say so with their carets, which Realtime takes
-- from no one else; this message is the database's and names the caller, so no one can say it of someone else. Within the pause only
-- the end of what was announced is passed on.
create function public.announce_reply(thread uuid, is_writing boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  pause constant interval := '2 seconds';
  present constant timestamptz := clock_timestamp();
  begins constant boolean := coalesce(announce_reply.is_writing, true);
  page uuid := weft.page_of_thread(thread);
  caller weft.caller := weft.require_commenter(page);
begin
  insert into weft.comment_paces as p (user_id, hour, in_hour, day, in_day, announced_at, is_announced)
  values (
    caller.user_id, date_trunc('hour', now(), 'UTC'), 0, date_trunc('day', now(), 'UTC'), 0, present, begins
  )
  on conflict on constraint comment_paces_pkey do update
  set
    announced_at = case when begins then present else p.announced_at end,
    is_announced = begins
  where case when begins then coalesce(p.announced_at < present - pause, true) else p.is_announced end;
  if found then
    perform weft.publish_bytes(
      convert_to(
        jsonb_build_object('user', caller.user_id, 'beside', case when begins then announce_reply.thread end)::text, 'UTF8'
      ),
      'beside', 'd:' || page || ':' || weft.topic_epoch(page)
    );
  end if;
  return jsonb '{}';
end
$$;

revoke all on function public.announce_reply from public, anon, authenticated, service_role;
grant execute on function public.announce_reply to authenticated;
