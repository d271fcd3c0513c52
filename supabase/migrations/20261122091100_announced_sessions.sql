-- The database knows who is on a page before they write: sessions announce themselves, and the answer says how many pages
-- share the project's live budget.

-- Tables without a primary key cannot be replicated, and a role given by hand and one of a link have no key in common.
alter table public.document_members add column id uuid primary key default gen_random_uuid();

-- Sessions that are on a page together with others, also those of people who only read: whose they are, and which of them
-- send live updates. Only functions use it. Nobody needs a row after its session has ended, so it is unlogged.
create unlogged table weft.announced_sessions (
  document_id uuid not null references public.documents (id) on delete cascade,
  session uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  announced_at timestamptz not null,
  -- Until then the session counts as one that sends live updates.
  writes_until timestamptz,
  -- Presence shows a session's id to everybody on the page, so several people may announce it. It has no name then.
  primary key (document_id, session, user_id)
);
create index announced_sessions_user_id_index on weft.announced_sessions (user_id, announced_at);
create index announced_sessions_writes_until_index on weft.announced_sessions (writes_until);

alter table weft.announced_sessions enable row level security;
create policy weft_nobody on weft.announced_sessions using (false);
revoke all on weft.announced_sessions from public, anon, authenticated, service_role;

-- Says that a session is on the page together with others, so that they can learn whose it is before it has written
-- anything. With `is_writing` it sends live updates, and counts for the next seconds. The answer is the number of pages
-- on which somebody does: they share the project's live budget. A person counts on one page, the one announced last, so
-- that nobody takes a part for many.
create function public.announce_session(document uuid, session uuid, is_writing boolean) returns jsonb
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

  return jsonb_build_object('busyPages', (
    select count(distinct newest.document_id)
    from (
      select distinct on (a.user_id) a.document_id
      from weft.announced_sessions as a
      where a.writes_until > clock_timestamp()
      order by a.user_id, a.announced_at desc
    ) as newest
  ));
end
$$;

-- The people behind these sessions, with their present roles. Unknown sessions are left out. One that has been announced
-- and not been registered has no client id; if several people announced it, it is left out.
create or replace function public.session_info(document uuid, sessions uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(session_info.document, 'viewer');
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'session', s.session, 'clientId', s.client_id, 'user', s.user_id, 'lastN', s.last_n,
          'role', weft.document_role(s.document_id, s.user_id)
        )
        order by s.opened_at, s.session
      ),
      '[]'
    )
    from (
      select r.session, r.document_id, r.client_id, r.user_id, r.last_n, r.opened_at
      from public.document_sessions as r
      where r.document_id = session_info.document and r.session = any (session_info.sessions[1:1000])
      union all
      select a.session, a.document_id, null, a.user_id, 0, a.announced_at
      from weft.announced_sessions as a
      where a.document_id = session_info.document and a.session = any (session_info.sessions[1:1000])
        and not exists (
          select
          from public.document_sessions as r
          where r.document_id = a.document_id and r.session = a.session
        )
        and not exists (
          select
          from weft.announced_sessions as other
          where other.document_id = a.document_id and other.session = a.session and other.user_id <> a.user_id
        )
    ) as s
  );
end
$$;

revoke all on function public.announce_session, public.session_info from public, anon, authenticated, service_role;
grant execute on function public.announce_session, public.session_info to authenticated;
