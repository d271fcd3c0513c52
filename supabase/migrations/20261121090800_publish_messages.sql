-- What the database tells on Realtime topics. A message is a hint: the log is the truth, so a failing one never fails
-- the write that caused it.

-- Bytes, after the commit. Older projects have no `send_binary`: there they travel as base64 in JSON.
create function weft.publish(payload bytea, event text, topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  if to_regprocedure('realtime.send_binary(bytea,text,text,boolean)') is not null then
    perform realtime.send_binary(publish.payload, publish.event, publish.topic, true);
  else
    perform realtime.send(
      jsonb_build_object('b', weft.to_base64(publish.payload)), publish.event, publish.topic, true
    );
  end if;
exception when others then
  raise warning 'weft.publish: %', sqlerrm;
end
$$;

create function weft.publish_json(payload jsonb, event text, topic text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- No topic: its workspace is being deleted in this very statement.
  if publish_json.topic is not null then
    perform realtime.send(publish_json.payload, publish_json.event, publish_json.topic, true);
  end if;
exception when others then
  raise warning 'weft.publish_json: %', sqlerrm;
end
$$;

-- `change` on a topic: ids and kinds only, because more people hear it than may read what changed.
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

-- Everybody who watches a document just now: through living links, and signed in.
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
      and weft.is_live(l.revoked_at, l.expires_at);
end
$$;

-- The rows after `after` to everybody who watches; the word "fetch" when they are more than a message should hold.
create function weft.publish_to_watchers(document uuid, epoch text, after bigint, head bigint) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  rows record;
  message bytea;
  topic text;
begin
  rows := weft.encode_rows(publish_to_watchers.document, after, head, 1000, 200 * 1024);
  if rows.more or octet_length(rows.message) > 200 * 1024 then
    message := weft.encode_fetch(head);
  else
    message := rows.message;
  end if;
  for topic in select t from weft.watch_topics(publish_to_watchers.document, publish_to_watchers.epoch) as t loop
    perform weft.publish(message, 'rows', topic);
  end loop;
end
$$;

-- Moves the topics of these documents: whoever lost rights stays behind in the old ones, alone. The caller holds the
-- lock of every head (weft.lock_heads) and changes the rights in the same transaction.
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

-- Locks the heads of these documents, always in the same order: after this no append to them is under way, and those
-- that wait will see the new rights (sync.md, D1).
create function weft.lock_heads(documents uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.document_heads as h where h.document_id = any (documents) order by h.document_id for update;
end
$$;

-- A document and what inherits its members: all whose rights change with it.
create function weft.heirs(document uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    with recursive down as (
      select heirs.document as id
      union all
      select c.id from down join public.documents as c on c.parent_id = down.id where c.access = 'inherit'
    )
    select array_agg(down.id) from down
  );
end
$$;

create function weft.tell_document_change() returns trigger
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

create trigger tell_document_change
after insert or delete or update of title, icon, parent_id, rank, access, trashed_at on public.documents
for each row execute function weft.tell_document_change();

create function weft.op_name(tg_op text) returns text
language sql immutable security definer set search_path = ''
as $$
  select case op_name.tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'removed' end
$$;

create function weft.tell_member_change() returns trigger
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

create trigger tell_member_change after insert or update or delete on public.workspace_members
for each row execute function weft.tell_member_change();

create function weft.tell_access_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.document_members := coalesce(new, old);
begin
  perform weft.publish_change('u:' || member.user_id, 'access', weft.op_name(tg_op), member.document_id);
  return null;
end
$$;

create trigger tell_access_change after insert or update or delete on public.document_members
for each row execute function weft.tell_access_change();

create function weft.tell_workspace_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.publish_change('k:' || new.id || ':' || new.epoch, 'workspace', 'changed', new.id);
  return null;
end
$$;

create trigger tell_workspace_change after update of name, slug on public.workspaces
for each row when ((new.name, new.slug) is distinct from (old.name, old.slug))
execute function weft.tell_workspace_change();

-- A new name or colour is news wherever the person is listed.
create function weft.tell_profile_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.publish_change(weft.workspace_topic(w.workspace_id), 'member', 'changed', new.id)
  from public.workspace_members as w
  where w.user_id = new.id;
  return null;
end
$$;

create trigger tell_profile_change after update of display_name, color on public.profiles
for each row when ((new.display_name, new.color) is distinct from (old.display_name, old.color))
execute function weft.tell_profile_change();

revoke all on function
  weft.publish, weft.publish_json, weft.publish_change, weft.workspace_topic, weft.watch_topics,
  weft.publish_to_watchers, weft.move_topics, weft.lock_heads, weft.heirs, weft.op_name, weft.tell_document_change,
  weft.tell_member_change, weft.tell_access_change, weft.tell_workspace_change, weft.tell_profile_change
from public, anon, authenticated, service_role;
