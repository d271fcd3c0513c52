-- Who watches by a link sees the page's history only if the link allows it.

alter table public.share_links add column history boolean not null default false;
grant select (history) on public.share_links to authenticated, service_role;

-- As before, with `history`.
create or replace function weft.link_summary(link uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', l.id, 'documentId', l.document_id, 'role', l.role, 'expiresAt', l.expires_at,
      'revokedAt', l.revoked_at, 'createdBy', l.created_by, 'createdAt', l.created_at,
      'name', l.name, 'uses', l.uses, 'history', l.history
    )
    from public.share_links as l
    where l.id = link_summary.link
  );
end
$$;

drop function public.create_share_link(uuid, text, timestamptz, text);

-- As before, with `history`.
create function public.create_share_link(
  document uuid, role text, expires_at timestamptz, name text default null, history boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  secret text := weft.random_key();
  made uuid;
begin
  if create_share_link.role is null or create_share_link.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif create_share_link.expires_at <= now() or create_share_link.expires_at > now() + interval '1 year' then
    raise exception using errcode = '22023', message = 'expires_at: none, or in the future and within a year';
  end if;
  insert into public.share_links (document_id, role, secret_hash, topic_key, expires_at, created_by, name, history)
  values (
    create_share_link.document, create_share_link.role::public.document_role, weft.hash_secret(secret),
    weft.random_key(), create_share_link.expires_at, caller.user_id,
    nullif(weft.trim_name(left(create_share_link.name, 1000)), ''), coalesce(create_share_link.history, false)
  )
  returning id into made;
  return jsonb_build_object('link', weft.link_summary(made), 'secret', secret);
end
$$;

-- The history of a page for a watcher by link: as rows_until, always from the rows, and the named versions with the first
-- answer. Names nobody: whoever has the link may be anybody.
create function public.link_history(secret text, after bigint, until bigint, row_version integer default 1) returns jsonb
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
    ) else '[]' end
  );
end
$$;

-- The rows of a page's history for people who may read it, from the first one on: rows_until begins with a snapshot.
create function public.history_rows(document uuid, after bigint, row_version integer default 1) returns jsonb
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
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'schemaVersion', caller.schema_version
  );
end
$$;

revoke all on function public.create_share_link, public.link_history, public.history_rows
from public, anon, authenticated, service_role;
grant execute on function public.create_share_link, public.link_history, public.history_rows to authenticated;
grant execute on function public.link_history to anon;
