-- Which address belongs to an account: the one that a mail was sent to, once the mail's link or code was used.
--
-- Auth's `email_confirmed_at` does not say so: a project with "Confirm email" off, and the embedded backend, set it unseen, for
-- whatever address somebody types. What Auth does with the tokens of its mails says so: it stores one when it sends a mail, and
-- clears it when the mail is used. (A new password clears tokens too, but with the time at which they were sent.)

create table weft.addresses (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Where the newest mail went. Somebody may change the address of the account before they use the mail.
  mailed text,
  proven text
);
alter table weft.addresses enable row level security;
create policy weft_nobody on weft.addresses using (false);
revoke all on weft.addresses from public, anon, authenticated, service_role;

-- Accounts from before: only those that confirmed the mail of their sign-up can be told apart. Others use a mail once more.
insert into weft.addresses (user_id, proven)
select u.id, lower(u.email)
from auth.users as u
where u.email is not null and u.confirmation_sent_at <= u.email_confirmed_at;

create function weft.note_proven_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  address text := lower(new.email);
  -- The embedded Auth has no columns for a change of address.
  before jsonb := to_jsonb(old);
  mailed_to text;
begin
  if coalesce(new.recovery_token, '') not in ('', coalesce(old.recovery_token, ''))
    or coalesce(new.confirmation_token, '') not in ('', coalesce(old.confirmation_token, ''))
  then
    insert into weft.addresses as a (user_id, mailed) values (new.id, address)
    on conflict on constraint addresses_pkey do update set mailed = excluded.mailed;
    return null;
  end if;
  select a.mailed into mailed_to from weft.addresses as a where a.user_id = new.id;
  if new.email = old.email and mailed_to = address and (
      old.email_confirmed_at is null and new.email_confirmed_at is not null
      and old.confirmation_token <> '' and coalesce(new.confirmation_token, '') = ''
      or old.recovery_token <> '' and coalesce(new.recovery_token, '') = '' and new.recovery_sent_at is not null
    )
    or new.email is distinct from old.email and before ->> 'email_change_sent_at' is not null
      and lower(before ->> 'email_change') = address
  then
    insert into weft.addresses as a (user_id, proven) values (new.id, address)
    on conflict on constraint addresses_pkey do update set proven = excluded.proven;
    perform weft.tell_open_invites(new.id);
  end if;
  return null;
end
$$;

-- Triggers run in the order of their names: this one before `weft_notify_open_invites`.
create trigger weft_note_proven_address after update on auth.users
for each row execute function weft.note_proven_address();

-- The address of the account, if it is proven: by a mail, or by another service that says so (OAuth).
create or replace function weft.confirmed_email(person uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select lower(u.email)
    from auth.users as u
    where u.id = confirmed_email.person and (
      exists (select from weft.addresses as a where a.user_id = u.id and a.proven = lower(u.email))
      or exists (
        select
        from auth.identities as i
        where i.user_id = u.id and i.provider <> 'email' and lower(i.identity_data ->> 'email') = lower(u.email)
          and i.identity_data ->> 'email_verified' = 'true'
      )
    )
  );
end
$$;

-- The address that the account names. It counts beside the secret of an invitation, which came by the mail to that address.
create function weft.named_email(person uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select lower(u.email)
    from auth.users as u
    where u.id = named_email.person and u.email_confirmed_at is not null and not u.is_anonymous
  );
end
$$;

-- As before, with the address that the account names: `accept_invite_by_id` asks for a proven one first.
create or replace function weft.accept_invite(invite uuid) returns jsonb
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

-- As before; the person who is invited hears of it once their address is proven.
create or replace function weft.publish_invite_change() returns trigger
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

-- The open invitations to the person's address, for their inbox. Each is told once.
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

-- For accounts of other services (OAuth), whose address is proven when the account is made.
create or replace function weft.notify_open_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.tell_open_invites(new.id);
  return null;
end
$$;

revoke all on function weft.note_proven_address, weft.named_email, weft.tell_open_invites from public, anon, authenticated, service_role;
