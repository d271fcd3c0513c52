-- Realtime: what the database publishes, how topics move when rights change, and who may use which topic.
-- The names of topics and events are those of src/protocol/topics.ts:
--   d:<document>:<epoch>   live topic of a document: rows, presence, and live updates of its editors
--   v:<document>:<epoch>   view topic, for the viewers of a page with many people: rows only
--   w:<topic key>          watch topic of a share link: rows only
--   k:<workspace>:<epoch>  changes in a workspace, and presence of its members
--   u:<user>               changes that concern one person
-- A message is only a hint that the log has news, so a failure to publish never fails the write that caused it.

-- --- publishing ---------------------------------------------------------------------------------------------------

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

-- Publishes ids and kinds only, because a topic has more listeners than the changed thing has readers.
create function weft.publish_change(topic text, kind text, op text, id uuid) returns void
language sql security definer set search_path = ''
as $$
  select weft.publish_json(
    jsonb_build_object('kind', publish_change.kind, 'op', publish_change.op, 'id', publish_change.id),
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

-- The view topic of a document and the watch topics of its links that somebody watches at the moment.
create function weft.watch_topics(document uuid, epoch text) returns setof text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select 'v:' || watch_topics.document || ':' || watch_topics.epoch
    union all
    select 'w:' || l.topic_key
    from public.share_links as l
    where l.document_id = watch_topics.document
      and l.watched_until > clock_timestamp()
      and weft.is_link_active(l.revoked_at, l.expires_at);
end
$$;

-- Publishes the rows after `after` to all watchers, or a fetch message if they are too large for one message.
create function weft.publish_to_watchers(document uuid, epoch text, after bigint, head bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  max_message_bytes constant integer := 200 * 1024;
  max_rows constant integer := 1000;
  rows record;
  message bytea;
  topic text;
begin
  rows := weft.encode_rows(publish_to_watchers.document, after, head, max_rows, max_message_bytes);
  if rows.more or octet_length(rows.message) > max_message_bytes then
    message := weft.encode_fetch(head);
  else
    message := rows.message;
  end if;
  for topic in select t from weft.watch_topics(publish_to_watchers.document, publish_to_watchers.epoch) as t loop
    perform weft.publish_bytes(message, 'rows', topic);
  end loop;
end
$$;

-- --- locks and moving topics --------------------------------------------------------------------------------------

-- Topics move when an epoch is raised, because their names contain it. A client learns the new name only by opening the
-- page again, which checks its rights.
--
-- Taking rights away works the same way everywhere, in one transaction: lock the heads of all documents concerned,
-- change the rights, move the topics. An append locks the head too, so it sees the rights either before or after, and a
-- person who lost them appends nothing more. On the old topics they receive nothing more.

-- Locks the heads of these documents, always in the same order, so that two callers cannot deadlock.
create function weft.lock_heads(documents uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.document_heads as h where h.document_id = any (documents) order by h.document_id for update;
end
$$;

-- Locks the heads of all pages of a workspace. It locks the workspace first, as the creation of a page does, so it
-- misses no page and none is created until the transaction ends. The workspace's lock must not exclude foreign keys, as
-- a full `for update` does: a call that changes one page locks the page's head and may then ask for the workspace
-- through the foreign key of a row that it updates twice, and the two calls would wait for each other.
create function weft.lock_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_workspace.workspace for no key update;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = lock_workspace.workspace
  ));
end
$$;

-- A new page has no head yet that could be locked, and the lock of its foreign key does not conflict with the one
-- above. So the creation of a page takes the workspace's lock too, waits for a running change of rights, and sees its
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

-- Moves all topics of a workspace with one write, its own topic included: a removed member no longer receives changes.
create function weft.move_workspace_topics(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  raised bigint;
  page record;
begin
  update public.workspaces as w set epoch = w.epoch + 1 where w.id = move_workspace_topics.workspace
  returning w.epoch into raised;
  for page in
    select d.id, d.epoch from public.documents as d where d.workspace_id = move_workspace_topics.workspace order by d.id
  loop
    perform weft.publish_json(
      jsonb_build_object('epoch', page.epoch || '.' || raised), 'moved',
      topic.kind || ':' || page.id || ':' || page.epoch || '.' || (raised - 1)
    )
    from unnest(array['d', 'v']) as topic (kind);
  end loop;
end
$$;

-- The topics also move when an app with a newer schema starts to write to a page. Everybody opens the page again, and
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

-- --- changes ------------------------------------------------------------------------------------------------------

-- The name of a change, from the operation that a trigger reports.
create function weft.op_name(tg_op text) returns text
language sql immutable security definer set search_path = ''
as $$
  select case op_name.tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end
$$;

create function weft.publish_document_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  topic text := weft.workspace_topic(coalesce(new.workspace_id, old.workspace_id));
begin
  if tg_op = 'INSERT' then
    perform weft.publish_change(topic, 'document', 'created', new.id);
  elsif tg_op = 'DELETE' then
    perform weft.publish_change(topic, 'document', 'removed', old.id);
  else
    if (new.trashed_at is null) <> (old.trashed_at is null) then
      perform weft.publish_change(
        topic, 'document', case when new.trashed_at is null then 'created' else 'removed' end, new.id
      );
    end if;
    if (new.title, new.icon) is distinct from (old.title, old.icon) then
      perform weft.publish_change(topic, 'document', 'changed', new.id);
    end if;
    if (new.parent_id, new.rank) is distinct from (old.parent_id, old.rank) then
      perform weft.publish_change(topic, 'document', 'moved', new.id);
    end if;
    if new.access is distinct from old.access then
      perform weft.publish_change(topic, 'access', 'changed', new.id);
    end if;
  end if;
  return null;
end
$$;

create trigger publish_document_change
after insert or delete or update of title, icon, parent_id, rank, access, trashed_at on public.documents
for each row execute function weft.publish_document_change();

create function weft.publish_member_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.workspace_members := coalesce(new, old);
begin
  perform weft.publish_change(
    weft.workspace_topic(member.workspace_id), 'member', weft.op_name(tg_op), member.user_id
  );
  perform weft.publish_change('u:' || member.user_id, 'workspace', weft.op_name(tg_op), member.workspace_id);
  return null;
end
$$;

create trigger publish_member_change after insert or update or delete on public.workspace_members
for each row execute function weft.publish_member_change();

create function weft.publish_access_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.document_members := coalesce(new, old);
begin
  perform weft.publish_change('u:' || member.user_id, 'access', weft.op_name(tg_op), member.document_id);
  return null;
end
$$;

create trigger publish_access_change after insert or update or delete on public.document_members
for each row execute function weft.publish_access_change();

create function weft.publish_workspace_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.publish_change('k:' || new.id || ':' || new.epoch, 'workspace', 'changed', new.id);
  return null;
end
$$;

create trigger publish_workspace_change after update of name, slug on public.workspaces
for each row when ((new.name, new.slug) is distinct from (old.name, old.slug))
execute function weft.publish_workspace_change();

-- A new name or color shows in every workspace of the person.
create function weft.publish_profile_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.publish_change(weft.workspace_topic(w.workspace_id), 'member', 'changed', new.id)
  from public.workspace_members as w
  where w.user_id = new.id;
  return null;
end
$$;

create trigger publish_profile_change after update of display_name, color on public.profiles
for each row when ((new.display_name, new.color) is distinct from (old.display_name, old.color))
execute function weft.publish_profile_change();

-- --- who may use which topic --------------------------------------------------------------------------------------

-- Whether the caller may receive (or, with `sends`, send) on a topic; `extension` is broadcast or presence. An error
-- inside a policy would refuse everything with a misleading reason, so malformed input gives false.
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
  -- The watch topic of a share link, with or without an account: knowing the key in its name is enough.
  parts := regexp_match(may_use_topic.topic, '^w:([A-Za-z0-9_-]{22})$');
  if parts is not null then
    return not sends and may_use_topic.extension = 'broadcast' and exists (
      select
      from public.share_links as l join public.documents as d on d.id = l.document_id
      where l.topic_key = parts[1] and weft.is_link_active(l.revoked_at, l.expires_at) and d.trashed_at is null
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
      and weft.workspace_role(parts[1]::uuid, me) is not null;
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

revoke all on function
  weft.publish_bytes, weft.publish_json, weft.publish_change, weft.workspace_topic, weft.watch_topics,
  weft.publish_to_watchers, weft.lock_heads, weft.lock_workspace, weft.lock_workspace_of_new_document,
  weft.inheriting_documents, weft.move_topics, weft.move_workspace_topics, weft.move_topics_on_new_schema, weft.op_name,
  weft.publish_document_change, weft.publish_member_change, weft.publish_access_change, weft.publish_workspace_change,
  weft.publish_profile_change, weft.may_use_topic
from public, anon, authenticated, service_role;
grant execute on function weft.may_use_topic to anon, authenticated;

drop policy if exists weft_receive on realtime.messages;
create policy weft_receive on realtime.messages for select to anon, authenticated
using (weft.may_use_topic(realtime.topic(), extension, false));

drop policy if exists weft_send on realtime.messages;
create policy weft_send on realtime.messages for insert to authenticated
with check (weft.may_use_topic(realtime.topic(), extension, true));
