-- Templates: pages that the list of templates offers as the start of a new page. A template keeps its place in the tree and
-- its rights, and is edited like any page.

alter table public.documents drop constraint documents_kind_check;
alter table public.documents add constraint documents_kind_check check (kind in ('page', 'template'));

-- As before, with the kind.
create or replace function weft.stamp_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  publish_every constant interval := interval '30 seconds';
begin
  if tg_op = 'UPDATE' and (
    new.title, new.icon, new.kind, new.parent_id, new.rank, new.access, new.updated_at, new.updated_by, new.trashed_at,
    new.trashed_by
  ) is not distinct from (
    old.title, old.icon, old.kind, old.parent_id, old.rank, old.access, old.updated_at, old.updated_by, old.trashed_at,
    old.trashed_by
  ) then
    return new;
  end if;
  new.changed_xid := pg_current_xact_id();
  if tg_op = 'UPDATE' and (
    (new.title, new.icon, new.kind) is distinct from (old.title, old.icon, old.kind)
    or new.updated_at <> old.updated_at
      and coalesce(old.update_published_at < clock_timestamp() - publish_every, true)
  ) then
    new.update_published_at := clock_timestamp();
  end if;
  return new;
end
$$;

drop trigger stamp_document on public.documents;
create trigger stamp_document
before insert or update of title, icon, kind, parent_id, rank, access, updated_at, updated_by, trashed_at, trashed_by
on public.documents
for each row execute function weft.stamp_document();

drop trigger publish_document_change on public.documents;
create trigger publish_document_change
after insert or update of title, icon, kind, parent_id, rank, access, trashed_at, updated_at on public.documents
for each row execute function weft.publish_document_change();

create function public.set_document_template(document uuid, is_template boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_editor(document);
  wanted text := case when is_template then 'template' else 'page' end;
begin
  update public.documents as d
  set kind = wanted
  where d.id = set_document_template.document and d.kind <> wanted;
  return weft.document_summary(set_document_template.document, caller.role);
end
$$;

revoke all on function public.set_document_template from public, anon, authenticated, service_role;
grant execute on function public.set_document_template to authenticated;
