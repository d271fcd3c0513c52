-- Functions for workspaces, lists of pages and people.

create function weft.workspace_summary(workspace uuid, "user" uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', w.id, 'name', w.name, 'slug', w.slug, 'epoch', w.epoch,
      'role', weft.workspace_role(w.id, workspace_summary."user")
    )
    from public.workspaces as w
    where w.id = workspace_summary.workspace
  );
end
$$;

-- Documents as clients see them, each with the role that the caller of this was told.
create function weft.document_summaries(ids uuid[], roles public.document_role[])
returns table (id uuid, rank text, summary jsonb)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select
      d.id,
      d.rank,
      jsonb_build_object(
        'id', d.id, 'workspaceId', d.workspace_id, 'parentId', d.parent_id, 'kind', d.kind,
        'title', d.title, 'icon', d.icon, 'rank', d.rank, 'access', d.access, 'role', given.role,
        'createdAt', d.created_at, 'updatedAt', d.updated_at, 'updatedBy', d.updated_by
      )
    from unnest(ids, roles) as given (id, role) join public.documents as d on d.id = given.id;
end
$$;

create function weft.document_summary(document uuid, role public.document_role) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select s.summary from weft.document_summaries(array[document], array[role]) as s);
end
$$;

-- What an address is made of: letters without accents, digits and single hyphens. Cut first: what is too long to be a
-- name is refused later, and megabytes of it would keep the database busy for seconds.
create function weft.slug_of(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    nullif(
      btrim(
        left(
          btrim(
            regexp_replace(
              regexp_replace(lower(normalize(left(slug_of.name, 80), NFKD)), '[\u0300-\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g'
            ),
            '-'
          ),
          40
        ),
        '-'
      ),
      ''
    ),
    'workspace'
  )
$$;

-- A workspace with its first page, the caller its owner. Ids are the client's: a repeat finds what the first call made.
create function public.create_workspace(id uuid, name text, document uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.me();
  base text := weft.slug_of(weft.trim_name(create_workspace.name));
  slug text := base;
  first_page uuid;
begin
  loop
    insert into public.workspaces (id, name, slug, created_by)
    values (create_workspace.id, weft.trim_name(create_workspace.name), slug, me)
    on conflict do nothing;
    if found then
      insert into public.workspace_members (workspace_id, user_id, role) values (create_workspace.id, me, 'owner');
      insert into public.documents (id, workspace_id, title, rank, access, created_by, updated_by)
      values (create_workspace.document, create_workspace.id, 'Welcome to Weft', 'a0', 'workspace', me, me)
      on conflict do nothing;
      if not found then
        perform weft.raise('WF001', 'this page id is taken');
      end if;
      perform weft.plant(create_workspace.document, 'welcome', me);
      exit;
    end if;
    exit when exists (select from public.workspaces as w where w.id = create_workspace.id);
    -- The name is taken by another workspace: four characters more are enough to differ, and short enough to read.
    slug := base || '-' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 4);
  end loop;

  if not exists (
    select from public.workspaces as w where w.id = create_workspace.id and w.created_by = me
  ) or weft.workspace_role(create_workspace.id, me) is null then
    perform weft.raise('WF001', 'this workspace id is taken');
  end if;

  select d.id
  into first_page
  from public.documents as d
  where d.workspace_id = create_workspace.id
  order by d.id = create_workspace.document desc, d.parent_id is null desc, d.created_at, d.id
  limit 1;
  return jsonb_build_object('workspace', weft.workspace_summary(create_workspace.id, me), 'document', first_page);
end
$$;

-- What the caller may see of a workspace, the trash left out.
create function public.list_documents(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.me();
  ids uuid[];
  roles public.document_role[];
begin
  select array_agg(r.document_id), array_agg(r.role)
  into ids, roles
  from weft.document_roles(me, list_documents.workspace) as r
  join public.documents as d on d.id = r.document_id
  where d.trashed_at is null;

  if ids is null and weft.workspace_role(list_documents.workspace, me) is null then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
  return jsonb_build_object(
    'workspace', weft.workspace_summary(list_documents.workspace, me),
    'documents', (
      select coalesce(jsonb_agg(s.summary order by s.rank, s.id), '[]') from weft.document_summaries(ids, roles) as s
    )
  );
end
$$;

-- An empty page; at the top for members of the workspace, below another page for those who may edit that.
create function public.create_document(id uuid, workspace uuid, parent uuid, rank text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.me();
  membership public.workspace_role;
  role public.document_role;
  found_in uuid;
  found_by uuid;
begin
  -- A repeat first: since then the page may have moved, or its parent may be out of reach.
  select d.workspace_id, d.created_by
  into found_in, found_by
  from public.documents as d
  where d.id = create_document.id;

  if found_in is null then
    if create_document.parent is not null then
      perform weft.enter_to_write(create_document.parent);
    else
      membership := weft.workspace_role(create_document.workspace, me);
      if membership is null then
        perform weft.raise('WF001', 'not a member of this workspace');
      elsif membership = 'guest' then
        perform weft.raise('WF002', 'guests create no pages at the top');
      end if;
    end if;

    insert into public.documents (id, workspace_id, parent_id, rank, access, created_by, updated_by)
    values (
      create_document.id, create_document.workspace, create_document.parent, create_document.rank,
      case when create_document.parent is null then 'workspace' else 'inherit' end::public.document_access, me, me
    )
    on conflict do nothing;
    if found then
      perform weft.plant(create_document.id, 'blank', me);
      -- A link shows one page and not what lies below. Who creates below it by a link's right keeps what they made for
      -- as long as that link lives.
      if coalesce(weft.document_role(create_document.id, me) < 'editor', true) then
        -- Not while one of those links is being revoked.
        perform weft.lock_heads(array(
          select l.document_id
          from public.document_members as m join public.share_links as l on l.id = m.via_link
          where m.document_id = create_document.parent and m.user_id = me
        ));
        insert into public.document_members (document_id, user_id, role, via_link)
        select create_document.id, me, m.role, m.via_link
        from public.document_members as m join public.share_links as l on l.id = m.via_link
        where m.document_id = create_document.parent and m.user_id = me and m.role >= 'editor'
          and weft.is_live(l.revoked_at, l.expires_at);
      end if;
    end if;
    -- Not found: the same call a moment ago, on another connection.
    select d.workspace_id, d.created_by
    into found_in, found_by
    from public.documents as d
    where d.id = create_document.id;
  end if;

  role := weft.document_role(create_document.id, me);
  if found_in is distinct from create_document.workspace or found_by is distinct from me or role is null then
    perform weft.raise('WF001', 'this page id is taken');
  end if;
  return weft.document_summary(create_document.id, role);
end
$$;

create function public.update_profile(display_name text, color text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.me();
  changed public.profiles;
begin
  update public.profiles as p
  set display_name = weft.trim_name(update_profile.display_name), color = update_profile.color
  where p.id = me
  returning p.* into changed;
  if changed.id is null then
    perform weft.raise('WF003', 'this account is gone');
  end if;
  return jsonb_build_object('id', changed.id, 'displayName', changed.display_name, 'color', changed.color);
end
$$;

revoke all on function
  weft.workspace_summary, weft.document_summaries, weft.document_summary, weft.slug_of,
  public.create_workspace, public.list_documents, public.create_document, public.update_profile
from public, anon, authenticated, service_role;
grant execute on function
  public.create_workspace, public.list_documents, public.create_document, public.update_profile
to authenticated;
