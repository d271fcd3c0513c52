-- Supabase's `realtime` schema, as far as our Realtime server needs it. For the embedded backend only: a hosted project
-- has its own, where the role `postgres` may only create policies on realtime.messages. Runs as superuser at the first
-- start of each version, after the roles anon, authenticated and service_role exist; it can be repeated.

do $$
begin
  if not exists (select from pg_roles where rolname = 'supabase_realtime_admin') then
    create role supabase_realtime_admin nologin noinherit;
  end if;
end
$$;

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role, supabase_realtime_admin;

-- Columns and order are Supabase's. Supabase partitions the table by day; here the server deletes old rows.
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp without time zone not null default now(),
  inserted_at timestamp without time zone not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  constraint messages_payload_exclusive check (payload is null or binary_payload is null),
  primary key (id, inserted_at)
);
create index if not exists messages_inserted_at_index on realtime.messages (inserted_at);
alter table realtime.messages owner to supabase_realtime_admin;
alter table realtime.messages enable row level security;

-- As in Supabase, row level security is the only guard: the API must never expose this schema.
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- The topic of the message being sent or of the policy being checked, without "realtime:"; null elsewhere.
create or replace function realtime.topic() returns text
language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- Stores a JSON message, which reaches the topic's channels after the commit. An object without "id" gets the id of the
-- row. Runs as the caller (`authenticated` needs an insert policy) and never fails: errors become warnings.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, topic, extension, event, private, payload)
    values (
      message_id, topic, 'broadcast', event, private,
      case when payload ? 'id' then payload else jsonb_set(payload, '{id}', to_jsonb(message_id)) end
    );
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

-- Like `realtime.send`, for bytes, which arrive unchanged.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (topic, extension, event, private, binary_payload)
    values (topic, 'broadcast', event, private, payload);
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

-- Replaces Supabase's replication slot: a notification is delivered after the commit, in commit order. A small message
-- travels inside the notification, which saves reading the row; a larger one (Postgres refuses 8000 bytes) is announced
-- by its id and read.
create or replace function realtime.announce_message() returns trigger
language plpgsql
as $$
declare
  announcement text;
begin
  if coalesce(octet_length(new.binary_payload), pg_column_size(new.payload)) < 7000 then
    announcement := json_build_object(
      'id', new.id, 'topic', new.topic, 'event', new.event, 'private', new.private,
      'json', new.payload::text, 'base64', encode(new.binary_payload, 'base64')
    );
  end if;
  if announcement is null or octet_length(announcement) > 7999 then
    announcement := json_build_object('id', new.id);
  end if;
  perform pg_notify('realtime_messages', announcement);
  return null;
end
$$;

create or replace trigger announce_message after insert on realtime.messages
for each row
when (
  new.event is not null and new.private is not null
  and (new.payload is not null or new.binary_payload is not null)
)
execute function realtime.announce_message();

-- The policy checks of our server, which calls them as superuser in a transaction that it rolls back; one call per
-- check, because every statement is a round trip. As in Supabase, the probing row holds topic and extension only, so
-- policies see `private` false, `event` and `payload` null.
create or replace function realtime.assume(role_name text, claims jsonb, topic_name text) returns void
language sql
as $$
  select
    set_config('request.jwt.claims', claims::text, true),
    set_config('request.jwt.claim.sub', coalesce(claims ->> 'sub', ''), true),
    set_config('request.jwt.claim.role', role_name, true),
    set_config('realtime.topic', topic_name, true),
    set_config('role', role_name, true)
$$;

-- The extensions that this role may read on the topic.
create or replace function realtime.probe_read(topic_name text, role_name text, claims jsonb, extensions text[])
returns text[]
language plpgsql
as $$
declare
  probes uuid[];
begin
  with probe as (
    insert into realtime.messages (topic, extension) select topic_name, unnest(extensions) returning id
  )
  select array_agg(id) into probes from probe;
  perform realtime.assume(role_name, claims, topic_name);
  return array(select m.extension from realtime.messages m where m.id = any (probes));
end
$$;

create or replace function realtime.probe_write(topic_name text, role_name text, claims jsonb, extension_name text)
returns boolean
language plpgsql
as $$
begin
  perform realtime.assume(role_name, claims, topic_name);
  insert into realtime.messages (topic, extension) values (topic_name, extension_name);
  return true;
exception when insufficient_privilege then
  return false;
end
$$;

alter function realtime.topic() owner to supabase_realtime_admin;
alter function realtime.send(jsonb, text, text, boolean) owner to supabase_realtime_admin;
alter function realtime.send_binary(bytea, text, text, boolean) owner to supabase_realtime_admin;
alter function realtime.announce_message() owner to supabase_realtime_admin;
revoke execute on function realtime.announce_message() from public;
revoke execute on function realtime.assume(text, jsonb, text) from public;
revoke execute on function realtime.probe_read(text, text, jsonb, text[]) from public;
revoke execute on function realtime.probe_write(text, text, jsonb, text) from public;

-- Earlier versions collected changes of tables here, for `postgres_changes`. `capture_change` shows that they did: without
-- it, what has these names belongs to another Realtime server. Its triggers on tables go with it.
do $$
declare
  former regprocedure;
begin
  if to_regprocedure('realtime.capture_change()') is null then return; end if;
  for former in
    select p.oid from pg_proc p where p.pronamespace = 'realtime'::regnamespace and p.proname in (
      'capture_change', 'filter_condition', 'subscribe_to_changes', 'meets', 'may_see', 'messages_of', 'take_changes',
      'broadcast_changes'
    )
  loop
    execute format('drop function %s cascade', former);
  end loop;
  drop table realtime.subscription, realtime.change;
  drop publication if exists supabase_realtime;
end
$$;
