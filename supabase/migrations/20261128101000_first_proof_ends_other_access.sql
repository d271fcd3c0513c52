-- An account may have been made with somebody else's address, a password and sessions, before the owner of the address came:
-- where Auth confirms addresses unseen, and by a guest who sets one. When a mail, or a service like Google to which the account is
-- linked, proves the address for the first time, that password and those sessions end in the same transaction, and so do accounts of other services with another address. The session
-- that the mail opens comes after.
--
-- A password stays if it was set together with the one mail that is used: the mail of a sign-up or of a guest's new address, which
-- says what it confirms. After a second mail (the owner signs up too, and Auth answers with another mail about the same account)
-- nobody knows whose password it is.

-- Mails since the password was set.
alter table weft.addresses add column mails integer not null default 0;

create function weft.end_other_access(person uuid, keeps_password boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from auth.sessions as s where s.user_id = end_other_access.person;
  if not end_other_access.keeps_password then
    update auth.users as u
    set encrypted_password = null
    where u.id = end_other_access.person and u.encrypted_password is not null;
    delete from auth.identities as i
    using auth.users as u
    where i.user_id = end_other_access.person and u.id = i.user_id and i.provider <> 'email'
      and lower(i.identity_data ->> 'email') is distinct from lower(u.email);
  end if;
end
$$;

-- Whether another service (OAuth) has just begun to vouch for the account's address, and none did before. Auth writes the identity,
-- then the list of providers, then the session of the sign-in.
create function weft.is_vouched_first(person uuid, before jsonb, after jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return is_vouched_first.before is distinct from is_vouched_first.after and (
    select coalesce(bool_and(not coalesce(is_vouched_first.before, '[]') ? i.provider), false)
    from auth.identities as i join auth.users as u on u.id = i.user_id
    where u.id = is_vouched_first.person and i.provider <> 'email'
      and lower(i.identity_data ->> 'email') = lower(u.email) and i.identity_data ->> 'email_verified' = 'true'
  );
end
$$;

-- As before; the first proof ends what others have of the account.
create or replace function weft.note_proven_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  address text := lower(new.email);
  -- The embedded Auth has no columns for a change of address.
  before jsonb := to_jsonb(old);
  change_token text := to_jsonb(new) ->> 'email_change_token_new';
  known weft.addresses;
  is_confirmed boolean;
  is_changed boolean;
  is_known boolean;
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    update weft.addresses as a set mails = 0 where a.user_id = new.id;
  end if;
  if coalesce(change_token, '') not in ('', coalesce(before ->> 'email_change_token_new', '')) then
    insert into weft.addresses as a (user_id, mails) values (new.id, 1)
    on conflict on constraint addresses_pkey do update set mails = a.mails + 1;
  end if;
  if coalesce(new.recovery_token, '') not in ('', coalesce(old.recovery_token, ''))
    or coalesce(new.confirmation_token, '') not in ('', coalesce(old.confirmation_token, ''))
  then
    insert into weft.addresses as a (user_id, mailed, mails) values (new.id, address, 1)
    on conflict on constraint addresses_pkey do update set mailed = excluded.mailed, mails = a.mails + 1;
    return null;
  end if;

  select a.* into known from weft.addresses as a where a.user_id = new.id;
  is_confirmed := coalesce(
    old.email_confirmed_at is null and new.email_confirmed_at is not null
      and old.confirmation_token <> '' and coalesce(new.confirmation_token, '') = '',
    false
  );
  is_changed := coalesce(
    new.email is distinct from old.email and before ->> 'email_change_sent_at' is not null
      and lower(before ->> 'email_change') = address,
    false
  );
  if is_changed
    or new.email = old.email and known.mailed = address and (
      is_confirmed
      or old.recovery_token <> '' and coalesce(new.recovery_token, '') = '' and new.recovery_sent_at is not null
    )
  then
    is_known := weft.confirmed_email(new.id) is not distinct from address;
    insert into weft.addresses as a (user_id, proven) values (new.id, address)
    on conflict on constraint addresses_pkey do update set proven = excluded.proven;
    -- Who changes an address had one before, unless they were a guest.
    if not is_known and (not is_changed or old.email is null) then
      perform weft.end_other_access(new.id, (is_confirmed or is_changed) and known.mails = 1);
    end if;
    perform weft.tell_open_invites(new.id);
  elsif weft.is_vouched_first(new.id, old.raw_app_meta_data -> 'providers', new.raw_app_meta_data -> 'providers')
    and known.proven is distinct from address
  then
    insert into weft.addresses as a (user_id, proven) values (new.id, address)
    on conflict on constraint addresses_pkey do update set proven = excluded.proven;
    perform weft.end_other_access(new.id, false);
  end if;
  return null;
end
$$;

revoke all on function weft.end_other_access, weft.is_vouched_first from public, anon, authenticated, service_role;
