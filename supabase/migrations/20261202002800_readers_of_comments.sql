-- Each page says who reads its comments: people who may comment, everyone with a role on it (as before), or people with a link to
-- watch too. Lists of pages count the threads that the caller may read.

set check_function_bodies = off;

create type public.comment_readers as enum ('commenters', 'viewers', 'everyone');
alter table public.documents add column comment_readers public.comment_readers not null default 'viewers';
alter table weft.comment_heads add column links_told_at timestamptz;

-- Whether someone with this role on a page reads its comments: who may comment does, others as the page says.
create function weft.shows_comments(readers public.comment_readers, role public.document_role) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    shows_comments.role >= 'commenter' or (shows_comments.role is not null and shows_comments.readers <> 'commenters'),
    false
  )
$$;

-- Whether a person may read the page's comments.
create function weft.may_read_comments(document uuid, person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    (
      select weft.shows_comments(d.comment_readers, weft.document_role(d.id, may_read_comments.person))
      from public.documents as d
      where d.id = may_read_comments.document
    ),
    false
  );
end
$$;

-- Fails unless the caller may read the page's comments.
create function weft.require_comment_reader(document uuid) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
  readers constant public.comment_readers := (
    select d.comment_readers from public.documents as d where d.id = require_comment_reader.document
  );
begin
  if not weft.shows_comments(readers, caller.role) then
    perform weft.raise('WF002', 'only people who may comment read the comments of this page');
  end if;
  return caller;
end
$$;

-- Whether an earlier call stored this comment of the caller, and its answer was lost. To repeat the call is no other comment: it is
-- answered as long as they may read it, although they may have lost the right to comment since.
create or replace function weft.has_arrived(document uuid, thread uuid, comment uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from weft.comments as c join weft.comment_threads as t on t.id = c.thread_id
    where c.id = has_arrived.comment and t.id = has_arrived.thread and t.document_id = has_arrived.document
      and c.created_by = (weft.require_comment_reader(has_arrived.document)).user_id
  )
$$;

create or replace function weft.document_summaries(workspace uuid, ids uuid[], roles public.document_role[]) returns json
language plpgsql stable security definer
set search_path = '' set plan_cache_mode = auto
as $$
declare
  -- A plan that knows of more documents than this reads the workspace as a whole, and no document twice.
  many constant integer := 500;
  max_unread constant integer := 10;
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
        d.import_id is not null and weft.is_imported_row(d.created_by, d.created_at, d.updated_by, d.updated_at) as "isImported",
        -- After a null, `and` would call the function for each page.
        case when coalesce(c.open_threads > 0, false) and weft.shows_comments(d.comment_readers, given.role)
          then c.open_threads
          else 0
        end as "openThreads",
        case
          when coalesce(v.user_id is not null and c.change > coalesce(r.change, 0), false)
            and weft.shows_comments(d.comment_readers, given.role)
          then weft.unread_threads(d.id, me, coalesce(r.change, 0), max_unread)
          else 0
        end as "unreadThreads"
      from unnest(ids, roles) as given (id, role)
      join public.documents as d on d.id = given.id and d.workspace_id = document_summaries.workspace
      left join weft.visits as v on v.document_id = d.id and v.user_id = me
      left join weft.favourites as f on f.document_id = d.id and f.user_id = me
      left join weft.comment_heads as c on c.document_id = d.id
      left join weft.comment_reads as r on r.document_id = d.id and r.user_id = me
      order by d.rank, d.id
    ) as s
  );
end
$$;

-- Tells everyone who may read the page's comments that they changed. Messages name the page, and for its watchers by link the change.
create function weft.publish_comments(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  page public.documents;
begin
  select d.* into page from public.documents as d where d.id = publish_comments.document;
  perform weft.publish_at_place(
    page.id, page.workspace_id, page.parent_id, page.access, 'comment', 'changed', false,
    case when page.comment_readers = 'commenters' then 'commenter' else 'viewer' end::public.document_role
  );
  if page.comment_readers = 'everyone' then
    perform weft.publish_comments_by_link(page.id, weft.watch_pause(page.id));
  end if;
end
$$;

-- What follows every change of a thread by a person: its number and size, and a message.
create or replace function weft.settle_thread(thread uuid, document uuid, change bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  bytes_before constant integer := (select t.bytes from weft.comment_threads as t where t.id = settle_thread.thread);
  settled weft.comment_threads;
begin
  update weft.comment_threads as t
  set
    change = settle_thread.change,
    bytes = (
      select coalesce(sum(octet_length(c.body::text)), 0) from weft.comments as c where c.thread_id = t.id
    )
  where t.id = settle_thread.thread
  returning t.* into settled;
  perform weft.require_comment_limit('thread_bytes', settled.bytes);
  update weft.comment_heads as h
  set open_threads = counted.open
  from (
    select count(*) as open
    from weft.comment_threads as t
    where t.document_id = settle_thread.document and t.resolved_at is null and not t.is_removed
  ) as counted
  where h.document_id = settle_thread.document and h.open_threads <> counted.open;
  -- Lists of pages say how many threads are open and unread.
  if found or settled.bytes <> bytes_before then
    update public.documents as d set changed_xid = pg_current_xact_id() where d.id = settle_thread.document;
  end if;
  perform weft.publish_comments(settle_thread.document);
end
$$;

-- Tells whom a comment mentions, and with `is_reply` the others of its thread, as far as they may read it: each person once for one
-- comment.
create or replace function weft.notify_of_comment(comment uuid, caller weft.caller, is_reply boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  told record;
begin
  for told in
    with said as (
      select c.*, t.document_id, t.created_by as begun_by, weft.comment_mentions(c.body) as mentioned
      from weft.comments as c join weft.comment_threads as t on t.id = c.thread_id
      where c.id = notify_of_comment.comment
    ),
    people as (
      select m.person, 'mention' as kind from said cross join lateral unnest(said.mentioned) as m (person)
      union
      select p.person, 'reply'
      from said
      cross join lateral (
        select said.begun_by as person
        union
        select o.created_by from weft.comments as o where o.thread_id = said.thread_id and o.body is not null
      ) as p
      where is_reply and not p.person = any (said.mentioned)
    )
    select
      people.person, people.kind, said.document_id,
      jsonb_build_object(
        'thread', said.thread_id, 'comment', said.id, 'excerpt', weft.comment_excerpt(said.body)
      ) as detail
    from people cross join said
    where weft.may_read_comments(said.document_id, people.person) and not exists (
      select
      from weft.notifications as n
      where n.user_id = people.person and n.kind in ('mention', 'reply') and n.document_id = said.document_id
        and n.subject = said.id::text
    )
  loop
    perform weft.notify(
      told.person, told.kind, caller.workspace_id, told.document_id, caller.user_id, notify_of_comment.comment::text,
      told.detail
    );
  end loop;
end
$$;

-- Takes the page's words out of its anchors, when its history is erased. Positions stay: they say nothing. The caller holds the lock of
-- the page's head.
create or replace function weft.erase_quotes(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update weft.comment_threads as t
  set anchor = weft.without_quote(t.anchor), change = weft.next_comment_change(t.document_id)
  where t.document_id = erase_quotes.document and t.anchor ? 'quote';
  if found then
    perform weft.publish_comments(erase_quotes.document);
  end if;
end
$$;

-- The threads of a page that were changed after its change `after`, in the order of their changes; with 0 all, without removed ones.
-- With `more` there are others, after `change`: an answer has about 1 MiB of words.
create function weft.comments_after(document uuid, after bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  from_change constant bigint := greatest(coalesce(after, 0), 0);
  last bigint;
  newest bigint;
  threads jsonb;
begin
  -- The first one always fits.
  select max(t.change) filter (where t.bytes_before < max_bytes), max(t.change)
  into last, newest
  from (
    select c.change, sum(c.bytes) over (order by c.change) - c.bytes as bytes_before
    from weft.comment_threads as c
    where c.document_id = comments_after.document and c.change > from_change and (from_change > 0 or not c.is_removed)
  ) as t;
  select jsonb_agg(s.summary order by s.change)
  into threads
  from weft.thread_summaries(array(
    select t.id
    from weft.comment_threads as t
    where t.document_id = comments_after.document and t.change > from_change and t.change <= last
      and (from_change > 0 or not t.is_removed)
  )) as s;
  return jsonb_build_object(
    'document', comments_after.document,
    'change', case when last < newest then last else weft.newest_comment_change(comments_after.document) end,
    'more', coalesce(last < newest, false),
    'threads', coalesce(threads, '[]')
  );
end
$$;

create function weft.newest_comment_change(document uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select h.change from weft.comment_heads as h where h.document_id = newest_comment_change.document), 0
  )
$$;

-- The comments of a page, as weft.comments_after returns them, for people who may read them.
create or replace function public.list_comments(document uuid, after bigint default 0) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_comment_reader(document);
begin
  return weft.comments_after(list_comments.document, list_comments.after) || jsonb_build_object(
    'readChange', coalesce(
      (
        select r.change
        from weft.comment_reads as r
        where r.user_id = caller.user_id and r.document_id = list_comments.document
      ),
      0
    ),
    'mayComment', caller.role >= 'commenter' and not caller.is_trashed
  );
end
$$;

-- The caller has read the page's comments up to this change. It never goes back. Their other tabs and devices get a message if
-- something was unread.
create or replace function public.mark_comments_read(document uuid, change bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_comment_reader(document);
  before constant bigint := coalesce(
    (
      select r.change
      from weft.comment_reads as r
      where r.user_id = caller.user_id and r.document_id = mark_comments_read.document
    ),
    0
  );
begin
  insert into weft.comment_reads as r (user_id, document_id, change)
  select caller.user_id, h.document_id, least(greatest(coalesce(mark_comments_read.change, 0), 0), h.change)
  from weft.comment_heads as h
  where h.document_id = mark_comments_read.document
  on conflict on constraint comment_reads_pkey do update
  set change = excluded.change, changed_xid = pg_current_xact_id() where r.change < excluded.change;
  if found and weft.unread_threads(mark_comments_read.document, caller.user_id, before, 1) > 0 then
    perform weft.publish_change(
      'u:' || caller.user_id, 'comment', 'read', mark_comments_read.document, caller.workspace_id
    );
  end if;
  return jsonb '{}';
end
$$;

-- Sets who reads the page's comments. Those who lose or get the right hear of it at once; those who lost it, of no comment after that.
create function public.set_comment_readers(document uuid, readers text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  given public.comment_readers;
begin
  perform weft.require_role(set_comment_readers.document, 'manager');
  perform weft.lock_heads(array[set_comment_readers.document]);
  perform weft.require_role(set_comment_readers.document, 'manager');
  begin
    given := set_comment_readers.readers::public.comment_readers;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null then
    raise exception using errcode = '22023', message = 'readers: commenters, viewers or everyone';
  end if;
  update public.documents as d
  -- Lists of pages count the threads that someone may read.
  set comment_readers = given, changed_xid = pg_current_xact_id()
  where d.id = set_comment_readers.document and d.comment_readers <> given;
  if found then
    perform weft.publish_document(set_comment_readers.document, 'access', 'changed');
    perform weft.publish_comments_by_link(set_comment_readers.document, '0 seconds');
  end if;
  return jsonb_build_object('commentReaders', given);
end
$$;

-- The newest change of the page's comments, for the watchers of its links. Null: they may not read them.
create function weft.comments_by_link(document uuid) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select weft.newest_comment_change(d.id)
    from public.documents as d
    where d.id = comments_by_link.document and d.comment_readers = 'everyone'
  );
end
$$;

-- Tells the watchers of a page's links of its comments, unless they were told within `pause`: open_watch, which they call every 15
-- seconds, tells it too. The caller holds the lock of the page's head.
create function weft.publish_comments_by_link(document uuid, pause interval) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  present constant timestamptz := clock_timestamp();
begin
  if pause > '0 seconds' and exists (
    select
    from weft.comment_heads as h
    where h.document_id = publish_comments_by_link.document and h.links_told_at > present - pause
  ) then
    return;
  end if;
  update weft.comment_heads as h set links_told_at = present where h.document_id = publish_comments_by_link.document;
  perform weft.publish_bytes(
    convert_to(jsonb_build_object('change', weft.comments_by_link(publish_comments_by_link.document))::text, 'UTF8'),
    'comments', t.topic
  )
  from weft.watch_topics(publish_comments_by_link.document, '') as t (topic)
  where t.topic like 'w:%';
end
$$;

-- A comment's body with "@someone" in place of each mention.
create function weft.unnamed_body(body jsonb) returns jsonb
language sql immutable security definer set search_path = ''
as $$
  select case when jsonb_path_exists(unnamed_body.body, '$[*].runs[*].mention') then (
    select jsonb_agg(
      block.value || jsonb_build_object('runs', (
        select coalesce(jsonb_agg(
          case when run.value ? 'mention' then jsonb '{"text": "@someone"}' else run.value end order by run.nth
        ), '[]')
        from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
      ))
      order by block.nth
    )
    from jsonb_array_elements(unnamed_body.body) with ordinality as block (value, nth)
  ) else unnamed_body.body end
$$;

-- A thread without people: each comment has the number of its author in the thread, or null if they deleted their account, and a
-- reaction how many there are. A quote may have words that were deleted since: only with `has_quote` it is there.
create function weft.unnamed_thread(thread jsonb, has_quote boolean) returns jsonb
language sql immutable security definer set search_path = ''
as $$
  with comments as (
    select
      c.value as comment, c.nth,
      min(c.nth) over (partition by c.value ->> 'by') as first
    from jsonb_array_elements(unnamed_thread.thread -> 'comments') with ordinality as c (value, nth)
  ),
  numbered as (
    select c.*, case when c.comment ->> 'by' is not null then dense_rank() over (
      order by (c.comment ->> 'by' is null), c.first
    ) end as author
    from comments as c
  )
  select case when unnamed_thread.thread ? 'removed' then unnamed_thread.thread else
    unnamed_thread.thread - 'by' || jsonb_build_object(
      'anchor', case when unnamed_thread.has_quote
        then unnamed_thread.thread -> 'anchor'
        else weft.without_quote(unnamed_thread.thread -> 'anchor')
      end,
      'resolved', unnamed_thread.thread -> 'resolved' -> 'at',
      'comments', (
        select jsonb_agg(
          n.comment - 'by' || jsonb_build_object(
            'author', n.author,
            'body', weft.unnamed_body(n.comment -> 'body'),
            'reactions', (
              select coalesce(jsonb_agg(
                jsonb_build_object('emoji', r.value -> 'emoji', 'count', jsonb_array_length(r.value -> 'by')) order by r.nth
              ), '[]')
              from jsonb_array_elements(n.comment -> 'reactions') with ordinality as r (value, nth)
            )
          )
          order by n.nth
        )
        from numbered as n
      )
    )
  end
$$;

-- The comments of the page behind a link to watch, as weft.comments_after returns them, without people, and without quotes unless the
-- link shows the history. Needs no account.
create function public.list_link_comments(secret text, after bigint default 0) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  link public.share_links := weft.active_link(secret);
  list jsonb;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  elsif link.role <> 'viewer' or weft.comments_by_link(link.document_id) is null then
    perform weft.raise('WF002', 'this link shows no comments');
  end if;
  list := weft.comments_after(link.document_id, list_link_comments.after);
  return list || jsonb_build_object('threads', (
    select coalesce(jsonb_agg(weft.unnamed_thread(t.value, link.history) order by t.nth), '[]')
    from jsonb_array_elements(list -> 'threads') with ordinality as t (value, nth)
  ));
end
$$;

-- The people with access to a page, each with every source of it. A page above that the caller may not see is not named, and
-- links only to managers. A person whose only access is a link learns of no one else's access: presence shows them who is here.
create or replace function public.document_people(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
begin
  return (
    with recursive chain as (
      select d.id, d.parent_id, d.access, 1 as height
      from public.documents as d
      where d.id = document_people.document
      union all
      select p.id, p.parent_id, p.access, chain.height + 1
      from chain join public.documents as p on p.id = chain.parent_id
      where chain.access = 'inherit'
    ),
    visible as (
      select chain.id from chain where weft.document_role(chain.id, caller.user_id) is not null
    ),
    people as (
      select
        s.user_id,
        max(s.role) as role,
        jsonb_agg(
          jsonb_build_object(
            'kind', s.kind, 'role', s.role, 'document', visible.id,
            'link', case when caller.role = 'manager' then s.source_link end, 'addedBy', s.added_by
          )
          order by s.role desc, s.kind, s.source_document, s.source_link
        ) as sources,
        bool_and(s.kind = 'link') as is_by_link
      from chain
      cross join lateral weft.access_sources(chain.id, chain.parent_id, chain.access) as s
      left join visible on visible.id = s.source_document
      where chain.height = 1
      group by s.user_id
    )
    select jsonb_build_object(
      'access', (select chain.access from chain where chain.height = 1),
      'resolvedAccess', (select chain.access from chain order by chain.height desc limit 1),
      'resolvedFrom', (
        select visible.id
        from (select chain.id from chain order by chain.height desc limit 1) as top join visible on visible.id = top.id
      ),
      'commentReaders', (select d.comment_readers from public.documents as d where d.id = document_people.document),
      'people', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('user', p.user_id, 'role', p.role, 'sources', p.sources) order by p.role desc, p.user_id
          ),
          '[]'
        )
        from people as p
        where p.user_id = caller.user_id
          or not exists (select from people as me where me.user_id = caller.user_id and me.is_by_link)
      )
    )
  );
end
$$;

-- Returns the page of a link, from row `since` on, whether the link shows the page's history, and the number of the newest change of
-- its comments if the link shows them. Needs no account.
create or replace function public.open_watch(
  secret text, since bigint, row_version integer default 1, watcher uuid default null, stance text default null,
  known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  link public.share_links := weft.active_link(secret);
  head bigint;
  snapshot_seq bigint;
  snapshot jsonb;
  rows record;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  elsif link.role <> 'viewer' then
    -- Whoever opens a link to edit or comment is asked to sign in, and sees nothing but the page's name before.
    return (
      select jsonb_build_object(
        'documentId', d.id,
        'title', d.title,
        'topic', 'w:' || link.topic_key,
        'role', link.role,
        'head', 0,
        'changedAt', weft.changed_at(d.id, h.head_seq),
        'schemaVersion', d.schema_version,
        'snapshot', null,
        'rows', weft.to_base64(weft.encode_message(coalesce(open_watch.row_version, 1), 0, 0, 0, ''::bytea)),
        'more', false,
        'expiresAt', link.expires_at,
        'presenting', null,
        'history', link.history,
        'comments', null
      )
      from public.documents as d
      join public.document_heads as h on h.document_id = d.id
      where d.id = link.document_id
    );
  end if;
  perform weft.extend_watch(link);
  -- The call above may have waited for the one that ended the link.
  link := weft.active_link(secret);
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  perform weft.require_known_row(link.document_id, open_watch.since, open_watch.known_at);

  perform weft.count_watcher(link.document_id, open_watch.watcher, open_watch.stance, null, link.id, false);

  select h.head_seq, h.snapshot_seq
  into head, snapshot_seq
  from public.document_heads as h
  where h.document_id = link.document_id;
  if not link.history then
    perform weft.want_snapshot(link.document_id);
  end if;
  if weft.needs_snapshot(link.document_id, coalesce(since, 0), head) or (not link.history and coalesce(since, 0) < snapshot_seq)
  then
    snapshot := weft.newest_snapshot(link.document_id);
    head := greatest(head, (snapshot ->> 'seq')::bigint); -- The snapshot may be newer than the head read above.
  end if;
  rows := weft.encode_rows(
    link.document_id, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, max_bytes, row_version
  );
  return (
    select jsonb_build_object(
      'documentId', d.id,
      'title', d.title,
      'topic', 'w:' || link.topic_key,
      'role', link.role,
      'head', head,
      'changedAt', weft.changed_at(d.id, head),
      'schemaVersion', d.schema_version,
      'snapshot', snapshot,
      'rows', weft.to_base64(rows.message),
      'more', rows.more,
      'expiresAt', link.expires_at,
      'presenting', weft.presenting_of(d.id, true),
      'history', link.history,
      'comments', weft.comments_by_link(d.id)
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

-- The caller's notifications, the newest first, before the one with the id `before`. Of a page or workspace that they may no
-- longer see only its id and the kind are left (`isReadable` false), of a comment that they may no longer read all but its words. The actor's name and color are part of it, because someone who
-- asks or invites may have no profile that the caller can see, and so is the state of requests and invitations.
create or replace function public.list_notifications(before uuid default null, row_limit integer default 30) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  me uuid := weft.require_user();
begin
  return jsonb_build_object(
    'unread', weft.unread_notifications(me),
    'notifications', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', page.id, 'kind', page.kind, 'workspace', page.workspace_id,
          'workspaceName', case when page.is_readable then page.workspace_name end,
          'document', page.document_id,
          'title', case when page.is_readable then page.title end,
          'actor', case when page.is_readable then page.actor end,
          'actorName', case when page.is_readable then page.actor_name end,
          'actorColor', case when page.is_readable then page.actor_color end,
          -- The answer to an own request is not the page's.
          'detail', case
            when page.is_readable or page.kind = 'answered'
            then page.detail - case when page.hides_words then array['excerpt'] else '{}' end
            else '{}'
          end,
          'state', page.state,
          'isReadable', page.is_readable, 'at', page.at, 'readAt', page.read_at
        )
        order by page.at desc, page.id desc
      ), '[]')
      from (
        select
          n.*, d.title, w.name as workspace_name, a.display_name as actor_name, a.color as actor_color,
          weft.notification_state(n) as state,
          case
            when n.document_id is not null then weft.document_role(n.document_id, me) is not null
            else n.kind = 'invite' or weft.workspace_role(n.workspace_id, me) is not null
          end as is_readable,
          n.detail ? 'comment' and not weft.may_read_comments(n.document_id, me) as hides_words
        from weft.notifications as n
        left join public.documents as d on d.id = n.document_id
        left join public.workspaces as w on w.id = n.workspace_id
        left join public.profiles as a on a.id = n.actor
        where n.user_id = me and (list_notifications.before is null or (n.at, n.id) < (
          select b.at, b.id from weft.notifications as b where b.id = list_notifications.before and b.user_id = me
        ))
        order by n.at desc, n.id desc
        limit least(greatest(coalesce(row_limit, 30), 0), max_rows)
      ) as page
    )
  );
end
$$;

revoke all on function
  weft.shows_comments, weft.may_read_comments, weft.require_comment_reader, weft.publish_comments, weft.comments_after,
  weft.newest_comment_change, public.set_comment_readers, weft.comments_by_link, weft.publish_comments_by_link,
  weft.unnamed_body, weft.unnamed_thread, public.list_link_comments
from public, anon, authenticated, service_role;

grant execute on function
  public.set_comment_readers
to authenticated;

grant execute on function
  public.list_link_comments
to anon, authenticated;
