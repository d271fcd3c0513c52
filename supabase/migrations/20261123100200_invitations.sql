-- Invitations to a workspace, and to single pages as a guest of the workspace: by a link that anybody may use who has it, or
-- to one email address.
--
-- An invitation is only as good as its author: it ends when they may no longer invite, so that nobody who was removed comes
-- back through a link of their own. It lets each person in once, so that nobody who was removed comes back through another's.
--
-- Whoever signs in with a confirmed email address may accept what was sent to it, without the link. On a project that
-- confirms addresses without an email ("Confirm email" is off, as on the embedded backend) anybody may claim an address.

-- How somebody became a member; null for the founder, and for members from before this migration.
alter table public.workspace_members
  add column invited_by uuid references public.profiles (id) on delete set null,
  add column via text,
  add constraint workspace_members_via_check check (via in ('email', 'link'));
create index workspace_members_invited_by_index on public.workspace_members (invited_by);

-- Only functions use these tables: addresses and secrets are for admins.
create table weft.invites (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- The page that guests are invited to, and their role on it.
  document_id uuid references public.documents (id) on delete cascade,
  document_role public.document_role,
  role public.workspace_role not null,
  -- Null: a link, for anybody who has it.
  email text,
  secret_hash bytea not null unique,
  expires_at timestamptz not null,
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

-- Whom an invitation has let in.
create table weft.invite_uses (
  invite_id uuid not null references weft.invites (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  used_at timestamptz not null default now(),
  primary key (invite_id, user_id)
);
create index invite_uses_user_id_index on weft.invite_uses (user_id);

alter table weft.invites enable row level security;
alter table weft.invite_uses enable row level security;
create policy weft_nobody on weft.invites using (false);
create policy weft_nobody on weft.invite_uses using (false);
revoke all on weft.invites, weft.invite_uses from public, anon, authenticated, service_role;

-- --- who may invite, and whom -------------------------------------------------------------------------------------

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

-- Null for guests without an account, and while the address is not confirmed.
create function weft.confirmed_email(person uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select lower(u.email)
    from auth.users as u
    where u.id = confirmed_email.person and u.email_confirmed_at is not null and not u.is_anonymous
  );
end
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

-- --- inviting -----------------------------------------------------------------------------------------------------

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

-- Ends an invitation. Its author may, and who may invite to the same place. The call may be repeated.
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

-- --- names of guests ----------------------------------------------------------------------------------------------

-- The database names guests who gave no name "Guest". One who arrives where somebody has that name becomes "Guest 2",
-- "Guest 3" and so on, so that they can be told apart.
create function weft.number_guest(person uuid, workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  guest_name constant text := '^Guest( [0-9]{1,6})?$';
  own_name text;
  taken text[];
begin
  select p.display_name into own_name from public.profiles as p where p.id = number_guest.person;
  if own_name is null or own_name !~ guest_name then
    return;
  end if;
  -- Two who arrive at once would choose the same number.
  perform pg_advisory_xact_lock(hashtextextended('weft.guests.' || number_guest.workspace, 0));
  select array_agg(p.display_name)
  into taken
  from public.profiles as p
  where p.display_name ~ guest_name and p.id <> number_guest.person and p.id in (
    select m.user_id from public.workspace_members as m where m.workspace_id = number_guest.workspace
    union
    select m.user_id
    from public.document_members as m join public.documents as d on d.id = m.document_id
    where d.workspace_id = number_guest.workspace
  );
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

-- --- accepting ----------------------------------------------------------------------------------------------------

-- Lets the caller in. WF009 unless the invitation is open and for them. Somebody whom it let in already gets the same
-- answer again while they have what it gave. The workspace's lock comes first, as in every change of rights; it also lets
-- only as many in at once as the invitation allows.
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
      not weft.is_invite_open(accepted) or accepted.email is distinct from weft.confirmed_email(me) and accepted.email is not null
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

create function public.accept_invite(secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  return weft.accept_invite((
    select i.id from weft.invites as i where i.secret_hash = weft.hash_secret(accept_invite.secret)
  ));
end
$$;

-- For the inbox, which shows the caller what was sent to their address.
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

-- What a link offers, also to people without an account. `emailHint` says which address it is for, to those who know it.
create function public.invite_info(secret text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  open_invite weft.invites;
begin
  select i.*
  into open_invite
  from weft.invites as i
  where i.secret_hash = weft.hash_secret(invite_info.secret) and weft.is_invite_open(i);
  if open_invite.id is null then
    perform weft.raise('WF009', 'no open invitation with this secret');
  end if;
  return weft.invite_offer(open_invite)
    || jsonb_build_object('emailHint', regexp_replace(open_invite.email, '^(.).*(@.*)$', '\1…\2'));
end
$$;

-- --- changes ------------------------------------------------------------------------------------------------------

-- Tells those who may invite to the same place, and the person who is invited.
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
    select u.id from auth.users as u where u.email = invite.email
  ) as told;
  return null;
end
$$;

create trigger publish_invite_change after insert or delete or update of revoked_at, uses on weft.invites
for each row execute function weft.publish_invite_change();

revoke all on function
  weft.may_invite, weft.is_invite_open, weft.confirmed_email, weft.invite_summary, weft.invite_offer, weft.number_guest,
  weft.accept_invite, weft.require_invited, weft.publish_invite_change,
  public.create_invite, public.list_invites, public.revoke_invite, public.accept_invite, public.accept_invite_by_id,
  public.decline_invite, public.my_invites, public.invite_info
from public, anon, authenticated, service_role;
grant execute on function
  public.create_invite, public.list_invites, public.revoke_invite, public.accept_invite, public.accept_invite_by_id,
  public.decline_invite, public.my_invites, public.invite_info
to authenticated;
grant execute on function public.invite_info to anon;
