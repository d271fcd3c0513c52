-- Quotas of each account: how many workspaces, pages and files it makes in an hour and a day, and how many bytes its files may have
-- together. Without them one guest can fill the disk, and then nobody can write. docs/security.md lists the numbers.
--
-- Beyond a pace the answer is WF008, and devices try again by themselves. Beyond the bytes it is WF017: a device keeps the file and
-- says so.

-- As before, with WF008 and WF017.
create or replace function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'You can’t open this page.'
      when 'WF002' then 'You can view this page, not edit it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to continue.'
      when 'WF005' then 'An edit couldn’t be saved.'
      when 'WF006' then 'Some edits couldn’t be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to continue.'
      when 'WF008' then 'Too many requests. Try again later.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      when 'WF015' then 'Someone else is presenting this page.'
      when 'WF016' then 'The server was restored from an earlier state.'
      when 'WF017' then 'Your account has no more room for files.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- What the owner of the project sets instead of the numbers below, such as {"file_bytes": [52428800, 107374182400]}.
alter table weft.settings add column quotas jsonb not null default '{}' check (jsonb_typeof(quotas) = 'object');

-- The quota of this name for a person: the first number is for anonymous guests, the second for accounts.
create function weft.quota(name text, person uuid) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  usual constant jsonb := '{
    "workspaces_per_hour": [3, 100],
    "workspaces_per_day": [5, 300],
    "pages_per_hour": [60, 1000],
    "pages_per_day": [200, 5000],
    "files_per_hour": [60, 1000],
    "files_per_day": [200, 5000],
    "file_bytes": [52428800, 5368709120]
  }';
begin
  return (
    select (s.quotas -> quota.name -> which.at)::bigint
    from (
      select usual || settings.quotas as quotas from weft.settings as settings
    ) as s
    cross join (
      select case when u.is_anonymous then 0 else 1 end as at from auth.users as u where u.id = quota.person
    ) as which
  );
end
$$;

-- Fails if the person may not make one more workspace, page or file now. Until the transaction ends, the person's other calls for
-- the same wait.
create function weft.require_quota(what text, person uuid, bytes bigint default 0) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  in_hour bigint;
  in_day bigint;
  stored bigint := 0;
begin
  perform weft.lock_limit(require_quota.what, require_quota.person);
  select count(*) filter (where made.at > now() - interval '1 hour'), count(*)
  into in_hour, in_day
  from (
    select w.created_at as at from public.workspaces as w
    where require_quota.what = 'workspaces' and w.created_by = require_quota.person
    union all
    select d.created_at from public.documents as d
    where require_quota.what = 'pages' and d.created_by = require_quota.person
    union all
    select a.created_at from public.attachments as a
    where require_quota.what = 'files' and a.created_by = require_quota.person
  ) as made
  where made.at > now() - interval '1 day';
  if in_hour >= weft.quota(require_quota.what || '_per_hour', require_quota.person)
    or in_day >= weft.quota(require_quota.what || '_per_day', require_quota.person)
  then
    perform weft.raise('WF008', format('%s %s in an hour, %s in a day', in_hour, require_quota.what, in_day));
  end if;
  if require_quota.bytes > 0 then
    select coalesce(sum(a.bytes), 0) into stored from public.attachments as a where a.created_by = require_quota.person;
    if stored + require_quota.bytes > weft.quota('file_bytes', require_quota.person) then
      perform weft.raise('WF017', format('%s bytes of files', stored));
    end if;
  end if;
end
$$;

-- What a person made in the last day, and the bytes of their files.
drop index public.workspaces_created_by_index;
create index workspaces_created_by_index on public.workspaces (created_by, created_at);
drop index public.documents_created_by_index;
create index documents_created_by_index on public.documents (created_by, created_at);
drop index public.attachments_created_by_index;
create index attachments_created_by_index on public.attachments (created_by, created_at) include (bytes);

-- As before, with the quota. A repeated call that finds what the first one made is not counted.
create or replace function public.create_workspace(id uuid, name text, document uuid, schema_version integer default 1)
returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  base text := weft.slug_of(weft.trim_name(create_workspace.name));
  slug text := base;
  first_page uuid;
begin
  perform weft.check_schema(create_workspace.schema_version);
  if not exists (select from public.workspaces as w where w.id = create_workspace.id) then
    perform weft.require_quota('workspaces', me);
  end if;
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
      perform weft.create_log(create_workspace.document, 'welcome', me);
      exit;
    end if;
    exit when exists (select from public.workspaces as w where w.id = create_workspace.id);
    -- Another workspace has this slug. Four random characters make it different and keep it readable.
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

-- As before, with the quota.
create or replace function public.create_document(
  id uuid, workspace uuid, parent uuid, rank text, schema_version integer default 1
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  membership public.workspace_role;
  role public.document_role;
  stored_workspace uuid;
  stored_creator uuid;
begin
  perform weft.check_schema(create_document.schema_version);
  -- A repeated call comes first: since then the page may have moved, or the caller may have lost its parent.
  select d.workspace_id, d.created_by
  into stored_workspace, stored_creator
  from public.documents as d
  where d.id = create_document.id;

  if stored_workspace is null then
    if create_document.parent is not null then
      perform weft.require_editor(create_document.parent);
    else
      membership := weft.workspace_role(create_document.workspace, me);
      if membership is null then
        perform weft.raise('WF001', 'not a member of this workspace');
      elsif membership = 'guest' then
        perform weft.raise('WF002', 'guests may not create top-level pages');
      end if;
    end if;

    perform weft.require_quota('pages', me);
    insert into public.documents (id, workspace_id, parent_id, rank, access, schema_version, created_by, updated_by)
    values (
      create_document.id, create_document.workspace, create_document.parent, create_document.rank,
      case when create_document.parent is null then 'workspace' else 'inherit' end::public.document_access,
      create_document.schema_version, me, me
    )
    on conflict do nothing;
    if found then
      perform weft.create_log(create_document.id, 'blank', me);
      -- A link gives a role on one page and not on its subpages. A guest who creates a subpage keeps the role there for
      -- as long as the link is active.
      if coalesce(weft.document_role(create_document.id, me) < 'editor', true) then
        -- Waits for a call that revokes one of these links.
        perform weft.lock_heads(array(
          select l.document_id
          from public.document_members as m join public.share_links as l on l.id = m.via_link
          where m.document_id = create_document.parent and m.user_id = me
        ));
        insert into public.document_members (document_id, user_id, role, via_link)
        select create_document.id, me, m.role, m.via_link
        from public.document_members as m join public.share_links as l on l.id = m.via_link
        where m.document_id = create_document.parent and m.user_id = me and m.role >= 'editor'
          and weft.is_link_active(l.revoked_at, l.expires_at);
      end if;
    end if;
    -- If nothing was inserted, the same call has just run on another connection.
    select d.workspace_id, d.created_by
    into stored_workspace, stored_creator
    from public.documents as d
    where d.id = create_document.id;
  end if;

  role := weft.document_role(create_document.id, me);
  if stored_workspace is distinct from create_document.workspace
    or stored_creator is distinct from me or role is null
  then
    perform weft.raise('WF001', 'this page id is taken');
  end if;
  return weft.document_summary(create_document.id, role);
end
$$;

-- As before, with the quotas.
create or replace function public.create_attachment(id uuid, document uuid, name text, mime text, bytes bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_editor(create_attachment.document);
  made public.attachments;
begin
  if not exists (select from public.attachments as a where a.id = create_attachment.id) then
    perform weft.require_quota('files', caller.user_id, create_attachment.bytes);
  end if;
  insert into public.attachments (id, document_id, workspace_id, path, name, mime, bytes, created_by)
  values (
    create_attachment.id, create_attachment.document, caller.workspace_id,
    create_attachment.document || '/' || create_attachment.id, weft.trim_name(create_attachment.name),
    create_attachment.mime, create_attachment.bytes, caller.user_id
  )
  on conflict on constraint attachments_pkey do nothing;
  select a.* into made from public.attachments as a where a.id = create_attachment.id;
  if made.document_id is distinct from create_attachment.document
    or made.created_by is distinct from caller.user_id or made.purged_at is not null
  then
    perform weft.raise('WF005', 'the id is of another attachment');
  end if;
  return weft.attachment_summary(made);
end
$$;

-- As before. No object is larger than `create_attachment` was told, neither the file nor a smaller version of a picture: so what a
-- person stores is at most three times what is counted.
create or replace function weft.may_upload_object(object text, metadata jsonb) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  attachment public.attachments := weft.attachment_of_object(may_upload_object.object);
  headers jsonb := weft.request_headers();
begin
  if weft.storage_operation() = 'object.upload' then
    if headers ? 'content-encoding' or headers ? 'transfer-encoding' or not weft.is_allowed_object(
      headers ->> 'content-type', headers ->> 'content-length', headers ->> 'cache-control'
    ) or (headers ->> 'content-length')::bigint > attachment.bytes then
      return false;
    end if;
  elsif weft.storage_operation() <> 'object.copy' then
    return false;
  end if;
  return weft.is_allowed_metadata(may_upload_object.metadata)
    and coalesce((may_upload_object.metadata ->> 'size')::bigint <= attachment.bytes, true)
    and attachment.created_by = auth.uid() and attachment.purged_at is null
    and coalesce(weft.document_role(attachment.document_id, auth.uid()) >= 'editor', false)
    and exists (
      select from public.documents as d where d.id = attachment.document_id and d.trashed_at is null
    );
end
$$;

revoke all on function weft.quota, weft.require_quota from public, anon, authenticated, service_role;
