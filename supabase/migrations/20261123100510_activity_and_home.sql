-- What happened in a workspace, and what happens now: for its home.

create table weft.activity (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  document_id uuid references public.documents (id) on delete cascade,
  -- Null: not known, or they deleted their account.
  actor uuid references public.profiles (id) on delete set null,
  kind text not null,
  detail jsonb not null default '{}',
  at timestamptz not null default now(),
  -- The end of a sitting; otherwise the same as `at`.
  until timestamptz not null default now(),
  constraint activity_kind_check check (
    kind in ('created', 'edited', 'moved', 'shared', 'trashed', 'restored', 'joined', 'left')
  ),
  constraint activity_detail_check check (octet_length(detail::text) <= 2048)
);
create index activity_workspace_id_index on weft.activity (workspace_id, until desc, id);
create index activity_document_id_index on weft.activity (document_id, actor, until desc);
create index activity_actor_index on weft.activity (actor);

alter table weft.activity enable row level security;
create policy weft_nobody on weft.activity using (false);
revoke all on weft.activity from public, anon, authenticated, service_role;

-- For the chart of the last hour, in all pages of a workspace at once. Rows are added in the order of their times.
create index document_updates_created_at_index on public.document_updates using brin (created_at);

-- --- noting -------------------------------------------------------------------------------------------------------

-- Kept for 90 days.
create function weft.note_activity(workspace uuid, document uuid, actor uuid, kind text, detail jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept_for constant interval := interval '90 days';
begin
  delete from weft.activity as a where a.workspace_id = note_activity.workspace and a.until < now() - kept_for;
  -- This very transaction may be deleting the workspace.
  insert into weft.activity (workspace_id, document_id, actor, kind, detail)
  select w.id, note_activity.document, p.id, note_activity.kind, note_activity.detail
  from public.workspaces as w left join public.profiles as p on p.id = note_activity.actor
  where w.id = note_activity.workspace;
end
$$;

-- The people who wrote the rows after `after`, up to `seq`: one line for each person, page and sitting, which ends with a
-- pause of more than 30 minutes.
create function weft.note_edits(workspace uuid, document uuid, after bigint, seq bigint) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_pause constant interval := interval '30 minutes';
  sitting record;
begin
  for sitting in
    select p.id as actor, min(u.created_at) as began, max(u.created_at) as ended
    from public.document_updates as u join public.profiles as p on p.id = u.appended_by
    where u.document_id = note_edits.document and u.seq > greatest(note_edits.after, 1) and u.seq <= note_edits.seq
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
      insert into weft.activity (workspace_id, document_id, actor, kind, at, until)
      values (note_edits.workspace, note_edits.document, sitting.actor, 'edited', sitting.began, sitting.ended);
    end if;
  end loop;
end
$$;

-- One line for a whole subtree: pages that are trashed or restored with a page above have none.
create function weft.note_document_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform weft.note_activity(new.workspace_id, new.id, coalesce(auth.uid(), new.created_by), 'created', '{}');
  elsif (new.trashed_at is null) <> (old.trashed_at is null) then
    if coalesce(new.trash_root, old.trash_root, new.id) = new.id then
      perform weft.note_activity(
        new.workspace_id, new.id, coalesce(auth.uid(), new.trashed_by),
        case when new.trashed_at is null then 'restored' else 'trashed' end, '{}'
      );
    end if;
  elsif new.parent_id is distinct from old.parent_id then
    perform weft.note_activity(
      new.workspace_id, new.id, auth.uid(), 'moved', jsonb_build_object('parent', new.parent_id)
    );
  end if;
  return null;
end
$$;

create trigger note_document_activity after insert or update of trashed_at, parent_id on public.documents
for each row execute function weft.note_document_activity();

create function weft.note_link_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.note_activity(
    d.workspace_id, d.id, new.created_by, 'shared', jsonb_build_object('link', new.id, 'role', new.role)
  )
  from public.documents as d
  where d.id = new.document_id;
  return null;
end
$$;

create trigger note_link_activity after insert on public.share_links
for each row execute function weft.note_link_activity();

create function weft.note_member_activity() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member public.workspace_members := coalesce(new, old);
begin
  perform weft.note_activity(
    member.workspace_id, null, member.user_id, case when tg_op = 'INSERT' then 'joined' else 'left' end,
    jsonb_build_object('by', auth.uid())
  );
  return null;
end
$$;

create trigger note_member_activity after insert or delete on public.workspace_members
for each row execute function weft.note_member_activity();

-- --- the text copy ------------------------------------------------------------------------------------------------

-- As before, with the mentions in the text; a newer copy also notes who has written since the last one.
drop function public.save_text(uuid, bigint, text, text);

create function public.save_text(
  document uuid, seq bigint, title text, body_text text, mentions jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_title_length constant integer := 200;
  max_text_bytes constant integer := 20 * 1024 * 1024;
  caller weft.caller := weft.require_editor(document);
  newest record;
  before bigint;
  stored bigint;
begin
  if save_text.seq is null or save_text.seq < 0 or not exists (
    select from public.document_heads as h where h.document_id = save_text.document and h.head_seq >= save_text.seq
  ) then
    perform weft.raise('WF005', 'the text is not of a seq in the log');
  elsif save_text.title is null or char_length(save_text.title) > max_title_length then
    perform weft.raise('WF005', 'the title is longer than 200 characters');
  elsif save_text.body_text is null or octet_length(save_text.body_text) > max_text_bytes then
    perform weft.raise('WF005', 'the text is longer than 20 MiB');
  elsif jsonb_typeof(save_text.mentions) is distinct from 'array' then
    perform weft.raise('WF005', 'mentions is no list');
  end if;

  -- Two copies at once: the second one finds the rows of the first noted.
  select d.text_seq into before from public.documents as d where d.id = save_text.document for no key update;
  -- The row may be deleted because a snapshot covers it, and its author may have deleted their account.
  select p.id as author, u.created_at
  into newest
  from public.document_updates as u left join public.profiles as p on p.id = u.appended_by
  where u.document_id = save_text.document and u.seq = save_text.seq;
  update public.documents as d
  set
    title = save_text.title,
    body_text = save_text.body_text,
    text_seq = save_text.seq,
    updated_at = coalesce(newest.created_at, now()),
    updated_by = coalesce(newest.author, caller.user_id)
  where d.id = save_text.document and d.text_seq <= save_text.seq
    and (d.title, d.body_text, d.text_seq) is distinct from (save_text.title, save_text.body_text, save_text.seq);
  if found then
    perform weft.note_edits(caller.workspace_id, save_text.document, before, save_text.seq);
    perform weft.save_mentions(
      save_text.document, caller.workspace_id, save_text.mentions,
      weft.authors_between(save_text.document, before, save_text.seq)
    );
  end if;
  select d.text_seq into stored from public.documents as d where d.id = save_text.document;
  return jsonb_build_object('textSeq', stored);
end
$$;

-- --- reading ------------------------------------------------------------------------------------------------------

create function weft.is_readable(readable weft.readable, document uuid) returns boolean
language sql immutable security definer set search_path = ''
as $$
  select (is_readable.readable).is_member and not is_readable.document = any ((is_readable.readable).shut)
    or is_readable.document = any ((is_readable.readable).given)
$$;

-- Fails unless the caller is a member of the workspace or may read one of its pages.
create function weft.require_readable(workspace uuid) returns weft.readable
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  readable constant weft.readable := weft.readable_documents(me, workspace);
begin
  if readable.given = '{}' and weft.workspace_role(require_readable.workspace, me) is null then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
  return readable;
end
$$;

-- What happened in a workspace on pages that the caller may read now, the newest first, before the entry with the id
-- `before`. Who joined and left is for members.
create function public.list_activity(workspace uuid, before uuid default null, row_limit integer default 30)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_rows constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
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

-- How many edits each page got in each minute of the last hour, the present minute last (at most 50 pages), and how many
-- others made on the caller's last visited pages since (at most 100 each).
create function public.home_summary(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  minutes constant integer := 60;
  max_charts constant integer := 50;
  max_visited constant integer := 30;
  max_changes constant integer := 100;
  readable constant weft.readable := weft.require_readable(workspace);
  me uuid := auth.uid();
begin
  return jsonb_build_object(
    'chart', (
      select coalesce(jsonb_agg(
        jsonb_build_object('document', chart.document_id, 'minutes', (
          select jsonb_agg(coalesce((chart.counts ->> minute::text)::integer, 0) order by minute)
          from generate_series(0, minutes - 1) as minute
        ))
        order by chart.total desc, chart.document_id
      ), '[]')
      from (
        select per_minute.document_id, jsonb_object_agg(per_minute.minute, per_minute.edits) as counts,
          sum(per_minute.edits) as total
        from (
          select
            u.document_id,
            minutes - 1 - floor(extract(epoch from now() - u.created_at) / 60)::integer as minute,
            sum(greatest(u.n_to - u.n_from + 1, 1)) as edits
          from public.document_updates as u join public.documents as d on d.id = u.document_id
          where u.created_at > now() - minutes * interval '1 minute' and u.created_at <= now() and u.seq > 1
            and d.workspace_id = home_summary.workspace and d.trashed_at is null
            and weft.is_readable(readable, u.document_id)
          group by 1, 2
        ) as per_minute
        group by per_minute.document_id
        order by sum(per_minute.edits) desc, per_minute.document_id
        limit max_charts
      ) as chart
    ),
    'changes', (
      select coalesce(jsonb_agg(
        jsonb_build_object('document', visited.document_id, 'count', (
          select count(*)
          from (
            select
            from public.document_updates as u
            where u.document_id = visited.document_id and u.seq > visited.seen_seq and u.appended_by <> me
            limit max_changes
          ) as edits
        ))
        order by visited.seen_at desc
      ), '[]')
      from (
        select v.document_id, v.seen_seq, v.seen_at
        from weft.visits as v join public.documents as d on d.id = v.document_id
        where v.user_id = me and d.workspace_id = home_summary.workspace and d.trashed_at is null
          and weft.is_readable(readable, v.document_id)
        order by v.seen_at desc
        limit max_visited
      ) as visited
    )
  );
end
$$;

revoke all on function
  weft.note_activity, weft.note_edits, weft.note_document_activity, weft.note_link_activity, weft.note_member_activity,
  weft.is_readable, weft.require_readable, public.save_text, public.list_activity, public.home_summary
from public, anon, authenticated, service_role;
grant execute on function public.save_text, public.list_activity, public.home_summary to authenticated;
