-- Who takes rights in a whole workspace locks it and then the heads of its pages. Who changes one page locks its head
-- and then, by the foreign key of a row that is updated twice in one transaction, asks for the workspace: a full lock
-- there made the two wait for each other. This one does not exclude foreign keys, so a page that is being made has to
-- say by itself that it holds on to its workspace.

create or replace function weft.lock_workspace(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = lock_workspace.workspace for no key update;
  perform weft.lock_heads(array(
    select d.id from public.documents as d where d.workspace_id = lock_workspace.workspace
  ));
end
$$;

-- A new page has no head yet that could be locked. Whoever makes it while rights are being taken waits, and then sees
-- what is left of theirs: create_document asks for their role again at its end.
create function weft.hold_workspace() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.workspaces as w where w.id = new.workspace_id for no key update;
  return new;
end
$$;

create trigger hold_workspace before insert on public.documents
for each row execute function weft.hold_workspace();

revoke all on function weft.hold_workspace from public, anon, authenticated, service_role;
