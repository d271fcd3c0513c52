-- A link to watch is watched (open_watch), not redeemed: a role would show the page's people, sessions, live updates and history to
-- whoever has the link.

-- As before, but a link to watch gives no role. Whoever has one already is told where the page is.
create or replace function public.redeem_share_link(secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  link public.share_links := weft.active_link(secret);
  role public.document_role;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  role := weft.document_role(link.document_id, me);
  if role is null and link.role = 'viewer' then
    perform weft.raise('WF002', 'a link to watch gives no role');
  elsif role is null or role < link.role then
    -- Waits for a call that revokes the link; otherwise that call could miss the new member.
    perform weft.lock_heads(array[link.document_id]);
    link := weft.active_link(secret);
    if link.id is null then
      perform weft.raise('WF009', 'no active link with this secret');
    end if;
    insert into public.document_members (document_id, user_id, role, via_link)
    values (link.document_id, me, link.role, link.id)
    on conflict on constraint document_members_key do nothing;
    if found then
      update public.share_links as l set uses = l.uses + 1 where l.id = link.id;
      perform weft.number_guest(me, d.workspace_id) from public.documents as d where d.id = link.document_id;
    end if;
    role := link.role;
  end if;
  return (
    select jsonb_build_object('document', d.id, 'workspaceSlug', w.slug, 'role', role)
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = link.document_id
  );
end
$$;

-- Roles that such links gave end, and the topics of their pages move. No cut is noted: the link still shows the page.
create function weft.end_roles_of_watch_links() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  documents uuid[] := array(
    select distinct m.document_id from public.document_members as m where m.via_link is not null and m.role = 'viewer'
  );
begin
  perform weft.lock_heads(documents);
  delete from public.document_members as m where m.via_link is not null and m.role = 'viewer';
  perform weft.move_topics(documents);
end
$$;
select weft.end_roles_of_watch_links();
drop function weft.end_roles_of_watch_links;

alter table public.document_members
  add constraint document_members_via_link_check check (via_link is null or role <> 'viewer');

-- Before somebody signs in, a link to comment or edit shows its page's name (open_watch), no file, and no topic.

-- As before, but a link's topic is for links to watch.
create or replace function weft.may_use_topic(topic text, extension text, sends boolean) returns boolean
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

-- As before, but a link shows files only if it is a link to watch.
create or replace function weft.may_see_object(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments;
  link public.share_links;
begin
  if weft.storage_operation() in ('object.delete', 'object.delete_many') then
    return weft.may_remove_object(may_see_object.object);
  elsif weft.storage_operation() not in ('object.get_authenticated', 'object.upload', 'object.copy')
    or not weft.is_allowed_metadata(may_see_object.metadata)
  then
    return false;
  end if;
  attachment := weft.attachment_of_object(may_see_object.object);
  if attachment.document_id is null or attachment.purged_at is not null then
    return false;
  elsif weft.document_role(attachment.document_id, auth.uid()) is not null then
    return true;
  end if;
  link := weft.active_link(weft.request_headers() ->> 'x-weft-link');
  return coalesce(link.document_id = attachment.document_id and link.role = 'viewer', false);
end
$$;
