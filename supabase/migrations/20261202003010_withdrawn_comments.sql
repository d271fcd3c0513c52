-- A comment that was deleted before the database had it does not appear when the call that brings it comes late.

set check_function_bodies = off;

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

revoke all on function weft.lock_comment, weft.require_not_withdrawn, public.withdraw_comment
from public, anon, authenticated, service_role;
grant execute on function public.withdraw_comment to authenticated;
