-- Whoever comes by links that do not show the history alone, watching or with an account, gets the newest snapshot and the rows after
-- it, never an older row. Words that were deleted are not in a snapshot.

-- An app of somebody who may edit makes the next snapshot as soon as it can: rows that such people would get have deleted words.
alter table public.document_heads add column snapshot_wanted boolean not null default false;

-- At most every ten minutes. Somebody who is writing has the row, so this waits for nobody.
create function weft.want_snapshot(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  pause constant interval := interval '10 minutes';
begin
  update public.document_heads as h
  set snapshot_wanted = true
  where h.document_id in (
    select f.document_id
    from public.document_heads as f
    where f.document_id = want_snapshot.document and not f.snapshot_wanted and f.head_seq > f.snapshot_seq
      and not coalesce(
        (
          select s.created_at > now() - pause
          from public.document_snapshots as s
          where s.document_id = f.document_id and s.seq = f.snapshot_seq
        ),
        false
      )
    for no key update skip locked
  );
end
$$;

create function weft.want_snapshot_for_link() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.want_snapshot(new.document_id);
  return null;
end
$$;
create trigger want_snapshot_for_link after insert on public.share_links
for each row when (not new.history) execute function weft.want_snapshot_for_link();

-- The row after which the person may read: `after`, or the one of the newest snapshot if that is later and they have no history.
create function weft.readable_after(document uuid, person uuid, after bigint, snapshot_seq bigint) returns bigint
language plpgsql stable security definer set search_path = ''
as $$
begin
  if after < snapshot_seq and weft.documents_without_history(person, document) <> '{}' then
    return snapshot_seq;
  end if;
  return after;
end
$$;

-- Realtime keeps messages with rows and sends them again to who joins their topic. Younger ones may still be on their way.
create function weft.snapshot_taken() returns trigger
language plpgsql volatile security definer set search_path = ''
as $$
declare
  young constant interval := interval '10 seconds';
  topics text[];
begin
  update public.document_heads as h
  set snapshot_wanted = false
  where h.document_id = new.document_id and h.snapshot_wanted;
  if not has_table_privilege('realtime.messages', 'delete') then
    return null;
  end if;
  select array_agg('w:' || l.topic_key) into topics
  from public.share_links as l
  where l.document_id = new.document_id and not l.history and weft.is_link_active(l.revoked_at, l.expires_at);
  if topics is not null then
    select topics || array_agg(k.kind || ':' || d.id || ':' || d.epoch || '.' || w.epoch) into topics
    from public.documents as d
    join public.workspaces as w on w.id = d.workspace_id
    cross join unnest(array['d', 'v']) as k (kind)
    where d.id = new.document_id;
    delete from realtime.messages as m where m.topic = any (topics) and m.inserted_at < localtimestamp - young;
  end if;
  return null;
end
$$;
create trigger snapshot_taken after insert on public.document_snapshots
for each row execute function weft.snapshot_taken();

-- These are as before, with the wall and `snapshotWanted`.

create or replace function public.open_document(
  document uuid, since bigint, row_version integer default 1, known_at bigint default null
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller := weft.require_role(document, 'viewer');
  head record;
  after bigint;
  snapshot jsonb;
  rows record;
begin
  perform weft.require_known_row(open_document.document, open_document.since, open_document.known_at);
  select h.head_seq, h.snapshot_seq, h.snapshot_wanted, d.text_seq
  into head
  from public.document_heads as h join public.documents as d on d.id = h.document_id
  where h.document_id = open_document.document;

  after := weft.readable_after(open_document.document, caller.user_id, coalesce(since, 0), head.snapshot_seq);
  if after > coalesce(since, 0) or weft.needs_snapshot(open_document.document, after, head.head_seq) then
    snapshot := weft.newest_snapshot(open_document.document);
  end if;
  rows := weft.encode_rows(
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, after), head.head_seq, null, max_bytes, row_version
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, caller.role),
    'workspace', weft.workspace_summary(caller.workspace_id, caller.user_id),
    'role', caller.role,
    'epoch', caller.topic_epoch,
    'head', head.head_seq,
    'changedAt', weft.changed_at(open_document.document, head.head_seq),
    'textSeq', head.text_seq,
    'schemaVersion', caller.schema_version,
    'snapshot', snapshot,
    'snapshotWanted', head.snapshot_wanted,
    'sessions', null,
    'rows', weft.to_base64(rows.message),
    'more', rows.more,
    'presenting', weft.presenting_of(open_document.document, false),
    'historyBeganAt', weft.unix_ms((weft.beginning_of(open_document.document)).created_at),
    'finalRestoreAt', (select weft.unix_ms(s.final_restore_at) from weft.settings as s)
  );
end
$$;

create or replace function public.rows_since(
  document uuid, seq bigint, row_limit integer, row_version integer default 1, watcher uuid default null,
  stance text default null, known_at bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_rows constant integer := 500;
  max_bytes constant integer := 1024 * 1024;
  caller weft.caller;
  head record;
  rows record;
begin
  perform weft.remove_expired_members(rows_since.document);
  -- The head is read before the schema version, so an answer that names an older version has no row of a newer one.
  select h.head_seq, h.snapshot_seq, h.snapshot_wanted into head
  from public.document_heads as h where h.document_id = rows_since.document;
  caller := weft.require_role(rows_since.document, 'viewer');
  perform weft.require_known_row(rows_since.document, rows_since.seq, rows_since.known_at);
  perform weft.count_watcher(
    rows_since.document, rows_since.watcher, rows_since.stance, caller.user_id, null, caller.role >= 'editor'
  );
  if head.head_seq > head.snapshot_seq and not head.snapshot_wanted
    and weft.documents_without_history(caller.user_id, rows_since.document) <> '{}'
  then
    perform weft.want_snapshot(rows_since.document);
  end if;
  rows := weft.encode_rows(
    rows_since.document,
    weft.readable_after(rows_since.document, caller.user_id, coalesce(rows_since.seq, 0), head.snapshot_seq),
    head.head_seq,
    least(greatest(coalesce(rows_since.row_limit, max_rows), 1), max_rows), max_bytes, row_version
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head.head_seq,
    'snapshotWanted', head.snapshot_wanted,
    'more', rows.more,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'schemaVersion', caller.schema_version,
    'presenting', weft.presenting_of(rows_since.document, false),
    'watchers', weft.watchers_of(rows_since.document)
  );
end
$$;

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
        'history', link.history
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
      'history', link.history
    )
    from public.documents as d
    where d.id = link.document_id
  );
end
$$;

create or replace function weft.append_answer(
  head public.document_heads, caller weft.caller, row_seq bigint, last_n integer, appended weft.appended, known_seq bigint,
  row_version integer
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  max_bytes constant integer := 1024 * 1024;
  max_rows constant integer := 500;
  message bytea := appended.message;
  more boolean := false;
begin
  if message is null or known_seq <> row_seq - 1 or coalesce(row_version < 4, true) then
    select e.message, e.more
    into message, more
    from weft.encode_rows(
      head.document_id, weft.readable_after(head.document_id, caller.user_id, known_seq, head.snapshot_seq), greatest(head.head_seq, appended.seq), max_rows, max_bytes, append_answer.row_version
    ) as e;
  end if;
  return jsonb_build_object(
    'seq', row_seq,
    'lastN', last_n,
    'head', greatest(head.head_seq, appended.seq),
    'snapshotWanted', head.snapshot_wanted,
    'epoch', caller.topic_epoch,
    'role', caller.role,
    'rows', weft.to_base64(message),
    'more', more,
    'unpublished', coalesce(appended.unpublished, false),
    'publishIn', weft.milliseconds_until(appended.publish_at)
  );
end
$$;

-- As before; of what the newest snapshot stands for, nothing older.
create or replace function public.rows_until(document uuid, after bigint, until bigint, row_version integer default 1)
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

revoke all on function
  weft.want_snapshot, weft.want_snapshot_for_link, weft.readable_after, weft.snapshot_taken
from public, anon, authenticated, service_role;

-- Links from before.
update public.document_heads as h
set snapshot_wanted = true
where h.head_seq > h.snapshot_seq and exists (
  select
  from public.share_links as l
  where l.document_id = h.document_id and not l.history and weft.is_link_active(l.revoked_at, l.expires_at)
);
