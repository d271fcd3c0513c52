-- Deleting a workspace waited for calls that wait for it. A call that adds something to a page, such as a link, locks the page by a
-- foreign key and then, for the activity or a notification, its workspace; the deletion locked the workspace and then its pages.

-- As before, with the pages locked first.
create or replace function weft.delete_workspace(workspace uuid, person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.documents as d where d.workspace_id = delete_workspace.workspace order by d.id for update;
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

-- The foreign keys of an invitation to a page lock the workspace first.
create function weft.lock_page_of_invite() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform from public.documents as d where d.id = new.document_id for key share;
  return new;
end
$$;

create trigger lock_page_of_invite before insert on weft.invites
for each row when (new.document_id is not null) execute function weft.lock_page_of_invite();

revoke all on function weft.lock_page_of_invite from public, anon, authenticated, service_role;
