-- A new page is of the schema of the app that makes it: at schema 1 its first edit raised it, and moved everybody who was
-- there to another topic in the middle of it. Both functions are otherwise as they were.
drop function public.create_workspace(uuid, text, uuid);
drop function public.create_document(uuid, uuid, uuid, text);

create function public.create_workspace(id uuid, name text, document uuid, schema_version integer default 1) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.me();
  base text := weft.slug_of(weft.trim_name(create_workspace.name));
  slug text := base;
  first_page uuid;
begin
  perform weft.check_schema(create_workspace.schema_version);
  loop
    insert into public.workspaces (id, name, slug, created_by)
    values (create_workspace.id, weft.trim_name(create_workspace.name), slug, me)
    on conflict do nothing;
    if found then
      insert into public.workspace_members (workspace_id, user_id, role) values (create_workspace.id, me, 'owner');
      insert into public.documents (id, workspace_id, title, rank, access, schema_version, created_by, updated_by)
      values (
        create_workspace.document, create_workspace.id, 'Welcome to Weft', 'a0', 'workspace',
        create_workspace.schema_version, me, me
      )
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

-- An empty page; at the top for members of the workspace, below another page for those who may edit that.
create function public.create_document(
  id uuid, workspace uuid, parent uuid, rank text, schema_version integer default 1
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.me();
  membership public.workspace_role;
  role public.document_role;
  found_in uuid;
  found_by uuid;
begin
  perform weft.check_schema(create_document.schema_version);
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

    insert into public.documents (id, workspace_id, parent_id, rank, access, schema_version, created_by, updated_by)
    values (
      create_document.id, create_document.workspace, create_document.parent, create_document.rank,
      case when create_document.parent is null then 'workspace' else 'inherit' end::public.document_access,
      create_document.schema_version, me, me
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

revoke all on function public.create_workspace, public.create_document from public, anon, authenticated, service_role;
grant execute on function public.create_workspace, public.create_document to authenticated;
