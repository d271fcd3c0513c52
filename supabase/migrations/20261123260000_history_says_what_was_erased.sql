-- A page's history says that something was erased from it for good, by whom and when. An open history learns it with the next
-- rows that it asks for, and reads everything again: the rows that it has are those from before.

-- The newest first. `with_names` is for people who may read who wrote on the page.
create function weft.erasures_of(document uuid, with_names boolean) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', e.id, 'seq', e.seq, 'at', e.erased_at)
      || case when erasures_of.with_names then jsonb_build_object('by', e.erased_by) else '{}' end
    order by e.erased_at desc, e.id
  ), '[]')
  from (
    select d.id, d.seq, d.erased_at, d.erased_by
    from public.document_erasures as d
    where d.document_id = erasures_of.document
    order by d.erased_at desc, d.id
    limit 100
  ) as e
$$;

-- As before, with `erasures`.
create or replace function public.history_rows(document uuid, after bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
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
    'erasures', weft.erasures_of(history_rows.document, true)
  );
end
$$;

-- As before, with `erasures`, which name nobody.
create or replace function public.link_history(
  secret text, after bigint, until bigint, row_version integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  last bigint;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  elsif not link.history then
    perform weft.raise('WF002', 'the link does not show the history');
  end if;
  select h.head_seq into head from public.document_heads as h where h.document_id = link.document_id;
  last := least(greatest(coalesce(link_history.until, head), 0), head);
  rows := weft.encode_rows(
    link.document_id, greatest(link_history.after, 0), last, null, max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'schemaVersion', (select d.schema_version from public.documents as d where d.id = link.document_id),
    'versions', case when coalesce(link_history.after, 0) <= 0 then (
      select coalesce(jsonb_agg(
        jsonb_build_object('id', v.id, 'seq', v.seq, 'name', v.name, 'kind', v.kind) order by v.seq desc, v.id
      ), '[]')
      from public.document_versions as v
      where v.document_id = link.document_id
    ) else '[]' end,
    'erasures', weft.erasures_of(link.document_id, false)
  );
end
$$;

revoke all on function weft.erasures_of from public, anon, authenticated, service_role;
