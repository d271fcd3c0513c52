-- What a person sees of what others did: favourites and visits, notifications and mentions, a workspace's activity, and home.

set check_function_bodies = off;

-- --- favourites and visits -----------------------------------------------------------------------------------------

-- What a person has marked and seen: favourites, and the last visit to each page, from which unread marks follow. Both are
-- the person's own: only their own lists have them, and only their own topic has messages about them.
create table weft.favourites (
  user_id uuid not null references public.profiles (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- Fractional index, as for pages. Null: no favourite any more; the row stays, so that lists of changes have it.
  rank text collate "C",
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (user_id, document_id),
  constraint favourites_rank_check check (rank ~ '^[!-~]{1,255}$')
);
create index favourites_document_id_index on weft.favourites (document_id);
create index favourites_changed_xid_index on weft.favourites (user_id, changed_xid);
alter table weft.favourites enable row level security;
revoke all on weft.favourites from public, anon, authenticated, service_role;
create policy weft_nobody on weft.favourites using (false);

create table weft.visits (
  user_id uuid not null references public.profiles (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- The newest row of the log that the person's app had shown.
  seen_seq bigint not null,
  seen_at timestamptz not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (user_id, document_id)
);
create index visits_document_id_index on weft.visits (document_id);
create index visits_changed_xid_index on weft.visits (user_id, changed_xid);
alter table weft.visits enable row level security;
revoke all on weft.visits from public, anon, authenticated, service_role;
create policy weft_nobody on weft.visits using (false);

-- Makes a page a favourite of the caller, or with a rank of null no longer one, which needs no role.
create function public.set_favourite(document uuid, rank text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if set_favourite.rank is not null then
    perform weft.require_role(set_favourite.document, 'viewer');
    insert into weft.favourites as f (user_id, document_id, rank)
    values (me, set_favourite.document, set_favourite.rank)
    on conflict on constraint favourites_pkey do update
    set rank = excluded.rank, changed_xid = pg_current_xact_id() where f.rank is distinct from excluded.rank;
  else
    update weft.favourites as f
    set rank = null, changed_xid = pg_current_xact_id()
    where f.user_id = me and f.document_id = set_favourite.document and f.rank is not null;
  end if;
  if found then
    perform weft.publish_change(
      'u:' || me, 'favourite', case when set_favourite.rank is null then 'removed' else 'changed' end, d.id, d.workspace_id
    )
    from public.documents as d
    where d.id = set_favourite.document;
  end if;
  return jsonb_build_object('rank', set_favourite.rank);
end
$$;

-- The caller has seen the page up to this row. Other devices get a message if an unread mark ends by that, or if it is the
-- first visit. A visit counts as old as what was seen: someone who read a copy of the page offline, or left while an edit arrived,
-- keeps the unread mark for the rows that they did not see. `before` is the visit that this one continues: the caller's earlier
-- one, null if there was none. It comes with the same statement that replaces it, so that two tabs that open the page at once
-- cannot both lose it.
create function public.mark_visited(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
  before weft.visits;
  visit weft.visits;
begin
  -- Locked: another call must not take the same visit as its earlier one and then be older than it.
  select v.*
  into before
  from weft.visits as v
  where v.user_id = caller.user_id and v.document_id = mark_visited.document
  for update;
  insert into weft.visits as v (user_id, document_id, seen_seq, seen_at)
  select
    caller.user_id,
    h.document_id,
    least(greatest(coalesce(mark_visited.seq, 0), 0), h.head_seq),
    -- Right before the first row that was not seen; now if there is none.
    coalesce(
      (
        select u.created_at - interval '1 millisecond'
        from public.document_updates as u
        where u.document_id = h.document_id and u.seq > mark_visited.seq
        order by u.seq
        limit 1
      ),
      now()
    )
  from public.document_heads as h
  where h.document_id = mark_visited.document
  on conflict on constraint visits_pkey do update
  set
    seen_seq = greatest(v.seen_seq, excluded.seen_seq),
    seen_at = greatest(v.seen_at, excluded.seen_at),
    changed_xid = pg_current_xact_id()
  returning v.* into visit;
  if before.user_id is null or exists (
    select from public.documents as d
    where d.id = mark_visited.document and d.updated_at > before.seen_at and d.updated_at <= visit.seen_at
  ) then
    perform weft.publish_change(
      'u:' || caller.user_id, 'visit', 'changed', mark_visited.document, caller.workspace_id
    );
  end if;
  return jsonb_build_object(
    'seenSeq', visit.seen_seq,
    'seenAt', visit.seen_at,
    'before',
    case when before.user_id is not null
      then jsonb_build_object('seenSeq', before.seen_seq, 'seenAt', before.seen_at)
    end
  );
end
$$;

-- --- notifications -------------------------------------------------------------------------------------------------

-- What a person is notified of: that someone mentioned them, replied to them, invited them, shared a page with them or changed their
-- role in a workspace. Once for each occasion, never of their own acts, and only of what they may read: then, and whenever they look.
create table weft.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  workspace_id uuid references public.workspaces (id) on delete cascade,
  document_id uuid references public.documents (id) on delete cascade,
  -- Null if they are not known, or have deleted their account.
  actor uuid references public.profiles (id) on delete set null,
  -- What makes the occasion another one on the same page: a block, a comment, a role, a request.
  subject text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  read_at timestamptz,
  constraint notifications_occasion_key unique nulls not distinct (user_id, kind, document_id, subject),
  constraint notifications_kind_check check (
    kind in ('mention', 'reply', 'invite', 'request', 'answered', 'shared', 'role')
  ),
  constraint notifications_detail_check check (octet_length(detail::text) <= 2048)
);
create index notifications_user_id_index on weft.notifications (user_id, at desc, id);
create index notifications_workspace_id_index on weft.notifications (workspace_id);
create index notifications_document_id_index on weft.notifications (document_id);
create index notifications_actor_index on weft.notifications (actor);
create index notifications_unread_subject_index on weft.notifications (subject) where read_at is null;
alter table weft.notifications enable row level security;
revoke all on weft.notifications from public, anon, authenticated, service_role;
create policy weft_nobody on weft.notifications using (false);

-- Mentions that a text copy had before, also those of which no one was notified. The same mention in the same block makes one
-- notification, even if it is deleted and comes back.
create table weft.mentions (
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  block text not null,
  primary key (document_id, user_id, block)
);
create index mentions_user_id_index on weft.mentions (user_id);
alter table weft.mentions enable row level security;
revoke all on weft.mentions from public, anon, authenticated, service_role;
create policy weft_nobody on weft.mentions using (false);

-- Notifies a person, unless it is their own act, they may not see the page, or they were notified of this already. Notifications are
-- kept for 90 days.
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

-- A new role in a workspace, given by someone else. Each change is an occasion of its own.
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

-- A role on a page, or a higher one, that someone gave in the page's dialog. For one that answers a request, there is the notification
-- of the answer.
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

-- Notifies the managers of a page of a request for access, and the person who asked of the answer.
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

-- The people who wrote the rows after `after`, up to and including `seq`. No one wrote the seed, which is row 1.
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

-- Stores the mentions of a text copy and notifies whom they name. A copy comes from a device, which may send mentions that no row has.
-- So a mention names its author only if they sent the copy themselves: an editor could put a mention into a colleague's mouth.
-- Someone who wrote since the last copy is on the page, and may have written the mention, so they are not notified.
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
      -- Without the offset a join with everyone is planned.
      cross join lateral (select from public.profiles as p where p.id = m.person offset 0) as p
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
      case when authors = array[auth.uid()] then auth.uid() end,
      mention.block, jsonb_build_object('block', mention.block, 'excerpt', coalesce(mention.excerpt, ''))
    );
  end loop;
end
$$;

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

-- The caller's notifications, the newest first, before the one with the id `before`. Of a page or workspace that they may no
-- longer see only its id and the kind are left (`isReadable` false), of a comment that they may no longer read all but its words. The
-- actor's name and color are part of it, because someone who asks or invites may have no profile that the caller can see, and so is
-- the state of requests and invitations.
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
          'actorName', case when page.is_readable then page.actor_name end,
          'actorColor', case when page.is_readable then page.actor_color end,
          -- The answer to an own request is not the page's.
          'detail', case
            when page.is_readable or page.kind = 'answered'
            then page.detail - case when page.hides_words then array['excerpt'] else '{}' end
            else '{}'
          end,
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
          end as is_readable,
          n.detail ? 'comment' and not weft.may_read_comments(n.document_id, me) as hides_words
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

-- A notice about a request or an invitation is read once that is answered, wherever and by whom: nothing waits any more.

-- Marks the notices of one occasion as read: one person's, or those of everyone.
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

-- --- activity ------------------------------------------------------------------------------------------------------

-- What happened in a workspace, and what happens now: for its home.
create table weft.activity (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  document_id uuid references public.documents (id) on delete cascade,
  -- Null: not known, or they deleted their account.
  actor uuid references public.profiles (id) on delete set null,
  kind text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  -- The end of an editing session; otherwise the same as `at`.
  until timestamptz not null default now(),
  constraint activity_kind_check check (
    kind in ('created', 'edited', 'moved', 'shared', 'trashed', 'restored', 'joined', 'left')
  ),
  constraint activity_detail_check check (octet_length(detail::text) <= 2048)
);
create index activity_workspace_id_index on weft.activity (workspace_id, until desc, id);
create index activity_document_id_index on weft.activity (document_id, actor, until desc);
create index activity_actor_index on weft.activity (actor);
alter table weft.activity enable row level security;
revoke all on weft.activity from public, anon, authenticated, service_role;
create policy weft_nobody on weft.activity using (false);

-- Adds a line to the activity of a workspace, where it stays for 90 days.
create function weft.note_activity(workspace uuid, document uuid, actor uuid, kind text, detail jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept_for constant interval := interval '90 days';
begin
  delete from weft.activity as a where a.workspace_id = note_activity.workspace and a.until < now() - kept_for;
  -- This very transaction may be deleting the workspace.
  insert into weft.activity (workspace_id, document_id, actor, kind, detail)
  select w.id, note_activity.document, p.id, note_activity.kind, note_activity.detail
  from public.workspaces as w left join public.profiles as p on p.id = note_activity.actor
  where w.id = note_activity.workspace;
end
$$;

-- The people who wrote the rows after `after`, up to `seq`, but for what an import wrote: one line for each person, page and
-- editing session, which ends with a pause of more than 30 minutes. Lines of editing sessions that ended 90 days ago go here too, in
-- a workspace where people only write.
create function weft.note_edits(workspace uuid, document uuid, after bigint, seq bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_pause constant interval := interval '30 minutes';
  kept_for constant interval := interval '90 days';
  page public.documents;
  sitting record;
begin
  select d.* into page from public.documents as d where d.id = note_edits.document;
  for sitting in
    select p.id as actor, min(u.created_at) as began, max(u.created_at) as ended
    from public.document_updates as u join public.profiles as p on p.id = u.appended_by
    where u.document_id = note_edits.document and u.seq > greatest(note_edits.after, 1) and u.seq <= note_edits.seq
      and (page.import_id is null or not weft.is_imported_row(
        page.created_by, page.created_at, u.appended_by, u.created_at
      ))
    group by p.id
  loop
    update weft.activity as a
    set at = least(a.at, sitting.began), until = greatest(a.until, sitting.ended)
    where a.id = (
      select last.id
      from weft.activity as last
      where last.document_id = note_edits.document and last.actor = sitting.actor and last.kind = 'edited'
        and last.until >= sitting.began - max_pause and last.at <= sitting.ended + max_pause
      order by last.until desc
      limit 1
    );
    if not found then
      delete from weft.activity as a where a.workspace_id = note_edits.workspace and a.until < now() - kept_for;
      insert into weft.activity (workspace_id, document_id, actor, kind, at, until)
      values (note_edits.workspace, note_edits.document, sitting.actor, 'edited', sitting.began, sitting.ended);
    end if;
  end loop;
end
$$;

-- One line for a whole subtree: pages that are trashed or restored with a page above have none. Pages of an import share one line,
-- which counts them in `pages`. It names no page, so it is for members, as its pages are: they begin at the top of the workspace.
create function weft.note_document_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if new.import_id is null then
      perform weft.note_activity(new.workspace_id, new.id, coalesce(auth.uid(), new.created_by), 'created', '{}');
      return null;
    end if;
    update weft.activity as a
    set until = now(), detail = jsonb_build_object('pages', (a.detail ->> 'pages')::integer + 1)
    where a.id = new.import_id;
    if not found then
      insert into weft.activity (id, workspace_id, actor, kind, detail)
      values (new.import_id, new.workspace_id, new.created_by, 'created', jsonb_build_object('pages', 1));
    end if;
  elsif (new.trashed_at is null) <> (old.trashed_at is null) then
    if coalesce(new.trash_root, old.trash_root, new.id) = new.id then
      perform weft.note_activity(
        new.workspace_id, new.id, coalesce(auth.uid(), new.trashed_by),
        case when new.trashed_at is null then 'restored' else 'trashed' end, '{}'
      );
    end if;
  elsif new.parent_id is distinct from old.parent_id then
    perform weft.note_activity(
      new.workspace_id, new.id, auth.uid(), 'moved', jsonb_build_object('parent', new.parent_id)
    );
  end if;
  return null;
end
$$;
create trigger note_document_activity after insert or update of trashed_at, parent_id on public.documents
for each row execute function weft.note_document_activity();

create function weft.note_link_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.note_activity(
    d.workspace_id, d.id, new.created_by, 'shared', jsonb_build_object('link', new.id, 'role', new.role)
  )
  from public.documents as d
  where d.id = new.document_id;
  return null;
end
$$;
create trigger note_link_activity after insert on public.share_links
for each row execute function weft.note_link_activity();

create function weft.note_member_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.workspace_members := coalesce(new, old);
begin
  perform weft.note_activity(
    member.workspace_id, null, member.user_id, case when tg_op = 'INSERT' then 'joined' else 'left' end,
    jsonb_build_object('by', auth.uid())
  );
  return null;
end
$$;
create trigger note_member_activity after insert or delete on public.workspace_members
for each row execute function weft.note_member_activity();

-- Whether a page is among those that weft.readable_documents found.
create function weft.is_readable(readable weft.readable, document uuid) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select (is_readable.readable).is_member and not is_readable.document = any ((is_readable.readable).shut)
    or is_readable.document = any ((is_readable.readable).given)
$$;

-- Fails unless the caller is a member of the workspace or may read one of its pages.
create function weft.require_readable(workspace uuid) returns weft.readable
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  readable constant weft.readable := weft.readable_documents(me, workspace);
begin
  if readable.given = '{}' and weft.workspace_role(require_readable.workspace, me) is null then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
  return readable;
end
$$;

-- What happened in a workspace on pages that the caller may read now, the newest first, before the entry with the id
-- `before`. Who joined and left is for members.
create function public.list_activity(workspace uuid, before uuid default null, row_limit integer default 30)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  closed constant uuid[] := weft.documents_without_history(auth.uid());
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', entry.id, 'document', entry.document_id, 'title', entry.title, 'actor', entry.actor, 'kind', entry.kind,
        'detail', entry.detail, 'at', entry.at, 'until', entry.until
      )
      order by entry.until desc, entry.id desc
    ), '[]')
    from (
      select a.*, d.title
      from weft.activity as a left join public.documents as d on d.id = a.document_id
      where a.workspace_id = list_activity.workspace
        and case when a.document_id is null then readable.is_member else weft.is_readable(readable, a.document_id) end
        and not coalesce(a.document_id = any (closed), false)
        and (list_activity.before is null or (a.until, a.id) < (
          select b.until, b.id
          from weft.activity as b
          where b.id = list_activity.before and b.workspace_id = list_activity.workspace
        ))
      order by a.until desc, a.id desc
      limit least(greatest(coalesce(row_limit, 30), 0), max_rows)
    ) as entry
  );
end
$$;

-- --- home ----------------------------------------------------------------------------------------------------------

-- The sums of the counts of each of so many minutes; 0 for those that are not named.
create function weft.minute_counts(named integer[], counts integer[], minutes integer) returns integer[]
language plpgsql immutable security definer set search_path = ''
as $$
declare
  sums integer[] := array_fill(0, array[minutes]);
  nth integer;
begin
  for nth in 1 .. cardinality(named) loop
    sums[named[nth] + 1] := sums[named[nth] + 1] + counts[nth];
  end loop;
  return sums;
end
$$;

-- How many edits each page got in each minute of the last hour, the present minute last (at most 50 pages), in all and, for people
-- who may read who wrote when, by each person (at most 12 on a page, without those who deleted their account); and how many others
-- made on the caller's last visited pages since (at most 100 each).
create function public.home_summary(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  minutes constant integer := 60;
  -- Computed once, not for each row.
  until constant timestamptz := now();
  since constant timestamptz := until - minutes * interval '1 minute';
  max_charts constant integer := 50;
  max_people constant integer := 12;
  max_visited constant integer := 30;
  max_changes constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  me uuid := auth.uid();
  closed constant uuid[] := weft.documents_without_history(me);
begin
  return jsonb_build_object(
    'chart', (
      -- Of all workspaces: to look a row's page up costs more than to read the row.
      with edits as materialized (
        select u.document_id, u.appended_by as author, u.created_at, greatest(u.n_to - u.n_from + 1, 1) as edits
        from public.document_updates as u
        where u.created_at > since and u.created_at <= until and u.seq > 1
      ),
      chart as materialized (
        select e.document_id, e.total
        -- Without the offset the right to read is looked at for each row.
        from (select e.document_id, sum(e.edits) as total from edits as e group by e.document_id offset 0) as e
        join public.documents as d on d.id = e.document_id
        where d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, e.document_id) and not e.document_id = any (closed)
        order by e.total desc, e.document_id
        limit max_charts
      ),
      cells as materialized (
        select
          e.document_id, e.author, e.edits,
          minutes - 1 - floor(date_part('epoch', until - e.created_at) / 60)::integer as minute
        from chart as c join edits as e on e.document_id = c.document_id
      ),
      wholes as (
        select c.document_id, weft.minute_counts(array_agg(c.minute), array_agg(c.edits), minutes) as counts
        from cells as c
        group by c.document_id
      ),
      lines as (
        select
          l.*,
          row_number() over (partition by l.document_id order by l.total desc, l.author) as nth
        from (
          select
            c.document_id, c.author, sum(c.edits) as total, array_agg(c.minute) as named, array_agg(c.edits) as counts
          from cells as c
          where c.author is not null
          group by c.document_id, c.author
        ) as l
      ),
      people as (
        select
          l.document_id,
          jsonb_agg(
            jsonb_build_object('user', l.author, 'minutes', weft.minute_counts(l.named, l.counts, minutes))
            order by l.nth
          ) as people
        from lines as l
        where l.nth <= max_people
        group by l.document_id
      )
      select coalesce(jsonb_agg(
        jsonb_build_object('document', c.document_id, 'minutes', w.counts, 'people', coalesce(p.people, '[]'))
        order by c.total desc, c.document_id
      ), '[]')
      from chart as c
      join wholes as w on w.document_id = c.document_id
      left join people as p on p.document_id = c.document_id
    ),
    'changes', (
      select coalesce(jsonb_agg(
        jsonb_build_object('document', visited.document_id, 'count', (
          select count(*)
          from (
            select
            from public.document_updates as u
            where u.document_id = visited.document_id and u.seq > visited.seen_seq and u.appended_by <> me
            limit max_changes
          ) as edits
        ))
        order by visited.seen_at desc
      ), '[]')
      from (
        select v.document_id, v.seen_seq, v.seen_at
        from weft.visits as v join public.documents as d on d.id = v.document_id
        where v.user_id = me and d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, v.document_id)
        order by v.seen_at desc
        limit max_visited
      ) as visited
    )
  );
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  public.set_favourite, public.mark_visited, weft.notify, weft.notify_new_role, weft.notify_invited,
  weft.notify_shared, weft.notify_request, weft.authors_between, weft.save_mentions, weft.unread_notifications,
  weft.notification_state, public.list_notifications, public.mark_read, weft.settle_notices, weft.settle_request,
  weft.settle_invite, weft.settle_invite_use, weft.note_activity, weft.note_edits, weft.note_document_activity,
  weft.note_link_activity, weft.note_member_activity, weft.is_readable, weft.require_readable, public.list_activity,
  weft.minute_counts, public.home_summary
from public, anon, authenticated, service_role;

grant execute on function
  public.set_favourite, public.mark_visited, public.list_notifications, public.mark_read, public.list_activity,
  public.home_summary
to authenticated;
