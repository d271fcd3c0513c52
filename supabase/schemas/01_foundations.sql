-- The schema `weft`, and the helpers that every later file uses.
--
-- supabase/schemas is the final state of the database, by subject, to be read from top to bottom. supabase/migrations leads there:
-- a change of a file here needs a migration (tests/sql/schema.test.ts compares the two).
--
-- Rules (tests/sql/hosted/hosted-rules.test.ts checks them):
--   Each function runs as its owner (`security definer`) with an empty search_path, so every name has its schema.
--   Arguments often share their name with a column, so a body writes `function_name.argument`.
--   A hosted project grants everything to the API roles by default: each file revokes that, then grants the least.
--   Clients only read tables. They write through the functions in `public`.
--   A policy or a trigger comes after its function; bodies may name what comes later, so they are not checked here
--   (tests/sql/schema.test.ts checks them all).

set check_function_bodies = off;

-- PostgREST does not expose this schema: it holds what no client calls.
create schema weft;
revoke all on schema weft from public;
-- Policies run as the client's role and call a few functions of this schema. Those are granted one by one.
grant usage on schema weft to anon, authenticated;

-- Fails with a code of the error catalogue (SPECIFICATION.md, section 8; the texts are those of src/protocol/errors.ts).
-- `detail` says what was wrong, for the console and for reports.
create function weft.raise(code text, detail text) returns void
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

-- The id of the signed-in user. Fails without one; a service key alone is not a user. After a restore, tokens are still valid
-- whose account the database does not know. They are no sign-in: the app says so and throws nothing away, instead of taking
-- the answers for those of someone who may see nothing.
create function weft.require_user() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  if me is null then
    perform weft.raise('WF003', 'nobody is signed in');
  elsif not exists (select from public.profiles as p where p.id = me) then
    perform weft.raise('WF003', 'no account of this id');
  end if;
  return me;
end
$$;

-- Base64 in one line; Postgres breaks it into lines of 76 characters. (`translate` would take 30 ms for 1 MiB, this takes 4.)
create function weft.to_base64(bytes bytea) returns text
language sql immutable security definer set search_path = ''
as $$
  select replace(encode(to_base64.bytes, 'base64'), E'\n', '')
$$;

-- Null if the text is not base64.
create function weft.from_base64(text text) returns bytea
language plpgsql immutable security definer set search_path = ''
as $$
begin
  return decode(from_base64.text, 'base64');
exception when data_exception then
  return null;
end
$$;

-- 128 random bits in 22 characters that need no escaping in a URL.
create function weft.random_key() returns text
language sql volatile security definer set search_path = ''
as $$
  select rtrim(translate(encode(extensions.gen_random_bytes(16), 'base64'), '+/', '-_'), '=')
$$;

-- The database stores only the hash of a secret. A secret has 128 random bits, so it needs neither salt nor a slow
-- hash.
create function weft.hash_secret(secret text) returns bytea
language sql immutable security definer set search_path = ''
as $$
  select extensions.digest(hash_secret.secret, 'sha256')
$$;

-- --- names ---------------------------------------------------------------------------------------------------------

-- Names hold no characters that no one sees: controls of the direction of text, with which "gnp.exe" reads as "exe.png", and
-- characters without width, with which two names look the same or a name is empty. Joiners stay between letters of scripts and emoji
-- that need them (Persian, families), but not beside ASCII.
create function weft.visible_text(text text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(
    regexp_replace(
      visible_text.text, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', '', 'g'
    ),
    '(?<![^\u0001-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0001-\u007f\u200c\u200d])', '', 'g'
  )
$$;

-- Names are stored without white space around them, and without letters that are blank (Hangul fillers, empty Braille).
create function weft.trim_name(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(
    weft.visible_text(trim_name.name), '^[\s\u115f\u1160\u2800\u3164\uffa0]+|[\s\u115f\u1160\u2800\u3164\uffa0]+$', '', 'g'
  )
$$;

-- Milliseconds since 1970.
create function weft.unix_ms(at timestamptz) returns bigint
language sql stable security definer set search_path = ''
as $$
  select floor(extract(epoch from unix_ms.at) * 1000)::bigint
$$;

-- Milliseconds until a moment, at most a minute: callers ask again then. 0 for null and for what is past.
create function weft.milliseconds_until(moment timestamptz) returns integer
language sql volatile security definer set search_path = ''
as $$
  select case
    when milliseconds_until.moment <= clock_timestamp() + interval '1 minute' then
      greatest(0, ceil(1000 * extract(epoch from milliseconds_until.moment - clock_timestamp())))
    when milliseconds_until.moment is not null then 60000
    else 0
  end::integer
$$;

-- Waits until a whole number of steps has passed since `began`, so that the time of an answer says nothing about the work
-- behind it, which takes a few milliseconds.
create function weft.wait_for_step(began timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  step constant double precision := 0.2;
  passed double precision := extract(epoch from clock_timestamp() - began);
begin
  perform pg_sleep(ceil(passed / step) * step - passed);
end
$$;

-- --- limits --------------------------------------------------------------------------------------------------------

-- Limits that are counted are counted under a lock: calls at the same time would each find room for one more. (Versions of a page
-- are counted under the lock of the page's head, uses of an invitation under the lock of its row.)

-- Makes calls that count towards the same limit wait for each other, until their transactions end. The next statement sees what
-- the others have written.
create function weft.lock_limit(name text, owner uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('weft.limit.' || lock_limit.name || '.' || lock_limit.owner, 0));
end
$$;

-- As lock_limit, but waits for no one: false if another call holds the lock.
create function weft.try_lock_limit(name text, owner uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return pg_try_advisory_xact_lock(hashtextextended('weft.limit.' || try_lock_limit.name || '.' || try_lock_limit.owner, 0));
end
$$;

-- What the owner of the project sets, in the SQL editor. Only functions read it.
create table weft.settings (
  is_only_row boolean primary key default true check (is_only_row),
  -- Realtime's messages per second of the project's plan, as `liveBudget` in config.json.
  messages_per_second integer not null default 100 check (messages_per_second > 0),
  -- When a restore was made to be rid of something: devices put back nothing that is older. Null: never.
  final_restore_at timestamptz,
  -- Replace numbers of weft.quota, such as {"file_bytes": [52428800, 107374182400]}.
  quotas jsonb not null default '{}' check (jsonb_typeof(quotas) = 'object'),
  -- Which database this is, for devices: they file what they hold under it, so that a new address of the same database finds it
  -- (docs/decisions/29-devices-file-by-database.md). A restored backup has it too, and so does a clone.
  database_id uuid not null default gen_random_uuid()
);
insert into weft.settings default values;
alter table weft.settings enable row level security;
revoke all on weft.settings from public, anon, authenticated, service_role;
create policy weft_nobody on weft.settings using (false);

-- --- the database itself -------------------------------------------------------------------------------------------

-- `{database}`: the random id of this database, under which devices file what they hold of it (weft.settings).
create function public.database_identity() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('database', s.database_id) from weft.settings as s
$$;

-- For the owner of a clone, in the SQL editor, before anyone opens it: devices then keep it apart from the original.
create function weft.new_database_identity() returns void
language sql volatile security definer set search_path = ''
as $$
  update weft.settings as s set database_id = gen_random_uuid() where s.is_only_row
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.raise, weft.require_user, weft.to_base64, weft.from_base64, weft.random_key, weft.hash_secret,
  weft.visible_text, weft.trim_name, weft.unix_ms, weft.milliseconds_until, weft.wait_for_step, weft.lock_limit,
  weft.try_lock_limit, public.database_identity, weft.new_database_identity
from public, anon, authenticated, service_role;

grant execute on function
  public.database_identity
to authenticated;
