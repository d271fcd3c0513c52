-- One function finds the documents of one link and of several.

-- Ends a link, informs its watchers, and removes the roles that people got through it. The call may be repeated.
create or replace function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  links constant uuid[] := array[link];
  linked_document uuid;
  documents uuid[];
begin
  select l.document_id into linked_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: while the first call waits for its locks, a guest of the link may create a subpage, which adds a document.
  -- Nobody can add one after that.
  perform weft.lock_heads(array_append(weft.documents_via_links(links), linked_document));
  perform weft.lock_heads(weft.documents_via_links(links));
  perform weft.require_role(linked_document, 'manager');

  documents := weft.revoke_links(links, weft.documents_via_links(links));
  if documents <> '{}' then
    perform weft.move_topics(documents);
  end if;
  return jsonb '{}';
end
$$;

drop function weft.documents_via_link(uuid);
