-- Pages that a restored server has never heard of (docs/backup.md): a device that holds one makes it again, under the same id. What
-- was deleted for good stays deleted, so the database remembers the ids of those pages.

create table weft.purged_documents (
  id uuid primary key,
  purged_at timestamptz not null default now()
);
alter table weft.purged_documents enable row level security;
create policy weft_nobody on weft.purged_documents using (false);
revoke all on weft.purged_documents from public, anon, authenticated, service_role;

-- However pages are deleted: by themselves, with the page above, with their workspace or with an account.
create function weft.note_purged() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into weft.purged_documents (id) values (old.id) on conflict do nothing;
  return null;
end
$$;
create trigger note_purged after delete on public.documents for each row execute function weft.note_purged();

-- When a device made the page again. Null: it was never lost.
alter table public.documents add column made_again_at timestamptz;

-- Of these pages, those that the caller's device should keep a copy of. `lost`: the ones that the database has never heard of, and, for
-- a month, the ones that were made again without the caller. `ahead`: the caller's pages whose newest row is older than the one that
-- the device has, as `known_at` says. Every other page that the caller may not open was closed to them or deleted; which of both, the
-- answer does not say.
create function public.lost_documents(documents uuid[], known_at bigint[] default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_documents constant integer := 500;
  kept_for constant interval := interval '30 days';
  me uuid := weft.require_user();
begin
  if documents is null or cardinality(documents) > max_documents then
    raise exception using errcode = '22023', message = 'documents: at most 500 ids';
  end if;
  return (
    with asked as materialized (
      select a.id, a.known_at, d.id is null as is_unknown, d.made_again_at, weft.document_role(d.id, me) as role
      from unnest(lost_documents.documents, lost_documents.known_at) as a (id, known_at)
      left join public.documents as d on d.id = a.id
    )
    select jsonb_build_object(
      'lost', coalesce(
        jsonb_agg(asked.id) filter (
          where asked.is_unknown and not exists (select from weft.purged_documents as p where p.id = asked.id)
            or asked.role is null and asked.made_again_at > now() - kept_for
        ),
        '[]'
      ),
      'ahead', coalesce(
        jsonb_agg(asked.id) filter (
          where asked.role is not null and asked.known_at > (
            select weft.unix_ms(u.created_at)
            from public.document_updates as u
            where u.document_id = asked.id
            order by u.seq desc
            limit 1
          )
        ),
        '[]'
      )
    )
    from asked
  );
end
$$;

-- Makes a page again that the database lost, with its first row; the caller's device puts back the rest (put_back). Below its parent,
-- if that is there and the caller may edit it, else at the top: there it is open to the workspace, or to the caller alone.
-- `known_at` is the time of the newest row that the caller holds. A repeated call, also of somebody else, finds what the first made.
create function public.make_document_again(
  id uuid, workspace uuid, parent uuid, rank text, title text, access text, open_at_top boolean, known_at bigint,
  schema_version integer
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_title_length constant integer := 200;
  me uuid := weft.require_user();
  membership public.workspace_role;
  role public.document_role;
  place uuid;
  given public.document_access;
begin
  perform weft.check_schema(make_document_again.schema_version);
  if make_document_again.access is null or make_document_again.access not in ('inherit', 'workspace', 'restricted')
    or make_document_again.open_at_top is null or make_document_again.title is null
    or char_length(make_document_again.title) > max_title_length
  then
    perform weft.raise('WF005', 'access or title');
  end if;

  if not exists (select from public.documents as d where d.id = make_document_again.id) then
    if exists (select from weft.purged_documents as p where p.id = make_document_again.id) then
      perform weft.raise('WF001', 'the page was deleted for good');
    elsif exists (
      select
      from weft.settings as s
      where weft.unix_ms(s.final_restore_at) > coalesce(make_document_again.known_at, 0)
    ) then
      perform weft.raise('WF016', 'the restore was final');
    end if;

    select d.id
    into place
    from public.documents as d
    where d.id = make_document_again.parent and d.workspace_id = make_document_again.workspace and d.trashed_at is null
      and weft.document_role(d.id, me) >= 'editor';
    if place is null then
      membership := weft.workspace_role(make_document_again.workspace, me);
      if membership is null then
        perform weft.raise('WF001', 'not a member of this workspace');
      elsif membership = 'guest' then
        perform weft.raise('WF002', 'guests may not create top-level pages');
      end if;
    end if;
    given := case
      when place is not null or make_document_again.access <> 'inherit' then make_document_again.access
      when make_document_again.open_at_top then 'workspace'
      else 'restricted'
    end;

    insert into public.documents (
      id, workspace_id, parent_id, rank, access, title, schema_version, created_by, updated_by, made_again_at
    )
    values (
      make_document_again.id, make_document_again.workspace, place, make_document_again.rank, given, make_document_again.title,
      make_document_again.schema_version, me, me, now()
    )
    on conflict do nothing;
    if found then
      perform weft.create_log(make_document_again.id, 'blank', me);
      if given = 'restricted' then
        insert into public.document_members (document_id, user_id, role) values (make_document_again.id, me, 'manager');
      end if;
    end if;
  end if;

  role := weft.document_role(make_document_again.id, me);
  if role is null or not exists (
    select
    from public.documents as d
    where d.id = make_document_again.id and d.workspace_id = make_document_again.workspace
  ) then
    perform weft.raise('WF001', 'no role on this page');
  end if;
  return weft.document_summary(make_document_again.id, role);
end
$$;

revoke all on function weft.note_purged, public.lost_documents, public.make_document_again
from public, anon, authenticated, service_role;
grant execute on function public.lost_documents, public.make_document_again to authenticated;
