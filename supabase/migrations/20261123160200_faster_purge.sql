-- Deleting many pages for good. The planner knew nothing of the size of the two lists, and compared each of 11,000 pages with
-- each of 11,000 roles.

-- As before; the lists are compared by hashes.
create or replace function public.purge_document(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
begin
  perform weft.lock_tree(caller.workspace_id);
  caller := weft.require_role(purge_document.document, 'manager');
  if not caller.is_trashed then
    perform weft.raise('WF002', 'the page is not in the trash');
  elsif exists (
    select unnest(weft.trashed_together(purge_document.document))
    except
    select r.document_id
    from weft.document_roles(caller.user_id, caller.workspace_id) as r
    where r.role = 'manager'
  ) then
    perform weft.raise('WF002', 'not a manager of every page inside');
  end if;
  return jsonb_build_object('pages', weft.purge_together(purge_document.document));
end
$$;
