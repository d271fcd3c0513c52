-- A notice about a request or an invitation is read once that is answered, wherever and by whom: nothing waits any more.

-- Marks the notices of one occasion as read, of one person or of everybody who was told.
create function weft.settle_notices(kind text, subject uuid, person uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  reader uuid;
begin
  for reader in
    update weft.notifications as n
    set read_at = now()
    where n.kind = settle_notices.kind and n.subject = settle_notices.subject::text and n.read_at is null
      and (settle_notices.person is null or n.user_id = settle_notices.person)
    returning n.user_id
  loop
    perform weft.publish_change('u:' || reader, 'notification', 'changed', reader, null);
  end loop;
end
$$;
create index notifications_unread_subject_index on weft.notifications (subject) where read_at is null;

create function weft.settle_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.settle_notices('request', new.id);
  return null;
end
$$;

create trigger settle_request after update of answered_at on weft.access_requests
for each row when (old.answered_at is null and new.answered_at is not null)
execute function weft.settle_request();

-- Declined by the person who was invited, or taken back.
create function weft.settle_invite() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.settle_notices('invite', new.id);
  return null;
end
$$;

create trigger settle_invite after update of revoked_at on weft.invites
for each row when (old.revoked_at is null and new.revoked_at is not null)
execute function weft.settle_invite();

create function weft.settle_invite_use() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.settle_notices('invite', new.invite_id, new.user_id);
  return null;
end
$$;

create trigger settle_invite_use after insert on weft.invite_uses
for each row execute function weft.settle_invite_use();

revoke all on function
  weft.settle_notices, weft.settle_request, weft.settle_invite, weft.settle_invite_use
from public, anon, authenticated, service_role;

-- Answered before.
update weft.notifications as n
set read_at = now()
where n.read_at is null and n.kind in ('request', 'invite') and weft.notification_state(n) in ('accepted', 'denied');
