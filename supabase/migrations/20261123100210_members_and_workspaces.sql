-- The list of a workspace's people; renaming, handing over and deleting a workspace.

-- The people of a workspace, for its members: members, and guests who have roles on single pages only. Of pages that the
-- caller may not see, nothing is counted or dated. `pages` counts the pages on which a guest has a role of their own.
create function public.list_members(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  visible uuid[];
begin
  if weft.workspace_role(list_members.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  end if;
  select coalesce(array_agg(r.document_id), '{}') into visible from weft.document_roles(me, list_members.workspace) as r;
  return (
    with on_pages as (
      select
        m.user_id, min(m.created_at) as joined_at, count(distinct m.document_id) as pages,
        bool_and(m.via_link is not null) as by_links
      from public.document_members as m left join public.share_links as l on l.id = m.via_link
      where m.document_id = any (visible)
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
      group by m.user_id
    ),
    active as (
      select seen.user_id, max(seen.at) as at
      from (
        select d.updated_by as user_id, d.updated_at as at from public.documents as d where d.id = any (visible)
        union all
        select a.user_id, a.announced_at from weft.announced_sessions as a where a.document_id = any (visible)
      ) as seen
      group by seen.user_id
    ),
    people as (
      select m.user_id, m.role, m.created_at as joined_at, m.invited_by, m.via, o.pages
      from public.workspace_members as m left join on_pages as o on o.user_id = m.user_id
      where m.workspace_id = list_members.workspace
      union all
      select o.user_id, 'guest', o.joined_at, null, case when o.by_links then 'share-link' else 'page' end, o.pages
      from on_pages as o
      where not exists (
        select
        from public.workspace_members as m
        where m.workspace_id = list_members.workspace and m.user_id = o.user_id
      )
    )
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'user', p.user_id, 'role', p.role, 'joinedAt', p.joined_at, 'invitedBy', p.invited_by, 'via', p.via,
          'lastActiveAt', active.at, 'pages', case when p.role = 'guest' then coalesce(p.pages, 0) end,
          'hasAccount', not u.is_anonymous
        )
        order by p.role desc, p.joined_at, p.user_id
      ),
      '[]'
    )
    from people as p
    join auth.users as u on u.id = p.user_id
    left join active on active.user_id = p.user_id
  );
end
$$;

-- Fails unless the caller has at least the role `needed` in the workspace, and locks it. The role is checked before the
-- lock, because only members may take the lock, and again after it.
create function weft.lock_workspace_as(workspace uuid, needed public.workspace_role) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.workspace_role(lock_workspace_as.workspace, me) >= needed then
    perform weft.lock_workspace(lock_workspace_as.workspace);
  end if;
  if weft.workspace_role(lock_workspace_as.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif weft.workspace_role(lock_workspace_as.workspace, me) < needed then
    perform weft.raise('WF002', format('needs %s', needed));
  end if;
  return me;
end
$$;

-- The address of the workspace keeps its slug, so that links to it go on working.
create function public.rename_workspace(workspace uuid, name text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.workspace_role(rename_workspace.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif weft.workspace_role(rename_workspace.workspace, me) < 'admin' then
    perform weft.raise('WF002', 'needs admin');
  end if;
  update public.workspaces as w
  set name = weft.trim_name(rename_workspace.name)
  where w.id = rename_workspace.workspace;
  return weft.workspace_summary(rename_workspace.workspace, me);
end
$$;

-- Makes another member an owner, and the caller an admin. The call may be repeated.
create function public.transfer_workspace(workspace uuid, person uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.lock_workspace_as(workspace, 'admin');
  mine public.workspace_role := weft.workspace_role(workspace, me);
  theirs public.workspace_role := weft.workspace_role(workspace, person);
begin
  if mine = 'owner' and theirs is null then
    perform weft.raise('WF001', 'no such member');
  elsif mine = 'owner' and person <> me then
    -- A guest who signs out is gone, and a workspace with them.
    if exists (select from auth.users as u where u.id = transfer_workspace.person and u.is_anonymous) then
      perform weft.raise('WF014', 'an owner needs an account');
    end if;
    update public.workspace_members as m
    set role = case when m.user_id = me then 'admin' else 'owner' end::public.workspace_role
    where m.workspace_id = transfer_workspace.workspace and m.user_id in (me, person);
    perform weft.move_workspace_topics(transfer_workspace.workspace);
  elsif theirs is distinct from 'owner' then
    perform weft.raise('WF002', 'needs owner');
  end if;
  return jsonb '{}';
end
$$;

-- Deletes a workspace for good, with its pages. Tabs and watchers are told before its topics are gone. The bytes of its
-- files remain to be removed, which falls to the person named here.
create function weft.delete_workspace(workspace uuid, person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.publish_json('{}', 'ended', 'w:' || l.topic_key)
  from public.share_links as l join public.documents as d on d.id = l.document_id
  where d.workspace_id = delete_workspace.workspace and weft.is_link_active(l.revoked_at, l.expires_at);
  perform weft.move_workspace_topics(delete_workspace.workspace);
  update public.attachments as a
  set created_by = person, purged_at = coalesce(a.purged_at, now())
  where a.workspace_id = delete_workspace.workspace;
  delete from public.workspaces as w where w.id = delete_workspace.workspace;
end
$$;

-- Only an owner may, who types the name.
create function public.delete_workspace(workspace uuid, name text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.lock_workspace_as(workspace, 'owner');
begin
  if not exists (
    select
    from public.workspaces as w
    where w.id = delete_workspace.workspace and w.name = weft.trim_name(left(delete_workspace.name, 1000))
  ) then
    raise exception using errcode = '22023', message = 'name: as the workspace is called';
  end if;
  perform weft.delete_workspace(delete_workspace.workspace, me);
  return jsonb '{}';
end
$$;

revoke all on function
  weft.lock_workspace_as, weft.delete_workspace,
  public.list_members, public.rename_workspace, public.transfer_workspace, public.delete_workspace
from public, anon, authenticated, service_role;
grant execute on function
  public.list_members, public.rename_workspace, public.transfer_workspace, public.delete_workspace
to authenticated;
