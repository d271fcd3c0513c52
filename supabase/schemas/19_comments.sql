-- Comments: threads about words, a block or the page, apart from the page's log, because people may comment who may not write.
-- Devices make the ids, so each call may be repeated; the database stamps authors and times. A page counts the changes of its comments,
-- so that a device asks only for the threads that changed.

set check_function_bodies = off;

-- --- tables --------------------------------------------------------------------------------------------------------

-- The number of the newest change of a page's comments, how many of its threads are open, and when the watchers of
-- its links were last told of one.
create table weft.comment_heads (
  document_id uuid primary key references public.documents (id) on delete cascade,
  change bigint not null,
  open_threads integer not null default 0,
  links_told_at timestamptz
);
alter table weft.comment_heads enable row level security;
revoke all on weft.comment_heads from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_heads using (false);

create table weft.comment_threads (
  id uuid primary key,
  document_id uuid not null references public.documents (id) on delete cascade,
  -- What it is about: words, a block or the page (src/protocol/comments.ts).
  anchor jsonb not null,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  resolved_by uuid references public.profiles (id) on delete set null,
  resolved_at timestamptz,
  -- The newest change of the thread. No other thread of the page has this number.
  change bigint not null,
  -- Of the bodies of its comments.
  bytes integer not null default 0,
  -- All its comments were deleted. The row stays, so that devices learn of it.
  is_removed boolean not null default false,
  constraint comment_threads_change_key unique (document_id, change)
);
create index comment_threads_created_by_index on weft.comment_threads (created_by);
create index comment_threads_resolved_by_index on weft.comment_threads (resolved_by);
alter table weft.comment_threads enable row level security;
revoke all on weft.comment_threads from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_threads using (false);

create table weft.comments (
  id uuid primary key,
  thread_id uuid not null references weft.comment_threads (id) on delete cascade,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  -- Null: it was deleted.
  body jsonb,
  -- The change that added it.
  change bigint not null
);
create index comments_thread_id_index on weft.comments (thread_id, change);
create index comments_created_by_index on weft.comments (created_by);
alter table weft.comments enable row level security;
revoke all on weft.comments from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comments using (false);

create table weft.comment_reactions (
  comment_id uuid not null references weft.comments (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  emoji text not null,
  at timestamptz not null default now(),
  primary key (comment_id, emoji, user_id)
);
create index comment_reactions_user_id_index on weft.comment_reactions (user_id);
alter table weft.comment_reactions enable row level security;
revoke all on weft.comment_reactions from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_reactions using (false);

-- Up to which change a person has read a page's comments.
create table weft.comment_reads (
  user_id uuid not null references public.profiles (id) on delete cascade,
  document_id uuid not null references public.documents (id) on delete cascade,
  change bigint not null,
  changed_xid xid8 not null default pg_current_xact_id(),
  primary key (user_id, document_id)
);
create index comment_reads_document_id_index on weft.comment_reads (document_id);
create index comment_reads_changed_xid_index on weft.comment_reads (user_id, changed_xid);
alter table weft.comment_reads enable row level security;
revoke all on weft.comment_reads from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_reads using (false);

-- Comments that a person deleted before the database had them: a call that comes late must not store them. A mark stays for a day.
create table weft.withdrawn_comments (
  comment_id uuid not null,
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default now(),
  primary key (comment_id, user_id)
);
create index withdrawn_comments_user_id_index on weft.withdrawn_comments (user_id);
create index withdrawn_comments_at_index on weft.withdrawn_comments (at);
alter table weft.withdrawn_comments enable row level security;
revoke all on weft.withdrawn_comments from public, anon, authenticated, service_role;
create policy weft_nobody on weft.withdrawn_comments using (false);

-- --- limits --------------------------------------------------------------------------------------------------------

-- Beyond one of these the answer is WF021, beyond the pace of a person (weft.quota) WF008. Lengths of texts are in UTF-16 units, as in
-- src/protocol/comments.ts: a comment that one device could not read would hide all others of the page from it.
create function weft.comment_limit(name text) returns integer
language sql immutable security definer set search_path = ''
as $$
  select (jsonb '{
    "threads": 2000,
    "comments": 1000,
    "thread_bytes": 1048576,
    "body_bytes": 65536,
    "body_text": 10000,
    "blocks": 200,
    "runs": 2000,
    "mentions": 50,
    "pictures": 4,
    "anchor_bytes": 8192,
    "emoji": 50,
    "reactions": 1000
  }' -> comment_limit.name)::integer
$$;

-- Fails if there is more of something than its limit.
create function weft.require_comment_limit(name text, amount bigint) returns void
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if require_comment_limit.amount > weft.comment_limit(require_comment_limit.name) then
    perform weft.raise('WF021', format('%s %s', require_comment_limit.amount, require_comment_limit.name));
  end if;
end
$$;

-- How many changes of comments a person made in the present hour and on the present day. A reaction that is set and taken away again
-- leaves no row that could be counted, but a message to everyone each time.
create unlogged table weft.comment_paces (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  hour timestamptz not null,
  in_hour integer not null,
  day timestamptz not null,
  in_day integer not null,
  -- When they last announced a reply, and whether others were told that they write it.
  announced_at timestamptz,
  is_announced boolean not null default false
);
alter table weft.comment_paces enable row level security;
revoke all on weft.comment_paces from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_paces using (false);

-- Counts a change of comments, and fails if it is one too many. The row's lock makes calls of the same person wait for each other.
create function weft.count_comment_change(person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  counted weft.comment_paces;
begin
  insert into weft.comment_paces as p (user_id, hour, in_hour, day, in_day)
  values (
    count_comment_change.person, date_trunc('hour', now(), 'UTC'), 1, date_trunc('day', now(), 'UTC'), 1
  )
  on conflict on constraint comment_paces_pkey do update
  set
    hour = excluded.hour,
    in_hour = case when p.hour = excluded.hour then p.in_hour else 0 end + 1,
    day = excluded.day,
    in_day = case when p.day = excluded.day then p.in_day else 0 end + 1
  returning p.* into counted;
  if counted.in_hour > weft.quota('comment_changes_per_hour', count_comment_change.person)
    or counted.in_day > weft.quota('comment_changes_per_day', count_comment_change.person)
  then
    perform weft.raise('WF008', format('%s changes of comments in an hour, %s in a day', counted.in_hour, counted.in_day));
  end if;
end
$$;

-- --- what a comment says, and what it is about ---------------------------------------------------------------------

-- The length of a string in JavaScript.
create function weft.utf16_length(text text) returns integer
language sql immutable security definer set search_path = ''
as $$
  select char_length(utf16_length.text) + regexp_count(utf16_length.text, '[\U00010000-\U0010ffff]')
$$;

create function weft.is_short_text(value jsonb, most integer) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    jsonb_typeof(is_short_text.value) = 'string'
      and weft.utf16_length(is_short_text.value #>> '{}') <= is_short_text.most,
    false
  )
$$;

-- Words with the same look: `{text, bold?, italic?, code?, link?, mention?}`.
create function weft.is_comment_run(run jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case when jsonb_typeof(is_comment_run.run) = 'object' then coalesce(
    jsonb_typeof(run -> 'text') = 'string'
      and (not run ? 'link' or weft.is_short_text(run -> 'link', 2000))
      and (
        not run ? 'mention'
        or run ->> 'mention' ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
      )
      and run - array['text', 'link', 'mention'] <@ '{"bold": true, "italic": true, "code": true}',
    false
  ) else false end
$$;

-- A paragraph or an item of a list: `{kind, runs}`, or a picture: `{kind, picture, width, height, alt}`.
create function weft.is_comment_block(block jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case
    when jsonb_typeof(block) = 'object' and block ->> 'kind' = 'picture' then weft.is_comment_picture_block(block)
    when jsonb_typeof(block) = 'object' and jsonb_typeof(block -> 'runs') = 'array' then
      block - array['kind', 'runs'] = '{}'
        and coalesce(block ->> 'kind' in ('paragraph', 'bullet', 'numbered'), false)
        and (
          select coalesce(bool_and(weft.is_comment_run(one.value)), true) from jsonb_array_elements(block -> 'runs') as one
        )
    else false
  end
$$;

-- The words of a body, each block in a line of its own.
create function weft.comment_text(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    string_agg(
      (
        select coalesce(string_agg(run.value ->> 'text', '' order by run.nth), '')
        from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
      ),
      E'\n' order by block.nth
    ),
    ''
  )
  from jsonb_array_elements(comment_text.body) with ordinality as block (value, nth)
  where block.value ? 'runs'
$$;

-- Its first words, in one line. If it has none, how many pictures.
create function weft.comment_excerpt(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select case
    when weft.comment_text(body) ~ '\S' then left(regexp_replace(weft.comment_text(body), '\s+', ' ', 'g'), 200)
    when cardinality(weft.comment_pictures_of(body)) = 1 then 'A picture'
    else cardinality(weft.comment_pictures_of(body)) || ' pictures'
  end
$$;

-- Whom a body mentions, each once.
create function weft.comment_mentions(body jsonb) returns uuid[]
language sql immutable security definer set search_path = ''
as $$
  select array(
    select distinct (run ->> 'mention')::uuid
    from jsonb_path_query(comment_mentions.body, '$[*].runs[*]') as run
    where run ? 'mention'
  )
$$;

-- Fails unless it is the body of a comment that says something: WF021 if there is too much of it, else WF005.
create function weft.require_comment_body(body jsonb) returns void
language plpgsql immutable security definer set search_path = ''
as $$
declare
  is_well_formed boolean;
begin
  perform weft.require_comment_limit('body_bytes', octet_length(require_comment_body.body::text));
  is_well_formed := case when jsonb_typeof(require_comment_body.body) = 'array' then (
    select bool_and(weft.is_comment_block(one.value)) from jsonb_array_elements(require_comment_body.body) as one
  ) end;
  if is_well_formed is not true or (
    weft.comment_text(require_comment_body.body) !~ '\S'
    and weft.comment_pictures_of(require_comment_body.body) = '{}'
  ) then
    perform weft.raise('WF005', 'not the body of a comment');
  end if;
  perform weft.require_comment_limit('blocks', jsonb_array_length(require_comment_body.body));
  perform
    weft.require_comment_limit('runs', count(*)),
    weft.require_comment_limit('body_text', sum(weft.utf16_length(run ->> 'text')))
  from jsonb_path_query(require_comment_body.body, '$[*].runs[*]') as run;
  perform weft.require_comment_limit('pictures', cardinality(weft.comment_pictures_of(require_comment_body.body)));
  perform weft.require_comment_limit('mentions', cardinality(weft.comment_mentions(require_comment_body.body)));
end
$$;

create function weft.is_comment_anchor(anchor jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case when jsonb_typeof(anchor) = 'object' then coalesce(
    case anchor ->> 'kind'
      when 'page' then anchor - 'kind' = '{}'
      when 'block' then
        anchor - array['kind', 'block', 'quote', 'history'] = '{}'
          and weft.is_short_text(anchor -> 'block', 64) and weft.is_short_text(anchor -> 'quote', 500)
      when 'text' then
        anchor - array['kind', 'from', 'to', 'block', 'quote', 'before', 'after', 'history'] = '{}'
          and weft.is_short_text(anchor -> 'from', 400) and weft.is_short_text(anchor -> 'to', 400)
          and (anchor -> 'block' = 'null' or weft.is_short_text(anchor -> 'block', 64))
          and weft.is_short_text(anchor -> 'quote', 500)
          and weft.is_short_text(anchor -> 'before', 48) and weft.is_short_text(anchor -> 'after', 48)
    end,
    false
  ) else false end
$$;

-- Fails unless it is an anchor: WF021 if it is too large, else WF005.
create function weft.require_comment_anchor(anchor jsonb) returns void
language plpgsql immutable security definer set search_path = ''
as $$
begin
  perform weft.require_comment_limit('anchor_bytes', octet_length(require_comment_anchor.anchor::text));
  if not weft.is_comment_anchor(require_comment_anchor.anchor) then
    perform weft.raise('WF005', 'not an anchor');
  end if;
end
$$;

-- The anchor without words of the page.
create function weft.without_quote(anchor jsonb) returns jsonb
language sql immutable security definer set search_path = ''
as $$
  select without_quote.anchor || case without_quote.anchor ->> 'kind'
    when 'text' then jsonb '{"quote": "", "before": "", "after": ""}'
    when 'block' then jsonb '{"quote": ""}'
    else jsonb '{}'
  end
$$;

-- A well-formed anchor as it is stored. `history` says when the history began of the page that its author had. If it is not the history
-- that the page has now, words were erased since, perhaps these: a comment that was written offline, or in a tab that was asleep.
create function weft.anchor_to_store(anchor jsonb, document uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when coalesce(a.sent ->> 'history', '0')
      = coalesce(weft.unix_ms((weft.beginning_of(anchor_to_store.document)).created_at), 0)::text
    then a.sent
    else weft.without_quote(a.sent)
  end - 'history'
  from (select anchor_to_store.anchor as sent) as a
$$;

-- --- who may read and write comments -------------------------------------------------------------------------------

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

-- Fails unless the caller may comment on the page. No one may do that while it is in the trash.
create function weft.require_commenter(document uuid) returns weft.caller
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'commenter');
begin
  if caller.is_trashed then
    perform weft.raise('WF002', 'the page is in the trash');
  end if;
  return caller;
end
$$;

-- Whether an earlier call stored this comment of the caller, and its answer was lost. To repeat the call is no other comment: it is
-- answered as long as they may read it, although they may have lost the right to comment since.
create function weft.has_arrived(document uuid, thread uuid, comment uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from weft.comments as c join weft.comment_threads as t on t.id = c.thread_id
    where c.id = has_arrived.comment and t.id = has_arrived.thread and t.document_id = has_arrived.document
      and c.created_by = (weft.require_comment_reader(has_arrived.document)).user_id
  )
$$;

-- Locks the page's head until the transaction ends, so that changes of its comments come one after the other, and none after the
-- author has lost the right to it. Of a page that is none, or that the caller may not see, it says the same.
create function weft.lock_comments(document uuid) returns weft.caller
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.require_commenter(lock_comments.document);
  perform weft.lock_heads(array[lock_comments.document]);
  return weft.require_commenter(lock_comments.document);
end
$$;

create function weft.page_of_thread(thread uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select t.document_id from weft.comment_threads as t where t.id = page_of_thread.thread
$$;

create function weft.page_of_comment(comment uuid) returns uuid
language sql stable security definer set search_path = ''
as $$
  select weft.page_of_thread(c.thread_id) from weft.comments as c where c.id = page_of_comment.comment
$$;

-- --- answers -------------------------------------------------------------------------------------------------------

-- Threads as devices get them. All at once: a call for each comment would take most of the time of a long list.
create function weft.thread_summaries(threads uuid[]) returns table (change bigint, summary jsonb)
language sql stable security definer set search_path = ''
as $$
  with emoji as (
    select
      r.comment_id, r.emoji, min(r.at) as first_at, jsonb_agg(r.user_id order by r.at, r.user_id) as people
    from weft.comments as c join weft.comment_reactions as r on r.comment_id = c.id
    where c.thread_id = any (thread_summaries.threads)
    group by r.comment_id, r.emoji
  ),
  reactions as (
    select
      e.comment_id, jsonb_agg(jsonb_build_object('emoji', e.emoji, 'by', e.people) order by e.first_at, e.emoji) as list
    from emoji as e
    group by e.comment_id
  ),
  comments as (
    select
      c.thread_id,
      jsonb_agg(
        jsonb_build_object(
          'id', c.id, 'by', c.created_by, 'at', c.created_at, 'editedAt', c.edited_at, 'body', c.body,
          'change', c.change, 'reactions', coalesce(r.list, '[]')
        )
        order by c.change
      ) as list
    from weft.comments as c left join reactions as r on r.comment_id = c.id
    where c.thread_id = any (thread_summaries.threads)
    group by c.thread_id
  )
  select
    t.change,
    case when t.is_removed then jsonb_build_object('id', t.id, 'removed', true) else jsonb_build_object(
      'id', t.id, 'anchor', t.anchor, 'by', t.created_by, 'at', t.created_at,
      'resolved', case when t.resolved_at is not null
        then jsonb_build_object('by', t.resolved_by, 'at', t.resolved_at)
      end,
      'change', t.change, 'comments', c.list
    ) end
  from weft.comment_threads as t left join comments as c on c.thread_id = t.id
  where t.id = any (thread_summaries.threads)
$$;

-- What every function answers that changes a thread, also if there was nothing to change.
create function weft.comment_answer(thread uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('change', s.change, 'thread', s.summary)
  from weft.thread_summaries(array[comment_answer.thread]) as s
$$;

-- --- changes -------------------------------------------------------------------------------------------------------

create function weft.next_comment_change(document uuid) returns bigint
language sql volatile security definer set search_path = ''
as $$
  insert into weft.comment_heads as h (document_id, change) values (next_comment_change.document, 1)
  on conflict on constraint comment_heads_pkey do update set change = h.change + 1
  returning h.change
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
create function weft.settle_thread(thread uuid, document uuid, change bigint) returns void
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
create function weft.notify_of_comment(comment uuid, caller weft.caller, is_reply boolean) returns void
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

-- A deleted comment leaves no unread notification, and no words in those that were read.
create function weft.forget_comment(comment uuid, document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  reader uuid;
begin
  for reader in
    delete from weft.notifications as n
    where n.document_id = forget_comment.document and n.subject = forget_comment.comment::text and n.detail ? 'comment'
      and n.read_at is null
    returning n.user_id
  loop
    perform weft.publish_change('u:' || reader, 'notification', 'changed', reader, null);
  end loop;
  update weft.notifications as n
  set detail = n.detail - 'excerpt'
  where n.document_id = forget_comment.document and n.subject = forget_comment.comment::text and n.detail ? 'comment';
end
$$;

-- Of calls that begin a comment and one that withdraws it, each waits for the other.
create function weft.lock_comment(comment uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  select pg_advisory_xact_lock(hashtextextended('weft.comment.' || lock_comment.comment, 0))
$$;

-- Fails if the caller has withdrawn this comment. Until the transaction ends, no one withdraws it.
create function weft.require_not_withdrawn(comment uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.lock_comment(require_not_withdrawn.comment);
  if exists (
    select
    from weft.withdrawn_comments as w
    where w.comment_id = require_not_withdrawn.comment and w.user_id = auth.uid()
  ) then
    perform weft.raise('WF022', 'the comment was deleted');
  end if;
end
$$;

-- Begins a thread with its first comment. Repeatable; WF005 for ids that are someone else's or of another page.
create function public.start_thread(document uuid, thread uuid, comment uuid, anchor jsonb, body jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller;
  made weft.comments;
  change bigint;
begin
  if weft.has_arrived(start_thread.document, start_thread.thread, start_thread.comment) then
    return weft.comment_answer(start_thread.thread);
  end if;
  perform weft.require_not_withdrawn(start_thread.comment);
  caller := weft.lock_comments(start_thread.document);
  select c.* into made from weft.comments as c where c.id = start_thread.comment;
  if made.id is not null or exists (
    select from weft.comment_threads as t where t.id = start_thread.thread
  ) then
    if made.thread_id is distinct from start_thread.thread or made.created_by is distinct from caller.user_id
      or weft.page_of_thread(start_thread.thread) is distinct from start_thread.document
    then
      perform weft.raise('WF005', 'the id is taken');
    end if;
    return weft.comment_answer(start_thread.thread);
  end if;
  perform weft.require_comment_anchor(start_thread.anchor);
  perform weft.require_comment_body(start_thread.body);
  perform weft.require_comment_limit('threads', 1 + count(*))
  from weft.comment_threads as t
  where t.document_id = start_thread.document and not t.is_removed;
  perform weft.count_comment_change(caller.user_id);

  change := weft.next_comment_change(start_thread.document);
  insert into weft.comment_threads (id, document_id, anchor, created_by, change)
  values (
    start_thread.thread, start_thread.document, weft.anchor_to_store(start_thread.anchor, start_thread.document),
    caller.user_id, change
  );
  insert into weft.comments (id, thread_id, created_by, body, change)
  values (start_thread.comment, start_thread.thread, caller.user_id, start_thread.body, change);
  perform weft.attach_pictures(start_thread.comment, start_thread.document, caller.user_id, start_thread.body);
  perform weft.settle_thread(start_thread.thread, start_thread.document, change);
  perform weft.notify_of_comment(start_thread.comment, caller, false);
  return weft.comment_answer(start_thread.thread);
end
$$;

-- Adds a comment to a thread. Repeatable; WF005 for an id that is someone else's or of another thread, WF022 for a thread whose
-- comments were all deleted.
create function public.add_comment(thread uuid, comment uuid, body jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_thread(thread);
  caller weft.caller;
  made weft.comments;
  change bigint;
begin
  if weft.has_arrived(page, add_comment.thread, add_comment.comment) then
    return weft.comment_answer(add_comment.thread);
  end if;
  perform weft.require_not_withdrawn(add_comment.comment);
  caller := weft.lock_comments(page);
  select c.* into made from weft.comments as c where c.id = add_comment.comment;
  if made.id is not null then
    if made.thread_id <> add_comment.thread or made.created_by is distinct from caller.user_id then
      perform weft.raise('WF005', 'the id is taken');
    end if;
    return weft.comment_answer(add_comment.thread);
  elsif exists (select from weft.comment_threads as t where t.id = add_comment.thread and t.is_removed) then
    perform weft.raise('WF022', 'the thread was removed');
  end if;
  perform weft.require_comment_body(add_comment.body);
  perform weft.require_comment_limit('comments', 1 + count(*))
  from weft.comments as c
  where c.thread_id = add_comment.thread;
  perform weft.count_comment_change(caller.user_id);

  change := weft.next_comment_change(page);
  insert into weft.comments (id, thread_id, created_by, body, change)
  values (add_comment.comment, add_comment.thread, caller.user_id, add_comment.body, change);
  perform weft.attach_pictures(add_comment.comment, page, caller.user_id, add_comment.body);
  perform weft.settle_thread(add_comment.thread, page, change);
  perform weft.notify_of_comment(add_comment.comment, caller, true);
  return weft.comment_answer(add_comment.thread);
end
$$;

-- Gives an own comment other words. WF022 if it was deleted.
create function public.edit_comment(comment uuid, body jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_comment(comment);
  caller weft.caller := weft.lock_comments(page);
  edited weft.comments;
begin
  select c.* into edited from weft.comments as c where c.id = edit_comment.comment;
  if edited.created_by is distinct from caller.user_id then
    perform weft.raise('WF002', 'someone else wrote this comment');
  elsif edited.body is null then
    perform weft.raise('WF022', 'the comment was deleted');
  elsif edited.body is distinct from edit_comment.body then
    perform weft.require_comment_body(edit_comment.body);
    perform weft.count_comment_change(caller.user_id);
    update weft.comments as c set body = edit_comment.body, edited_at = now() where c.id = edited.id;
    perform weft.attach_pictures(edited.id, page, caller.user_id, edit_comment.body);
    perform weft.settle_thread(edited.thread_id, page, weft.next_comment_change(page));
    update weft.notifications as n
    set detail = n.detail || jsonb_build_object('excerpt', weft.comment_excerpt(edit_comment.body))
    where n.document_id = page and n.subject = edited.id::text and n.detail ? 'comment';
    perform weft.notify_of_comment(edited.id, caller, false);
  end if;
  return weft.comment_answer(edited.thread_id);
end
$$;

-- Deletes an own comment, as a manager anyone's. Its place in the thread stays until the last one is deleted.
create function public.delete_comment(comment uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_comment(comment);
  caller weft.caller := weft.lock_comments(page);
  deleted weft.comments;
begin
  select c.* into deleted from weft.comments as c where c.id = delete_comment.comment;
  if deleted.created_by is distinct from caller.user_id and caller.role < 'manager' then
    perform weft.raise('WF002', 'someone else wrote this comment');
  elsif deleted.body is not null then
    perform weft.count_comment_change(caller.user_id);
    update weft.comments as c set body = null where c.id = deleted.id;
    delete from weft.comment_reactions as r where r.comment_id = deleted.id;
    perform weft.forget_pictures(deleted.id);
    -- A removed thread keeps no quote of the page.
    update weft.comment_threads as t
    set is_removed = true, anchor = '{"kind": "page"}'
    where t.id = deleted.thread_id and not exists (
      select from weft.comments as c where c.thread_id = t.id and c.body is not null
    );
    perform weft.settle_thread(deleted.thread_id, page, weft.next_comment_change(page));
    perform weft.forget_comment(deleted.id, page);
  end if;
  return weft.comment_answer(deleted.thread_id);
end
$$;

-- Deletes an own comment that the database may not have yet: a call that brings it later is refused with WF022. Of ids that it does not
-- know, or that are someone else's, it answers the same.
create function public.withdraw_comment(comment uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
begin
  perform weft.lock_comment(withdraw_comment.comment);
  if exists (
    select from weft.comments as c where c.id = withdraw_comment.comment and c.created_by = auth.uid()
  ) then
    perform public.delete_comment(withdraw_comment.comment);
  elsif withdraw_comment.comment is not null then
    perform weft.count_comment_change(auth.uid());
    delete from weft.withdrawn_comments as w where w.at < now() - interval '1 day';
    insert into weft.withdrawn_comments (comment_id, user_id)
    values (withdraw_comment.comment, auth.uid())
    on conflict on constraint withdrawn_comments_pkey do nothing;
  end if;
  return jsonb '{}';
end
$$;

-- Resolves a thread or opens it again.
create function public.resolve_thread(thread uuid, is_resolved boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_thread(thread);
  caller weft.caller := weft.lock_comments(page);
begin
  update weft.comment_threads as t
  set
    resolved_by = case when coalesce(resolve_thread.is_resolved, true) then caller.user_id end,
    resolved_at = case when coalesce(resolve_thread.is_resolved, true) then now() end
  where t.id = resolve_thread.thread and not t.is_removed
    and (t.resolved_at is not null) <> coalesce(resolve_thread.is_resolved, true);
  if found then
    perform weft.count_comment_change(caller.user_id);
    perform weft.settle_thread(resolve_thread.thread, page, weft.next_comment_change(page));
  end if;
  return weft.comment_answer(resolve_thread.thread);
end
$$;

-- Sets the caller's reaction to a comment, or takes it away. Nothing happens to a deleted comment.
create function public.set_reaction(comment uuid, emoji text, is_set boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_length constant integer := 16;
  page uuid := weft.page_of_comment(comment);
  caller weft.caller := weft.lock_comments(page);
  target weft.comments;
begin
  -- Of an emoji there is something beyond ASCII to see, and no letter.
  if set_reaction.emoji is null or char_length(set_reaction.emoji) > max_length
    or set_reaction.emoji !~ '[^\u0001-\u007f]' or set_reaction.emoji ~ '[\s[:alpha:]\u0001-\u001f]'
    or weft.visible_text(set_reaction.emoji) <> set_reaction.emoji
  then
    perform weft.raise('WF005', 'not an emoji');
  end if;
  select c.* into target from weft.comments as c where c.id = set_reaction.comment;
  if target.body is null then
    return weft.comment_answer(target.thread_id);
  elsif coalesce(set_reaction.is_set, true) then
    insert into weft.comment_reactions (comment_id, user_id, emoji)
    values (target.id, caller.user_id, set_reaction.emoji)
    on conflict on constraint comment_reactions_pkey do nothing;
  else
    delete from weft.comment_reactions as r
    where r.comment_id = target.id and r.user_id = caller.user_id and r.emoji = set_reaction.emoji;
  end if;
  if found then
    perform
      weft.require_comment_limit('reactions', count(*)), weft.require_comment_limit('emoji', count(distinct r.emoji))
    from weft.comment_reactions as r
    where r.comment_id = target.id;
    perform weft.count_comment_change(caller.user_id);
    perform weft.settle_thread(target.thread_id, page, weft.next_comment_change(page));
  end if;
  return weft.comment_answer(target.thread_id);
end
$$;

-- Tells the people on the page that the caller writes a reply, or no longer does. Editors say so with their carets, which Realtime takes
-- from no one else; this message is the database's and names the caller, so no one can say it of someone else. Within the pause only
-- the end of what was announced is passed on.
create function public.announce_reply(thread uuid, is_writing boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  pause constant interval := '2 seconds';
  present constant timestamptz := clock_timestamp();
  begins constant boolean := coalesce(announce_reply.is_writing, true);
  page uuid := weft.page_of_thread(thread);
  caller weft.caller := weft.require_commenter(page);
begin
  insert into weft.comment_paces as p (user_id, hour, in_hour, day, in_day, announced_at, is_announced)
  values (
    caller.user_id, date_trunc('hour', now(), 'UTC'), 0, date_trunc('day', now(), 'UTC'), 0, present, begins
  )
  on conflict on constraint comment_paces_pkey do update
  set
    announced_at = case when begins then present else p.announced_at end,
    is_announced = begins
  where case when begins then coalesce(p.announced_at < present - pause, true) else p.is_announced end;
  if found then
    perform weft.publish_bytes(
      convert_to(
        jsonb_build_object('user', caller.user_id, 'beside', case when begins then announce_reply.thread end)::text, 'UTF8'
      ),
      'beside', 'd:' || page || ':' || weft.topic_epoch(page)
    );
  end if;
  return jsonb '{}';
end
$$;

-- The words of a thread are elsewhere by now: editors say so, and who began the thread. `known`: the anchor that the caller knew. If
-- another one is there by now, it stays. Editors do not use up their pace: moving one section may move many threads.
create function public.move_thread(thread uuid, anchor jsonb, known jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_thread(thread);
  caller weft.caller := weft.lock_comments(page);
  moved weft.comment_threads;
  new_anchor jsonb;
begin
  select t.* into moved from weft.comment_threads as t where t.id = move_thread.thread;
  if moved.created_by is distinct from caller.user_id and caller.role < 'editor' then
    perform weft.raise('WF002', 'someone else began this thread');
  end if;
  perform weft.require_comment_anchor(move_thread.anchor);
  new_anchor := weft.anchor_to_store(move_thread.anchor, page);
  if not moved.is_removed and moved.anchor = move_thread.known and moved.anchor <> new_anchor then
    if caller.role < 'editor' then
      perform weft.count_comment_change(caller.user_id);
    end if;
    update weft.comment_threads as t set anchor = new_anchor where t.id = moved.id;
    perform weft.settle_thread(moved.id, page, weft.next_comment_change(page));
  end if;
  return weft.comment_answer(moved.id);
end
$$;

-- Takes the page's words out of its anchors, when its history is erased. Positions stay: they say nothing. The caller holds the lock of
-- the page's head.
create function weft.erase_quotes(document uuid) returns void
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

-- --- reading -------------------------------------------------------------------------------------------------------

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
create function public.list_comments(document uuid, after bigint default 0) returns jsonb
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

-- The threads with a comment of someone else that is newer than a change, counted up to `most`.
create function weft.unread_threads(document uuid, person uuid, after bigint, most integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer
  from (
    select
    from weft.comment_threads as t
    where t.document_id = unread_threads.document and t.change > unread_threads.after and not t.is_removed and exists (
      select
      from weft.comments as c
      where c.thread_id = t.id and c.change > unread_threads.after and c.body is not null
        and c.created_by is distinct from unread_threads.person
    )
    limit unread_threads.most
  ) as unread
$$;

-- The caller has read the page's comments up to this change. It never goes back. Their other tabs and devices get a message if
-- something was unread.
create function public.mark_comments_read(document uuid, change bigint) returns jsonb
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

-- --- who reads them ------------------------------------------------------------------------------------------------

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

-- --- by a link to watch --------------------------------------------------------------------------------------------

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
      case when block.value ? 'runs' then block.value || jsonb_build_object('runs', (
        select coalesce(jsonb_agg(
          case when run.value ? 'mention' then jsonb '{"text": "@someone"}' else run.value end order by run.nth
        ), '[]')
        from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
      )) else block.value end
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

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.comment_limit, weft.require_comment_limit, weft.count_comment_change, weft.utf16_length, weft.is_short_text,
  weft.is_comment_run, weft.is_comment_block, weft.comment_text, weft.comment_excerpt, weft.comment_mentions,
  weft.require_comment_body, weft.is_comment_anchor, weft.require_comment_anchor, weft.shows_comments, weft.may_read_comments,
  weft.require_comment_reader, weft.require_commenter, weft.lock_comments, weft.page_of_thread, weft.page_of_comment,
  weft.thread_summaries, weft.comment_answer, weft.next_comment_change, weft.publish_comments, weft.settle_thread,
  weft.notify_of_comment, weft.forget_comment, public.start_thread, public.add_comment, public.edit_comment,
  public.delete_comment, public.withdraw_comment, public.resolve_thread, public.set_reaction, public.announce_reply,
  public.move_thread, weft.lock_comment, weft.require_not_withdrawn, weft.erase_quotes,
  weft.without_quote, weft.anchor_to_store, weft.has_arrived, weft.unread_threads,
  weft.comments_after, weft.newest_comment_change, public.list_comments, public.mark_comments_read, public.set_comment_readers,
  weft.comments_by_link, weft.publish_comments_by_link, weft.unnamed_body, weft.unnamed_thread, public.list_link_comments
from public, anon, authenticated, service_role;

grant execute on function
  public.start_thread, public.add_comment, public.edit_comment, public.delete_comment, public.resolve_thread,
  public.withdraw_comment, public.set_reaction, public.announce_reply, public.move_thread, public.list_comments, public.mark_comments_read,
  public.set_comment_readers
to authenticated;

grant execute on function
  public.list_link_comments
to anon, authenticated;
