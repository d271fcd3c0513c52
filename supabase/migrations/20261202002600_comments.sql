-- Comments (supabase/schemas/19_comments.sql), and what knows of them elsewhere: error codes, quotas, erasing, notifications.

set check_function_bodies = off;

-- Fails with a code of the error catalogue (SPECIFICATION.md, point 8; the texts are those of src/protocol/errors.ts).
-- `detail` says what was wrong, for the console and for reports.
create or replace function weft.raise(code text, detail text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception using
    errcode = raise.code,
    message = case raise.code
      when 'WF001' then 'You can’t open this page.'
      when 'WF002' then 'You can view this page, not edit it.'
      when 'WF003' then 'Sign in again to save. Your edits are kept on this device.'
      when 'WF004' then 'This page was edited with a newer version. Reload to continue.'
      when 'WF005' then 'An edit couldn’t be saved.'
      when 'WF006' then 'Some edits couldn’t be sent.'
      when 'WF007' then 'This page is full (20 MB). Split it to continue.'
      when 'WF008' then 'Too many requests. Try again later.'
      when 'WF009' then 'This link no longer works.'
      when 'WF010' then 'A page can’t be moved there.'
      when 'WF014' then 'A workspace needs an owner.'
      when 'WF015' then 'Someone else is presenting this page.'
      when 'WF016' then 'The server was restored from an earlier state.'
      when 'WF017' then 'Your account has no more room for files.'
      when 'WF018' then 'Your account can’t save more text today. Edits are kept on this device and sent tomorrow.'
      when 'WF021' then 'Too long, or too many comments.'
      when 'WF022' then 'This comment was deleted.'
      else 'Something went wrong.'
    end,
    detail = raise.detail;
end
$$;

-- The quota of this name for a person: the first number is for anonymous guests, the second for accounts.
create or replace function weft.quota(name text, person uuid) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
declare
  usual constant jsonb := '{
    "workspaces_per_hour": [3, 100],
    "workspaces_per_day": [5, 300],
    "pages_per_hour": [60, 1000],
    "pages_per_day": [200, 5000],
    "files_per_hour": [60, 1000],
    "files_per_day": [200, 5000],
    "file_bytes": [52428800, 5368709120],
    "text_bytes_per_day": [16777216, 2147483648],
    "comment_changes_per_hour": [120, 1000],
    "comment_changes_per_day": [400, 5000]
  }';
begin
  return (
    select (s.quotas -> quota.name -> which.at)::bigint
    from (
      select usual || settings.quotas as quotas from weft.settings as settings
    ) as s
    cross join (
      select case when u.is_anonymous then 0 else 1 end as at from auth.users as u where u.id = quota.person
    ) as which
  );
end
$$;

-- Begins the page's history again with `update`: the page as of row `known_seq`, the newest one, without the words, in one update of
-- Yjs with the ids that its edits had. `title`: the page's title without the words. Rows, snapshots, versions, the text copy and the
-- quotes of comments go. Sessions stay, because their client ids are in the page. Everyone opens the page again, on new topics.
-- `erased` is false, and nothing is changed, if a newer row is there by now. A repeated call, whose first answer was lost, finds what
-- the first one did.
create or replace function public.erase_history(document uuid, known_seq bigint, known_at bigint, update text, title text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  max_bytes constant integer := 20 * 1024 * 1024;
  max_base64_length constant integer := 29000000;
  max_title_length constant integer := 200;
  bytes bytea;
  caller weft.caller := weft.require_eraser(document);
  head public.document_heads;
  beginning public.document_updates;
  topics text[];
  began_at timestamptz;
begin
  if erase_history.update is null or octet_length(erase_history.update) > max_base64_length then
    perform weft.raise('WF005', 'the update is larger than 20 MiB');
  elsif erase_history.title is null or char_length(erase_history.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  end if;
  bytes := weft.from_base64(erase_history.update);
  if bytes is null or octet_length(bytes) not between 1 and max_bytes then
    perform weft.raise('WF005', 'the update is not base64, empty, or larger than 20 MiB');
  end if;

  select h.* into head from public.document_heads as h where h.document_id = erase_history.document for update;
  caller := weft.require_eraser(erase_history.document);
  beginning := weft.beginning_of(erase_history.document);
  if beginning.seq - 1 = erase_history.known_seq and beginning.update = bytes and beginning.appended_by = caller.user_id then
    return jsonb_build_object('erased', true);
  end if;
  perform weft.require_known_row(erase_history.document, erase_history.known_seq, erase_history.known_at);
  if erase_history.known_seq is distinct from head.head_seq then
    return jsonb_build_object('erased', false);
  end if;
  -- save_text takes the same lock.
  perform from public.documents as d where d.id = erase_history.document for no key update;

  select coalesce(u.first_at, u.created_at)
  into began_at
  from public.document_updates as u
  where u.document_id = erase_history.document
  order by u.seq
  limit 1;
  delete from public.document_updates as u where u.document_id = erase_history.document;
  delete from public.document_snapshots as s where s.document_id = erase_history.document;
  delete from public.document_versions as v where v.document_id = erase_history.document;
  insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update, first_seq, first_at)
  values (erase_history.document, head.head_seq + 1, nobody, 1, 1, caller.user_id, bytes, 1, began_at);
  update public.document_heads as h
  set
    head_seq = head.head_seq + 1,
    published_seq = head.head_seq + 1,
    snapshot_seq = 0,
    snapshot_bytes = 0,
    snapshot_claimed_by = null,
    snapshot_claimed_until = null,
    tail_bytes = octet_length(bytes),
    paused_until = null
  where h.document_id = erase_history.document;
  -- Whoever opens the page next and may edit it copies the text anew, because the copy is behind the log.
  update public.documents as d
  set title = erase_history.title, body_text = '', text_seq = head.head_seq
  where d.id = erase_history.document;
  update weft.notifications as n
  set detail = n.detail - 'excerpt'
  where n.document_id = erase_history.document and n.detail ? 'excerpt' and not n.detail ? 'comment';
  perform weft.erase_quotes(erase_history.document);

  -- Realtime keeps messages for days and sends them again to who joins their topic.
  select array_agg('w:' || l.topic_key) into topics
  from public.share_links as l
  where l.document_id = erase_history.document and weft.is_link_active(l.revoked_at, l.expires_at);
  select coalesce(topics, '{}') || array_agg(k.kind || ':' || d.id || ':' || d.epoch || '.' || w.epoch) into topics
  from public.documents as d
  join public.workspaces as w on w.id = d.workspace_id
  cross join unnest(array['d', 'v']) as k (kind)
  where d.id = erase_history.document;
  perform weft.forget_messages(topics);
  perform weft.publish_json('{}', 'erased', t) from unnest(topics) as t where t like 'w:%';
  update public.share_links as l
  set topic_key = weft.random_key()
  where l.document_id = erase_history.document and weft.is_link_active(l.revoked_at, l.expires_at);
  perform weft.move_topics(array[erase_history.document]);
  return jsonb_build_object('erased', true);
end
$$;

alter table weft.notifications drop constraint notifications_kind_check;
alter table weft.notifications add constraint notifications_kind_check check (
  kind in ('mention', 'reply', 'invite', 'request', 'answered', 'shared', 'role')
);

-- --- tables --------------------------------------------------------------------------------------------------------

-- The number of the newest change of a page's comments.
create table weft.comment_heads (
  document_id uuid primary key references public.documents (id) on delete cascade,
  change bigint not null
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
  primary key (user_id, document_id)
);
create index comment_reads_document_id_index on weft.comment_reads (document_id);
alter table weft.comment_reads enable row level security;
revoke all on weft.comment_reads from public, anon, authenticated, service_role;
create policy weft_nobody on weft.comment_reads using (false);

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
  in_day integer not null
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

-- A paragraph or an item of a list: `{kind, runs}`.
create function weft.is_comment_block(block jsonb) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select case when jsonb_typeof(block) = 'object' and jsonb_typeof(block -> 'runs') = 'array' then
    block - array['kind', 'runs'] = '{}'
      and coalesce(block ->> 'kind' in ('paragraph', 'bullet', 'numbered'), false)
      and (
        select coalesce(bool_and(weft.is_comment_run(one.value)), true) from jsonb_array_elements(block -> 'runs') as one
      )
  else false end
$$;

-- The words of a body, each block in a line of its own.
create function weft.comment_text(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select string_agg(
    (
      select coalesce(string_agg(run.value ->> 'text', '' order by run.nth), '')
      from jsonb_array_elements(block.value -> 'runs') with ordinality as run (value, nth)
    ),
    E'\n' order by block.nth
  )
  from jsonb_array_elements(comment_text.body) with ordinality as block (value, nth)
$$;

-- Its first words, in one line.
create function weft.comment_excerpt(body jsonb) returns text
language sql immutable security definer set search_path = ''
as $$
  select left(regexp_replace(weft.comment_text(comment_excerpt.body), '\s+', ' ', 'g'), 200)
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
  if is_well_formed is not true or weft.comment_text(require_comment_body.body) !~ '\S' then
    perform weft.raise('WF005', 'not the body of a comment');
  end if;
  perform weft.require_comment_limit('blocks', jsonb_array_length(require_comment_body.body));
  perform
    weft.require_comment_limit('runs', count(*)),
    weft.require_comment_limit('body_text', sum(weft.utf16_length(run ->> 'text')))
  from jsonb_path_query(require_comment_body.body, '$[*].runs[*]') as run;
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
        anchor - array['kind', 'block', 'quote'] = '{}'
          and weft.is_short_text(anchor -> 'block', 64) and weft.is_short_text(anchor -> 'quote', 500)
      when 'text' then
        anchor - array['kind', 'from', 'to', 'block', 'quote', 'before', 'after'] = '{}'
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

-- --- who may read and write comments -------------------------------------------------------------------------------

-- Everyone with a role on the page reads its comments. A link to watch gives none.

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

-- What follows every change of a thread by a person: its number and size, and a message to everyone who may see the page. The message
-- names the page and nothing else.
create function weft.settle_thread(thread uuid, document uuid, change bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
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
  perform weft.publish_document(settle_thread.document, 'comment', 'changed');
end
$$;

-- Tells whom a comment mentions, and with `is_reply` the others of its thread: each person once for one comment. weft.notify
-- tells only people who may see the page.
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
    where not exists (
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

-- Begins a thread with its first comment. Repeatable; WF005 for ids that are someone else's or of another page.
create function public.start_thread(document uuid, thread uuid, comment uuid, anchor jsonb, body jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.lock_comments(document);
  made weft.comments;
  change bigint;
begin
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
  values (start_thread.thread, start_thread.document, start_thread.anchor, caller.user_id, change);
  insert into weft.comments (id, thread_id, created_by, body, change)
  values (start_thread.comment, start_thread.thread, caller.user_id, start_thread.body, change);
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
  caller weft.caller := weft.lock_comments(page);
  made weft.comments;
  change bigint;
begin
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

-- The words of a thread are elsewhere by now: editors say so, and who began the thread. `known`: the anchor that the caller knew. If
-- another one is there by now, it stays. Editors do not use up their pace: moving one section may move many threads.
create function public.move_thread(thread uuid, anchor jsonb, known jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  page uuid := weft.page_of_thread(thread);
  caller weft.caller := weft.lock_comments(page);
  moved weft.comment_threads;
begin
  select t.* into moved from weft.comment_threads as t where t.id = move_thread.thread;
  if moved.created_by is distinct from caller.user_id and caller.role < 'editor' then
    perform weft.raise('WF002', 'someone else began this thread');
  end if;
  perform weft.require_comment_anchor(move_thread.anchor);
  if not moved.is_removed and moved.anchor = move_thread.known and moved.anchor <> move_thread.anchor then
    if caller.role < 'editor' then
      perform weft.count_comment_change(caller.user_id);
    end if;
    update weft.comment_threads as t set anchor = move_thread.anchor where t.id = moved.id;
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
declare
  blank constant jsonb := '{"quote": "", "before": "", "after": ""}';
begin
  update weft.comment_threads as t
  set
    anchor = t.anchor || case t.anchor ->> 'kind' when 'text' then blank else blank - array['before', 'after'] end,
    change = weft.next_comment_change(t.document_id)
  where t.document_id = erase_quotes.document and t.anchor ? 'quote';
  if found then
    perform weft.publish_document(erase_quotes.document, 'comment', 'changed');
  end if;
end
$$;

-- --- reading -------------------------------------------------------------------------------------------------------

-- The threads of a page that were changed after its change `after`, in the order of their changes; with 0 all, without removed ones.
-- With `more` there are others, after `change`: an answer has about 1 MiB of words.
create function public.list_comments(document uuid, after bigint default 0) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  from_change constant bigint := greatest(coalesce(after, 0), 0);
  caller weft.caller := weft.require_role(document, 'viewer');
  head constant bigint := coalesce(
    (select h.change from weft.comment_heads as h where h.document_id = list_comments.document), 0
  );
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
    where c.document_id = list_comments.document and c.change > from_change and (from_change > 0 or not c.is_removed)
  ) as t;
  select jsonb_agg(s.summary order by s.change)
  into threads
  from weft.thread_summaries(array(
    select t.id
    from weft.comment_threads as t
    where t.document_id = list_comments.document and t.change > from_change and t.change <= last
      and (from_change > 0 or not t.is_removed)
  )) as s;
  return jsonb_build_object(
    'document', list_comments.document,
    'change', case when last < newest then last else head end,
    'more', coalesce(last < newest, false),
    'readChange', coalesce(
      (
        select r.change
        from weft.comment_reads as r
        where r.user_id = caller.user_id and r.document_id = list_comments.document
      ),
      0
    ),
    'mayComment', caller.role >= 'commenter' and not caller.is_trashed,
    'threads', coalesce(threads, '[]')
  );
end
$$;

-- The caller has read the page's comments up to this change. It never goes back.
create function public.mark_comments_read(document uuid, change bigint) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
begin
  insert into weft.comment_reads as r (user_id, document_id, change)
  select caller.user_id, h.document_id, least(greatest(coalesce(mark_comments_read.change, 0), 0), h.change)
  from weft.comment_heads as h
  where h.document_id = mark_comments_read.document
  on conflict on constraint comment_reads_pkey do update set change = excluded.change where r.change < excluded.change;
  return jsonb '{}';
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.comment_limit, weft.require_comment_limit, weft.count_comment_change, weft.utf16_length, weft.is_short_text,
  weft.is_comment_run, weft.is_comment_block, weft.comment_text, weft.comment_excerpt, weft.comment_mentions,
  weft.require_comment_body, weft.is_comment_anchor, weft.require_comment_anchor, weft.require_commenter, weft.lock_comments, weft.page_of_thread, weft.page_of_comment,
  weft.thread_summaries, weft.comment_answer, weft.next_comment_change, weft.settle_thread,
  weft.notify_of_comment, weft.forget_comment, public.start_thread, public.add_comment, public.edit_comment,
  public.delete_comment, public.resolve_thread, public.set_reaction, public.move_thread, weft.erase_quotes,
  public.list_comments, public.mark_comments_read
from public, anon, authenticated, service_role;

grant execute on function
  public.start_thread, public.add_comment, public.edit_comment, public.delete_comment, public.resolve_thread,
  public.set_reaction, public.move_thread, public.list_comments, public.mark_comments_read
to authenticated;
