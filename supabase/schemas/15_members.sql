-- The members of a workspace: their roles, invitations, the workspace itself, and the deletion of an account.
--
-- Invitations are to a workspace, or to a single page as a guest of the workspace: by a link that anyone may use who has it, or to
-- one email address. An invitation is only as good as its author: it ends when they may no longer invite, so that no one who was
-- removed comes back through a link of their own. It lets each person in once, so that no one who was removed comes back through
-- another's. A person who has proven an email address may accept what was sent to it, without the link.

set check_function_bodies = off;

-- --- roles ---------------------------------------------------------------------------------------------------------

-- Gives a member another role, or removes them (null). Admins may do this with guests, members and other admins, owners
-- with everyone, and any member may leave. Without a role the person loses those on single pages too.
create function weft.change_workspace_member(workspace uuid, person uuid, role public.workspace_role) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  before public.workspace_role;
  seen uuid[];
  pages uuid[] := '{}';
begin
  if mine is null and change_workspace_member.person = me and change_workspace_member.role is null then
    -- A guest of single pages.
    pages := weft.remove_from_pages(change_workspace_member.workspace, me);
    if pages = '{}' then
      perform weft.raise('WF001', 'not a member of this workspace, and no guest');
    end if;
    perform weft.move_topics(pages);
    return;
  end if;
  -- The role is checked before the lock, because only members may take the lock, and again after it.
  if mine is not null then
    perform weft.lock_workspace(change_workspace_member.workspace);
    mine := weft.workspace_role(change_workspace_member.workspace, me);
    before := weft.workspace_role(change_workspace_member.workspace, change_workspace_member.person);
  end if;
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif before is null and (change_workspace_member.role is not null or mine < 'admin') then
    perform weft.raise('WF001', 'no such member');
  elsif not (
    mine = 'owner'
    or mine = 'admin' and coalesce(before <= 'admin', true) and coalesce(change_workspace_member.role <= 'admin', true)
    or change_workspace_member.person = me and change_workspace_member.role is null
  ) then
    perform weft.raise(
      'WF002', format('a %s may not make a %s %s', mine, before, coalesce(change_workspace_member.role::text, 'leave'))
    );
  elsif before = 'owner' and change_workspace_member.role is distinct from 'owner' and not exists (
    select
    from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.role = 'owner'
      and m.user_id <> change_workspace_member.person
  ) then
    perform weft.raise('WF014', 'the last owner');
  end if;

  if coalesce(change_workspace_member.role < before, true) then
    seen := array(
      select r.document_id
      from weft.document_roles(change_workspace_member.person, change_workspace_member.workspace) as r
    );
  end if;
  if change_workspace_member.role is null then
    delete from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person;
  else
    update public.workspace_members as m
    set role = change_workspace_member.role
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person
      and m.role <> change_workspace_member.role;
  end if;
  if coalesce(change_workspace_member.role < before, before is not null) then
    perform weft.move_workspace_topics(change_workspace_member.workspace);
  end if;
  if change_workspace_member.role is null then
    -- After the topics, so that the person hears nothing of these pages on the workspace's.
    pages := weft.remove_from_pages(change_workspace_member.workspace, change_workspace_member.person);
    if before is null then
      perform weft.move_topics(pages);
    end if;
  end if;
  if seen is not null then
    perform weft.note_losses('removed', seen, change_workspace_member.person);
  end if;
end
$$;

-- A person who leaves a workspace or is removed from it loses every role on its pages too. Guests of single pages may leave, and admins may
-- remove them.

-- Ends the person's roles on single pages of the workspace. Returns those pages and all that inherit from them, locked, for their
-- topics to be moved.
create function weft.remove_from_pages(workspace uuid, person uuid) returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pages uuid[] := array(
    select distinct i.id
    from public.document_members as m
    join public.documents as d on d.id = m.document_id
    cross join lateral unnest(weft.inheriting_documents(d.id)) as i (id)
    where m.user_id = remove_from_pages.person and d.workspace_id = remove_from_pages.workspace
  );
begin
  perform weft.lock_heads(pages);
  delete from public.document_members as m where m.user_id = remove_from_pages.person and m.document_id = any (pages);
  return pages;
end
$$;

-- Gives a member another role.
create function public.set_workspace_role(workspace uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  given public.workspace_role;
begin
  begin
    given := set_workspace_role.role::public.workspace_role;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null then
    raise exception using errcode = '22023', message = 'role: guest, member, admin or owner';
  end if;
  perform weft.change_workspace_member(set_workspace_role.workspace, set_workspace_role.person, given);
  return jsonb_build_object('role', given);
end
$$;

-- Removes someone from a workspace, or the caller. The call may be repeated.
create function public.remove_workspace_member(workspace uuid, person uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.change_workspace_member(remove_workspace_member.workspace, remove_workspace_member.person, null);
  return jsonb '{}';
end
$$;

-- --- invitations ---------------------------------------------------------------------------------------------------

-- Only functions use these tables: addresses and secrets are for admins.
create table weft.invites (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- The page that guests are invited to, and their role on it.
  document_id uuid references public.documents (id) on delete cascade,
  document_role public.document_role,
  role public.workspace_role not null,
  -- Null: a link, for anyone who has it.
  email text,
  secret_hash bytea not null unique,
  expires_at timestamptz not null,
  -- Null: any number of people.
  max_uses integer,
  uses integer not null default 0,
  created_by uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint invites_role_check check (role <> 'owner'),
  constraint invites_document_check check (
    (document_id is null) = (document_role is null) and (document_id is null or role = 'guest')
  ),
  constraint invites_email_check check (char_length(email) <= 255),
  constraint invites_uses_check check (max_uses between 1 and 1000 and uses between 0 and max_uses)
);
create index invites_workspace_id_index on weft.invites (workspace_id);
create index invites_document_id_index on weft.invites (document_id);
create index invites_created_by_index on weft.invites (created_by);
create index invites_email_index on weft.invites (email);
alter table weft.invites enable row level security;
revoke all on weft.invites from public, anon, authenticated, service_role;
create policy weft_nobody on weft.invites using (false);

-- The people who came by an invitation.
create table weft.invite_uses (
  invite_id uuid not null references weft.invites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  used_at timestamptz not null default now(),
  primary key (invite_id, user_id)
);
create index invite_uses_user_id_index on weft.invite_uses (user_id);
alter table weft.invite_uses enable row level security;
revoke all on weft.invite_uses from public, anon, authenticated, service_role;
create policy weft_nobody on weft.invite_uses using (false);

-- Admins invite to the workspace, managers of a page invite guests to it.
create function weft.may_invite(
  person uuid, workspace uuid, role public.workspace_role, document uuid
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  if may_invite.document is null then
    return coalesce(
      weft.workspace_role(may_invite.workspace, person) >= greatest(may_invite.role, 'admin'::public.workspace_role), false
    );
  end if;
  return coalesce(weft.document_role(may_invite.document, person) = 'manager', false) and exists (
    select
    from public.documents as d
    where d.id = may_invite.document and d.workspace_id = may_invite.workspace and d.trashed_at is null
  );
end
$$;

create function weft.is_invite_open(invite weft.invites) returns boolean
language sql stable security definer set search_path = ''
as $$
  select invite.revoked_at is null and invite.expires_at > now() and coalesce(invite.uses < invite.max_uses, true)
    and weft.may_invite(invite.created_by, invite.workspace_id, invite.role, invite.document_id)
$$;

-- An invitation as those see it who may invite.
create function weft.invite_summary(invite weft.invites) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', invite.id, 'workspaceId', invite.workspace_id, 'role', invite.role, 'document', invite.document_id,
    'documentRole', invite.document_role, 'email', invite.email, 'expiresAt', invite.expires_at,
    'maxUses', invite.max_uses, 'uses', invite.uses, 'createdBy', invite.created_by, 'createdAt', invite.created_at
  )
$$;

-- An invitation as the invited see it. They may not see the profile of its author yet.
create function weft.invite_offer(invite weft.invites) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', invite.id, 'workspace', w.name, 'inviter', p.display_name, 'role', invite.role,
      'documentRole', invite.document_role, 'expiresAt', invite.expires_at, 'createdAt', invite.created_at
    )
    from public.workspaces as w join public.profiles as p on p.id = invite.created_by
    where w.id = invite.workspace_id
  );
end
$$;

-- Creates an invitation and returns its secret, which nothing can return later. Without `expires_at` it lasts 7 days. An
-- earlier one of the same address for the same place ends. Roles that manage others are given to named people only.
create function public.create_invite(
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

-- The open invitations that the caller could have made: to the workspace for admins, to pages for their managers.
create function public.list_invites(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  managed uuid[];
begin
  select array_agg(r.document_id)
  into managed
  from weft.document_roles(me, list_invites.workspace) as r
  where r.role = 'manager';
  if managed is null and coalesce(mine < 'admin', true) then
    if mine is null then
      perform weft.raise('WF001', 'not a member of this workspace');
    end if;
    perform weft.raise('WF002', 'may not invite here');
  end if;
  return (
    select coalesce(jsonb_agg(weft.invite_summary(i) order by i.created_at desc, i.id), '[]')
    from weft.invites as i
    where i.workspace_id = list_invites.workspace and weft.is_invite_open(i)
      and case when i.document_id is null then mine >= 'admin' else i.document_id = any (managed) end
  );
end
$$;

-- Ends an invitation. Its author may do that, and anyone who may invite to the same place. The call may be repeated.
create function public.revoke_invite(invite uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  found_invite weft.invites;
begin
  select i.* into found_invite from weft.invites as i where i.id = revoke_invite.invite;
  if found_invite.id is null or not (
    found_invite.created_by = me
    or weft.may_invite(me, found_invite.workspace_id, 'guest', found_invite.document_id)
  ) then
    perform weft.raise('WF001', 'no such invitation');
  end if;
  update weft.invites as i set revoked_at = now() where i.id = revoke_invite.invite and i.revoked_at is null;
  return jsonb '{}';
end
$$;

-- The database names guests who gave no name "Guest". One who arrives where someone has that name becomes "Guest 2",
-- "Guest 3" and so on, so that they can be told apart.
create function weft.number_guest(person uuid, workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  guest_name constant text := '^Guest( [0-9]{1,6})?$';
  own_name text;
  workspaces uuid[];
  taken text[];
begin
  select p.display_name into own_name from public.profiles as p where p.id = number_guest.person;
  if own_name is null or own_name !~ guest_name then
    return;
  end if;
  -- The new name shows in their other workspaces, too.
  workspaces := array(
    select number_guest.workspace
    union
    select m.workspace_id from public.workspace_members as m where m.user_id = number_guest.person
    union
    select m.workspace_id from public.document_members as m where m.user_id = number_guest.person
    order by 1
  );
  -- Two who arrive at once would choose the same number.
  perform pg_advisory_xact_lock(hashtextextended('weft.guests.' || w, 0)) from unnest(workspaces) as w;
  select array_agg(p.display_name)
  into taken
  from (
    select m.user_id from public.workspace_members as m where m.workspace_id = any (workspaces)
    union
    select m.user_id from public.document_members as m where m.workspace_id = any (workspaces)
  ) as person
  -- Without the offset a join with everyone is planned.
  cross join lateral (select p.display_name from public.profiles as p where p.id = person.user_id offset 0) as p
  where p.display_name ~ guest_name and person.user_id <> number_guest.person;
  if own_name = any (taken) then
    update public.profiles as p
    set display_name = (
      select 'Guest ' || n
      from generate_series(2, cardinality(taken) + 2) as n
      where 'Guest ' || n <> all (taken)
      order by n
      limit 1
    )
    where p.id = number_guest.person;
  end if;
end
$$;

-- Lets the caller in. WF009 unless the invitation is open and for them, by the address that their account names:
-- accept_invite_by_id asks for a proven one first. Someone whom it let in already gets the same answer again while they have what
-- it gave. The workspace's lock comes first, as in every change of rights; it also lets only as many in at once as the invitation
-- allows.
create function weft.accept_invite(invite uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  accepted weft.invites;
  is_repeated boolean;
  has_all boolean;
begin
  select i.* into accepted from weft.invites as i where i.id = accept_invite.invite;
  perform from public.workspaces as w where w.id = accepted.workspace_id for no key update;
  perform weft.lock_heads(array[accepted.document_id]);
  select i.* into accepted from weft.invites as i where i.id = accept_invite.invite for update;
  is_repeated := exists (
    select from weft.invite_uses as u where u.invite_id = accepted.id and u.user_id = me
  );
  has_all := coalesce(weft.workspace_role(accepted.workspace_id, me) >= accepted.role, false)
    and (accepted.document_id is null or coalesce(
      weft.document_role(accepted.document_id, me) >= accepted.document_role, false
    ));
  if accepted.id is null
    or is_repeated and not has_all
    or not is_repeated and (
      not weft.is_invite_open(accepted) or accepted.email is distinct from weft.named_email(me) and accepted.email is not null
    )
  then
    perform weft.raise('WF009', 'no open invitation for this person');
  end if;

  -- A link that a member tries out is not used up by that.
  if not is_repeated and (not has_all or accepted.email is not null) then
    insert into public.workspace_members as m (workspace_id, user_id, role, invited_by, via)
    values (
      accepted.workspace_id, me, accepted.role, accepted.created_by,
      case when accepted.email is null then 'link' else 'email' end
    )
    on conflict on constraint workspace_members_pkey do update set role = excluded.role where m.role < excluded.role;
    if accepted.document_id is not null then
      insert into public.document_members as m (document_id, user_id, role)
      values (accepted.document_id, me, accepted.document_role)
      on conflict on constraint document_members_key do update set role = excluded.role where m.role < excluded.role;
    end if;
    insert into weft.invite_uses (invite_id, user_id) values (accepted.id, me);
    update weft.invites as i set uses = i.uses + 1 where i.id = accepted.id;
    perform weft.number_guest(me, accepted.workspace_id);
  end if;
  return (
    select jsonb_build_object('workspaceSlug', w.slug, 'document', accepted.document_id)
    from public.workspaces as w
    where w.id = accepted.workspace_id
  );
end
$$;

-- Lets the caller in by the secret of an invitation.
create function public.accept_invite(secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  return weft.accept_invite((
    select i.id from weft.invites as i where i.secret_hash = weft.hash_secret(accept_invite.secret)
  ));
end
$$;

-- Lets the caller in by the id of an invitation to their proven address: the inbox shows those.
create function public.accept_invite_by_id(invite uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.require_invited(accept_invite_by_id.invite);
  return weft.accept_invite(accept_invite_by_id.invite);
end
$$;

-- Ends an invitation that was sent to the caller's address. The call may be repeated.
create function public.decline_invite(invite uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.require_invited(decline_invite.invite);
  update weft.invites as i set revoked_at = now() where i.id = decline_invite.invite and i.revoked_at is null;
  return jsonb '{}';
end
$$;

-- Fails unless the invitation was sent to the caller's confirmed address: an id is no secret.
create function weft.require_invited(invite uuid) returns void
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not exists (
    select
    from weft.invites as i
    where i.id = require_invited.invite and i.email = weft.confirmed_email(weft.require_user())
  ) then
    perform weft.raise('WF009', 'no invitation to this address');
  end if;
end
$$;

-- The open invitations to the caller's confirmed address.
create function public.my_invites() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  address text := weft.confirmed_email(weft.require_user());
begin
  return (
    select coalesce(jsonb_agg(weft.invite_offer(i) order by i.created_at desc, i.id), '[]')
    from weft.invites as i
    where i.email = address and weft.is_invite_open(i)
  );
end
$$;

-- What an invitation's link offers, also to people without an account. `emailHint` says which address it is for, to those who know
-- it. It lets each person in once: someone who was removed, or left, and opens it again learns that (`hasLeft`), instead of being
-- offered to join. A person who came by it and is still there may open it even if it is used up or ended.
create function public.invite_info(secret text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  shown weft.invites;
  was_used boolean;
begin
  select i.* into shown from weft.invites as i where i.secret_hash = weft.hash_secret(invite_info.secret);
  was_used := exists (
    select from weft.invite_uses as u where u.invite_id = shown.id and u.user_id = me
  );
  if shown.id is null or not (was_used or weft.is_invite_open(shown)) then
    perform weft.raise('WF009', 'no open invitation with this secret');
  end if;
  return weft.invite_offer(shown) || jsonb_build_object(
    'emailHint', regexp_replace(shown.email, '^(.).*(@.*)$', '\1…\2'),
    -- The condition of `weft.accept_invite`.
    'hasLeft', was_used and not (
      coalesce(weft.workspace_role(shown.workspace_id, me) >= shown.role, false)
      and (shown.document_id is null or coalesce(
        weft.document_role(shown.document_id, me) >= shown.document_role, false
      ))
    )
  );
end
$$;

-- Notifies the person of the open invitations to their address, once of each.
create function weft.tell_open_invites(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.notify(
    tell_open_invites.person, 'invite', i.workspace_id, null, i.created_by, i.id::text, jsonb_build_object('invite', i.id)
  )
  from weft.invites as i
  where i.email = weft.confirmed_email(tell_open_invites.person) and weft.is_invite_open(i);
end
$$;

-- An invitation may be older than the account of its address. This is for accounts of other services (OAuth), whose address is
-- proven when the account is made; weft.note_proven_address tells the others.
create function weft.notify_open_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.tell_open_invites(new.id);
  return null;
end
$$;
-- Triggers run in the order of their names: this one after `weft_create_profile`, because a notification needs a profile.
create trigger weft_notify_open_invites
after insert or update of email, email_confirmed_at, is_anonymous on auth.users
for each row when (new.email_confirmed_at is not null)
execute function weft.notify_open_invites();

-- Informs those who may invite to the same place, and the person who is invited, once their address is proven.
create function weft.publish_invite_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  invite weft.invites := coalesce(new, old);
begin
  perform weft.publish_json(
    jsonb_build_object(
      'kind', 'invite',
      'op', case when tg_op = 'UPDATE' and new.revoked_at is not null then 'removed' else weft.op_name(tg_op) end,
      'id', invite.id, 'workspace', invite.workspace_id
    ),
    'change', 'u:' || told.id
  )
  from (
    select m.user_id as id
    from public.workspace_members as m
    where m.workspace_id = invite.workspace_id and invite.document_id is null and m.role >= 'admin'
    union
    select invite.created_by
    union
    select u.id from auth.users as u where u.email = invite.email and weft.confirmed_email(u.id) = invite.email
  ) as told;
  return null;
end
$$;
create trigger publish_invite_change after insert or delete or update of revoked_at, uses on weft.invites
for each row execute function weft.publish_invite_change();

-- Alone, the foreign keys of an invitation to a page would lock the workspace first; whatever else adds something to a page locks the
-- page first (weft.delete_workspace).
create function weft.lock_page_of_invite() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.documents as d where d.id = new.document_id for key share;
  return new;
end
$$;
create trigger lock_page_of_invite before insert on weft.invites
for each row when (new.document_id is not null) execute function weft.lock_page_of_invite();

-- --- the workspace -------------------------------------------------------------------------------------------------

-- When a person last wrote or was on a page of the workspace that `viewer` may read. Each search begins with the newest and ends at
-- the first such page.
create function weft.last_active_at(person uuid, workspace uuid, viewer uuid) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return greatest(
    (
      select d.updated_at
      from public.documents as d
      where d.updated_by = last_active_at.person and d.workspace_id = last_active_at.workspace
        and weft.document_role(d.id, last_active_at.viewer) is not null
      order by d.updated_at desc
      limit 1
    ),
    (
      select a.announced_at
      from weft.announced_sessions as a join public.documents as d on d.id = a.document_id
      where a.user_id = last_active_at.person and d.workspace_id = last_active_at.workspace
        and weft.document_role(d.id, last_active_at.viewer) is not null
      order by a.announced_at desc
      limit 1
    )
  );
end
$$;

-- The people of a workspace, for its members: members, and guests who have roles on single pages only. Of pages that the
-- caller may not see, nothing is counted or dated. `pages` counts the pages on which a guest has a role of their own.
create function public.list_members(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  readable constant weft.readable := weft.readable_documents(me, workspace);
begin
  if weft.workspace_role(list_members.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  end if;
  return (
    with given as (
      select m.document_id, m.user_id, m.created_at, m.via_link
      from public.document_members as m left join public.share_links as l on l.id = m.via_link
      where m.workspace_id = list_members.workspace
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
        and (
          readable.is_member and m.document_id not in (select unnest(readable.shut))
          or m.document_id in (select unnest(readable.given))
        )
    ),
    on_pages as (
      select
        given.user_id, min(given.created_at) as joined_at, count(distinct given.document_id) as pages,
        bool_and(given.via_link is not null) as by_links
      from given
      group by given.user_id
    ),
    people as (
      select m.user_id, m.role, m.created_at as joined_at, m.invited_by, m.via, o.pages
      from public.workspace_members as m left join on_pages as o on o.user_id = m.user_id
      where m.workspace_id = list_members.workspace
      union all
      select o.user_id, 'guest', o.joined_at, null, case when o.by_links then 'share-link' else 'page' end, o.pages
      from on_pages as o
      where not exists (
        select
        from public.workspace_members as m
        where m.workspace_id = list_members.workspace and m.user_id = o.user_id
      )
    )
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'user', p.user_id, 'role', p.role, 'joinedAt', p.joined_at, 'invitedBy', p.invited_by, 'via', p.via,
          'lastActiveAt', weft.last_active_at(p.user_id, list_members.workspace, me),
          'pages', case when p.role = 'guest' then coalesce(p.pages, 0) end,
          'hasAccount', not u.is_anonymous
        )
        order by p.role desc, p.joined_at, p.user_id
      ),
      '[]'
    )
    from people as p
    join auth.users as u on u.id = p.user_id
  );
end
$$;

-- Fails unless the caller has at least the role `needed` in the workspace, and locks it. The role is checked before the
-- lock, because only members may take the lock, and again after it.
create function weft.lock_workspace_as(workspace uuid, needed public.workspace_role) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.workspace_role(lock_workspace_as.workspace, me) >= needed then
    perform weft.lock_workspace(lock_workspace_as.workspace);
  end if;
  if weft.workspace_role(lock_workspace_as.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif weft.workspace_role(lock_workspace_as.workspace, me) < needed then
    perform weft.raise('WF002', format('needs %s', needed));
  end if;
  return me;
end
$$;

-- Gives a workspace another name. Its address keeps the slug, so that links to it go on working.
create function public.rename_workspace(workspace uuid, name text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.workspace_role(rename_workspace.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif weft.workspace_role(rename_workspace.workspace, me) < 'admin' then
    perform weft.raise('WF002', 'needs admin');
  end if;
  update public.workspaces as w
  set name = weft.trim_name(rename_workspace.name)
  where w.id = rename_workspace.workspace;
  return weft.workspace_summary(rename_workspace.workspace, me);
end
$$;

-- Makes another member an owner, and the caller an admin. The call may be repeated.
create function public.transfer_workspace(workspace uuid, person uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.lock_workspace_as(workspace, 'admin');
  mine public.workspace_role := weft.workspace_role(workspace, me);
  theirs public.workspace_role := weft.workspace_role(workspace, person);
begin
  if mine = 'owner' and theirs is null then
    perform weft.raise('WF001', 'no such member');
  elsif mine = 'owner' and person <> me then
    -- A guest who signs out is gone, and a workspace with them.
    if exists (select from auth.users as u where u.id = transfer_workspace.person and u.is_anonymous) then
      perform weft.raise('WF014', 'an owner needs an account');
    end if;
    update public.workspace_members as m
    set role = case when m.user_id = me then 'admin' else 'owner' end::public.workspace_role
    where m.workspace_id = transfer_workspace.workspace and m.user_id in (me, person);
    perform weft.move_workspace_topics(transfer_workspace.workspace);
  elsif theirs is distinct from 'owner' then
    perform weft.raise('WF002', 'needs owner');
  end if;
  return jsonb '{}';
end
$$;

-- Deletes a workspace for good, with its pages. Tabs and watchers get a message before its topics are gone. The bytes of its
-- files remain to be removed, which falls to the person named here.
-- The pages are locked first: a call that adds something to a page, such as a link, locks the page by a foreign key and then, for
-- the activity or a notification, its workspace. The other way round the two would wait for each other.
create function weft.delete_workspace(workspace uuid, person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.documents as d where d.workspace_id = delete_workspace.workspace order by d.id for update;
  perform weft.publish_json('{}', 'ended', 'w:' || l.topic_key)
  from public.share_links as l join public.documents as d on d.id = l.document_id
  where d.workspace_id = delete_workspace.workspace and weft.is_link_active(l.revoked_at, l.expires_at);
  perform weft.move_workspace_topics(delete_workspace.workspace);
  update public.attachments as a
  set created_by = person, purged_at = coalesce(a.purged_at, now())
  where a.workspace_id = delete_workspace.workspace;
  delete from public.workspaces as w where w.id = delete_workspace.workspace;
end
$$;

-- Deletes a workspace for good. Only an owner may, and has to type its name.
create function public.delete_workspace(workspace uuid, name text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.lock_workspace_as(workspace, 'owner');
begin
  if not exists (
    select
    from public.workspaces as w
    where w.id = delete_workspace.workspace and w.name = weft.trim_name(left(delete_workspace.name, 1000))
  ) then
    raise exception using errcode = '22023', message = 'name: as the workspace is called';
  end if;
  perform weft.delete_workspace(delete_workspace.workspace, me);
  return jsonb '{}';
end
$$;

-- --- deleting an account -------------------------------------------------------------------------------------------

-- Whether a workspace would be left to others without an owner.
create function weft.is_last_owner(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (
    select
    from public.workspace_members as mine
    where mine.user_id = is_last_owner.person and mine.role = 'owner'
      and exists (
        select
        from public.workspace_members as other
        where other.workspace_id = mine.workspace_id and other.user_id <> is_last_owner.person
      )
      and not exists (
        select
        from public.workspace_members as other
        where other.workspace_id = mine.workspace_id and other.user_id <> is_last_owner.person and other.role = 'owner'
      )
  );
end
$$;

-- Removes a person's name from what they wrote and put back, which stays. A call does part of it, because a statement has only
-- seconds; it returns whether something is left.
create function weft.forget_author(person uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  rows_per_call constant integer := 20000;
  forgotten integer;
begin
  update public.document_updates as u
  set appended_by = null
  from (
    select w.document_id, w.seq
    from public.document_sessions as s
    join public.document_updates as w on w.document_id = s.document_id and w.session = s.session
    where s.user_id = forget_author.person and w.appended_by = forget_author.person
    union all
    select p.document_id, p.seq
    from public.document_updates as p
    where p.session = '00000000-0000-0000-0000-000000000000' and p.seq > 1 and p.appended_by = forget_author.person
    limit rows_per_call
  ) as written
  where u.document_id = written.document_id and u.seq = written.seq;
  get diagnostics forgotten = row_count;
  return forgotten = rows_per_call;
end
$$;

-- Deletes the caller's account, with the workspaces in which no one else is. What they wrote in others stays and has no
-- author. `isDeleted` is false while there is more to do: the caller calls again.
create function public.delete_account() returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  -- Stands for everybody who deleted their account. It is no user, so nobody can go on writing in these sessions.
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  me uuid := weft.require_user();
  workspaces uuid[];
  -- With roles of their own, in whatever workspace.
  pages uuid[];
  one uuid;
begin
  if weft.is_last_owner(me) then
    perform weft.raise('WF014', 'the last owner of a workspace with other members');
  elsif weft.forget_author(me) then
    return jsonb_build_object('isDeleted', false);
  end if;

  -- Workspaces before heads, as in every change of rights.
  perform
  from public.workspaces as w
  where w.id in (select m.workspace_id from public.workspace_members as m where m.user_id = me)
  order by w.id
  for no key update;
  select coalesce(array_agg(m.workspace_id order by m.workspace_id), '{}')
  into workspaces
  from public.workspace_members as m
  where m.user_id = me;
  select coalesce(array_agg(distinct i.id), '{}')
  into pages
  from public.document_members as m cross join lateral unnest(weft.inheriting_documents(m.document_id)) as i (id)
  where m.user_id = me;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = any (workspaces)
    union
    select unnest(pages)
    union
    select h.document_id from public.document_heads as h where h.snapshot_claimed_by = me
  ));
  -- Another owner may have left before these locks.
  if weft.is_last_owner(me) then
    perform weft.raise('WF014', 'the last owner of a workspace with other members');
  end if;

  -- Only what was appended since the last call can be left.
  perform weft.forget_author(me);
  update public.document_updates as u
  set appended_by = null
  from public.documents as d
  where d.created_by = me and u.document_id = d.id and u.seq = 1 and u.appended_by = me;
  update public.document_sessions as s set user_id = nobody where s.user_id = me;
  update public.document_snapshots as s set created_by = null where s.created_by = me;
  update public.document_heads as h set snapshot_claimed_by = null where h.snapshot_claimed_by = me;

  foreach one in array workspaces loop
    if exists (
      select from public.workspace_members as m where m.workspace_id = one and m.user_id <> me
    ) then
      delete from public.workspace_members as m where m.workspace_id = one and m.user_id = me;
      perform weft.move_workspace_topics(one);
    else
      perform weft.delete_workspace(one, null);
    end if;
  end loop;
  delete from public.document_members as m where m.user_id = me;
  perform weft.move_topics(pages);
  delete from auth.users as u where u.id = me;
  -- It references no profile, and these very deletions have added to it.
  delete from weft.workspace_rights as r where r.user_id = me;
  return jsonb_build_object('isDeleted', true);
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.change_workspace_member, weft.remove_from_pages, public.set_workspace_role, public.remove_workspace_member,
  weft.may_invite, weft.is_invite_open, weft.invite_summary, weft.invite_offer, public.create_invite,
  public.list_invites, public.revoke_invite, weft.number_guest, weft.accept_invite, public.accept_invite,
  public.accept_invite_by_id, public.decline_invite, weft.require_invited, public.my_invites, public.invite_info,
  weft.tell_open_invites, weft.notify_open_invites, weft.publish_invite_change, weft.lock_page_of_invite,
  weft.last_active_at, public.list_members, weft.lock_workspace_as, public.rename_workspace, public.transfer_workspace,
  weft.delete_workspace, public.delete_workspace, weft.is_last_owner, weft.forget_author, public.delete_account
from public, anon, authenticated, service_role;

grant execute on function
  public.invite_info
to anon, authenticated;

grant execute on function
  public.set_workspace_role, public.remove_workspace_member, public.create_invite, public.list_invites,
  public.revoke_invite, public.accept_invite, public.accept_invite_by_id, public.decline_invite, public.my_invites,
  public.list_members, public.rename_workspace, public.transfer_workspace, public.delete_workspace,
  public.delete_account
to authenticated;
