-- The tables that Supabase's own services keep, as far as Weft and the rest of the bootstrap look at them, and what the
-- owner of a hosted project may do with them: use, but neither own nor change. Run by a superuser, once per database.

create table auth.users (
  id uuid primary key,
  email varchar(255) unique,
  raw_user_meta_data jsonb,
  is_anonymous boolean not null default false,
  created_at timestamptz default now()
);
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade
);

create table storage.buckets (
  id text primary key,
  name text not null unique,
  public boolean default false
);
create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner_id text
);
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

alter schema auth owner to supabase_auth_admin;
alter table auth.users owner to supabase_auth_admin;
alter table auth.sessions owner to supabase_auth_admin;
alter schema storage owner to supabase_storage_admin;
alter table storage.buckets owner to supabase_storage_admin;
alter table storage.objects owner to supabase_storage_admin;
alter schema realtime owner to supabase_realtime_admin;

grant usage on schema auth, storage, realtime, extensions to hosted_postgres;
grant all on auth.users, auth.sessions, storage.buckets, storage.objects to hosted_postgres;
grant select, insert, update on realtime.messages to hosted_postgres;

-- What roles.sql said for the embedded backend's only user, said for the one who runs the migrations here.
alter default privileges for role hosted_postgres in schema public
grant all on tables to anon, authenticated, service_role;
alter default privileges for role hosted_postgres in schema public
grant all on functions to anon, authenticated, service_role;
alter default privileges for role hosted_postgres in schema public
grant all on sequences to anon, authenticated, service_role;
