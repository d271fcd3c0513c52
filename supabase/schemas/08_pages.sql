-- Creating workspaces and pages, listing pages, templates and imports.

set check_function_bodies = off;

-- --- lists ---------------------------------------------------------------------------------------------------------

-- Documents of a workspace as clients see them, in their order, each with the given role of the caller and the caller's own last visit
-- and favourite. `isImported`: an import made the page, and no one wrote in it since. `openThreads` and `unreadThreads` (at most 10):
-- threads of comments, as far as the caller reads them; of a page that they never visited nothing is unread. As json, not jsonb: a list
-- of 10,000 pages is a text of 5 MB, and to take it apart and to write it again takes three times as long as the rest.
create function weft.document_summaries(workspace uuid, ids uuid[], roles public.document_role[]) returns json
language plpgsql stable security definer
set search_path = '' set plan_cache_mode = auto
as $$
declare
  -- A plan that knows of more documents than this reads the workspace as a whole, and no document twice.
  many constant integer := 500;
  max_unread constant integer := 10;
  me uuid := auth.uid();
begin
  if cardinality(ids) > many then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
  end if;
  return (
    select coalesce(json_agg(s), '[]')
    from (
      select
        d.id, d.workspace_id as "workspaceId", d.parent_id as "parentId", d.kind, d.title, d.icon, d.rank, d.access, given.role,
        d.created_at as "createdAt", d.updated_at as "updatedAt", d.updated_by as "updatedBy",
        v.seen_at as "visitedAt", f.rank as "favouriteRank", d.trashed_at as "trashedAt", d.trashed_by as "trashedBy",
        d.import_id is not null and weft.is_imported_row(d.created_by, d.created_at, d.updated_by, d.updated_at) as "isImported",
        -- After a null, `and` would call the function for each page.
        case when coalesce(c.open_threads > 0, false) and weft.shows_comments(d.comment_readers, given.role)
          then c.open_threads
          else 0
        end as "openThreads",
        case
          when coalesce(v.user_id is not null and c.change > coalesce(r.change, 0), false)
            and weft.shows_comments(d.comment_readers, given.role)
          then weft.unread_threads(d.id, me, coalesce(r.change, 0), max_unread)
          else 0
        end as "unreadThreads"
      from unnest(ids, roles) as given (id, role)
      join public.documents as d on d.id = given.id and d.workspace_id = document_summaries.workspace
      left join weft.visits as v on v.document_id = d.id and v.user_id = me
      left join weft.favourites as f on f.document_id = d.id and f.user_id = me
      left join weft.comment_heads as c on c.document_id = d.id
      left join weft.comment_reads as r on r.document_id = d.id and r.user_id = me
      order by d.rank, d.id
    ) as s
  );
end
$$;

create function weft.document_summary(document uuid, role public.document_role) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select weft.document_summaries(d.workspace_id, array[d.id], array[role]) -> 0
    from public.documents as d
    where d.id = document_summary.document
  );
end
$$;

-- The caller's documents in a workspace, without those in the trash. With the stamp of an earlier answer: only those that
-- changed since, and the ids of those that went to the trash, unless rights changed (`isComplete`). The function is
-- stable, so that everything in the answer is of one moment.
create function public.list_documents(workspace uuid, since text default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Above that many, a complete list costs less.
  max_changed constant integer := 500;
  me uuid := weft.require_user();
  membership public.workspace_role := weft.workspace_role(workspace, me);
  unseen xid8 := weft.first_unseen(since, workspace, me);
  is_complete boolean := true;
  changed uuid[];
  ids uuid[];
  roles public.document_role[];
  removed uuid[];
begin
  if unseen is not null then
    select array_agg(c.id)
    into changed
    from (
      select c.id from weft.changed_documents(list_documents.workspace, me, unseen) as c (id) limit max_changed + 1
    ) as c;
    if coalesce(cardinality(changed), 0) <= max_changed then
      select
        array_agg(d.id) filter (where d.trashed_at is null),
        array_agg(seen.role) filter (where d.trashed_at is null),
        array_agg(d.id) filter (where d.trashed_at is not null)
      into ids, roles, removed
      from public.documents as d
      cross join lateral weft.document_role(d.id, me) as seen (role)
      where d.id = any (changed) and seen.role is not null;
      -- Somebody whose last page went to the trash gets the refusal below.
      is_complete := membership is null and removed is not null;
    end if;
  end if;

  if is_complete then
    removed := null;
    select array_agg(r.document_id), array_agg(r.role)
    into ids, roles
    from weft.document_roles(me, list_documents.workspace) as r
    -- Few pages are in the trash; a join would look up all of them.
    where r.document_id not in (
      select d.id from public.documents as d
      where d.workspace_id = list_documents.workspace and d.trashed_at is not null
    );
    if ids is null and membership is null then
      perform weft.raise('WF001', 'no member, and no page to see');
    end if;
  end if;
  return json_build_object(
    'workspace', weft.workspace_summary(list_documents.workspace, me),
    'stamp', weft.present_stamp(),
    'isComplete', is_complete,
    'documents', weft.document_summaries(list_documents.workspace, ids, roles),
    'removed', coalesce(removed, '{}')
  );
end
$$;

-- --- creating ------------------------------------------------------------------------------------------------------

-- Creates a workspace with its first page; the caller becomes its owner. The client chooses the ids, so a repeated call
-- finds what the first one made, and is not counted again. The page gets the schema version of the app that creates it: with a
-- lower one, the first edit would raise it and move everyone on the page to another topic in the middle of that edit.
create function public.create_workspace(id uuid, name text, document uuid, schema_version integer default 1)
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

-- Creates an empty page: a top-level page for members of the workspace, a subpage for those who may edit its parent.
-- The client chooses the id, so a repeated call finds what the first one made, and is not counted again.
create function public.create_document(
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

-- The first update of a new page: constant Yjs updates (V1, client id 1). Because they are constant, two people who
-- open a new page at the same time have the same first block. src/document/seed.ts makes them, and
-- tests/sql/constants.test.ts compares the bytes. (The space in the `[ ]` of the welcome page does not break: it stood on two lines.)
create function weft.seed_update(name text) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select case seed_update.name
    when 'blank' then
      '\x01040100070104626f64790305626c6f636b070001000628000100026964017707626c616e6b2d3128000100046b696e640177097061'
      '7261677261706800'::bytea
    when 'welcome' then
      '\x01bb0101000401057469746c650f57656c636f6d6520746f2057656674070104626f64790305626c6f636b0700010f0604000110584c65'
      '61726e20576566742062792065646974696e67207468697320706167652e20497420697320796f7572733a207469636b2c20747970652c'
      '20616e642064656c657465207768617420796f75206861766520726561642e2800010f02696401770977656c636f6d652d312800010f04'
      '6b696e6401770970617261677261706887010f0305626c6f636b0700016b060400016c0f5472792074686573652066697273742800016b'
      '02696401770977656c636f6d652d322800016b046b696e6401770768656164696e672800016b056c6576656c017d0287016b0305626c6f'
      '636b0700017f0604000180010f5469636b207468697320626f782e2086018f0104636f6465027b7d840190010a4374726c20456e746572'
      '86019a0104636f6465046e756c6c84019b011b20646f65732069742066726f6d20746865206b6579626f6172642e2800017f0269640177'
      '0977656c636f6d652d332800017f046b696e640177047461736b87017f0305626c6f636b070001b90106040001ba014747697665207468'
      '652070616765206120626574746572207469746c653a20636c69636b20746865206c61726765206c696e652061742074686520746f7020'
      '616e6420747970652e280001b90102696401770977656c636f6d652d34280001b901046b696e640177047461736b8701b9010305626c6f'
      '636b070001840206040001850219537461727420616e20656d707479206c696e6520776974682086019e0204636f6465027b7d84019f02'
      '01238601a00204636f6465046e756c6c8401a1021c20616e64206120737061636520666f7220612068656164696e672c208601bd020463'
      '6f6465027b7d8401be02012d8601bf0204636f6465046e756c6c8401c0020f20666f7220612062756c6c65742c208601cf0204636f6465'
      '027b7d8401d002045bc2a05d8601d30204636f6465046e756c6c8401d4020c20666f722061207461736b2e280001840202696401770977'
      '656c636f6d652d352800018402046b696e640177047461736b870184020305626c6f636b070001e30206040001e4022753656c65637420'
      '612066657720776f7264732e204120736d616c6c20626172206f66666572732086018b0304626f6c64027b7d84018c0304626f6c648601'
      '900304626f6c64046e756c6c84019103022c2086019303066974616c6963027b7d84019403066974616c696386019a03066974616c6963'
      '046e756c6c84019b03122c2061206c696e6b20616e64206d6f72652e280001e30202696401770977656c636f6d652d36280001e302046b'
      '696e640177047461736b8701e3020305626c6f636b070001b00306040001b1030b5468652072656365697074280001b003026964017709'
      '77656c636f6d652d37280001b003046b696e6401770768656164696e67280001b003056c6576656c017d028701b0030305626c6f636b07'
      '0001c00306040001c103275468652072656365697074207369747320626573696465207468652070616765206e616d652e208601e80304'
      '626f6c64027b7d8401e9030553617665648601ee0304626f6c64046e756c6c8401ef0329206d65616e7320746861742065766572792065'
      '646974206973206f6e20746865207365727665722e208601980404626f6c64027b7d840199040753656e64696e678601a00404626f6c64'
      '046e756c6c8401a10424206d65616e73207468617420656469747320617265206f6e207468656972207761792e208601c50404626f6c64'
      '027b7d8401c6040e4f6e2074686973206465766963658601d40404626f6c64046e756c6c8401d50466206d65616e732074686174207468'
      '65207365727665722063616e6e6f7420626520726561636865643a206b6565702077726974696e672c20616e6420796f75722065646974'
      '73206172652073656e7420617320736f6f6e20617320697420616e73776572732e280001c00302696401770977656c636f6d652d382800'
      '01c003046b696e640177097061726167726170688701c0030305626c6f636b070001be0506040001bf054e5472792069743a2073776974'
      '636820796f7572206e6574776f726b206f66662c2077726974652061206c696e652c2072656c6f61642e20546865206c696e6520697320'
      '7374696c6c20686572652e280001be0502696401770977656c636f6d652d39280001be05046b696e6401770763616c6c6f7574280001be'
      '0504746f6e650177037469708701be050305626c6f636b07000191060604000192060e577269746520746f676574686572280001910602'
      '696401770a77656c636f6d652d31302800019106046b696e6401770768656164696e672800019106056c6576656c017d02870191060305'
      '626c6f636b070001a40606040001a506065072657373208601ab0604626f6c64027b7d8401ac060553686172658601b10604626f6c6404'
      '6e756c6c8401b2066420616e642063726561746520616e2065646974206c696e6b2e2057686f65766572206f70656e732069742063616e'
      '20777269746520696e207468652073616d652070617261677261706820617320796f752c206174207468652073616d652074696d652e28'
      '0001a40602696401770a77656c636f6d652d3131280001a406046b696e6401770662756c6c65748701a4060305626c6f636b0700019907'
      '060400019a074b546865697220636172657473206361727279207468656972206e616d65732e2054686520737175617265207461677320'
      '61742074686520746f70207361792077686f20697320686572652e280001990702696401770a77656c636f6d652d31322800019907046b'
      '696e6401770662756c6c6574870199070305626c6f636b070001e80706040001e90739556e646f2074616b6573206261636b20796f7572'
      '206f776e20656469747320616e64206e657665722074686f7365206f66206f74686572732e280001e80702696401770a77656c636f6d65'
      '2d3133280001e807046b696e6401770662756c6c65748701e8070305626c6f636b070001a50806040001a608104c6574206f7468657273'
      '207761746368280001a50802696401770a77656c636f6d652d3134280001a508046b696e6401770768656164696e67280001a508056c65'
      '76656c017d028701a5080305626c6f636b070001ba0806040001bb089b0141207761746368206c696e6b2073686f777320746869732070'
      '616765206c69766520746f20616e796f6e652077686f206861732069742c20776974686f757420616e206163636f756e742e2054686579'
      '2063616e6e6f74206368616e67652069742e205265766f6b6520746865206c696e6b2c20616e642069742073746f7073206174206f6e63'
      '652c20696e206f70656e207461627320746f6f2e280001ba0802696401770a77656c636f6d652d3135280001ba08046b696e6401770970'
      '61726167726170688701ba080305626c6f636b070001d90906040001da09124b65797320776f727468206b6e6f77696e67280001d90902'
      '696401770a77656c636f6d652d3136280001d909046b696e6401770768656164696e67280001d909056c6576656c017d028701d9090305'
      '626c6f636b070001f00906060001f10904636f6465027b7d8401f209064374726c20428601f80904636f6465046e756c6c8401f9090220'
      '208601fb0904636f6465027b7d8401fc09064374726c20498601820a04636f6465046e756c6c8401830a0220208601850a04636f646502'
      '7b7d8401860a064374726c205586018c0a04636f6465046e756c6c84018d0a192020626f6c642c206974616c69632c20756e6465726c69'
      '6e65280001f00902696401770a77656c636f6d652d3137280001f009046b696e6401770662756c6c65748701f0090305626c6f636b0700'
      '01a90a06060001aa0a04636f6465027b7d8401ab0a064374726c204b8601b10a04636f6465046e756c6c8401b20a2420206d616b657320'
      '61206c696e6b206f66207468652073656c656374656420776f726473280001a90a02696401770a77656c636f6d652d3138280001a90a04'
      '6b696e6401770662756c6c65748701a90a0305626c6f636b070001d90a06060001da0a04636f6465027b7d8401db0a0a4374726c20416c'
      '7420318601e50a04636f6465046e756c6c8401e60a0420746f208601ea0a04636f6465027b7d8401eb0a01338601ec0a04636f6465046e'
      '756c6c8401ed0a1020206d616b6520612068656164696e67280001d90a02696401770a77656c636f6d652d3139280001d90a046b696e64'
      '01770662756c6c65748701d90a0305626c6f636b070001800b06060001810b04636f6465027b7d8401820b035461628601850b04636f64'
      '65046e756c6c8401860b0220208601880b04636f6465027b7d8401890b095368696674205461628601920b04636f6465046e756c6c8401'
      '930b1820206d6f76652061206c696e6520696e20616e64206f7574280001800b02696401770a77656c636f6d652d3230280001800b046b'
      '696e6401770662756c6c65748701800b0305626c6f636b070001ae0b06040001af0b1c4f6e2061204d61632c207265616420e28c982066'
      '6f72204374726c2e280001ae0b02696401770a77656c636f6d652d3231280001ae0b046b696e640177097061726167726170688701ae0b'
      '030764697669646572280001cc0b02696401770a77656c636f6d652d32328701cc0b0305626c6f636b070001ce0b06040001cf0b4f446f'
      '6e652072656164696e673f2053656c6563742065766572797468696e672c2064656c6574652069742c20616e6420777269746520796f75'
      '72206f776e206669727374207061676520686572652e280001ce0b02696401770a77656c636f6d652d3233280001ce0b046b696e640177'
      '0970617261677261706800'::bytea
  end
$$;

-- --- templates -----------------------------------------------------------------------------------------------------

-- Makes a page a template, or a template a page again.
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

-- --- imports -------------------------------------------------------------------------------------------------------

-- An import of many pages is one line of the activity, and its pages are not news: lists of what was edited lately leave them out
-- until someone writes in them. An app announces the ids of the pages before it creates them, which may take minutes.
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
revoke all on weft.announced_imports from public, anon, authenticated, service_role;
create policy weft_nobody on weft.announced_imports using (false);

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

-- A new page that its creator has announced belongs to that import.
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

-- Whether a row is what an import wrote into its page.
create function weft.is_imported_row(
  page_author uuid, page_created_at timestamptz, row_author uuid, written_at timestamptz
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The page opens, and its one edit is sent.
  filled_within constant interval := interval '5 minutes';
begin
  return coalesce(row_author = page_author, false) and written_at <= page_created_at + filled_within;
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.document_summaries, weft.document_summary, public.list_documents, public.create_workspace,
  public.create_document, weft.seed_update, public.set_document_template, public.announce_import, weft.note_import,
  weft.is_imported_row
from public, anon, authenticated, service_role;

grant execute on function
  public.list_documents, public.create_workspace, public.create_document, public.set_document_template,
  public.announce_import
to authenticated;
