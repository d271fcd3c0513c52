-- Functions that read a document's log, and the registration of those who will write to it.

-- The newest snapshot, with its bytes, or null.
create function weft.newest_snapshot(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object('seq', s.seq, 'state', weft.to_base64(s.state), 'sha256', s.sha256)
    from public.document_snapshots as s
    where s.document_id = newest_snapshot.document
    order by s.seq desc
    limit 1
  );
end
$$;

-- Whether rows alone can bring somebody who knows everything up to `since` further: not from the start, where a
-- snapshot is shorter, and not from before the first row that is still kept.
create function weft.needs_snapshot(document uuid, since bigint, head bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return needs_snapshot.since <= 0 or needs_snapshot.since < head and not exists (
    select
    from public.document_updates as u
    where u.document_id = needs_snapshot.document and u.seq = needs_snapshot.since + 1
  );
end
$$;

-- Everything that is needed to show a page. Stable, so that all its statements see one moment: `sessions` must not
-- tell of edits whose rows the answer does not hold.
create function public.open_document(document uuid, since bigint) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter(document, 'viewer');
  head bigint;
  snapshot jsonb;
  sessions jsonb;
  rows record;
begin
  select h.head_seq into head from public.document_heads as h where h.document_id = open_document.document;

  if weft.needs_snapshot(open_document.document, coalesce(since, 0), head) then
    snapshot := weft.newest_snapshot(open_document.document);
  end if;
  if snapshot is not null then
    select coalesce(jsonb_object_agg(s.session, s.last_n), '{}')
    into sessions
    from public.document_sessions as s
    where s.document_id = open_document.document and s.last_n > 0;
  end if;
  rows := weft.encode_rows(
    open_document.document, coalesce((snapshot ->> 'seq')::bigint, since, 0), head, null, 1024 * 1024
  );

  return jsonb_build_object(
    'document', weft.document_summary(open_document.document, entry.role),
    'workspace', weft.workspace_summary(entry.workspace_id, entry."user"),
    'role', entry.role,
    'epoch', entry.epoch,
    'head', head,
    'schemaVersion', entry.schema_version,
    'snapshot', snapshot,
    'sessions', sessions,
    'rows', weft.to_base64(rows.message),
    'more', rows.more
  );
end
$$;

-- The rows after `seq`. Everybody who has the page open asks at least every 30 seconds, which is also the moment when
-- an expired link's rights are cleared away: nothing else runs at that time.
create function public.rows_since(document uuid, seq bigint, "limit" integer) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  entry weft.entry;
  head bigint;
  rows record;
begin
  perform weft.clear_expired(rows_since.document);
  entry := weft.enter(rows_since.document, 'viewer');
  select h.head_seq into head from public.document_heads as h where h.document_id = rows_since.document;
  rows := weft.encode_rows(
    rows_since.document, coalesce(rows_since.seq, 0), head,
    least(greatest(coalesce(rows_since."limit", 500), 1), 500), 1024 * 1024
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'epoch', entry.epoch,
    'role', entry.role
  );
end
$$;

-- The newest schema that some app may write: src/protocol/limits.ts says the same, and a migration raises it.
create function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 1
$$;

-- Refuses a schema version that is none, or that this database has never heard of: a page is locked against all older
-- apps by whoever names a high one, and nothing lowers it again. 55000, because the app may be the one that is right:
-- it tries again until the migrations have come.
create function weft.check_schema(version integer) returns void
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if check_schema.version is null or check_schema.version < 1 then
    perform weft.raise('WF005', 'schema_version is out of range');
  elsif check_schema.version > weft.newest_schema() then
    raise exception using
      errcode = '55000',
      message = format('This database knows schema %s. Apply the newer migrations.', weft.newest_schema());
  end if;
end
$$;

-- Registers a session just before its first frame or append. The client id is inside every update it makes and cannot
-- be changed later, so a taken one is refused here, before anything was written with it.
create function public.start_session(document uuid, session uuid, client_id bigint, schema_version integer)
returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter_to_write(document);
  started public.document_sessions;
begin
  perform weft.check_schema(start_session.schema_version);
  if start_session.schema_version < entry.schema_version then
    perform weft.raise('WF004', format('the page needs schema %s', entry.schema_version));
  elsif start_session.session is null or start_session.session = '00000000-0000-0000-0000-000000000000' then
    perform weft.raise('WF005', 'not a session');
  elsif start_session.client_id is null or start_session.client_id not between 1024 and 9007199254740991 then
    perform weft.raise('WF006', 'client id out of range');
  end if;

  insert into public.document_sessions (session, document_id, client_id, user_id, schema_version)
  values (
    start_session.session, start_session.document, start_session.client_id, entry."user",
    start_session.schema_version
  )
  on conflict do nothing;

  select s.*
  into started
  from public.document_sessions as s
  where s.document_id = start_session.document and s.session = start_session.session;
  if started.session is null then
    perform weft.raise('WF006', 'client id taken in this document');
  elsif started.user_id <> entry."user" or started.client_id <> start_session.client_id then
    perform weft.raise('WF005', 'the session is registered for something else');
  end if;
  return jsonb_build_object('clientId', started.client_id, 'lastN', started.last_n);
end
$$;

-- Who is behind sessions, and whether they may still see the page. Unknown ones are left out.
create function public.session_info(document uuid, sessions uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.enter(session_info.document, 'viewer');
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'session', s.session, 'clientId', s.client_id, 'user', s.user_id, 'lastN', s.last_n,
          'role', weft.document_role(s.document_id, s.user_id)
        )
        order by s.opened_at, s.session
      ),
      '[]'
    )
    from public.document_sessions as s
    where s.document_id = session_info.document and s.session = any (session_info.sessions[1:1000])
  );
end
$$;

revoke all on function
  weft.newest_snapshot, weft.needs_snapshot, weft.newest_schema, weft.check_schema,
  public.open_document, public.rows_since, public.start_session, public.session_info
from public, anon, authenticated, service_role;
grant execute on function
  public.open_document, public.rows_since, public.start_session, public.session_info
to authenticated;
