-- The inbox names who did something, and says whether a request or an invitation still waits for an answer. A page in the
-- trash says who put it there.

-- Whether a request or an invitation can still be answered, and what became of it; null for other notifications.
create function weft.notification_state(notification weft.notifications) returns text
language plpgsql stable security definer set search_path = ''
as $$
declare
  asked weft.access_requests;
  invite weft.invites;
begin
  if notification.kind = 'request' then
    select r.* into asked from weft.access_requests as r where r.id = (notification.detail ->> 'request')::uuid;
    return case
      when asked.id is null then 'ended'
      when asked.answered_at is not null and asked.given_role is not null then 'accepted'
      when asked.answered_at is not null then 'denied'
      when weft.document_role(asked.document_id, notification.user_id) is distinct from 'manager' then 'ended'
      else 'open'
    end;
  elsif notification.kind = 'invite' then
    select i.* into invite from weft.invites as i where i.id = (notification.detail ->> 'invite')::uuid;
    return case
      when exists (
        select from weft.invite_uses as u where u.invite_id = invite.id and u.user_id = notification.user_id
      ) then 'accepted'
      when invite.id is not null and weft.is_invite_open(invite) then 'open'
      else 'ended'
    end;
  end if;
  return null;
end
$$;

-- As before, with the actor's name and color, because somebody who asks or invites may have no profile that the caller can
-- see, and with the state of requests and invitations.
create or replace function public.list_notifications(before uuid default null, row_limit integer default 30) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  me uuid := weft.require_user();
begin
  return jsonb_build_object(
    'unread', weft.unread_notifications(me),
    'notifications', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', page.id, 'kind', page.kind, 'workspace', page.workspace_id,
          'workspaceName', case when page.is_readable then page.workspace_name end,
          'document', page.document_id,
          'title', case when page.is_readable then page.title end,
          'actor', case when page.is_readable then page.actor end,
          'actorName', case when page.is_readable then page.actor_name end,
          'actorColor', case when page.is_readable then page.actor_color end,
          -- The answer to an own request is not the page's.
          'detail', case when page.is_readable or page.kind = 'answered' then page.detail else '{}' end,
          'state', page.state,
          'isReadable', page.is_readable, 'at', page.at, 'readAt', page.read_at
        )
        order by page.at desc, page.id desc
      ), '[]')
      from (
        select
          n.*, d.title, w.name as workspace_name, a.display_name as actor_name, a.color as actor_color,
          weft.notification_state(n) as state,
          case
            when n.document_id is not null then weft.document_role(n.document_id, me) is not null
            else n.kind = 'invite' or weft.workspace_role(n.workspace_id, me) is not null
          end as is_readable
        from weft.notifications as n
        left join public.documents as d on d.id = n.document_id
        left join public.workspaces as w on w.id = n.workspace_id
        left join public.profiles as a on a.id = n.actor
        where n.user_id = me and (list_notifications.before is null or (n.at, n.id) < (
          select b.at, b.id from weft.notifications as b where b.id = list_notifications.before and b.user_id = me
        ))
        order by n.at desc, n.id desc
        limit least(greatest(coalesce(row_limit, 30), 0), max_rows)
      ) as page
    )
  );
end
$$;

-- As before. Who may open a page that is in the trash learns who put it there (`trashed`).
create or replace function public.why_closed(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.document_role(why_closed.document, me) is not null then
    return (
      select jsonb_build_object('kind', 'trashed', 'by', p.id, 'byName', p.display_name, 'at', d.trashed_at)
      from public.documents as d left join public.profiles as p on p.id = d.trashed_by
      where d.id = why_closed.document and d.trashed_at is not null
    );
  end if;
  return (
    select jsonb_build_object('kind', c.kind, 'by', c.by_user, 'byName', p.display_name, 'at', c.at)
    from weft.cut_people as l
    join weft.access_cuts as c on c.id = l.cut_id
    left join public.profiles as p on p.id = c.by_user
    where l.user_id = me and why_closed.document = any (c.documents)
    order by c.at desc
    limit 1
  );
end
$$;

revoke all on function weft.notification_state from public, anon, authenticated, service_role;
