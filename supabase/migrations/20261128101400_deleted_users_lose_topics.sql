-- Realtime caches the rights of a channel, so whoever loses a right is moved to other topics. `delete_account` does so. A person whom
-- an administrator deletes (in the dashboard, by Auth's admin calls) went on hearing the pages that they had open.

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

revoke all on function weft.move_topics_of_deleted_user from public, anon, authenticated, service_role;
