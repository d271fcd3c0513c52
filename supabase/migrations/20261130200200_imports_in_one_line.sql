-- An import of many pages is one line of the activity, and its pages are not news: lists of what was edited lately leave them out
-- until somebody writes in them. An app announces the ids of the pages before it creates them, which may take minutes.

create table weft.announced_imports (
  document_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  import_id uuid not null,
  at timestamptz not null default now(),
  -- An id is no secret: each person announces for themselves.
  primary key (document_id, user_id)
);
create index announced_imports_user_id_index on weft.announced_imports (user_id);
create index announced_imports_workspace_id_index on weft.announced_imports (workspace_id);
alter table weft.announced_imports enable row level security;
create policy weft_nobody on weft.announced_imports using (false);
revoke all on weft.announced_imports from public, anon, authenticated, service_role;

-- The activity of the import that made the page. It has no foreign key: lines go after 90 days.
alter table public.documents add column import_id uuid;

-- The caller is about to create these pages, as one import. A page that was not announced counts for itself.
create function public.announce_import(workspace uuid, documents uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  most constant integer := 500;
  kept_for constant interval := interval '1 day';
  me uuid := weft.require_user();
  import uuid := gen_random_uuid();
  mine public.workspace_role := weft.workspace_role(announce_import.workspace, me);
begin
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif mine = 'guest' then
    perform weft.raise('WF002', 'guests may not create top-level pages');
  elsif coalesce(cardinality(announce_import.documents), 0) > most then
    raise exception using errcode = '22023', message = format('documents: at most %s', most);
  end if;
  -- What was announced and never created; a new import replaces the rest.
  delete from weft.announced_imports as a where a.user_id = me or a.at < now() - kept_for;
  insert into weft.announced_imports (document_id, user_id, workspace_id, import_id)
  select distinct one.id, me, announce_import.workspace, import
  from unnest(announce_import.documents) as one (id)
  where one.id is not null;
  return jsonb '{}';
end
$$;

create function weft.note_import() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from weft.announced_imports as a
  where a.document_id = new.id and a.user_id = auth.uid() and a.workspace_id = new.workspace_id
  returning a.import_id into new.import_id;
  return new;
end
$$;

create trigger note_import before insert on public.documents
for each row execute function weft.note_import();

-- As before. Pages of an import share one line, which counts them in `pages`. It names no page, so it is for members, as its pages
-- are: they begin at the top of the workspace.
create or replace function weft.note_document_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if new.import_id is null then
      perform weft.note_activity(new.workspace_id, new.id, coalesce(auth.uid(), new.created_by), 'created', '{}');
      return null;
    end if;
    update weft.activity as a
    set until = now(), detail = jsonb_build_object('pages', (a.detail ->> 'pages')::integer + 1)
    where a.id = new.import_id;
    if not found then
      insert into weft.activity (id, workspace_id, actor, kind, detail)
      values (new.import_id, new.workspace_id, new.created_by, 'created', jsonb_build_object('pages', 1));
    end if;
  elsif (new.trashed_at is null) <> (old.trashed_at is null) then
    if coalesce(new.trash_root, old.trash_root, new.id) = new.id then
      perform weft.note_activity(
        new.workspace_id, new.id, coalesce(auth.uid(), new.trashed_by),
        case when new.trashed_at is null then 'restored' else 'trashed' end, '{}'
      );
    end if;
  elsif new.parent_id is distinct from old.parent_id then
    perform weft.note_activity(
      new.workspace_id, new.id, auth.uid(), 'moved', jsonb_build_object('parent', new.parent_id)
    );
  end if;
  return null;
end
$$;

-- Whether a row is what an import wrote into its page.
create function weft.is_imported_row(page public.documents, author uuid, written_at timestamptz) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The page opens, and its one edit is sent.
  filled_within constant interval := interval '5 minutes';
begin
  return page.import_id is not null and coalesce(author = page.created_by, false)
    and written_at <= page.created_at + filled_within;
end
$$;

-- As before, without what an import wrote.
create or replace function weft.note_edits(workspace uuid, document uuid, after bigint, seq bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_pause constant interval := interval '30 minutes';
  kept_for constant interval := interval '90 days';
  page public.documents;
  sitting record;
begin
  select d.* into page from public.documents as d where d.id = note_edits.document;
  for sitting in
    select p.id as actor, min(u.created_at) as began, max(u.created_at) as ended
    from public.document_updates as u join public.profiles as p on p.id = u.appended_by
    where u.document_id = note_edits.document and u.seq > greatest(note_edits.after, 1) and u.seq <= note_edits.seq
      and (page.import_id is null or not weft.is_imported_row(page, u.appended_by, u.created_at))
    group by p.id
  loop
    update weft.activity as a
    set at = least(a.at, sitting.began), until = greatest(a.until, sitting.ended)
    where a.id = (
      select last.id
      from weft.activity as last
      where last.document_id = note_edits.document and last.actor = sitting.actor and last.kind = 'edited'
        and last.until >= sitting.began - max_pause and last.at <= sitting.ended + max_pause
      order by last.until desc
      limit 1
    );
    if not found then
      delete from weft.activity as a where a.workspace_id = note_edits.workspace and a.until < now() - kept_for;
      insert into weft.activity (workspace_id, document_id, actor, kind, at, until)
      values (note_edits.workspace, note_edits.document, sitting.actor, 'edited', sitting.began, sitting.ended);
    end if;
  end loop;
end
$$;

-- As before, with `isImported`: an import made the page, and nobody wrote in it since.
create or replace function weft.document_summaries(ids uuid[], roles public.document_role[])
returns table (id uuid, rank text, summary jsonb)
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  return query
    select
      d.id,
      d.rank,
      jsonb_build_object(
        'id', d.id, 'workspaceId', d.workspace_id, 'parentId', d.parent_id, 'kind', d.kind,
        'title', d.title, 'icon', d.icon, 'rank', d.rank, 'access', d.access, 'role', given.role,
        'createdAt', d.created_at, 'updatedAt', d.updated_at, 'updatedBy', d.updated_by,
        'visitedAt', v.seen_at, 'favouriteRank', f.rank, 'trashedAt', d.trashed_at, 'trashedBy', d.trashed_by,
        'isImported', d.import_id is not null and weft.is_imported_row(d, d.updated_by, d.updated_at)
      )
    from unnest(ids, roles) as given (id, role)
    join public.documents as d on d.id = given.id
    left join weft.visits as v on v.document_id = d.id and v.user_id = me
    left join weft.favourites as f on f.document_id = d.id and f.user_id = me;
end
$$;

revoke all on function
  weft.note_import, weft.is_imported_row, public.announce_import
from public, anon, authenticated, service_role;
grant execute on function public.announce_import to authenticated;
