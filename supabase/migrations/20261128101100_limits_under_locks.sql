-- Limits that are counted are counted under a lock: calls at the same time would each find room for one more. (Versions of a page
-- are counted under the lock of the page's head, uses of an invitation under the lock of its row.)

-- Makes calls that count towards the same limit wait for each other, until their transactions end. The next statement sees what
-- the others have written.
create function weft.lock_limit(name text, owner uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('weft.limit.' || lock_limit.name || '.' || lock_limit.owner, 0));
end
$$;

create function weft.try_lock_limit(name text, owner uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return pg_try_advisory_xact_lock(hashtextextended('weft.limit.' || try_lock_limit.name || '.' || try_lock_limit.owner, 0));
end
$$;

-- As before, counted under a lock.
create or replace function public.request_access(document uuid, role text, note text default '') returns jsonb
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
  perform weft.lock_limit('access requests', me);
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

-- As before, counted under a lock.
create or replace function public.create_invite(
  workspace uuid, role text, email text default null, document uuid default null, document_role text default null,
  expires_at timestamptz default null, max_uses integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  usual_life constant interval := interval '7 days';
  max_open constant integer := 500;
  me uuid := weft.require_user();
  address text := nullif(lower(weft.trim_name(left(create_invite.email, 1000))), '');
  given public.workspace_role;
  given_on_page public.document_role;
  secret text := weft.random_key();
  made weft.invites;
begin
  if create_invite.document is not null then
    if (weft.require_role(create_invite.document, 'manager')).workspace_id is distinct from create_invite.workspace then
      perform weft.raise('WF001', 'not a page of this workspace');
    end if;
  elsif weft.workspace_role(create_invite.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  end if;
  begin
    given := create_invite.role::public.workspace_role;
    given_on_page := create_invite.document_role::public.document_role;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null or given = 'owner' or (create_invite.document is null) <> (given_on_page is null)
    or create_invite.document is not null and given <> 'guest'
  then
    raise exception using
      errcode = '22023', message = 'role: guest, member or admin; with a document: guest, and the document_role';
  elsif address is null and (given = 'admin' or given_on_page = 'manager') then
    raise exception using errcode = '22023', message = 'email: needed to invite an admin or a manager';
  elsif address !~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+$' or char_length(address) > 255 then
    raise exception using errcode = '22023', message = 'email: an address';
  elsif create_invite.expires_at <= now() or create_invite.expires_at > now() + interval '1 year' then
    raise exception using errcode = '22023', message = 'expires_at: none, or in the future and within a year';
  elsif create_invite.max_uses not between 1 and 1000 then
    raise exception using errcode = '22023', message = 'max_uses: none, or 1 to 1000';
  end if;
  if not weft.may_invite(me, create_invite.workspace, given, create_invite.document) then
    perform weft.raise('WF002', 'may not invite here');
  end if;

  perform weft.lock_limit('invites', create_invite.workspace);
  update weft.invites as i
  set revoked_at = now()
  where i.workspace_id = create_invite.workspace and i.email = address and i.revoked_at is null
    and i.document_id is not distinct from create_invite.document;
  if (
    select count(*)
    from weft.invites as i
    where i.workspace_id = create_invite.workspace and i.revoked_at is null and i.expires_at > now()
      and coalesce(i.uses < i.max_uses, true)
  ) >= max_open then
    raise exception using errcode = '54000', message = format('There are %s open invitations. Revoke some first.', max_open);
  end if;
  insert into weft.invites (
    workspace_id, document_id, document_role, role, email, secret_hash, expires_at, max_uses, created_by
  )
  values (
    create_invite.workspace, create_invite.document, given_on_page, given, address, weft.hash_secret(secret),
    coalesce(create_invite.expires_at, now() + usual_life),
    case when address is null then create_invite.max_uses else 1 end, me
  )
  returning * into made;
  return jsonb_build_object('invite', weft.invite_summary(made), 'secret', secret);
end
$$;

-- As before, counted under a lock.
create or replace function weft.count_watcher(
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

-- As before, counted under a lock. Hosted Storage asks before the upload and writes the row afterwards, so there uploads at the same
-- time are counted when the next one begins.
create or replace function weft.may_upload_avatar(object text, metadata jsonb) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_stored constant integer := 10;
  me uuid := auth.uid();
  headers jsonb := weft.request_headers();
begin
  if not (
    weft.storage_operation() = 'object.upload'
    and not headers ? 'content-encoding' and not headers ? 'transfer-encoding'
    and weft.is_allowed_avatar(headers ->> 'content-type', headers ->> 'content-length', headers ->> 'cache-control')
    and weft.is_allowed_avatar_metadata(may_upload_avatar.metadata)
    and coalesce(weft.owner_of_avatar(may_upload_avatar.object) = me, false)
    and exists (select from public.profiles as p where p.id = me)
  ) then
    return false;
  end if;
  perform weft.lock_limit('avatars', me);
  return (
    select count(*)
    from storage.objects as o
    where o.bucket_id = 'avatars' and o.name like me || '/%'
  ) < max_stored;
end
$$;

revoke all on function weft.lock_limit, weft.try_lock_limit from public, anon, authenticated, service_role;
