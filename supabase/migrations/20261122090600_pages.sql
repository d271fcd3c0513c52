-- Creating workspaces and pages, and listing pages.

-- Documents as clients see them, each with the given role of the caller.
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

-- The caller's documents in a workspace, without those in the trash.
create function public.list_documents(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
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

-- --- new pages ----------------------------------------------------------------------------------------------------

-- Gives a new document its head and its first row, a seed update. No session owns that row: its session is zero.
create function weft.create_log(document uuid, seed text, "user" uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  bytes bytea := weft.seed_update(create_log.seed);
begin
  insert into public.document_heads (document_id, head_seq, tail_bytes, published_seq)
  values (create_log.document, 1, octet_length(bytes), 1);
  insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
  values (create_log.document, 1, '00000000-0000-0000-0000-000000000000', 1, 1, create_log."user", bytes);
end
$$;

-- Creates a workspace with its first page; the caller becomes its owner. The client chooses the ids, so a repeated call
-- finds what the first one made. The page gets the schema version of the app that creates it: with a lower one, the
-- first edit would raise it and move everybody on the page to another topic in the middle of that edit.
create function public.create_workspace(id uuid, name text, document uuid, schema_version integer default 1)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
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

-- Creates an empty page: at the top for members of the workspace, below another page for those who may edit that page.
-- The client chooses the id, so a repeated call finds what the first one made.
create function public.create_document(
  id uuid, workspace uuid, parent uuid, rank text, schema_version integer default 1
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  membership public.workspace_role;
  role public.document_role;
  found_in uuid;
  found_by uuid;
begin
  perform weft.check_schema(create_document.schema_version);
  -- A repeated call comes first: since then the page may have moved, or the caller may have lost its parent.
  select d.workspace_id, d.created_by
  into found_in, found_by
  from public.documents as d
  where d.id = create_document.id;

  if found_in is null then
    if create_document.parent is not null then
      perform weft.require_editor(create_document.parent);
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

-- --- seeds --------------------------------------------------------------------------------------------------------

-- The first update of a new page: constant Yjs updates (V1, client id 1). Because they are constant, two people who
-- open a new page at the same time have the same first block. src/document/seed.ts makes them, and
-- tests/sql/constants.test.ts compares the bytes.
create function weft.seed_update(name text) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select case seed_update.name
    when 'blank' then
      '\x01040100070104626f64790305626c6f636b070001000628000100026964017707626c616e6b2d3128000100046b696e640177097061'
      '7261677261706800'::bytea
    when 'welcome' then
      '\x01bb0101000401057469746c650f57656c636f6d6520746f2057656674070104626f64790305626c6f636b0700010f06040001105c54'
      '6869732070616765206578706c61696e732057656674206279206265696e67206564697465642e20497420697320796f7572733a207469'
      '636b2c20747970652c2064656c657465207768617420796f75206861766520726561642e2800010f02696401770977656c636f6d652d31'
      '2800010f046b696e6401770970617261677261706887010f0305626c6f636b0700016f06040001700f5472792074686573652066697273'
      '742800016f02696401770977656c636f6d652d322800016f046b696e6401770768656164696e672800016f056c6576656c017d0287016f'
      '0305626c6f636b07000183010604000184010f5469636b207468697320626f782e208601930104636f6465027b7d840194010a4374726c'
      '20456e74657286019e0104636f6465046e756c6c84019f011b20646f65732069742066726f6d20746865206b6579626f6172642e280001'
      '830102696401770977656c636f6d652d332800018301046b696e640177047461736b870183010305626c6f636b070001bd0106040001be'
      '014747697665207468652070616765206120626574746572207469746c653a20636c69636b20746865206c61726765206c696e65206174'
      '2074686520746f7020616e6420747970652e280001bd0102696401770977656c636f6d652d34280001bd01046b696e640177047461736b'
      '8701bd010305626c6f636b070001880206040001890219537461727420616e20656d707479206c696e652077697468208601a20204636f'
      '6465027b7d8401a30201238601a40204636f6465046e756c6c8401a5021c20616e64206120737061636520666f7220612068656164696e'
      '672c208601c10204636f6465027b7d8401c202012d8601c30204636f6465046e756c6c8401c4020f20666f7220612062756c6c65742c20'
      '8601d30204636f6465027b7d8401d402035b205d8601d70204636f6465046e756c6c8401d8020c20666f722061207461736b2e28000188'
      '0202696401770977656c636f6d652d352800018802046b696e640177047461736b870188020305626c6f636b070001e70206040001e802'
      '2753656c65637420612066657720776f7264732e204120736d616c6c20626172206f66666572732086018f0304626f6c64027b7d840190'
      '0304626f6c648601940304626f6c64046e756c6c84019503022c2086019703066974616c6963027b7d84019803066974616c696386019e'
      '03066974616c6963046e756c6c84019f03122c2061206c696e6b20616e64206d6f72652e280001e70202696401770977656c636f6d652d'
      '36280001e702046b696e640177047461736b8701e7020305626c6f636b070001b40306040001b5030b5468652072656365697074280001'
      'b40302696401770977656c636f6d652d37280001b403046b696e6401770768656164696e67280001b403056c6576656c017d028701b403'
      '0305626c6f636b070001c40306040001c503374c656674206f662065766572797468696e6720656c736520696e20746865206261722073'
      '74616e64732074686520726563656970742e208601fc0304626f6c64027b7d8401fd030553617665648601820404626f6c64046e756c6c'
      '8401830443206d65616e7320746861742065616368206f6620796f75722065646974732069732061206e756d626572656420726f772069'
      '6e20796f75722064617461626173652e208601c60404626f6c64027b7d8401c7040753656e64696e678601ce0404626f6c64046e756c6c'
      '8401cf0413206d65616e73206f6e20697473207761792e208601e20404626f6c64027b7d8401e3040e4f6e207468697320646576696365'
      '8601f10404626f6c64046e756c6c8401f2046f206d65616e7320746861742074686520736572766572206973206f7574206f6620726561'
      '63683a20676f206f6e2077726974696e672c20796f75722065646974732077616974206865726520616e64206172652073656e74206173'
      '20736f6f6e20617320697420616e73776572732e280001c40302696401770977656c636f6d652d38280001c403046b696e640177097061'
      '726167726170688701c4030305626c6f636b070001e40506040001e5054e5472792069743a2073776974636820796f7572206e6574776f'
      '726b206f66662c2077726974652061206c696e652c2072656c6f61642e20546865206c696e65206973207374696c6c20686572652e2800'
      '01e40502696401770977656c636f6d652d39280001e405046b696e6401770763616c6c6f7574280001e40504746f6e6501770374697087'
      '01e4050305626c6f636b070001b70606040001b8060e577269746520746f676574686572280001b70602696401770a77656c636f6d652d'
      '3130280001b706046b696e6401770768656164696e67280001b706056c6576656c017d028701b7060305626c6f636b070001ca06060400'
      '01cb06065072657373208601d10604626f6c64027b7d8401d2060553686172658601d70604626f6c64046e756c6c8401d8066420616e64'
      '2063726561746520616e2065646974206c696e6b2e2057686f65766572206f70656e732069742063616e20777269746520696e20746865'
      '2073616d652070617261677261706820617320796f752c206174207468652073616d652074696d652e280001ca0602696401770a77656c'
      '636f6d652d3131280001ca06046b696e6401770662756c6c65748701ca060305626c6f636b070001bf0706040001c0074b546865697220'
      '636172657473206361727279207468656972206e616d65732e205468652073717561726520746167732061742074686520746f70207361'
      '792077686f20697320686572652e280001bf0702696401770a77656c636f6d652d3132280001bf07046b696e6401770662756c6c657487'
      '01bf070305626c6f636b0700018e08060400018f0839556e646f2074616b6573206261636b20796f7572206f776e20656469747320616e'
      '64206e657665722074686f7365206f66206f74686572732e2800018e0802696401770a77656c636f6d652d31332800018e08046b696e64'
      '01770662756c6c657487018e080305626c6f636b070001cb0806040001cc08104c6574206f7468657273207761746368280001cb080269'
      '6401770a77656c636f6d652d3134280001cb08046b696e6401770768656164696e67280001cb08056c6576656c017d028701cb08030562'
      '6c6f636b070001e00806040001e1089b0141207761746368206c696e6b2073686f777320746869732070616765206c69766520746f2061'
      '6e796f6e652077686f206861732069742c20776974686f757420616e206163636f756e742e20546865792063616e6e6f74206368616e67'
      '652069742e205265766f6b6520746865206c696e6b2c20616e642069742073746f7073206174206f6e63652c20696e206f70656e207461'
      '627320746f6f2e280001e00802696401770a77656c636f6d652d3135280001e008046b696e640177097061726167726170688701e00803'
      '05626c6f636b070001ff0906040001800a124b65797320776f727468206b6e6f77696e67280001ff0902696401770a77656c636f6d652d'
      '3136280001ff09046b696e6401770768656164696e67280001ff09056c6576656c017d028701ff090305626c6f636b070001960a060600'
      '01970a04636f6465027b7d8401980a064374726c204286019e0a04636f6465046e756c6c84019f0a0220208601a10a04636f6465027b7d'
      '8401a20a064374726c20498601a80a04636f6465046e756c6c8401a90a0220208601ab0a04636f6465027b7d8401ac0a064374726c2055'
      '8601b20a04636f6465046e756c6c8401b30a192020626f6c642c206974616c69632c20756e6465726c696e65280001960a02696401770a'
      '77656c636f6d652d3137280001960a046b696e6401770662756c6c65748701960a0305626c6f636b070001cf0a06060001d00a04636f64'
      '65027b7d8401d10a064374726c204b8601d70a04636f6465046e756c6c8401d80a2420206d616b65732061206c696e6b206f6620746865'
      '2073656c656374656420776f726473280001cf0a02696401770a77656c636f6d652d3138280001cf0a046b696e6401770662756c6c6574'
      '8701cf0a0305626c6f636b070001ff0a06060001800b04636f6465027b7d8401810b0a4374726c20416c74203186018b0b04636f646504'
      '6e756c6c84018c0b0420746f208601900b04636f6465027b7d8401910b01338601920b04636f6465046e756c6c8401930b1020206d616b'
      '6520612068656164696e67280001ff0a02696401770a77656c636f6d652d3139280001ff0a046b696e6401770662756c6c65748701ff0a'
      '0305626c6f636b070001a60b06060001a70b04636f6465027b7d8401a80b035461628601ab0b04636f6465046e756c6c8401ac0b022020'
      '8601ae0b04636f6465027b7d8401af0b095368696674205461628601b80b04636f6465046e756c6c8401b90b1820206d6f76652061206c'
      '696e6520696e20616e64206f7574280001a60b02696401770a77656c636f6d652d3230280001a60b046b696e6401770662756c6c657487'
      '01a60b0305626c6f636b070001d40b06040001d50b1c4f6e2061204d61632c207265616420e28c9820666f72204374726c2e280001d40b'
      '02696401770a77656c636f6d652d3231280001d40b046b696e640177097061726167726170688701d40b030764697669646572280001f2'
      '0b02696401770a77656c636f6d652d32328701f20b0305626c6f636b070001f40b06040001f50b4f446f6e652072656164696e673f2053'
      '656c6563742065766572797468696e672c2064656c6574652069742c20616e6420777269746520796f7572206f776e2066697273742070'
      '61676520686572652e280001f40b02696401770a77656c636f6d652d3233280001f40b046b696e6401770970617261677261706800'::bytea
  end
$$;

revoke all on function
  weft.document_summaries, weft.document_summary, weft.create_log, weft.seed_update,
  public.list_documents, public.create_workspace, public.create_document
from public, anon, authenticated, service_role;
grant execute on function public.list_documents, public.create_workspace, public.create_document to authenticated;
