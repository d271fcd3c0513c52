-- Restricting a page and revoking its links is one transaction, so that no link stays open if the second call gets lost.

-- Revokes links, and removes the roles that people have through them on these documents, whose heads are locked. Returns the
-- documents on which there were some: their topics have to move.
create function weft.revoke_links(links uuid[], documents uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  topic_key text;
begin
  for topic_key in
    update public.share_links as l
    set revoked_at = now()
    where l.id = any (revoke_links.links) and l.revoked_at is null
    returning l.topic_key
  loop
    perform weft.publish_json('{}', 'ended', 'w:' || topic_key);
  end loop;
  return weft.remove_link_members(revoke_links.links, revoke_links.documents);
end
$$;

-- The documents on which people have roles through any of these links.
create function weft.documents_via_links(links uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct m.document_id from public.document_members as m where m.via_link = any (documents_via_links.links)
  );
end
$$;

-- As before, in terms of revoke_links.
create or replace function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  linked_document uuid;
  documents uuid[];
begin
  select l.document_id into linked_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: while the first call waits for its locks, a guest of the link may create a subpage, which adds a document.
  -- Nobody can add one after that.
  perform weft.lock_heads(array_append(weft.documents_via_link(revoke_share_link.link), linked_document));
  perform weft.lock_heads(weft.documents_via_link(revoke_share_link.link));
  perform weft.require_role(linked_document, 'manager');

  documents := weft.revoke_links(array[revoke_share_link.link], weft.documents_via_link(revoke_share_link.link));
  if documents <> '{}' then
    perform weft.move_topics(documents);
  end if;
  return jsonb '{}';
end
$$;

drop function public.set_document_access(uuid, text);

-- As before. With `revoke_links`, the links to the page end too, also if the page has this access already: a repeated call
-- does what the first one did.
create function public.set_document_access(document uuid, access text, revoke_links boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_access;
  before public.document_access;
  losers uuid[];
  links uuid[] := '{}';
  moving uuid[] := '{}';
begin
  perform weft.lock_tree(caller.workspace_id);
  inheriting := weft.inheriting_documents(set_document_access.document);
  if set_document_access.revoke_links then
    links := array(
      select l.id from public.share_links as l
      where l.document_id = set_document_access.document and l.revoked_at is null
    );
  end if;
  perform weft.lock_heads(inheriting || weft.documents_via_links(links));
  -- Again, as in revoke_share_link: a guest of a link may have created a subpage.
  perform weft.lock_heads(weft.documents_via_links(links));
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
    moving := inheriting;
    perform weft.note_cut('restricted', inheriting, losers);
  end if;
  moving := array(
    select unnest(moving) union select unnest(weft.revoke_links(links, weft.documents_via_links(links)))
  );
  if moving <> '{}' then
    perform weft.move_topics(moving);
  end if;
  return jsonb_build_object('access', given);
end
$$;

revoke all on function weft.revoke_links, weft.documents_via_links, public.set_document_access
from public, anon, authenticated, service_role;
grant execute on function public.set_document_access to authenticated;
