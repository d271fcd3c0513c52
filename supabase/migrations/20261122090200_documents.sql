-- Documents (the pages of a workspace), share links, and the people who have a role on a document.

-- In ascending order: each role may do everything an earlier one may, so roles compare with < and max().
create type public.document_role as enum ('viewer', 'commenter', 'editor', 'manager');
-- The people who can read a page by default: the readers of its parent, the workspace, or only the page's own members.
create type public.document_access as enum ('inherit', 'workspace', 'restricted');

-- --- search -------------------------------------------------------------------------------------------------------

-- Postgres refuses a tsvector of more than 1 MiB (54000), and the write that brought the text would fail with it. The
-- number of characters that fit depends on them: "a-b" is stored three times (whole, a, b), each word takes four bytes
-- more than its letters, and a letter takes up to four bytes. 200,000 characters of nearly any text fit. If they do
-- not, half of them are indexed.
create function weft.search_vector(title text, body_text text) returns tsvector
language plpgsql immutable security definer set search_path = ''
as $$
declare
  characters integer := 200000;
  vector tsvector;
begin
  loop
    begin
      vector := setweight(to_tsvector('pg_catalog.simple', search_vector.title), 'A')
        || setweight(to_tsvector('pg_catalog.simple', left(search_vector.body_text, characters)), 'B');
      exit;
    exception when program_limit_exceeded then
      characters := characters / 2;
    end;
  end loop;
  return vector;
end
$$;

revoke all on function weft.search_vector from public, anon, authenticated, service_role;
-- The writer of a row needs the right to compute its generated column, and the service key writes to the table itself.
grant execute on function weft.search_vector to service_role;

-- --- tables -------------------------------------------------------------------------------------------------------

create table public.documents (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  parent_id uuid references public.documents (id) on delete cascade,
  kind text not null default 'page',
  -- Title, icon and body_text are copies of the Yjs document, for lists and search. The log is the truth.
  title text not null default '',
  icon text,
  body_text text not null default '',
  -- The row of the log that title and body_text were copied at.
  text_seq bigint not null default 0,
  search tsvector not null generated always as (weft.search_vector(title, body_text)) stored,
  -- Fractional index. Collation "C" orders siblings the same way in every database.
  rank text collate "C" not null,
  access public.document_access not null default 'inherit',
  -- Apps with a lower schema version may not write to this page. It is only ever raised.
  schema_version integer not null default 1,
  -- Part of the names of the page's topics. Taking rights away raises it, so people without rights stay alone on the
  -- old topics.
  epoch bigint not null default 1,
  -- The row of the log at which set_document_attachments last listed the page's attachments.
  attachments_seq bigint not null default 0,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references public.profiles (id) on delete set null,
  trashed_at timestamptz,
  trashed_by uuid references public.profiles (id) on delete set null,
  constraint documents_kind_check check (kind in ('page')),
  constraint documents_title_check check (char_length(title) <= 200),
  constraint documents_icon_check check (char_length(icon) between 1 and 64),
  constraint documents_rank_check check (rank ~ '^[!-~]{1,255}$'),
  constraint documents_access_check check (parent_id is not null or access <> 'inherit')
);
create index documents_workspace_id_index on public.documents (workspace_id);
create index documents_parent_id_index on public.documents (parent_id);
-- For the deletion of a profile.
create index documents_created_by_index on public.documents (created_by);
create index documents_updated_by_index on public.documents (updated_by);
create index documents_trashed_by_index on public.documents (trashed_by) where trashed_by is not null;

create table public.share_links (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references public.documents (id) on delete cascade,
  role public.document_role not null,
  secret_hash bytea not null unique,
  -- Names the link's watch topic. It is random in its own right, so a topic name reveals nothing about the secret.
  topic_key text not null unique,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Until then somebody watches through this link, and rows are published to its topic.
  watched_until timestamptz,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint share_links_role_check check (role in ('viewer', 'commenter', 'editor'))
);
create index share_links_document_id_index on public.share_links (document_id);
create index share_links_created_by_index on public.share_links (created_by);

-- Roles that a manager gave (via_link is null) and roles from a redeemed link. A person may have both: when the link
-- ends, the role that the manager gave stays.
create table public.document_members (
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.document_role not null,
  via_link uuid references public.share_links (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint document_members_key unique nulls not distinct (document_id, user_id, via_link)
);
create index document_members_user_id_index on public.document_members (user_id);
create index document_members_via_link_index on public.document_members (via_link);

-- --- the tree -----------------------------------------------------------------------------------------------------

-- Keeps the tree of pages within one workspace, without cycles and at most 12 levels deep. It is a trigger, so no write
-- to the table can bypass it.
create function weft.check_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  max_levels constant integer := 12;
  above integer;
  below integer;
begin
  if tg_op = 'UPDATE' and new.workspace_id <> old.workspace_id then
    perform weft.raise('WF010', 'a page stays in its workspace');
  end if;
  if new.parent_id is null then
    return new;
  end if;
  -- Two moves at the same time could each be right and make a cycle together.
  perform pg_advisory_xact_lock(hashtextextended('weft.tree.' || new.workspace_id, 0));

  if not exists (
    select from public.documents as p where p.id = new.parent_id and p.workspace_id = new.workspace_id
  ) then
    perform weft.raise('WF010', 'the parent is not in this workspace');
  end if;

  -- Stops one level too deep: a cycle would never end.
  with recursive up as (
    select p.id, p.parent_id, 1 as height from public.documents as p where p.id = new.parent_id
    union all
    select p.id, p.parent_id, up.height + 1
    from up join public.documents as p on p.id = up.parent_id
    where up.height <= max_levels and up.id <> new.id
  )
  select case when bool_or(up.id = new.id) then null else max(up.height) end into above from up;
  if above is null then
    perform weft.raise('WF010', 'a page cannot lie below itself');
  end if;

  with recursive down as (
    select new.id as id, 1 as height
    union all
    select c.id, down.height + 1
    from down join public.documents as c on c.parent_id = down.id
    where down.height <= max_levels
  )
  select max(down.height) into below from down;
  if above + below > max_levels then
    perform weft.raise('WF010', format('deeper than %s levels', max_levels));
  end if;
  return new;
end
$$;

create trigger check_tree before insert or update of parent_id, workspace_id on public.documents
for each row execute function weft.check_tree();

-- --- schema versions ----------------------------------------------------------------------------------------------

-- The newest schema version that an app may write; the same as SCHEMA_VERSION in src/protocol/limits.ts. A migration
-- raises it. Version 2 brought toggles, pictures, files, tables, formulas, link cards, highlights, mentions and dates:
-- apps of version 1 show them as unknown and must not write to such a page (WF004).
create function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 2
$$;

-- Refuses a schema version below 1 or above the newest. Otherwise anybody could lock a page against all existing apps
-- by naming a high version, since nothing lowers it again. The error is 55000, which the app retries: the app may
-- simply be newer than the database's migrations.
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

revoke all on function weft.check_tree, weft.newest_schema, weft.check_schema
from public, anon, authenticated, service_role;
