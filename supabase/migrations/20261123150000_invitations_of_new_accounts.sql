-- An invitation may be older than the account of its address: whoever confirms the address finds it in the inbox.
create function weft.notify_open_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.notify(
    new.id, 'invite', i.workspace_id, null, i.created_by, i.id::text, jsonb_build_object('invite', i.id)
  )
  from weft.invites as i
  where i.email = weft.confirmed_email(new.id) and weft.is_invite_open(i);
  return null;
end
$$;

-- Triggers run in the order of their names: this one after `weft_create_profile`, because a notification needs a profile.
create trigger weft_notify_open_invites
after insert or update of email, email_confirmed_at, is_anonymous on auth.users
for each row when (new.email_confirmed_at is not null)
execute function weft.notify_open_invites();

revoke all on function weft.notify_open_invites from public, anon, authenticated, service_role;
