-- The history is for people with a role of their own, and for those of links that show it. Somebody whose only access is another
-- link sees the page as it is and what is written from now on; not its rows, versions and sittings, and not who else has access.

-- The documents on which a person's only roles come from links that do not show the history; with `document`, only this one.
create function weft.documents_without_history(person uuid, document uuid default null) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select d.id
    from public.documents as d
    where d.id in (
        select m.document_id
        from public.document_members as m
        where m.user_id = documents_without_history.person and m.via_link is not null
          and (documents_without_history.document is null or m.document_id = documents_without_history.document)
      )
      and not exists (
        select
        from weft.access_sources(d.id, d.parent_id, d.access) as s
        left join public.share_links as l on l.id = s.source_link
        where s.user_id = documents_without_history.person and (s.kind <> 'link' or l.history)
      )
  );
end
$$;

-- Fails unless the caller may read the page and its history.
create function weft.require_history(document uuid) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
begin
  if weft.documents_without_history(caller.user_id, require_history.document) <> '{}' then
    perform weft.raise('WF002', 'the link does not show the history');
  end if;
  return caller;
end
$$;

-- For policies: the documents whose history the caller may read.
create function weft.my_histories() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select r.document_id from weft.document_roles(auth.uid(), null) as r
    except
    select unnest(weft.documents_without_history(auth.uid()));
end
$$;

revoke all on function weft.documents_without_history, weft.require_history, weft.my_histories
from public, anon, authenticated, service_role;
grant execute on function weft.my_histories to authenticated;

-- The app reads none of these tables itself.
drop policy weft_select on public.document_updates;
create policy weft_select on public.document_updates for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_snapshots;
create policy weft_select on public.document_snapshots for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_versions;
create policy weft_select on public.document_versions for select to authenticated
using (document_id in (select weft.my_histories()));
drop policy weft_select on public.document_sessions;
create policy weft_select on public.document_sessions for select to authenticated
using (document_id in (select weft.my_histories()));
-- As document_people: such a person finds themselves alone.
drop policy weft_select on public.document_members;
create policy weft_select on public.document_members for select to authenticated
using (
  document_id in (select weft.my_histories())
  or user_id = (select auth.uid()) and document_id in (select weft.my_documents())
);

-- These are as before, for people who may read the history.

create or replace function public.list_versions(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_history(list_versions.document);
  return (
    select coalesce(jsonb_agg(weft.version_summary(v) order by v.seq desc, v.created_at desc, v.id), '[]')
    from public.document_versions as v
    where v.document_id = list_versions.document
  );
end
$$;

create or replace function public.list_activity(workspace uuid, before uuid default null, row_limit integer default 30)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  closed constant uuid[] := weft.documents_without_history(auth.uid());
begin
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', entry.id, 'document', entry.document_id, 'title', entry.title, 'actor', entry.actor, 'kind', entry.kind,
        'detail', entry.detail, 'at', entry.at, 'until', entry.until
      )
      order by entry.until desc, entry.id desc
    ), '[]')
    from (
      select a.*, d.title
      from weft.activity as a left join public.documents as d on d.id = a.document_id
      where a.workspace_id = list_activity.workspace
        and case when a.document_id is null then readable.is_member else weft.is_readable(readable, a.document_id) end
        and not coalesce(a.document_id = any (closed), false)
        and (list_activity.before is null or (a.until, a.id) < (
          select b.until, b.id
          from weft.activity as b
          where b.id = list_activity.before and b.workspace_id = list_activity.workspace
        ))
      order by a.until desc, a.id desc
      limit least(greatest(coalesce(row_limit, 30), 0), max_rows)
    ) as entry
  );
end
$$;
