-- Rights that concern a whole workspace, or cut a page off from what it inherits. As in share_documents: lock the heads
-- of all pages concerned, change the rights, move the topics, in one transaction (sync.md, D1 and "Rights").

-- Locks the heads of all pages of a workspace. The workspace first: a page that is being created holds on to it until it
-- is there, so none is missed, and none is created until this is over.
create function weft.lock_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_workspace.workspace for update;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = lock_workspace.workspace
  ));
end
$$;

-- Moves every topic of a workspace with one write. Its own topic too: who was shown out hears its changes no longer.
create function weft.move_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  raised bigint;
  page record;
begin
  update public.workspaces as w set epoch = w.epoch + 1 where w.id = move_workspace.workspace
  returning w.epoch into raised;
  for page in
    select d.id, d.epoch from public.documents as d where d.workspace_id = move_workspace.workspace order by d.id
  loop
    perform weft.publish_json(
      jsonb_build_object('epoch', page.epoch || '.' || raised), 'moved',
      topic.kind || ':' || page.id || ':' || page.epoch || '.' || (raised - 1)
    )
    from unnest(array['d', 'v']) as topic (kind);
  end loop;
end
$$;

-- Gives a member of a workspace another role, or shows them out (null). Admins may do that with members and guests and
-- other admins, owners with everybody; whoever it is may leave. What somebody was given on single pages stays theirs.
create function weft.change_member(workspace uuid, "user" uuid, role public.workspace_role) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.me();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  before public.workspace_role;
begin
  -- Once before the lock, which is not for everybody to take, and once after it.
  if mine is not null then
    perform weft.lock_workspace(change_member.workspace);
    mine := weft.workspace_role(change_member.workspace, me);
    before := weft.workspace_role(change_member.workspace, change_member."user");
  end if;
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif before is null then
    -- A repeat of a call whose answer was lost.
    if change_member.role is null and mine >= 'admin' then
      return;
    end if;
    perform weft.raise('WF001', 'no such member');
  elsif not (
    mine = 'owner'
    or mine = 'admin' and before <= 'admin' and coalesce(change_member.role <= 'admin', true)
    or change_member."user" = me and change_member.role is null
  ) then
    perform weft.raise(
      'WF002', format('a %s may not make a %s %s', mine, before, coalesce(change_member.role::text, 'leave'))
    );
  elsif before = 'owner' and change_member.role is distinct from 'owner' and not exists (
    select
    from public.workspace_members as m
    where m.workspace_id = change_member.workspace and m.role = 'owner' and m.user_id <> change_member."user"
  ) then
    perform weft.raise('WF014', 'the last owner');
  end if;

  if change_member.role is null then
    delete from public.workspace_members as m
    where m.workspace_id = change_member.workspace and m.user_id = change_member."user";
  else
    update public.workspace_members as m
    set role = change_member.role
    where m.workspace_id = change_member.workspace and m.user_id = change_member."user"
      and m.role <> change_member.role;
  end if;
  if coalesce(change_member.role < before, true) then
    perform weft.move_workspace(change_member.workspace);
  end if;
end
$$;

create function public.set_workspace_role(workspace uuid, "user" uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  given public.workspace_role;
begin
  begin
    given := set_workspace_role.role;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null then
    raise exception using errcode = '22023', message = 'role: guest, member, admin or owner';
  end if;
  perform weft.change_member(set_workspace_role.workspace, set_workspace_role."user", given);
  return jsonb_build_object('role', given);
end
$$;

create function public.remove_workspace_member(workspace uuid, "user" uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.change_member(remove_workspace_member.workspace, remove_workspace_member."user", null);
  return '{}';
end
$$;

-- Says where a page gets its readers from: its parent, the workspace, or nowhere but its own members. The topics move
-- whatever changes: who loses by it depends on everything above. Whoever does it stays the page's manager.
create function public.set_document_access(document uuid, access text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  heirs uuid[] := weft.heirs(document);
  entry weft.entry;
  given public.document_access;
  before public.document_access;
begin
  perform weft.lock_heads(heirs);
  entry := weft.enter(set_document_access.document, 'manager');
  select d.access into before from public.documents as d where d.id = set_document_access.document;
  begin
    given := set_document_access.access;
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
    if weft.document_role(set_document_access.document, entry."user") is distinct from 'manager' then
      insert into public.document_members (document_id, user_id, role)
      values (set_document_access.document, entry."user", 'manager')
      on conflict on constraint document_members_key do update set role = 'manager';
    end if;
    perform weft.move_topics(heirs);
  end if;
  return jsonb_build_object('access', given);
end
$$;

revoke all on function
  weft.lock_workspace, weft.move_workspace, weft.change_member,
  public.set_workspace_role, public.remove_workspace_member, public.set_document_access
from public, anon, authenticated, service_role;
grant execute on function
  public.set_workspace_role, public.remove_workspace_member, public.set_document_access
to authenticated;
