-- The history says who put back what a restored server had lost (HI4 in src/sync/SPEC.md): such a row has no session.

-- As before, with `putBack`.
create or replace function public.history_rows(document uuid, after bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  caller weft.caller := weft.require_role(document, 'viewer');
  head bigint;
  rows record;
begin
  select h.head_seq into head from public.document_heads as h where h.document_id = history_rows.document;
  rows := weft.encode_rows(
    history_rows.document, greatest(history_rows.after, 0), head, null, max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'schemaVersion', caller.schema_version,
    'erasures', weft.erasures_of(history_rows.document, true),
    'putBack', (
      select coalesce(jsonb_agg(jsonb_build_object('seq', u.seq, 'by', u.appended_by) order by u.seq), '[]')
      from public.document_updates as u
      where u.document_id = history_rows.document and u.session = nobody
        and u.seq > greatest(history_rows.after, 1) and u.seq <= rows.last
    )
  );
end
$$;
