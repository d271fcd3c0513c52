-- The tables, functions and grants of a hosted project's Storage, as far as its API and policies use them. Row level security
-- decides who may do what. Repeats safely.

create table if not exists storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  unique (bucket_id, name)
);
create index if not exists storage_objects_name_pattern_search on storage.objects (name text_pattern_ops);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

create or replace function storage.foldername(name text) returns text[] language sql immutable as $$
  select (string_to_array(name, '/'))[1:cardinality(string_to_array(name, '/')) - 1]
$$;

create or replace function storage.filename(name text) returns text language sql immutable as $$
  select split_part(name, '/', -1)
$$;

create or replace function storage.extension(name text) returns text language sql immutable as $$
  select split_part(split_part(name, '/', -1), '.', -1)
$$;

create or replace function storage.operation() returns text language sql stable as $$
  select current_setting('storage.operation', true)
$$;

create or replace function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
  select coalesce(
    nullif(regexp_replace(expected_operation, '^storage\.', ''), '')
      = regexp_replace(storage.operation(), '^storage\.', ''),
    false
  )
$$;

create or replace function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
  select coalesce(bool_or(storage.allow_only_operation(one)), false) from unnest(expected_operations) as one
$$;

grant usage on schema storage to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
