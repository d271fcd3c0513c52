-- What lists of 10,000 pages and answers with 1 MiB of rows cost: rows are counted by a window that ends where the answer is full,
-- plans for long answers know how long they are, and a list is written once.

set check_function_bodies = off;

drop function weft.document_summaries(uuid[], public.document_role[]);
drop function weft.is_imported_row(public.documents, uuid, timestamptz);

-- Whether a row is what an import wrote into its page.
create function weft.is_imported_row(
  page_author uuid, page_created_at timestamptz, row_author uuid, written_at timestamptz
) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The page opens, and its one edit is sent.
  filled_within constant interval := interval '5 minutes';
begin
  return coalesce(row_author = page_author, false) and written_at <= page_created_at + filled_within;
end
$$;

-- Documents of a workspace as clients see them, in their order, each with the given role of the caller and the caller's own last visit
-- and favourite. `isImported`: an import made the page, and no one wrote in it since. As json, not jsonb: a list of 10,000 pages is a
-- text of 5 MB, and to take it apart and to write it again takes three times as long as the rest.
create function weft.document_summaries(workspace uuid, ids uuid[], roles public.document_role[]) returns json
language plpgsql stable security definer
set search_path = '' set plan_cache_mode = auto
as $$
declare
  -- A plan that knows of more documents than this reads the workspace as a whole, and no document twice.
  many constant integer := 500;
  me uuid := auth.uid();
begin
  if cardinality(ids) > many then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
  end if;
  return (
    select coalesce(json_agg(s), '[]')
    from (
      select
        d.id, d.workspace_id as "workspaceId", d.parent_id as "parentId", d.kind, d.title, d.icon, d.rank, d.access, given.role,
        d.created_at as "createdAt", d.updated_at as "updatedAt", d.updated_by as "updatedBy",
        v.seen_at as "visitedAt", f.rank as "favouriteRank", d.trashed_at as "trashedAt", d.trashed_by as "trashedBy",
        d.import_id is not null and weft.is_imported_row(d.created_by, d.created_at, d.updated_by, d.updated_at) as "isImported"
      from unnest(ids, roles) as given (id, role)
      join public.documents as d on d.id = given.id and d.workspace_id = document_summaries.workspace
      left join weft.visits as v on v.document_id = d.id and v.user_id = me
      left join weft.favourites as f on f.document_id = d.id and f.user_id = me
      order by d.rank, d.id
    ) as s
  );
end
$$;

create or replace function weft.document_summary(document uuid, role public.document_role) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select weft.document_summaries(d.workspace_id, array[d.id], array[role]) -> 0
    from public.documents as d
    where d.id = document_summary.document
  );
end
$$;

-- The caller's documents in a workspace, without those in the trash. With the stamp of an earlier answer: only those that
-- changed since, and the ids of those that went to the trash, unless rights changed (`isComplete`). The function is
-- stable, so that everything in the answer is of one moment.
create or replace function public.list_documents(workspace uuid, since text default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Above that many, a complete list costs less.
  max_changed constant integer := 500;
  me uuid := weft.require_user();
  membership public.workspace_role := weft.workspace_role(workspace, me);
  unseen xid8 := weft.first_unseen(since, workspace, me);
  is_complete boolean := true;
  changed uuid[];
  ids uuid[];
  roles public.document_role[];
  removed uuid[];
begin
  if unseen is not null then
    select array_agg(c.id)
    into changed
    from (
      select c.id from weft.changed_documents(list_documents.workspace, me, unseen) as c (id) limit max_changed + 1
    ) as c;
    if coalesce(cardinality(changed), 0) <= max_changed then
      select
        array_agg(d.id) filter (where d.trashed_at is null),
        array_agg(seen.role) filter (where d.trashed_at is null),
        array_agg(d.id) filter (where d.trashed_at is not null)
      into ids, roles, removed
      from public.documents as d
      cross join lateral weft.document_role(d.id, me) as seen (role)
      where d.id = any (changed) and seen.role is not null;
      -- Somebody whose last page went to the trash gets the refusal below.
      is_complete := membership is null and removed is not null;
    end if;
  end if;

  if is_complete then
    removed := null;
    select array_agg(r.document_id), array_agg(r.role)
    into ids, roles
    from weft.document_roles(me, list_documents.workspace) as r
    -- Few pages are in the trash; a join would look up all of them.
    where r.document_id not in (
      select d.id from public.documents as d
      where d.workspace_id = list_documents.workspace and d.trashed_at is not null
    );
    if ids is null and membership is null then
      perform weft.raise('WF001', 'no member, and no page to see');
    end if;
  end if;
  return json_build_object(
    'workspace', weft.workspace_summary(list_documents.workspace, me),
    'stamp', weft.present_stamp(),
    'isComplete', is_complete,
    'documents', weft.document_summaries(list_documents.workspace, ids, roles),
    'removed', coalesce(removed, '{}')
  );
end
$$;

-- The people who wrote the rows after `after`, up to `seq`, but for what an import wrote: one line for each person, page and
-- editing session, which ends with a pause of more than 30 minutes. Lines of editing sessions that ended 90 days ago go here too, in
-- a workspace where people only write.
create or replace function weft.note_edits(workspace uuid, document uuid, after bigint, seq bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_pause constant interval := interval '30 minutes';
  kept_for constant interval := interval '90 days';
  page public.documents;
  sitting record;
begin
  select d.* into page from public.documents as d where d.id = note_edits.document;
  for sitting in
    select p.id as actor, min(u.created_at) as began, max(u.created_at) as ended
    from public.document_updates as u join public.profiles as p on p.id = u.appended_by
    where u.document_id = note_edits.document and u.seq > greatest(note_edits.after, 1) and u.seq <= note_edits.seq
      and (page.import_id is null or not weft.is_imported_row(
        page.created_by, page.created_at, u.appended_by, u.created_at
      ))
    group by p.id
  loop
    update weft.activity as a
    set at = least(a.at, sitting.began), until = greatest(a.until, sitting.ended)
    where a.id = (
      select last.id
      from weft.activity as last
      where last.document_id = note_edits.document and last.actor = sitting.actor and last.kind = 'edited'
        and last.until >= sitting.began - max_pause and last.at <= sitting.ended + max_pause
      order by last.until desc
      limit 1
    );
    if not found then
      delete from weft.activity as a where a.workspace_id = note_edits.workspace and a.until < now() - kept_for;
      insert into weft.activity (workspace_id, document_id, actor, kind, at, until)
      values (note_edits.workspace, note_edits.document, sitting.actor, 'edited', sitting.began, sitting.ended);
    end if;
  end loop;
end
$$;

-- A message of kind 1. Readers of a version below 3 refuse a log with missing numbers: they get empty rows in the place of those that
-- a compacted row stands for. It reads no row behind the first one that does not fit, and of the sessions only those of its rows: a
-- join of both tables would read every session of the page.
create or replace function weft.encode_rows(
  document uuid, after bigint, head bigint, max_rows integer, max_bytes bigint, row_version integer,
  out message bytea, out last bigint, out more boolean
)
-- Or the planner reads and sorts all rows of a page for the first of them. (Without `enable_sort` a plan that has to sort counts as
-- so dear that it is compiled first.)
language plpgsql stable security definer
set search_path = '' set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = auto
as $$
declare
  -- The rows of more numbers than this gain more by a plan of their own than it costs.
  many constant integer := 500;
  has_times boolean := coalesce(row_version >= 2, false);
  has_firsts boolean := coalesce(row_version >= 3, false);
  beyond bigint;
  encoded bytea;
  row_count bigint;
  before bigint;
begin
  -- The first row that does not fit. Sizes alone are read, so that large rows are never unpacked in vain: a row has at most 70 bytes
  -- besides update and dependencies, and an empty one 56. The window reads no row behind it.
  select w.seq
  into beyond
  from (
    select
      u.seq,
      row_number() over in_order as nth,
      sum(
        70 + octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)
          + case
              when has_firsts or u.first_seq is null then 0
              else 56 * (u.seq - greatest(u.first_seq, least(after, u.seq) + 1))::integer
            end
      ) over in_order as bytes
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= head
    window in_order as (order by u.seq rows unbounded preceding)
  ) as w
  where w.nth > max_rows or w.nth > 1 and w.bytes > max_bytes
  order by w.seq
  limit 1;

  -- A plan that knows the number of rows looks each session up once.
  if coalesce(beyond, head) - greatest(after, 0) > many then
    perform set_config('plan_cache_mode', 'force_custom_plan', true);
  end if;
  -- The seed has no session and the reserved client id 1. This calls no function of ours, because Postgres cannot
  -- inline a function with settings of its own. Each call counts with 9,000 rows: n_from and n_to are sent as one number, and
  -- times are computed as floats, which is exact until 2106 and twice as fast.
  select
    string_agg(
      case when u.first_number = u.seq then ''::bytea else (
        select string_agg(
          int8send(missing.seq)
            || case
                 when has_times then int8send((date_part('epoch', u.first_at) * 1000000)::bigint / 1000)
                 else ''::bytea
               end
            || coalesce(s.author, uuid_send(u.session) || int8send(1))
            || '\x0000000000000000000000000000'::bytea,
          ''::bytea order by missing.seq
        )
        from generate_series(u.first_number, u.seq - 1) as missing (seq)
      ) end
        || case
             when not has_times then int8send(u.seq)
             when not has_firsts then u.place
             when u.first_seq is null then u.place || u.place
             else u.place || int8send(u.first_seq) || int8send((date_part('epoch', u.first_at) * 1000000)::bigint / 1000)
           end
        || coalesce(s.author, uuid_send(u.session) || int8send(1))
        || int8send(u.n_from * 4294967296 + u.n_to)
        || int4send(octet_length(u.update))
        || u.update
        || coalesce(u.dependencies, '\x0000'::bytea),
      ''::bytea order by u.seq
    ),
    sum(u.seq - u.first_number + 1),
    max(u.seq)
  into encoded, row_count, last
  from (
    select
      u.seq, u.first_seq, u.first_at, u.session, u.n_from, u.n_to, u.update, u.dependencies,
      int8send(u.seq) || int8send((date_part('epoch', u.created_at) * 1000000)::bigint / 1000) as place,
      case
        when has_firsts or u.first_seq is null then u.seq
        else greatest(u.first_seq, least(after, u.seq) + 1)
      end as first_number
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= coalesce(beyond - 1, head)
    -- Not for the order alone: it keeps Postgres from computing `place` twice.
    order by u.seq
  ) as u
  -- `limit` keeps Postgres from joining the whole tables.
  left join lateral (
    select uuid_send(o.session) || int8send(o.client_id) as author
    from public.document_sessions as o
    where o.document_id = encode_rows.document and o.session = u.session
    limit 1
  ) as s on true;

  if row_version >= 4 then
    select weft.time_before(encode_rows.document, coalesce(u.first_seq, u.seq))
    into before
    from public.document_updates as u
    where u.document_id = encode_rows.document and u.seq > after and u.seq <= last
    order by u.seq
    limit 1;
  end if;
  message := weft.encode_message(
    case when row_version >= 4 then 4 when has_firsts then 3 when has_times then 2 else 1 end,
    head, coalesce(before, 0), coalesce(row_count, 0), ''::bytea
  ) || coalesce(encoded, ''::bytea);
  last := coalesce(last, after);
  -- Not `last < head`: a head in the middle of a compacted row, as rows_until has it, is never reached.
  more := beyond is not null;
end
$$;

-- The newest editing sessions whose rows are all below `before`, at most `row_limit`; of a person only those in which they wrote. To
-- go on, the caller passes the first row of the last one. Reads only the rows and sessions of the editing sessions that it returns.
--   `authors` are the people whom the database knows as the authors of edits: the accounts that appended them, because no one can
--   check whose edits a dependency has. Null for one who deleted their account.
--   `passedOn` counts edits that came under another account's session: their author had vanished before they could append them.
-- The row with which a history begins again is in no editing session: it stands for all rows from the first one on.
create or replace function public.list_sittings(
  document uuid, before bigint default null, person uuid default null, row_limit integer default 30
) returns jsonb
-- Or a plan for pages of any length reads and sorts all rows.
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

revoke all on function weft.is_imported_row, weft.document_summaries from public, anon, authenticated, service_role;
