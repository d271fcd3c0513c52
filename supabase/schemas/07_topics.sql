-- Realtime: what the database publishes, how topics move when rights change, and who may use which topic.
-- The names of topics and events are those of src/sync/protocol/topics.ts (d, v, w) and src/protocol/topics.ts (k, u):
--   d:<document>:<epoch>   live topic of a document: rows, presence, and live updates of its editors
--   v:<document>:<epoch>   view topic, for the viewers of a page with many people: only the database sends there
--   w:<topic key>          watch topic of a share link: only the database sends there
--   k:<workspace>:<epoch>  changes in a workspace (pages that are open to it, members, their profiles), and presence of its members
--   u:<user>               changes that concern one person: pages that they may see and that are not open to the workspace, their
--                          own roles
-- A message is only a hint that the log or a list has news, so a failure to publish never fails the write that caused it, and a lost,
-- doubled or late message is harmless: whoever gets one asks (rows_since, list_documents). Messages name ids and kinds, and reach only
-- people who may see what they name.
--   One message per changed page. If rights change, the pages below that inherit them get none of their own: everyone
--   who gains or loses one of those gains or loses the changed page too, and their next list is complete.
--
-- Topics move when an epoch is raised, because their names contain it. A client learns the new name only by opening the
-- page again, which checks its rights.
--
-- Taking rights away works the same way everywhere, in one transaction: lock the heads of all documents concerned,
-- change the rights, move the topics. An append locks the head too, so it sees the rights either before or after, and a
-- person who lost them appends nothing more. On the old topics they receive nothing more.

set check_function_bodies = off;

-- --- publishing ----------------------------------------------------------------------------------------------------

-- Sends bytes when the transaction commits. Older projects lack `realtime.send_binary`; they get base64 in JSON.
create function weft.publish_bytes(payload bytea, event text, topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_binary(bytea,text,text,boolean)') is not null then
    perform realtime.send_binary(publish_bytes.payload, publish_bytes.event, publish_bytes.topic, true);
  else
    perform realtime.send(
      jsonb_build_object('b', weft.to_base64(publish_bytes.payload)), publish_bytes.event, publish_bytes.topic, true
    );
  end if;
exception when others then
  raise warning 'weft.publish_bytes: %', sqlerrm;
end
$$;

create function weft.publish_json(payload jsonb, event text, topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- The topic is null if this very statement deletes its workspace.
  if publish_json.topic is not null then
    perform realtime.send(publish_json.payload, publish_json.event, publish_json.topic, true);
  end if;
exception when others then
  raise warning 'weft.publish_json: %', sqlerrm;
end
$$;

create function weft.publish_change(topic text, kind text, op text, id uuid, workspace uuid) returns void
language sql security definer set search_path = ''
as $$
  select weft.publish_json(
    jsonb_build_object(
      'kind', publish_change.kind, 'op', publish_change.op, 'id', publish_change.id,
      'workspace', publish_change.workspace
    ),
    'change', publish_change.topic
  )
$$;

create function weft.workspace_topic(workspace uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select 'k:' || w.id || ':' || w.epoch from public.workspaces as w where w.id = workspace_topic.workspace);
end
$$;

-- A new page has no head yet that could be locked, and the lock of its foreign key does not conflict with that of
-- weft.lock_workspace. So the creation of a page takes the workspace's lock too, waits for a running change of rights, and sees its
-- result: create_document checks the caller's role again at its end.
create function weft.lock_workspace_of_new_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = new.workspace_id for no key update;
  return new;
end
$$;
create trigger lock_workspace_of_new_document before insert on public.documents
for each row execute function weft.lock_workspace_of_new_document();

-- --- moving topics -------------------------------------------------------------------------------------------------

-- The document and all below it that inherit its members: the documents whose rights change with it.
create function weft.inheriting_documents(document uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with recursive down as (
      select inheriting_documents.document as id
      union all
      select c.id from down join public.documents as c on c.parent_id = down.id where c.access = 'inherit'
    )
    select array_agg(down.id) from down
  );
end
$$;

-- Raises the epoch of these documents and publishes the new one on their old topics. The caller holds the locks of
-- their heads.
create function weft.move_topics(documents uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  moved record;
begin
  for moved in
    update public.documents as d set epoch = d.epoch + 1
    from public.workspaces as w
    where d.id = any (documents) and w.id = d.workspace_id
    returning d.id, (d.epoch - 1) || '.' || w.epoch as old_epoch, d.epoch || '.' || w.epoch as new_epoch
  loop
    perform weft.publish_json(
      jsonb_build_object('epoch', moved.new_epoch), 'moved', 'd:' || moved.id || ':' || moved.old_epoch
    );
    perform weft.publish_json(
      jsonb_build_object('epoch', moved.new_epoch), 'moved', 'v:' || moved.id || ':' || moved.old_epoch
    );
  end loop;
end
$$;

-- Moves all topics of a workspace with one write, its own topic included: a removed member no longer receives changes. A view topic
-- gets the message only if its page was watched in the last day: it is used while more than eight people are on the page, and each
-- tab on it extends `watched_until` every 15 s. A tab that was hidden for longer fetches, and so learns of the new epoch, before it
-- shows anything again.
create function weft.move_workspace_topics(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  watched_since constant timestamptz := clock_timestamp() - interval '1 day';
  raised bigint;
begin
  update public.workspaces as w set epoch = w.epoch + 1 where w.id = move_workspace_topics.workspace
  returning w.epoch into raised;
  perform weft.publish_json(
    jsonb_build_object('epoch', d.epoch || '.' || raised), 'moved',
    topic.kind || ':' || d.id || ':' || d.epoch || '.' || (raised - 1)
  )
  from public.documents as d
  join public.document_heads as h on h.document_id = d.id
  cross join lateral unnest(
    case when h.watched_until > watched_since then array['d', 'v'] else array['d'] end
  ) as topic (kind)
  where d.workspace_id = move_workspace_topics.workspace;
end
$$;

-- The topics also move when an app with a newer schema starts to write to a page. Everyone opens the page again, and
-- an older app stops writing before its editor sees content that it does not know and would remove. The schema version
-- of a received row is therefore always known: messages on a topic have the version that open_document returned with
-- the topic's epoch, an append returns rows only if the caller's app knows the page's version, and rows_since names it.
-- The caller holds the lock of the head.
create function weft.move_topics_on_new_schema() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.move_topics(array[new.id]);
  return null;
end
$$;
create trigger move_topics_on_new_schema after update of schema_version on public.documents
for each row when (new.schema_version > old.schema_version)
execute function weft.move_topics_on_new_schema();

-- Realtime caches the rights of a channel, so a person who loses a right is moved to other topics. delete_account does so; this is
-- for someone whom an administrator deletes (in the dashboard, by Auth's admin calls).
create function weft.move_topics_of_deleted_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  pages uuid[];
  workspace uuid;
begin
  -- Workspaces before heads, as in every change of rights.
  perform
  from public.workspaces as w
  where w.id in (select m.workspace_id from public.workspace_members as m where m.user_id = old.id)
  order by w.id
  for no key update;
  pages := array(
    select distinct i.id
    from public.document_members as m cross join lateral unnest(weft.inheriting_documents(m.document_id)) as i (id)
    where m.user_id = old.id
  );
  perform weft.lock_heads(pages || array(
    select d.id
    from public.documents as d
    where d.workspace_id in (select m.workspace_id from public.workspace_members as m where m.user_id = old.id)
  ));
  for workspace in
    select m.workspace_id from public.workspace_members as m where m.user_id = old.id order by m.workspace_id
  loop
    perform weft.move_workspace_topics(workspace);
  end loop;
  perform weft.move_topics(pages);
  return old;
end
$$;
create trigger weft_move_topics before delete on auth.users
for each row execute function weft.move_topics_of_deleted_user();

-- --- the change stream: triggers -----------------------------------------------------------------------------------

-- The name of a change, from the operation that a trigger reports.
create function weft.op_name(tg_op text) returns text
language sql immutable security definer set search_path = ''
as $$
  select case op_name.tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end
$$;

-- Pages that go to the trash or come back with a page above them are published only to people who do not hear of that one.
create function weft.publish_document_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  is_trashed boolean := new.trashed_at is not null;
begin
  if tg_op = 'INSERT' then
    perform weft.publish_document(new.id, 'document', 'created');
    return null;
  end if;
  if (new.parent_id, new.access) is distinct from (old.parent_id, old.access) then
    perform weft.publish_new_place(old, new);
  end if;
  if is_trashed <> (old.trashed_at is not null) then
    if coalesce(new.trash_root, old.trash_root, new.id) = new.id
      -- A page that comes back without the one above it.
      or not is_trashed and not exists (
        select from public.documents as p where p.id = new.parent_id and p.changed_xid = new.changed_xid
      )
    then
      perform weft.publish_document(new.id, 'document', case when is_trashed then 'trashed' else 'restored' end);
    elsif new.access <> 'inherit' or exists (
      select from public.document_members as m where m.document_id = new.id
    ) then
      perform weft.publish_at_place(
        new.id, new.workspace_id, new.parent_id, new.access, 'document',
        case when is_trashed then 'trashed' else 'restored' end, true, 'viewer'
      );
    end if;
  elsif (new.parent_id, new.rank) is distinct from (old.parent_id, old.rank) then
    perform weft.publish_document(new.id, 'document', 'moved');
  elsif new.update_published_at is distinct from old.update_published_at then
    perform weft.publish_document(new.id, 'document', 'changed');
  end if;
  -- A page that is moved gets its new access by that.
  if new.access <> old.access and new.parent_id is not distinct from old.parent_id then
    perform weft.publish_document(new.id, 'access', 'changed');
  end if;
  return null;
end
$$;
create trigger publish_document_change
after insert or update of title, icon, kind, parent_id, rank, access, trashed_at, updated_at on public.documents
for each row execute function weft.publish_document_change();

create function weft.publish_member_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.workspace_members := coalesce(new, old);
begin
  perform weft.touch_rights(member.workspace_id, member.user_id);
  perform weft.publish_change(
    weft.workspace_topic(member.workspace_id), 'member', weft.op_name(tg_op), member.user_id, member.workspace_id
  );
  perform weft.publish_change(
    'u:' || member.user_id, 'workspace', weft.op_name(tg_op), member.workspace_id, member.workspace_id
  );
  return null;
end
$$;
create trigger publish_member_change after insert or update or delete on public.workspace_members
for each row execute function weft.publish_member_change();

-- The roles of others on a page show in its sharing dialog, so only its managers and, if it is open to the workspace, its
-- members get a message. People who come by a link may be hundreds: each of them is one message per manager.
create function weft.publish_access_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.document_members := coalesce(new, old);
  page public.documents;
begin
  select d.* into page from public.documents as d where d.id = member.document_id;
  -- Null if the page itself is being deleted, which has been published.
  if page.id is null then
    return null;
  end if;
  perform weft.touch_rights(page.workspace_id, member.user_id);
  if weft.document_role(page.id, member.user_id) is null then
    perform weft.publish_change('u:' || member.user_id, 'document', 'removed', page.id, page.workspace_id);
  else
    perform weft.publish_change('u:' || member.user_id, 'access', weft.op_name(tg_op), page.id, page.workspace_id);
  end if;
  if member.via_link is null then
    perform weft.publish_at_place(
      page.id, page.workspace_id, page.parent_id, page.access, 'access', 'changed', false, 'manager'
    );
  else
    perform weft.publish_to_managers(page.id, 'access', 'changed', page.id);
  end if;
  return null;
end
$$;
create trigger publish_access_change after insert or update or delete on public.document_members
for each row execute function weft.publish_access_change();

create function weft.publish_workspace_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.publish_change('k:' || new.id || ':' || new.epoch, 'workspace', 'changed', new.id, new.id);
  perform weft.publish_change('u:' || v.user_id, 'workspace', 'changed', new.id, new.id)
  from weft.visitors(new.id) as v (user_id);
  return null;
end
$$;
create trigger publish_workspace_change after update of name, slug on public.workspaces
for each row when ((new.name, new.slug) is distinct from (old.name, old.slug))
execute function weft.publish_workspace_change();

-- A new name or color shows wherever the person is seen: on the topic of each workspace whose members all see the
-- person, and on the topics of people who meet them on single pages.
create function weft.publish_profile_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Workspaces in which the person is a member, or has a role on a page that all members see.
  open_workspaces uuid[];
  met_workspaces uuid[];
begin
  select array_agg(distinct met.workspace_id) filter (where met.is_open), array_agg(distinct met.workspace_id)
  into open_workspaces, met_workspaces
  from (
    select w.workspace_id, true as is_open from public.workspace_members as w where w.user_id = new.id
    union all
    select
      d.workspace_id,
      weft.resolved_access(d.parent_id, d.access) = 'workspace' and weft.document_role(d.id, new.id) is not null
    from public.document_members as m join public.documents as d on d.id = m.document_id
    where m.user_id = new.id
  ) as met;

  perform weft.publish_change(weft.workspace_topic(w.id), 'profile', 'changed', new.id, w.id)
  from unnest(open_workspaces) as w (id);
  perform weft.publish_change('u:' || p.user_id, 'profile', 'changed', new.id, null)
  from (
    select new.id as user_id
    union
    select v.user_id from unnest(met_workspaces) as w (id) cross join lateral weft.visitors(w.id) as v (user_id)
    union
    -- On restricted pages people are seen by members who have a role there, and by owners.
    select m.user_id
    from public.documents as d join public.document_members as m on m.document_id = d.id
    where d.workspace_id = any (met_workspaces)
    union
    select o.user_id
    from public.workspace_members as o
    where o.workspace_id = any (met_workspaces) and o.role = 'owner'
  ) as p
  where not exists (
    select
    from public.workspace_members as w
    where w.user_id = p.user_id and w.workspace_id = any (open_workspaces) and w.role <> 'guest'
  ) and weft.sees_profile(p.user_id, new.id);
  return null;
end
$$;
create trigger publish_profile_change after update of display_name, color, avatar_path on public.profiles
for each row when (
  (new.display_name, new.color, new.avatar_path) is distinct from (old.display_name, old.color, old.avatar_path)
)
execute function weft.publish_profile_change();

-- --- who may use which topic ---------------------------------------------------------------------------------------

-- Whether the caller may receive (or, with `sends`, send) on a topic; `extension` is broadcast or presence. An error
-- inside a policy would refuse everything with a misleading reason, so malformed input gives false. Guests see single pages, so
-- they may not join a workspace's topic; a link's topic is for links to watch.
-- A hosted project allows policies on realtime.messages and no other change of that schema. Realtime checks them with
-- rows that have only topic, extension and time (`private` is false there), so a policy may look at nothing else.
create function weft.may_use_topic(topic text, extension text, sends boolean) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
  parts text[];
  role public.document_role;
begin
  -- The watch topic of a link to watch, with or without an account: knowing the key in its name is enough.
  parts := regexp_match(may_use_topic.topic, '^w:([A-Za-z0-9_-]{22})$');
  if parts is not null then
    return not sends and may_use_topic.extension = 'broadcast' and exists (
      select
      from public.share_links as l join public.documents as d on d.id = l.document_id
      where l.topic_key = parts[1] and l.role = 'viewer' and weft.is_link_active(l.revoked_at, l.expires_at) and d.trashed_at is null
    );
  end if;

  if me is null or may_use_topic.extension is null or may_use_topic.extension not in ('broadcast', 'presence') then
    return false;
  end if;

  -- A person's own topic.
  if may_use_topic.topic = 'u:' || me then
    return not sends and may_use_topic.extension = 'broadcast';
  end if;

  -- A workspace: its members receive changes and share their presence.
  parts := regexp_match(may_use_topic.topic, '^k:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9]+)$');
  if parts is not null then
    return (not sends or may_use_topic.extension = 'presence')
      and weft.workspace_topic(parts[1]::uuid) = may_use_topic.topic
      and coalesce(weft.workspace_role(parts[1]::uuid, me) <> 'guest', false);
  end if;

  -- The live or the view topic of a document, in its present epoch only.
  parts := regexp_match(
    may_use_topic.topic, '^([dv]):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9]+\.[0-9]+)$'
  );
  if parts is null or weft.topic_epoch(parts[2]::uuid) is distinct from parts[3] then
    return false;
  end if;
  role := weft.document_role(parts[2]::uuid, me);
  if role is null then
    return false;
  elsif parts[1] = 'v' then
    return not sends and may_use_topic.extension = 'broadcast';
  else
    return not sends or may_use_topic.extension = 'presence' or role >= 'editor';
  end if;
end
$$;

drop policy if exists weft_receive on realtime.messages;
create policy weft_receive on realtime.messages for select to anon, authenticated
using (weft.may_use_topic(realtime.topic(), extension, false));

drop policy if exists weft_send on realtime.messages;
create policy weft_send on realtime.messages for insert to authenticated
with check (weft.may_use_topic(realtime.topic(), extension, true));

-- --- the change stream: lists --------------------------------------------------------------------------------------

-- The transactions that changed what someone may see in a workspace. After one of them, that person's next list is
-- complete. Each transaction adds a row of its own and waits for no one; only the newest row counts, so older ones are
-- deleted.
create table weft.workspace_rights (
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  -- Zero: everyone.
  user_id uuid not null,
  changed_xid xid8 not null,
  primary key (workspace_id, user_id, changed_xid)
);
alter table weft.workspace_rights enable row level security;
revoke all on weft.workspace_rights from public, anon, authenticated, service_role;
create policy weft_nobody on weft.workspace_rights using (false);

create function weft.touch_rights(
  workspace uuid, person uuid default '00000000-0000-0000-0000-000000000000'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if exists (
    select
    from weft.workspace_rights as r
    where r.workspace_id = touch_rights.workspace and r.user_id = touch_rights.person
      and r.changed_xid = pg_current_xact_id()
  ) then
    return;
  end if;
  -- Another transaction may be deleting the same rows.
  delete from weft.workspace_rights as r
  using (
    select old.changed_xid
    from weft.workspace_rights as old
    where old.workspace_id = touch_rights.workspace and old.user_id = touch_rights.person and old.changed_xid < (
      select newest.changed_xid
      from weft.workspace_rights as newest
      where newest.workspace_id = touch_rights.workspace and newest.user_id = touch_rights.person
      order by newest.changed_xid desc
      limit 1
    )
    for update skip locked
  ) as superseded
  where r.workspace_id = touch_rights.workspace and r.user_id = touch_rights.person
    and r.changed_xid = superseded.changed_xid;
  -- This very transaction may be deleting the workspace.
  insert into weft.workspace_rights (workspace_id, user_id, changed_xid)
  select w.id, touch_rights.person, pg_current_xact_id()
  from public.workspaces as w
  where w.id = touch_rights.workspace
  on conflict do nothing;
end
$$;

-- Notes the transaction that changed what lists show of a page, and when a change is published (update_published_at): a new title, icon
-- or kind at once, a new time of change at most every 30 seconds.
create function weft.stamp_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  publish_every constant interval := interval '30 seconds';
begin
  if tg_op = 'UPDATE' and (
    new.title, new.icon, new.kind, new.parent_id, new.rank, new.access, new.updated_at, new.updated_by, new.trashed_at,
    new.trashed_by
  ) is not distinct from (
    old.title, old.icon, old.kind, old.parent_id, old.rank, old.access, old.updated_at, old.updated_by, old.trashed_at,
    old.trashed_by
  ) then
    return new;
  end if;
  new.changed_xid := pg_current_xact_id();
  if tg_op = 'UPDATE' and (
    (new.title, new.icon, new.kind) is distinct from (old.title, old.icon, old.kind)
    or new.updated_at <> old.updated_at
      and coalesce(old.update_published_at < clock_timestamp() - publish_every, true)
  ) then
    new.update_published_at := clock_timestamp();
  end if;
  return new;
end
$$;
create trigger stamp_document
before insert or update of title, icon, kind, parent_id, rank, access, updated_at, updated_by, trashed_at, trashed_by
on public.documents
for each row execute function weft.stamp_document();

-- --- the change stream: who hears of a place -----------------------------------------------------------------------

-- These functions take a place (a parent and an access) instead of a document, so that triggers can ask about the place
-- from which a page was moved.

-- What `inherit` means below this parent.
create function weft.resolved_access(parent uuid, access public.document_access) returns public.document_access
language plpgsql stable security definer set search_path = ''
as $$
begin
  if resolved_access.access <> 'inherit' then
    return resolved_access.access;
  end if;
  return coalesce(
    (
      with recursive above as (
        select p.parent_id, p.access, 1 as height from public.documents as p where p.id = resolved_access.parent
        union all
        select p.parent_id, p.access, above.height + 1
        from above join public.documents as p on p.id = above.parent_id
        where above.access = 'inherit'
      )
      select above.access from above order by above.height desc limit 1
    ),
    resolved_access.access
  );
end
$$;

-- The roles that a place gives: those inherited from the pages above, and the workspace's defaults.
create function weft.roles_of_place(workspace uuid, parent uuid, access public.document_access)
returns table (user_id uuid, role public.document_role)
language plpgsql stable security definer set search_path = ''
as $$
declare
  resolved public.document_access := weft.resolved_access(parent, access);
begin
  return query
    with recursive above as (
      select p.id, p.parent_id, p.access
      from public.documents as p
      where p.id = roles_of_place.parent and roles_of_place.access = 'inherit'
      union all
      select p.id, p.parent_id, p.access
      from above join public.documents as p on p.id = above.parent_id
      where above.access = 'inherit'
    ),
    given as (
      select m.user_id, m.role
      from above join public.document_members as m on m.document_id = above.id
      where m.via_link is null
      union all
      select w.user_id, weft.default_role(w.role, resolved)
      from public.workspace_members as w
      where w.workspace_id = roles_of_place.workspace
    )
    select g.user_id, max(g.role) from given as g where g.role is not null group by g.user_id;
end
$$;

-- Everyone who may see a document if it has this place, and whether messages on the workspace's topic reach them.
create function weft.readers(document uuid, workspace uuid, parent uuid, access public.document_access)
returns table (user_id uuid, role public.document_role, is_on_workspace_topic boolean)
language plpgsql stable security definer set search_path = ''
as $$
declare
  is_open boolean := weft.resolved_access(parent, access) = 'workspace';
begin
  return query
    with given as (
      select p.user_id, p.role from weft.roles_of_place(readers.workspace, readers.parent, readers.access) as p
      union all
      select m.user_id, m.role
      from public.document_members as m left join public.share_links as l on l.id = m.via_link
      where m.document_id = readers.document
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
    )
    select
      g.user_id,
      max(g.role),
      is_open and exists (
        select
        from public.workspace_members as w
        where w.workspace_id = readers.workspace and w.user_id = g.user_id and w.role <> 'guest'
      )
    from given as g
    group by g.user_id;
end
$$;

-- Publishes a change of a document to everyone who may see it if it has this place. With `below`, people who may also
-- see its parent get nothing: they got a message about the parent. `needed` is the least role of people who get the
-- message on their own topic.
create function weft.publish_at_place(
  document uuid, workspace uuid, parent uuid, access public.document_access, kind text, op text, below boolean,
  needed public.document_role
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  above record;
begin
  select p.parent_id, p.access, weft.resolved_access(p.parent_id, p.access) as resolved
  into above
  from public.documents as p
  where p.id = publish_at_place.parent and below;

  if weft.resolved_access(publish_at_place.parent, publish_at_place.access) = 'workspace'
    and above.resolved is distinct from 'workspace'
  then
    perform weft.publish_change(
      weft.workspace_topic(publish_at_place.workspace), publish_at_place.kind, publish_at_place.op,
      publish_at_place.document, publish_at_place.workspace
    );
  end if;
  perform weft.publish_change(
    'u:' || r.user_id, publish_at_place.kind, publish_at_place.op, publish_at_place.document, publish_at_place.workspace
  )
  from weft.readers(
    publish_at_place.document, publish_at_place.workspace, publish_at_place.parent, publish_at_place.access
  ) as r
  where not r.is_on_workspace_topic and r.role >= publish_at_place.needed and (
    above.access is null or not exists (
      select
      from weft.readers(publish_at_place.parent, publish_at_place.workspace, above.parent_id, above.access) as informed
      where informed.user_id = r.user_id
    )
  );
end
$$;

-- Publishes a change of a document to everyone who may see it.
create function weft.publish_document(document uuid, kind text, op text) returns void
language sql volatile security definer set search_path = ''
as $$
  select weft.publish_at_place(
    d.id, d.workspace_id, d.parent_id, d.access, publish_document.kind, publish_document.op, false, 'viewer'
  )
  from public.documents as d
  where d.id = publish_document.document
$$;

-- Publishes what only the managers of a document may see, on their own topics.
create function weft.publish_to_managers(document uuid, kind text, op text, id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select weft.publish_change(
    'u:' || r.user_id, publish_to_managers.kind, publish_to_managers.op, publish_to_managers.id, d.workspace_id
  )
  from public.documents as d
  cross join lateral weft.readers(d.id, d.workspace_id, d.parent_id, d.access) as r
  where d.id = publish_to_managers.document and r.role = 'manager'
$$;

-- Publishes a new place to those who may see the page there, and its removal to those who no longer may. Lists stay deltas if
-- no one's role changes: a page of the top that is moved below another one inherits what it had before.
create function weft.publish_new_place(old public.documents, new public.documents) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  lost uuid;
begin
  for lost in
    select r.user_id from weft.readers(old.id, old.workspace_id, old.parent_id, old.access) as r
    except
    select r.user_id from weft.readers(new.id, new.workspace_id, new.parent_id, new.access) as r
  loop
    perform weft.publish_change('u:' || lost, 'document', 'removed', new.id, new.workspace_id);
  end loop;
  if exists (
    select
    from weft.roles_of_place(old.workspace_id, old.parent_id, old.access) as here
    full join weft.roles_of_place(new.workspace_id, new.parent_id, new.access) as there using (user_id)
    where here.role is distinct from there.role
  ) then
    perform weft.touch_rights(new.workspace_id);
  end if;
end
$$;

-- Publishes the deletion of a page and all below it, while the database still knows who may see them. The pages below are
-- deleted after it, one by one: their parents are gone then, and nothing more is published.
create function weft.publish_document_deletion() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if old.parent_id is not null and not exists (select from public.documents as p where p.id = old.parent_id) then
    return old;
  end if;
  perform weft.touch_rights(old.workspace_id);
  perform weft.publish_at_place(
    page.id, page.workspace_id, page.parent_id, page.access, 'document', 'removed', page.id <> old.id, 'viewer'
  )
  from (
    with recursive down as (
      select old.id as id
      union all
      select c.id from down join public.documents as c on c.parent_id = down.id
    )
    select d.id, d.workspace_id, d.parent_id, d.access
    from down join public.documents as d on d.id = down.id
    -- Others have the readers of their parent.
    where d.id = old.id or d.access <> 'inherit' or exists (
      select from public.document_members as m where m.document_id = d.id
    )
  ) as page;
  return old;
end
$$;
create trigger publish_document_deletion before delete on public.documents
for each row execute function weft.publish_document_deletion();

-- Links show in the page's sharing dialog, so its managers get a message. People who came by the link may see other pages now: their
-- next list is complete.
create function weft.publish_link_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  link public.share_links := coalesce(new, old);
begin
  perform weft.touch_rights(d.workspace_id, m.user_id)
  from public.document_members as m join public.documents as d on d.id = m.document_id
  where m.via_link = link.id;
  perform weft.publish_to_managers(
    link.document_id, 'link', case when link.revoked_at is null then weft.op_name(tg_op) else 'removed' end, link.id
  );
  return null;
end
$$;
create trigger publish_link_change
after insert or delete or update of role, expires_at, revoked_at on public.share_links
for each row execute function weft.publish_link_change();

-- People who see single pages of a workspace: its guests, and people with a role on a page who are no members.
create function weft.visitors(workspace uuid) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select w.user_id
    from public.workspace_members as w
    where w.workspace_id = visitors.workspace and w.role = 'guest'
    union
    select m.user_id
    from public.documents as d
    join public.document_members as m on m.document_id = d.id
    left join public.share_links as l on l.id = m.via_link
    where d.workspace_id = visitors.workspace
      and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
      and coalesce(weft.workspace_role(visitors.workspace, m.user_id) = 'guest', true);
end
$$;

-- Whether `viewer` may see someone's profile: the two share a workspace, or a document on which one of them has a role
-- of their own.
create function weft.sees_profile(viewer uuid, person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return sees_profile.person = sees_profile.viewer
    or exists (
      select
      from public.workspace_members as mine join public.workspace_members as theirs using (workspace_id)
      where mine.user_id = sees_profile.viewer and theirs.user_id = sees_profile.person
    )
    or exists (
      select
      from public.document_members as m
      where m.user_id in (sees_profile.viewer, sees_profile.person)
        and weft.document_role(m.document_id, sees_profile.viewer) is not null
        and weft.document_role(m.document_id, sees_profile.person) is not null
    );
end
$$;

-- Transaction ids mean something only in this run of this database: a restored backup counts them again.
create function weft.stamp_scope() returns text
language sql stable security definer set search_path = ''
as $$
  select md5(concat_ws(
    ' ', (select d.oid from pg_catalog.pg_database as d where d.datname = current_database()),
    pg_relation_filenode('public.documents'), extract(epoch from pg_postmaster_start_time())
  ))
$$;

-- A moment of the database: everything that a transaction with a lower id changed is in the caller's snapshot. The time is
-- for links, which expire without a transaction.
create function weft.present_stamp() returns text
language sql stable security definer set search_path = ''
as $$
  select concat_ws(
    '/', weft.stamp_scope(), pg_snapshot_xmin(pg_current_snapshot()), floor(extract(epoch from now()) * 1000)
  )
$$;

-- The first transaction that a list with this stamp may lack. Null if the next list must be complete: the stamp is
-- unknown here, or the person's rights may have changed since.
create function weft.first_unseen(stamp text, workspace uuid, person uuid) returns xid8
language plpgsql stable security definer set search_path = ''
as $$
declare
  parts text[] := regexp_match(stamp, '^([0-9a-f]{32})/([0-9]{1,18})/([0-9]{1,15})$');
  unseen xid8;
begin
  if parts is null or parts[1] <> weft.stamp_scope() then
    return null;
  end if;
  unseen := parts[2]::xid8;
  if unseen > pg_snapshot_xmax(pg_current_snapshot()) or exists (
    select
    from weft.workspace_rights as r
    where r.workspace_id = first_unseen.workspace
      and r.user_id in (first_unseen.person, '00000000-0000-0000-0000-000000000000')
      and r.changed_xid >= unseen
  ) or exists (
    select
    from public.document_members as m
    join public.share_links as l on l.id = m.via_link
    join public.documents as d on d.id = m.document_id
    where m.user_id = first_unseen.person and d.workspace_id = first_unseen.workspace
      and l.expires_at <= now() and l.expires_at > to_timestamp(parts[3]::bigint / 1000.0)
  ) then
    return null;
  end if;
  return unseen;
end
$$;

-- The documents whose summaries a list may lack that has all transactions before `unseen`, and those that the person visited or
-- made a favourite since, or whose comments they read.
create function weft.changed_documents(workspace uuid, person uuid, unseen xid8) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select d.id
    from public.documents as d
    where d.workspace_id = changed_documents.workspace and d.changed_xid >= changed_documents.unseen
    union
    select d.id
    from (
      select f.document_id
      from weft.favourites as f
      where f.user_id = changed_documents.person and f.changed_xid >= changed_documents.unseen
      union all
      select v.document_id
      from weft.visits as v
      where v.user_id = changed_documents.person and v.changed_xid >= changed_documents.unseen
      union all
      select r.document_id
      from weft.comment_reads as r
      where r.user_id = changed_documents.person and r.changed_xid >= changed_documents.unseen
    ) as own
    join public.documents as d on d.id = own.document_id
    where d.workspace_id = changed_documents.workspace;
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.publish_bytes, weft.publish_json, weft.publish_change, weft.workspace_topic,
  weft.lock_workspace_of_new_document, weft.inheriting_documents, weft.move_topics, weft.move_workspace_topics,
  weft.move_topics_on_new_schema, weft.move_topics_of_deleted_user, weft.op_name, weft.publish_document_change,
  weft.publish_member_change, weft.publish_access_change, weft.publish_workspace_change, weft.publish_profile_change,
  weft.may_use_topic, weft.touch_rights, weft.stamp_document, weft.resolved_access, weft.roles_of_place, weft.readers,
  weft.publish_at_place, weft.publish_document, weft.publish_to_managers, weft.publish_new_place,
  weft.publish_document_deletion, weft.publish_link_change, weft.visitors, weft.sees_profile, weft.stamp_scope,
  weft.present_stamp, weft.first_unseen, weft.changed_documents
from public, anon, authenticated, service_role;

grant execute on function
  weft.may_use_topic
to anon, authenticated;
