-- Changes of rights on a page lock the workspace before the heads, as everything does that moves, creates or removes pages.
-- Otherwise a page that is moved below this one at the same time would keep its topics although its rights change.

-- As before. The role is checked before the lock, because only managers may take it, and again after it.
create or replace function public.set_document_member(document uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_role;
  before public.document_role;
  seen uuid[];
begin
  perform from public.workspaces as w where w.id = caller.workspace_id for no key update;
  inheriting := weft.inheriting_documents(set_document_member.document);
  perform weft.lock_heads(inheriting);
  perform weft.require_role(set_document_member.document, 'manager');
  begin
    given := set_document_member.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  if not exists (select from public.profiles as p where p.id = set_document_member.person) then
    perform weft.raise('WF001', 'no such person');
  end if;

  select max(m.role)
  into before
  from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person;

  if before is not null and coalesce(given < before, true) then
    seen := weft.seen_among(inheriting, set_document_member.person);
  end if;
  delete from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person
    and (given is null or m.via_link is not null);
  if given is not null then
    insert into public.document_members as m (document_id, user_id, role, added_by)
    values (set_document_member.document, set_document_member.person, given, auth.uid())
    on conflict on constraint document_members_key do update
    set role = excluded.role where m.role <> excluded.role;
  end if;
  if before is not null and coalesce(given < before, true) then
    perform weft.move_topics(inheriting);
    perform weft.note_losses('removed', seen, set_document_member.person);
  end if;
  return jsonb_build_object('role', given);
end
$$;

-- As before, with the same lock.
create or replace function public.set_document_access(document uuid, access text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_access;
  before public.document_access;
  losers uuid[];
begin
  perform from public.workspaces as w where w.id = caller.workspace_id for no key update;
  inheriting := weft.inheriting_documents(set_document_access.document);
  perform weft.lock_heads(inheriting);
  caller := weft.require_role(set_document_access.document, 'manager');
  select d.access into before from public.documents as d where d.id = set_document_access.document;
  begin
    given := set_document_access.access::public.document_access;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null or given = 'inherit' and not exists (
    select from public.documents as d where d.id = set_document_access.document and d.parent_id is not null
  ) then
    raise exception using errcode = '22023', message = 'access: workspace, restricted, or, below another page, inherit';
  end if;
  if given <> before then
    losers := array(
      select l.user_id
      from public.documents as d cross join lateral weft.losers(d.id, d.parent_id, given) as l
      where d.id = set_document_access.document
    );
    update public.documents as d set access = given where d.id = set_document_access.document;
    if weft.document_role(set_document_access.document, caller.user_id) is distinct from 'manager' then
      insert into public.document_members (document_id, user_id, role)
      values (set_document_access.document, caller.user_id, 'manager')
      on conflict on constraint document_members_key do update set role = 'manager';
    end if;
    perform weft.move_topics(inheriting);
    perform weft.note_cut('restricted', inheriting, losers);
  end if;
  return jsonb_build_object('access', given);
end
$$;
