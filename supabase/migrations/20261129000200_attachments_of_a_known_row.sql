-- The list of a page's attachments names the row that it is of (HI1 in src/sync/SPEC.md). A device that had not noticed yet that the
-- server was restored could report the files of a page that is gone; those that only the restored page shows would be deleted 30 days later.
drop function public.set_document_attachments;
create function public.set_document_attachments(document uuid, seq bigint, ids uuid[], known_at bigint default null) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  head bigint;
  stored_seq bigint;
begin
  perform weft.require_editor(set_document_attachments.document);
  -- Erasing takes the same lock.
  perform from public.documents as d where d.id = set_document_attachments.document for no key update;
  perform weft.require_known_row(
    set_document_attachments.document, set_document_attachments.seq, set_document_attachments.known_at
  );
  select h.head_seq into head from public.document_heads as h where h.document_id = set_document_attachments.document;
  if set_document_attachments.seq is null or set_document_attachments.seq > head
    or set_document_attachments.ids is null
  then
    raise exception using errcode = '22023', message = 'seq: of a row in the log; ids: not null';
  end if;
  update public.documents as d
  set attachments_seq = set_document_attachments.seq
  where d.id = set_document_attachments.document and d.attachments_seq <= set_document_attachments.seq
  returning d.attachments_seq into stored_seq;
  if stored_seq is not null then
    update public.attachments as a
    set unreferenced_at = case when a.id = any (set_document_attachments.ids) then null else now() end
    where a.document_id = set_document_attachments.document and a.purged_at is null
      and (a.unreferenced_at is null) <> (a.id = any (set_document_attachments.ids));
  end if;
  return (
    select jsonb_build_object('attachmentsSeq', d.attachments_seq)
    from public.documents as d where d.id = set_document_attachments.document
  );
end
$$;
revoke all on function public.set_document_attachments from public, anon, authenticated, service_role;
grant execute on function public.set_document_attachments to authenticated;
