-- Requests for access to a page. Whoever asks learns nothing about the page: not from the answer, and not from its time.

create table weft.access_requests (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.document_role not null,
  note text not null default '',
  requested_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references public.profiles (id) on delete set null,
  -- Null if the request was denied.
  given_role public.document_role,
  constraint access_requests_role_check check (role in ('viewer', 'commenter', 'editor')),
  constraint access_requests_note_check check (char_length(note) <= 500)
);
create unique index access_requests_open_index on weft.access_requests (document_id, user_id) where answered_at is null;
create index access_requests_document_id_index on weft.access_requests (document_id);
create index access_requests_user_id_index on weft.access_requests (user_id);
create index access_requests_answered_by_index on weft.access_requests (answered_by);

-- Every request of a person in the last day, also for pages that do not exist. Each is written, so that both take the same.
create table weft.request_attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index request_attempts_user_id_index on weft.request_attempts (user_id, at);

alter table weft.access_requests enable row level security;
alter table weft.request_attempts enable row level security;
create policy weft_nobody on weft.access_requests using (false);
create policy weft_nobody on weft.request_attempts using (false);
revoke all on weft.access_requests, weft.request_attempts from public, anon, authenticated, service_role;

-- Waits until a whole number of steps has passed since `began`, so that the time of an answer says nothing about the work
-- behind it, which takes a few milliseconds.
create function weft.wait_for_step(began timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  step constant double precision := 0.2;
  passed double precision := extract(epoch from clock_timestamp() - began);
begin
  perform pg_sleep(ceil(passed / step) * step - passed);
end
$$;

-- Asks the managers of a page for a role on it. The answer is always the same. A second request replaces an open one; after
-- an answer nothing is asked again for a day. Above 20 in a day nothing is done, whatever the page.
create function public.request_access(document uuid, role text, note text default '') returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  began constant timestamptz := clock_timestamp();
  per_day constant integer := 20;
  me uuid := weft.require_user();
begin
  if request_access.role is null or request_access.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif char_length(request_access.note) > 500 then
    raise exception using errcode = '22023', message = 'note: at most 500 characters';
  end if;
  delete from weft.request_attempts as a where a.user_id = me and a.at < now() - interval '1 day';
  if (select count(*) from weft.request_attempts as a where a.user_id = me) >= per_day then
    return jsonb '{}';
  end if;
  insert into weft.request_attempts (user_id) values (me);
  begin
    insert into weft.access_requests as r (document_id, user_id, role, note)
    select d.id, me, request_access.role::public.document_role, coalesce(weft.trim_name(request_access.note), '')
    from public.documents as d
    where d.id = request_access.document and d.trashed_at is null
      and coalesce(weft.document_role(d.id, me) < request_access.role::public.document_role, true)
      and not exists (
        select
        from weft.access_requests as earlier
        where earlier.document_id = d.id and earlier.user_id = me and earlier.answered_at > now() - interval '1 day'
      )
    on conflict (document_id, user_id) where answered_at is null do update
    set role = excluded.role, note = excluded.note, requested_at = excluded.requested_at;
  exception when lock_not_available then
    -- Something holds the page, so it exists: that is nothing to tell.
    null;
  end;
  perform weft.wait_for_step(began);
  return jsonb '{}';
end
$$;

-- Takes back the caller's open request, if there is one.
create function public.withdraw_request(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  began constant timestamptz := clock_timestamp();
  me uuid := weft.require_user();
begin
  delete from weft.access_requests as r
  where r.document_id = withdraw_request.document and r.user_id = me and r.answered_at is null;
  perform weft.wait_for_step(began);
  return jsonb '{}';
end
$$;

-- The open requests for a page, with names: a manager may not see the profile of somebody who is not there yet.
create function public.list_requests(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(list_requests.document, 'manager');
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', r.id, 'user', r.user_id, 'displayName', p.display_name, 'color', p.color, 'role', r.role,
          'note', r.note, 'at', r.requested_at
        )
        order by r.requested_at, r.id
      ),
      '[]'
    )
    from weft.access_requests as r join public.profiles as p on p.id = r.user_id
    where r.document_id = list_requests.document and r.answered_at is null
  );
end
$$;

-- Gives a role on the page, or denies (null). A role that the person has by now is never lowered. A repeated call gets the
-- first answer.
create function public.answer_request(request uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  given public.document_role;
  asked weft.access_requests;
begin
  begin
    given := answer_request.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  select r.* into asked from weft.access_requests as r where r.id = answer_request.request;
  if weft.document_role(asked.document_id, me) = 'manager' then
    -- Waits for a call that takes the caller's own rights away.
    perform weft.lock_heads(array[asked.document_id]);
    select r.* into asked from weft.access_requests as r where r.id = answer_request.request for update;
  end if;
  if weft.document_role(asked.document_id, me) is distinct from 'manager' then
    perform weft.raise('WF001', 'no such request');
  end if;
  if asked.answered_at is null then
    if given is not null then
      insert into public.document_members as m (document_id, user_id, role, added_by)
      values (asked.document_id, asked.user_id, given, me)
      on conflict on constraint document_members_key do update set role = excluded.role where m.role < excluded.role;
    end if;
    update weft.access_requests as r
    set answered_at = now(), answered_by = me, given_role = given
    where r.id = asked.id
    returning r.* into asked;
  end if;
  return jsonb_build_object('role', asked.given_role);
end
$$;

-- Tells the managers of the page, and the answer to whoever asked.
create function weft.publish_request_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  request weft.access_requests := coalesce(new, old);
begin
  perform weft.publish_to_managers(request.document_id, 'request', weft.op_name(tg_op), request.id);
  if tg_op = 'UPDATE' and new.answered_at is not null then
    perform weft.publish_change('u:' || request.user_id, 'request', 'changed', request.id, null);
  end if;
  return null;
end
$$;

create trigger publish_request_change after insert or delete or update on weft.access_requests
for each row execute function weft.publish_request_change();

revoke all on function
  weft.wait_for_step, weft.publish_request_change,
  public.request_access, public.withdraw_request, public.list_requests, public.answer_request
from public, anon, authenticated, service_role;
grant execute on function
  public.request_access, public.withdraw_request, public.list_requests, public.answer_request
to authenticated;
