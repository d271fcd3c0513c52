-- Versions of a page that somebody named, and those that are made before a page is restored, imported over, or changed by a
-- suggestion: a row of the log with a name.

create table public.document_versions (
  -- The client makes it, so that a repeated call finds what the first one made.
  id uuid primary key,
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  -- Null for an automatic one to which nobody gave a name.
  name text,
  kind text not null,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint document_versions_seq_check check (seq > 0),
  constraint document_versions_name_check check (
    case
      when name is null then kind <> 'named'
      else char_length(name) between 1 and 200 and name !~ '^\s|\s$'
        and name !~ '[\u0001-\u001f\u007f-\u009f]'
    end
  ),
  constraint document_versions_kind_check check (kind in ('named', 'restore', 'import', 'suggestion'))
);
create index document_versions_document_id_index on public.document_versions (document_id, seq desc);
create index document_versions_created_by_index on public.document_versions (created_by);

alter table public.document_versions enable row level security;
revoke all on public.document_versions from public, anon, authenticated, service_role;
grant select on public.document_versions to authenticated;
grant select, insert, update, delete on public.document_versions to service_role;
create policy weft_select on public.document_versions for select to authenticated
using (document_id in (select weft.my_documents()));

create function weft.version_summary(version public.document_versions) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'id', version.id, 'document', version.document_id, 'seq', version.seq, 'name', version.name, 'kind', version.kind,
    'createdBy', version.created_by, 'createdAt', version.created_at,
    -- When the page was like this.
    'at', (
      select u.created_at
      from public.document_updates as u
      where u.document_id = version.document_id and u.seq = version.seq
    )
  )
$$;

create function public.list_versions(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(list_versions.document, 'viewer');
  return (
    select coalesce(jsonb_agg(weft.version_summary(v) order by v.seq desc, v.created_at desc, v.id), '[]')
    from public.document_versions as v
    where v.document_id = list_versions.document
  );
end
$$;

-- Names the page as of row `seq`. Repeatable. Before it restores a page or imports over it, a client calls it with that kind
-- and without a name; a row has at most one automatic version of each kind.
create function public.name_version(
  id uuid, document uuid, seq bigint, name text default null, kind text default 'named'
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_versions constant integer := 1000;
  caller weft.caller := weft.require_editor(document);
  head bigint;
  made public.document_versions;
begin
  -- Two tabs that restore at once wait here for each other.
  perform weft.lock_heads(array[name_version.document]);
  caller := weft.require_editor(name_version.document);
  select h.head_seq into head from public.document_heads as h where h.document_id = name_version.document;
  if name_version.seq is null or name_version.seq < 1 or name_version.seq > head then
    raise exception using errcode = '22023', message = 'seq: a row of the page';
  elsif name_version.kind is null or name_version.kind not in ('named', 'restore', 'import', 'suggestion') then
    raise exception using errcode = '22023', message = 'kind: named, restore, import or suggestion';
  end if;
  select v.*
  into made
  from public.document_versions as v
  where v.id = name_version.id
    or name_version.kind <> 'named' and v.document_id = name_version.document and v.seq = name_version.seq
      and v.kind = name_version.kind
  limit 1;
  if made.document_id <> name_version.document then
    perform weft.raise('WF001', 'the id is another page''s');
  elsif made.id is null then
    if (
      select count(*) from public.document_versions as v where v.document_id = name_version.document
    ) >= max_versions then
      raise exception using errcode = '54000', message = 'a page has at most 1000 versions';
    end if;
    insert into public.document_versions as v (id, document_id, seq, name, kind, created_by)
    values (
      name_version.id, name_version.document, name_version.seq, weft.trim_name(left(name_version.name, 1000)),
      name_version.kind, caller.user_id
    )
    returning v.* into made;
  end if;
  return weft.version_summary(made);
end
$$;

-- The version, if the caller may change it: who made it, as long as they may edit, and managers. WF001 if it is none that
-- the caller may see.
create function weft.own_version(version uuid) returns public.document_versions
language plpgsql volatile security definer set search_path = ''
as $$
declare
  found_one public.document_versions;
  caller weft.caller;
begin
  select v.* into found_one from public.document_versions as v where v.id = own_version.version for update;
  caller := weft.require_editor(found_one.document_id);
  if found_one.created_by is distinct from caller.user_id and caller.role < 'manager' then
    perform weft.raise('WF002', 'somebody else made this version');
  end if;
  return found_one;
end
$$;

create function public.rename_version(version uuid, name text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  changed public.document_versions := weft.own_version(version);
begin
  update public.document_versions as v
  set name = weft.trim_name(left(rename_version.name, 1000))
  where v.id = changed.id
  returning v.* into changed;
  return weft.version_summary(changed);
end
$$;

-- Removes the name, not the rows.
create function public.remove_version(version uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  removed public.document_versions := weft.own_version(version);
begin
  delete from public.document_versions as v where v.id = removed.id;
  return jsonb '{}';
end
$$;

-- Everybody who reads the page learns that its versions changed. When the page is deleted, its versions go with it and there
-- is nobody left to tell.
create function weft.publish_version_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  changed public.document_versions := coalesce(new, old);
begin
  perform weft.publish_document(changed.document_id, 'version', weft.op_name(tg_op));
  return null;
end
$$;

create trigger publish_version_change after insert or delete or update of name on public.document_versions
for each row execute function weft.publish_version_change();

revoke all on function
  weft.version_summary, weft.own_version, weft.publish_version_change, public.list_versions, public.name_version,
  public.rename_version, public.remove_version
from public, anon, authenticated, service_role;
grant execute on function
  public.list_versions, public.name_version, public.rename_version, public.remove_version
to authenticated;
