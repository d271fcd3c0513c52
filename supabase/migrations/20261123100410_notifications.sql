-- What a person is told: that somebody mentioned them, invited them, shared a page with them or changed their role in a
-- workspace. Once for each occasion, never of their own acts, and only of what they may read: then, and whenever they look.

create table weft.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  workspace_id uuid references public.workspaces (id) on delete cascade,
  document_id uuid references public.documents (id) on delete cascade,
  -- Null if they are not known, or have deleted their account.
  actor uuid references public.profiles (id) on delete set null,
  -- What makes the occasion another one on the same page: a block, a role, a request.
  subject text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_occasion_key unique nulls not distinct (user_id, kind, document_id, subject),
  constraint notifications_kind_check check (kind in ('mention', 'invite', 'request', 'answered', 'shared', 'role')),
  constraint notifications_detail_check check (octet_length(detail::text) <= 2048)
);
create index notifications_user_id_index on weft.notifications (user_id, at desc, id);
create index notifications_workspace_id_index on weft.notifications (workspace_id);
create index notifications_document_id_index on weft.notifications (document_id);
create index notifications_actor_index on weft.notifications (actor);

-- Mentions that a text copy had before, also those of which nobody was told. The same mention in the same block is told
-- once, even if it is deleted and comes back.
create table weft.mentions (
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  block text not null,
  primary key (document_id, user_id, block)
);
create index mentions_user_id_index on weft.mentions (user_id);

alter table weft.notifications enable row level security;
alter table weft.mentions enable row level security;
create policy weft_nobody on weft.notifications using (false);
create policy weft_nobody on weft.mentions using (false);
revoke all on weft.notifications, weft.mentions from public, anon, authenticated, service_role;

-- --- telling ------------------------------------------------------------------------------------------------------

-- Tells a person, unless it is their own act, they may not see the page, or they were told. Kept for 90 days.
create function weft.notify(
  person uuid, kind text, workspace uuid, document uuid, actor uuid, subject text, detail jsonb
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept_for constant interval := interval '90 days';
  made uuid;
begin
  if notify.actor = notify.person or (
    notify.document is not null and notify.kind <> 'answered'
    and weft.document_role(notify.document, notify.person) is null
  ) then
    return;
  end if;
  delete from weft.notifications as n where n.user_id = notify.person and n.at < now() - kept_for;
  insert into weft.notifications (user_id, kind, workspace_id, document_id, actor, subject, detail)
  select p.id, notify.kind, notify.workspace, notify.document, a.id, notify.subject, notify.detail
  from public.profiles as p left join public.profiles as a on a.id = notify.actor
  where p.id = notify.person
  on conflict on constraint notifications_occasion_key do nothing
  returning id into made;
  if made is not null then
    perform weft.publish_change('u:' || notify.person, 'notification', 'created', made, notify.workspace);
  end if;
end
$$;

-- A new role in a workspace, given by somebody else. Each change is an occasion of its own.
create function weft.notify_new_role() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.notify(
    new.user_id, 'role', new.workspace_id, null, auth.uid(), new.workspace_id || ' ' || pg_current_xact_id(),
    jsonb_build_object('role', new.role)
  );
  return null;
end
$$;

create trigger notify_new_role after update of role on public.workspace_members
for each row when (new.role <> old.role)
execute function weft.notify_new_role();

-- An invitation to an email address that belongs to an account.
create function weft.notify_invited() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.notify(
    u.id, 'invite', new.workspace_id, null, new.created_by, new.id::text, jsonb_build_object('invite', new.id)
  )
  from auth.users as u
  where u.email = new.email and weft.confirmed_email(u.id) = new.email;
  return null;
end
$$;

create trigger notify_invited after insert on weft.invites
for each row when (new.email is not null)
execute function weft.notify_invited();

-- A role on a page, or a higher one, that somebody gave in the page's dialog. A role that answers a request is told as that.
create function weft.notify_shared() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'UPDATE' and new.role <= old.role or exists (
    select
    from weft.access_requests as r
    where r.document_id = new.document_id and r.user_id = new.user_id and r.answered_at is null
  ) then
    return null;
  end if;
  perform weft.notify(
    new.user_id, 'shared', d.workspace_id, d.id, coalesce(auth.uid(), new.added_by), new.role::text,
    jsonb_build_object('role', new.role)
  )
  from public.documents as d
  where d.id = new.document_id;
  return null;
end
$$;

create trigger notify_shared after insert or update of role on public.document_members
for each row when (new.via_link is null and new.added_by is not null)
execute function weft.notify_shared();

-- A request for access is told to the managers of the page, its answer to whoever asked.
create function weft.notify_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform weft.notify(
      s.user_id, 'request', d.workspace_id, d.id, new.user_id, new.id::text,
      jsonb_build_object('request', new.id, 'role', new.role, 'note', left(new.note, 300))
    )
    from public.documents as d
    cross join lateral (
      select distinct given.user_id
      from weft.access_sources(d.id, d.parent_id, d.access) as given
      where given.role = 'manager'
    ) as s
    where d.id = new.document_id;
  elsif old.answered_at is null and new.answered_at is not null then
    perform weft.notify(
      new.user_id, 'answered', d.workspace_id, d.id, new.answered_by, new.id::text,
      jsonb_build_object('request', new.id, 'role', new.given_role)
    )
    from public.documents as d
    where d.id = new.document_id;
  end if;
  return null;
end
$$;

create trigger notify_request after insert or update of answered_at on weft.access_requests
for each row execute function weft.notify_request();

-- --- mentions -----------------------------------------------------------------------------------------------------

-- The people who wrote the rows after `after`, up to and including `seq`. Nobody wrote the seed, which is row 1.
create function weft.authors_between(document uuid, after bigint, seq bigint) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct u.appended_by
    from public.document_updates as u
    where u.document_id = authors_between.document
      and u.seq > greatest(authors_between.after, 1) and u.seq <= authors_between.seq and u.appended_by is not null
  );
end
$$;

-- Stores the mentions of a text copy and tells whom they name. The actor is known if one person alone wrote since the last
-- copy; somebody who wrote then too is on the page, and may have written the mention, so they are not told.
create function weft.save_mentions(document uuid, workspace uuid, mentions jsonb, authors uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_mentions constant integer := 500;
  mention record;
begin
  for mention in
    with named as (
      select distinct on (m.person, m.block) m.person, m.block, m.excerpt
      from (
        select
          (one.value ->> 'user')::uuid as person, left(one.value ->> 'block', 64) as block,
          left(one.value ->> 'excerpt', 200) as excerpt
        from jsonb_array_elements(save_mentions.mentions) with ordinality as one (value, nth)
        where one.nth <= max_mentions
      ) as m
      join public.profiles as p on p.id = m.person
      where m.block is not null
    ),
    added as (
      insert into weft.mentions (document_id, user_id, block)
      select save_mentions.document, n.person, n.block from named as n
      on conflict do nothing
      returning user_id, block
    )
    select n.person, n.block, n.excerpt
    from added as a join named as n on n.person = a.user_id and n.block = a.block
    where not n.person = any (authors)
  loop
    perform weft.notify(
      mention.person, 'mention', save_mentions.workspace, save_mentions.document,
      case when cardinality(authors) = 1 then authors[1] end,
      mention.block, jsonb_build_object('block', mention.block, 'excerpt', coalesce(mention.excerpt, ''))
    );
  end loop;
end
$$;

-- --- reading ------------------------------------------------------------------------------------------------------

create function weft.unread_notifications(person uuid) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select count(*)
    from weft.notifications as n
    where n.user_id = unread_notifications.person and n.read_at is null
  );
end
$$;

-- The caller's notifications, the newest first, before the one with the id `before`. Of a page or workspace that they may no
-- longer see only its id and the kind are left (`isReadable` false).
create function public.list_notifications(before uuid default null, row_limit integer default 30) returns jsonb
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
          -- The answer to an own request is not the page's.
          'detail', case when page.is_readable or page.kind = 'answered' then page.detail else '{}' end,
          'isReadable', page.is_readable, 'at', page.at, 'readAt', page.read_at
        )
        order by page.at desc, page.id desc
      ), '[]')
      from (
        select
          n.*, d.title, w.name as workspace_name,
          case
            when n.document_id is not null then weft.document_role(n.document_id, me) is not null
            else n.kind = 'invite' or weft.workspace_role(n.workspace_id, me) is not null
          end as is_readable
        from weft.notifications as n
        left join public.documents as d on d.id = n.document_id
        left join public.workspaces as w on w.id = n.workspace_id
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

-- Marks notifications of the caller as read or unread; without ids, all of them.
create function public.mark_read(ids uuid[] default null, is_read boolean default true) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  update weft.notifications as n
  set read_at = case when coalesce(mark_read.is_read, true) then now() end
  where n.user_id = me and (mark_read.ids is null or n.id = any (mark_read.ids))
    and (n.read_at is null) = coalesce(mark_read.is_read, true);
  if found then
    -- One message, however many they are; its id is the person's.
    perform weft.publish_change('u:' || me, 'notification', 'changed', me, null);
  end if;
  return jsonb_build_object('unread', weft.unread_notifications(me));
end
$$;

revoke all on function
  weft.notify, weft.notify_new_role, weft.notify_invited, weft.notify_shared, weft.notify_request,
  weft.authors_between, weft.save_mentions, weft.unread_notifications, public.list_notifications, public.mark_read
from public, anon, authenticated, service_role;
grant execute on function public.list_notifications, public.mark_read to authenticated;
