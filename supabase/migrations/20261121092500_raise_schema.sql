-- A page that a newer app writes in becomes newer before the first of that app's edits, and its topics move: whoever is
-- on them with an older app asks anew and stops writing, before an editor that does not know the new content sees it and
-- tidies it away. A message on a topic is therefore of a schema that `open_document` told together with its epoch, the
-- rows of an append's answer of one that the caller's app knows, and `rows_since` says of which.

-- Whatever raised it, the topics move in the same transaction. The caller holds the lock of the head.
create function weft.move_with_schema() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform weft.move_topics(array[new.id]);
  return null;
end
$$;

create trigger move_with_schema after update of schema_version on public.documents
for each row when (new.schema_version > old.schema_version)
execute function weft.move_with_schema();

-- Registers a session just before its first frame or append. The client id is inside every update it makes and cannot
-- be changed later, so a taken one is refused here, before anything was written with it.
create or replace function public.start_session(document uuid, session uuid, client_id bigint, schema_version integer)
returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
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

  -- Before the insert: two that start with one client id would otherwise wait for each other. What refuses the session
  -- below takes this back.
  if start_session.schema_version > entry.schema_version then
    perform weft.lock_heads(array[start_session.document]);
    update public.documents as d
    set schema_version = start_session.schema_version
    where d.id = start_session.document and d.schema_version < start_session.schema_version;
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

-- The rows after `seq`. Everybody who has the page open asks at least every 30 seconds, which is also the moment when
-- an expired link's rights are cleared away: nothing else runs at that time.
create or replace function public.rows_since(document uuid, seq bigint, "limit" integer) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  entry weft.entry;
  head bigint;
  rows record;
begin
  perform weft.clear_expired(rows_since.document);
  -- The head before the schema: a row of a newer schema is never in an answer that names the older one.
  select h.head_seq into head from public.document_heads as h where h.document_id = rows_since.document;
  entry := weft.enter(rows_since.document, 'viewer');
  rows := weft.encode_rows(
    rows_since.document, coalesce(rows_since.seq, 0), head,
    least(greatest(coalesce(rows_since."limit", 500), 1), 500), 1024 * 1024
  );
  return jsonb_build_object(
    'rows', weft.to_base64(rows.message),
    'head', head,
    'more', rows.more,
    'epoch', entry.epoch,
    'role', entry.role,
    'schemaVersion', entry.schema_version
  );
end
$$;

revoke all on function weft.move_with_schema from public, anon, authenticated, service_role;
