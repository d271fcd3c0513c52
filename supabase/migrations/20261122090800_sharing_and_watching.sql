-- Changing roles on documents and in workspaces, share links, and watching. Every function that takes rights away locks
-- the heads, changes the rights and moves the topics in one transaction (20261122090500_publishing.sql says why).

-- --- roles on documents -------------------------------------------------------------------------------------------

-- Gives a person a role on a document and on all that inherit from it, or takes it away (null). It replaces the roles
-- that they got through links.
create function public.set_document_member(document uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  inheriting uuid[] := weft.inheriting_documents(document);
  given public.document_role;
  before public.document_role;
begin
  perform weft.lock_heads(inheriting);
  perform weft.require_role(set_document_member.document, 'manager');
  begin
    given := set_document_member.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  if not exists (select from public.profiles as p where p.id = set_document_member.person) then
    perform weft.raise('WF001', 'no such person');
  end if;

  select max(m.role)
  into before
  from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person;

  delete from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person
    and (given is null or m.via_link is not null);
  if given is not null then
    insert into public.document_members as m (document_id, user_id, role)
    values (set_document_member.document, set_document_member.person, given)
    on conflict on constraint document_members_key do update
    set role = excluded.role where m.role <> excluded.role;
  end if;
  if before is not null and coalesce(given < before, true) then
    perform weft.move_topics(inheriting);
  end if;
  return jsonb_build_object('role', given);
end
$$;

-- Sets where a page's default readers come from. The topics move in every case, because the pages above decide who
-- loses access. The caller stays a manager of the page.
create function public.set_document_access(document uuid, access text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  inheriting uuid[] := weft.inheriting_documents(document);
  caller weft.caller;
  given public.document_access;
  before public.document_access;
begin
  perform weft.lock_heads(inheriting);
  caller := weft.require_role(set_document_access.document, 'manager');
  select d.access into before from public.documents as d where d.id = set_document_access.document;
  begin
    given := set_document_access.access::public.document_access;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null or given = 'inherit' and not exists (
    select from public.documents as d where d.id = set_document_access.document and d.parent_id is not null
  ) then
    raise exception using errcode = '22023', message = 'access: workspace, restricted, or, below another page, inherit';
  end if;
  if given <> before then
    update public.documents as d set access = given where d.id = set_document_access.document;
    if weft.document_role(set_document_access.document, caller.user_id) is distinct from 'manager' then
      insert into public.document_members (document_id, user_id, role)
      values (set_document_access.document, caller.user_id, 'manager')
      on conflict on constraint document_members_key do update set role = 'manager';
    end if;
    perform weft.move_topics(inheriting);
  end if;
  return jsonb_build_object('access', given);
end
$$;

-- --- roles in workspaces ------------------------------------------------------------------------------------------

-- Gives a member another role, or removes them (null). Admins may do this with guests, members and other admins, owners
-- with everybody, and any member may leave. Roles on single pages stay.
create function weft.change_workspace_member(workspace uuid, person uuid, role public.workspace_role) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  before public.workspace_role;
begin
  -- The role is checked before the lock, because only members may take the lock, and again after it.
  if mine is not null then
    perform weft.lock_workspace(change_workspace_member.workspace);
    mine := weft.workspace_role(change_workspace_member.workspace, me);
    before := weft.workspace_role(change_workspace_member.workspace, change_workspace_member.person);
  end if;
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif before is null then
    -- A repeated call, whose first answer was lost.
    if change_workspace_member.role is null and mine >= 'admin' then
      return;
    end if;
    perform weft.raise('WF001', 'no such member');
  elsif not (
    mine = 'owner'
    or mine = 'admin' and before <= 'admin' and coalesce(change_workspace_member.role <= 'admin', true)
    or change_workspace_member.person = me and change_workspace_member.role is null
  ) then
    perform weft.raise(
      'WF002', format('a %s may not make a %s %s', mine, before, coalesce(change_workspace_member.role::text, 'leave'))
    );
  elsif before = 'owner' and change_workspace_member.role is distinct from 'owner' and not exists (
    select
    from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.role = 'owner'
      and m.user_id <> change_workspace_member.person
  ) then
    perform weft.raise('WF014', 'the last owner');
  end if;

  if change_workspace_member.role is null then
    delete from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person;
  else
    update public.workspace_members as m
    set role = change_workspace_member.role
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person
      and m.role <> change_workspace_member.role;
  end if;
  if coalesce(change_workspace_member.role < before, true) then
    perform weft.move_workspace_topics(change_workspace_member.workspace);
  end if;
end
$$;

create function public.set_workspace_role(workspace uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  given public.workspace_role;
begin
  begin
    given := set_workspace_role.role::public.workspace_role;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null then
    raise exception using errcode = '22023', message = 'role: guest, member, admin or owner';
  end if;
  perform weft.change_workspace_member(set_workspace_role.workspace, set_workspace_role.person, given);
  return jsonb_build_object('role', given);
end
$$;

create function public.remove_workspace_member(workspace uuid, person uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.change_workspace_member(remove_workspace_member.workspace, remove_workspace_member.person, null);
  return jsonb '{}';
end
$$;

-- --- share links --------------------------------------------------------------------------------------------------

-- A share link as clients see it.
create function weft.link_summary(link uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', l.id, 'documentId', l.document_id, 'role', l.role, 'expiresAt', l.expires_at,
      'revokedAt', l.revoked_at, 'createdBy', l.created_by, 'createdAt', l.created_at
    )
    from public.share_links as l
    where l.id = link_summary.link
  );
end
$$;

-- The active link with this secret, or null. A link shows no page that is in the trash.
create function weft.active_link(secret text) returns public.share_links
language plpgsql stable security definer set search_path = ''
as $$
declare
  link public.share_links;
begin
  select l.*
  into link
  from public.share_links as l join public.documents as d on d.id = l.document_id
  where l.secret_hash = weft.hash_secret(active_link.secret) and weft.is_link_active(l.revoked_at, l.expires_at)
    and d.trashed_at is null;
  return link;
end
$$;

-- Documents on which somebody has a role through this link: its own document, and pages that its guests created below.
create function weft.documents_via_link(link uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct m.document_id from public.document_members as m where m.via_link = documents_via_link.link
  );
end
$$;

-- Creates a link and returns its secret. Nothing can return the secret later: the database stores a hash.
create function public.create_share_link(document uuid, role text, expires_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  secret text := weft.random_key();
  made uuid;
begin
  if create_share_link.role is null or create_share_link.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif create_share_link.expires_at <= now() or create_share_link.expires_at > now() + interval '1 year' then
    raise exception using errcode = '22023', message = 'expires_at: none, or in the future and within a year';
  end if;
  insert into public.share_links (document_id, role, secret_hash, topic_key, expires_at, created_by)
  values (
    create_share_link.document, create_share_link.role::public.document_role, weft.hash_secret(secret),
    weft.random_key(), create_share_link.expires_at, caller.user_id
  )
  returning id into made;
  return jsonb_build_object('link', weft.link_summary(made), 'secret', secret);
end
$$;

-- Gives the caller, who may be a guest, the role of a link. A caller who has at least that role already gets no second
-- one.
create function public.redeem_share_link(secret text) returns jsonb
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
  if role is null or role < link.role then
    -- Waits for a call that revokes the link; otherwise that call could miss the new member.
    perform weft.lock_heads(array[link.document_id]);
    link := weft.active_link(secret);
    if link.id is null then
      perform weft.raise('WF009', 'no active link with this secret');
    end if;
    insert into public.document_members (document_id, user_id, role, via_link)
    values (link.document_id, me, link.role, link.id)
    on conflict on constraint document_members_key do nothing;
    role := link.role;
  end if;
  return (
    select jsonb_build_object('document', d.id, 'workspaceSlug', w.slug, 'role', role)
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = link.document_id
  );
end
$$;

-- Ends a link, informs its watchers, and removes the roles that people got through it. The call may be repeated.
create function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  linked_document uuid;
  documents uuid[];
  topic_key text;
begin
  select l.document_id into linked_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: while the first call waits for its locks, a guest of the link may create a subpage, which adds a document.
  -- Nobody can add one after that.
  perform weft.lock_heads(array_append(weft.documents_via_link(revoke_share_link.link), linked_document));
  perform weft.lock_heads(weft.documents_via_link(revoke_share_link.link));
  perform weft.require_role(linked_document, 'manager');

  update public.share_links as l
  set revoked_at = now()
  where l.id = revoke_share_link.link and l.revoked_at is null
  returning l.topic_key into topic_key;
  if topic_key is not null then
    perform weft.publish_json('{}', 'ended', 'w:' || topic_key);
  end if;

  with removed as (
    delete from public.document_members as m where m.via_link = revoke_share_link.link returning m.document_id
  )
  select array_agg(distinct removed.document_id) into documents from removed;
  if documents is not null then
    perform weft.move_topics(documents);
  end if;
  return jsonb '{}';
end
$$;

-- Removes the roles of expired links on a document. Nearly always there are none, and then this is cheap.
create function weft.remove_expired_members(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (
    select
    from public.document_members as m join public.share_links as l on l.id = m.via_link
    where m.document_id = remove_expired_members.document and not weft.is_link_active(l.revoked_at, l.expires_at)
  ) then
    return;
  end if;
  perform weft.lock_heads(array[remove_expired_members.document]);
  delete from public.document_members as m
  using public.share_links as l
  where m.document_id = remove_expired_members.document and l.id = m.via_link
    and not weft.is_link_active(l.revoked_at, l.expires_at);
  -- False if another call removed them while this one waited for the lock.
  if found then
    perform weft.move_topics(array[remove_expired_members.document]);
  end if;
end
$$;

-- --- watching -----------------------------------------------------------------------------------------------------

-- Rows are published to watch topics only while somebody watches. Every 15 seconds a watcher calls keep_watching (signed
-- in, on the view topic) or open_watch (through a link). A call extends the publishing to 60 seconds from now, and writes
-- only if less than 40 seconds are left, so 500 watchers cause one write in 20 seconds.

-- Extends the time in which rows are published to a link's watch topic. It locks the head first, like all other
-- functions, so that it cannot deadlock with them.
create function weft.extend_watch(link public.share_links) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  renew_before constant timestamptz := clock_timestamp() + interval '40 seconds';
begin
  if link.watched_until > renew_before and exists (
    select from public.document_heads as h where h.document_id = link.document_id and h.watched_until > renew_before
  ) then
    return;
  end if;
  perform weft.lock_heads(array[link.document_id]);
  update public.document_heads as h
  set watched_until = clock_timestamp() + interval '60 seconds'
  where h.document_id = link.document_id;
  update public.share_links as l
  set watched_until = clock_timestamp() + interval '60 seconds'
  where l.id = link.id;
end
$$;

-- Returns the rows after `seq`, as rows_since does, and extends the time in which rows are published to the view topic.
create function public.keep_watching(document uuid, seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  renew_before constant timestamptz := clock_timestamp() + interval '40 seconds';
begin
  perform weft.require_role(keep_watching.document, 'viewer');
  -- Reads without a lock first: a lock on the head would delay every append.
  if not exists (
    select
    from public.document_heads as h
    where h.document_id = keep_watching.document and h.watched_until > renew_before
  ) then
    update public.document_heads as h
    set watched_until = clock_timestamp() + interval '60 seconds'
    where h.document_id = keep_watching.document
      and coalesce(h.watched_until <= renew_before, true); -- Another call may have extended it meanwhile.
  end if;
  return public.rows_since(keep_watching.document, keep_watching.seq, 500);
end
$$;

-- Returns the page of a link, from row `since` on. Needs no account.
create function public.open_watch(secret text, since bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  snapshot jsonb;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  perform weft.extend_watch(link);
  -- The call above may have waited for the one that ended the link.
  link := weft.active_link(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;

  select h.head_seq into head from public.document_heads as h where h.document_id = link.document_id;
  if weft.needs_snapshot(link.document_id, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(link.document_id);
    head := greatest(head, (snapshot ->> 'seq')::bigint); -- The snapshot may be newer than the head read above.
  end if;
  rows := weft.encode_rows(
    link.document_id, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, max_bytes
  );
  return (
    select jsonb_build_object(
      'documentId', d.id,
      'title', d.title,
      'topic', 'w:' || link.topic_key,
      'role', link.role,
      'head', head,
      'schemaVersion', d.schema_version,
      'snapshot', snapshot,
      'rows', weft.to_base64(rows.message),
      'more', rows.more,
      'expiresAt', link.expires_at
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

revoke all on function
  weft.change_workspace_member, weft.link_summary, weft.active_link, weft.documents_via_link,
  weft.remove_expired_members, weft.extend_watch,
  public.set_document_member, public.set_document_access, public.set_workspace_role, public.remove_workspace_member,
  public.create_share_link, public.redeem_share_link, public.revoke_share_link, public.keep_watching, public.open_watch
from public, anon, authenticated, service_role;
grant execute on function
  public.set_document_member, public.set_document_access, public.set_workspace_role, public.remove_workspace_member,
  public.create_share_link, public.redeem_share_link, public.revoke_share_link, public.keep_watching, public.open_watch
to authenticated;
grant execute on function public.open_watch to anon;
