-- Comments that were written offline: quotes of a history that was erased meanwhile are not stored, and a call that is repeated after
-- the right to comment is gone finds what it stored.

set check_function_bodies = off;

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

-- Whether an earlier call stored this comment of the caller, and its answer was lost. To repeat the call is no other comment: it is
-- answered as long as they may read it, although they may have lost the right to comment since.
create function weft.has_arrived(document uuid, thread uuid, comment uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select
    from weft.comments as c join weft.comment_threads as t on t.id = c.thread_id
    where c.id = has_arrived.comment and t.id = has_arrived.thread and t.document_id = has_arrived.document
      and c.created_by = (weft.require_role(has_arrived.document, 'viewer')).user_id
  )
$$;

create or replace function weft.is_comment_anchor(anchor jsonb) returns boolean
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

-- Begins a thread with its first comment. Repeatable; WF005 for ids that are someone else's or of another page.
create or replace function public.start_thread(document uuid, thread uuid, comment uuid, anchor jsonb, body jsonb) returns jsonb
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
  perform weft.settle_thread(start_thread.thread, start_thread.document, change);
  perform weft.notify_of_comment(start_thread.comment, caller, false);
  return weft.comment_answer(start_thread.thread);
end
$$;

-- Adds a comment to a thread. Repeatable; WF005 for an id that is someone else's or of another thread, WF022 for a thread whose
-- comments were all deleted.
create or replace function public.add_comment(thread uuid, comment uuid, body jsonb) returns jsonb
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
  perform weft.settle_thread(add_comment.thread, page, change);
  perform weft.notify_of_comment(add_comment.comment, caller, true);
  return weft.comment_answer(add_comment.thread);
end
$$;

-- The words of a thread are elsewhere by now: editors say so, and who began the thread. `known`: the anchor that the caller knew. If
-- another one is there by now, it stays. Editors do not use up their pace: moving one section may move many threads.
create or replace function public.move_thread(thread uuid, anchor jsonb, known jsonb) returns jsonb
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

revoke all on function weft.without_quote, weft.anchor_to_store, weft.has_arrived
from public, anon, authenticated, service_role;
