-- The history of a page: its rows, its editing sessions (runs of rows without a pause of more than 30 minutes, and who wrote in
-- each), and its named versions.

set check_function_bodies = off;

-- --- rows ----------------------------------------------------------------------------------------------------------

-- The log up to row `until`, for the page as it was then: the rows after `after`, at most 1 MiB of them. With `after` 0 the
-- newest snapshot that is not newer than `until` comes first, if one is kept, and then the rows after that. A person who may not read
-- the history gets the newest snapshot and what came after it, nothing older.
create function public.rows_until(document uuid, after bigint, until bigint, row_version integer default 1)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
  last bigint;
  oldest bigint;
  snapshot jsonb;
  rows record;
begin
  select
    least(greatest(coalesce(rows_until.until, 0), 0), h.head_seq),
    weft.readable_after(h.document_id, caller.user_id, 0, h.snapshot_seq)
  into last, oldest
  from public.document_heads as h
  where h.document_id = rows_until.document;
  if last < oldest or rows_until.after between 1 and oldest - 1 then
    perform weft.raise('WF002', 'the link does not show the history');
  end if;
  if coalesce(rows_until.after, 0) <= 0 then
    select jsonb_build_object('seq', s.seq, 'state', weft.to_base64(s.state), 'sha256', s.sha256)
    into snapshot
    from public.document_snapshots as s
    where s.document_id = rows_until.document and s.seq <= last
    order by s.seq desc
    limit 1;
  end if;
  rows := weft.encode_rows(
    rows_until.document, coalesce((snapshot ->> 'seq')::bigint, greatest(rows_until.after, 0), 0), last, null, max_bytes,
    row_version
  );
  return jsonb_build_object(
    'snapshot', snapshot,
    'rows', weft.to_base64(rows.message),
    'until', last,
    'more', rows.more,
    'schemaVersion', caller.schema_version
  );
end
$$;

-- --- editing sessions ----------------------------------------------------------------------------------------------

-- The newest editing sessions whose rows are all below `before`, at most `row_limit`; of a person only those in which they wrote. To
-- go on, the caller passes the first row of the last one. Reads only the rows and sessions of the editing sessions that it returns.
--   `authors` are the people whom the database knows as the authors of edits: the accounts that appended them, because no one can
--   check whose edits a dependency has. Null for one who deleted their account.
--   `passedOn` counts edits that came under another account's session: their author had vanished before they could append them.
-- The row with which a history begins again is in no editing session: it stands for all rows from the first one on.
create function public.list_sittings(
  document uuid, before bigint default null, person uuid default null, row_limit integer default 30
) returns jsonb
-- With other settings a plan for pages of any length reads and sorts all rows.
language plpgsql stable security definer
set search_path = '' set enable_seqscan = off set enable_bitmapscan = off
as $$
declare
  pause constant interval := interval '30 minutes';
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  wanted constant integer := greatest(least(coalesce(list_sittings.row_limit, 30), 100), 1);
begin
  perform weft.require_history(list_sittings.document);
  return (
    with log as (
      select
        u.seq, coalesce(u.first_seq, u.seq) as first_seq, coalesce(u.first_at, u.created_at) as first_at,
        max(u.seq) over newest_first as newest,
        lead(u.seq) over newest_first as seq_before,
        lead(u.created_at) over newest_first as created_before,
        count(*) filter (
          where list_sittings.person is null or case
            when u.appended_by = list_sittings.person and (u.n_to > 0 or u.seq = 1 or u.dependencies is not null) then true
            when u.first_seq is not null and u.dependencies is not null
              then weft.is_author_of_part(list_sittings.document, u.dependencies, list_sittings.person)
          end
        ) over newest_first as written
      from public.document_updates as u
      where u.document_id = list_sittings.document and (list_sittings.before is null or u.seq < list_sittings.before)
        and u.first_seq is distinct from 1
      window newest_first as (order by u.seq desc rows unbounded preceding)
    ),
    -- One after the other from the newest row on, so the limit ends the reading.
    sittings as (
      select row_number() over (order by e.seq desc) as nth, e.first_seq as first, e.last_seq as last
      from (
        select
          log.seq, log.first_seq, log.written,
          lag(log.seq_before, 1, log.newest) over newest_first as last_seq,
          lag(log.written, 1, 0::bigint) over newest_first as written_after
        from log
        where log.created_before is null or log.first_at - log.created_before > pause
        window newest_first as (order by log.seq desc)
      ) as e
      where e.written > e.written_after
      order by e.seq desc
      limit wanted
    ),
    rows as (
      select
        s.nth, u.seq, u.n_from, u.n_to, u.appended_by, u.dependencies, u.created_at,
        coalesce(u.first_at, u.created_at) as first_at, u.first_seq is not null as is_compacted
      from sittings as s
      join public.document_updates as u
        on u.document_id = list_sittings.document and u.seq between s.first and s.last
    ),
    own as (
      select
        rows.nth, rows.appended_by as author, min(rows.first_at) as first, max(rows.created_at) as last,
        sum(case when rows.n_to > 0 and rows.seq > 1 then rows.n_to - rows.n_from + 1 else 0 end) as edits,
        bool_or(rows.n_to > 0 or rows.seq = 1) as has_written
      from rows
      group by rows.nth, rows.appended_by
    ),
    times as (
      select own.nth, min(own.first) as first, max(own.last) as last from own group by own.nth
    ),
    parts as (
      select own.nth, own.author, own.edits, false as is_passed_on from own where own.has_written
      union all
      select
        rows.nth,
        -- The parts of a compacted row were rows of their authors.
        case when rows.is_compacted then nullif(s.user_id, nobody) else rows.appended_by end,
        p.edits, not rows.is_compacted and s.user_id is distinct from rows.appended_by
      from rows
      cross join lateral weft.dependency_parts(rows.dependencies) as p
      left join lateral (
        select o.user_id
        from public.document_sessions as o
        where o.document_id = list_sittings.document and o.session = p.session
        limit 1
      ) as s on true
      where rows.dependencies is not null
    ),
    authors as (
      select parts.nth, parts.author, sum(parts.edits) as edits,
        coalesce(sum(parts.edits) filter (where parts.is_passed_on), 0) as passed_on
      from parts
      group by parts.nth, parts.author
    ),
    totals as (
      select
        a.nth, sum(a.edits) as edits, sum(a.passed_on) as passed_on,
        jsonb_agg(a.author order by a.edits desc, a.author) as authors
      from authors as a
      group by a.nth
    )
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'fromSeq', s.first, 'toSeq', s.last, 'from', times.first, 'to', times.last,
        'edits', coalesce(totals.edits, 0), 'passedOn', coalesce(totals.passed_on, 0),
        'authors', coalesce(totals.authors, '[]')
      )
      order by s.nth
    ), '[]')
    from sittings as s
    join times on times.nth = s.nth
    left join totals on totals.nth = s.nth
  );
end
$$;

-- --- versions ------------------------------------------------------------------------------------------------------

-- Versions of a page that someone named, and those that are made before a page is restored, imported over, changed by a suggestion,
-- or gets back what a restored server lost: a row of the log with a name.
create table public.document_versions (
  -- The client makes it, so that a repeated call finds what the first one made.
  id uuid primary key,
  document_id uuid not null references public.documents (id) on delete cascade,
  seq bigint not null,
  -- Null for an automatic one to which no one gave a name.
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
  constraint document_versions_kind_check check (kind in ('named', 'restore', 'import', 'suggestion', 'putBack'))
);
create index document_versions_document_id_index on public.document_versions (document_id, seq desc);
create index document_versions_created_by_index on public.document_versions (created_by);
alter table public.document_versions enable row level security;
revoke all on public.document_versions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_versions to service_role;
create policy weft_nobody on public.document_versions using (false);

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

-- The versions of a page, the newest rows first.
create function public.list_versions(document uuid) returns jsonb
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

-- The version, locked, if the caller may change it: the person who made it, as long as they may edit, and managers may. WF001 if it is
-- none that the caller may see.
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

-- Gives a version another name.
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

-- Everyone who reads the page learns that its versions changed. When the page is deleted, its versions go with it and there
-- is no one left to tell.
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

-- --- the whole history ---------------------------------------------------------------------------------------------

-- The history of a page for a watcher by link: as rows_until, but without snapshots, and with the versions in the first answer. Names
-- no one: anyone may have the link. `beginning`: when the history began again, if it did.
create function public.link_history(
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
  elsif not link.history or link.role <> 'viewer' then
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
    'beginning', weft.beginning_note(link.document_id, false)
  );
end
$$;

-- The rows of a page's history for people who may read it, from the first one on: rows_until begins with a snapshot. `putBack` says
-- who put back what a restored server had lost (HI4 in src/sync/SPEC.md): such a row has no session.
create function public.history_rows(document uuid, after bigint, row_version integer default 1) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  caller weft.caller := weft.require_history(document);
  head bigint;
  rows record;
begin
  select h.head_seq into head from public.document_heads as h where h.document_id = history_rows.document;
  rows := weft.encode_rows(
    history_rows.document, greatest(history_rows.after, 0), head, null, max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message), 'head', head, 'more', rows.more, 'schemaVersion', caller.schema_version,
    'beginning', weft.beginning_note(history_rows.document, true),
    'putBack', (
      select coalesce(jsonb_agg(jsonb_build_object('seq', u.seq, 'by', u.appended_by) order by u.seq), '[]')
      from public.document_updates as u
      where u.document_id = history_rows.document and u.session = nobody and u.first_seq is null
        and u.seq > greatest(history_rows.after, 1) and u.seq <= rows.last
    )
  );
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  public.rows_until, public.list_sittings, weft.version_summary, public.list_versions, public.name_version,
  weft.own_version, public.rename_version, public.remove_version, weft.publish_version_change, public.link_history,
  public.history_rows
from public, anon, authenticated, service_role;

grant execute on function
  public.link_history
to anon, authenticated;

grant execute on function
  public.rows_until, public.list_sittings, public.list_versions, public.name_version, public.rename_version,
  public.remove_version, public.history_rows
to authenticated;
