-- Who leaves a workspace or is removed from it loses every role on its pages too. Guests of single pages may leave, and admins may
-- remove them.

-- Ends the person's roles on single pages of the workspace. Returns those pages and all that inherit from them, locked, for their
-- topics to be moved.
create function weft.remove_from_pages(workspace uuid, person uuid) returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pages uuid[] := array(
    select distinct i.id
    from public.document_members as m
    join public.documents as d on d.id = m.document_id
    cross join lateral unnest(weft.inheriting_documents(d.id)) as i (id)
    where m.user_id = remove_from_pages.person and d.workspace_id = remove_from_pages.workspace
  );
begin
  perform weft.lock_heads(pages);
  delete from public.document_members as m where m.user_id = remove_from_pages.person and m.document_id = any (pages);
  return pages;
end
$$;
revoke all on function weft.remove_from_pages from public, anon, authenticated, service_role;

-- As before, but without a role the person loses those on single pages too.
create or replace function weft.change_workspace_member(workspace uuid, person uuid, role public.workspace_role) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  before public.workspace_role;
  seen uuid[];
  pages uuid[] := '{}';
begin
  if mine is null and change_workspace_member.person = me and change_workspace_member.role is null then
    -- A guest of single pages.
    pages := weft.remove_from_pages(change_workspace_member.workspace, me);
    if pages = '{}' then
      perform weft.raise('WF001', 'not a member of this workspace, and no guest');
    end if;
    perform weft.move_topics(pages);
    return;
  end if;
  -- The role is checked before the lock, because only members may take the lock, and again after it.
  if mine is not null then
    perform weft.lock_workspace(change_workspace_member.workspace);
    mine := weft.workspace_role(change_workspace_member.workspace, me);
    before := weft.workspace_role(change_workspace_member.workspace, change_workspace_member.person);
  end if;
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif before is null and (change_workspace_member.role is not null or mine < 'admin') then
    perform weft.raise('WF001', 'no such member');
  elsif not (
    mine = 'owner'
    or mine = 'admin' and coalesce(before <= 'admin', true) and coalesce(change_workspace_member.role <= 'admin', true)
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

  if coalesce(change_workspace_member.role < before, true) then
    seen := array(
      select r.document_id
      from weft.document_roles(change_workspace_member.person, change_workspace_member.workspace) as r
    );
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
  if coalesce(change_workspace_member.role < before, before is not null) then
    perform weft.move_workspace_topics(change_workspace_member.workspace);
  end if;
  if change_workspace_member.role is null then
    -- After the topics, so that the person hears nothing of these pages on the workspace's.
    pages := weft.remove_from_pages(change_workspace_member.workspace, change_workspace_member.person);
    if before is null then
      perform weft.move_topics(pages);
    end if;
  end if;
  if seen is not null then
    perform weft.note_losses('removed', seen, change_workspace_member.person);
  end if;
end
$$;
