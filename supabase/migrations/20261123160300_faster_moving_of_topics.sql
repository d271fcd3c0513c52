-- Moving the topics of a large workspace: two messages for each of 10,000 pages were most of the time that removing a member took.

-- As before, in one statement. The view topic is told only if the page was watched in the last day: it is used while more than
-- eight people are on a page, and who watches renews that every 15 s. A tab that was hidden for longer fetches, and so
-- learns of the new epoch, before it shows anything again.
create or replace function weft.move_workspace_topics(workspace uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  watched_since constant timestamptz := clock_timestamp() - interval '1 day';
  raised bigint;
begin
  update public.workspaces as w set epoch = w.epoch + 1 where w.id = move_workspace_topics.workspace
  returning w.epoch into raised;
  perform weft.publish_json(
    jsonb_build_object('epoch', d.epoch || '.' || raised), 'moved',
    topic.kind || ':' || d.id || ':' || d.epoch || '.' || (raised - 1)
  )
  from public.documents as d
  join public.document_heads as h on h.document_id = d.id
  cross join lateral unnest(
    case when h.watched_until > watched_since then array['d', 'v'] else array['d'] end
  ) as topic (kind)
  where d.workspace_id = move_workspace_topics.workspace;
end
$$;
