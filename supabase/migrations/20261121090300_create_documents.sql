-- Documents (pages), who was let in, and share links.

create table public.documents (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  parent_id uuid references public.documents (id) on delete cascade,
  kind text not null default 'page',
  -- Copies of what the Yjs document says, for lists and search: never the truth.
  title text not null default '',
  icon text,
  -- Fractional index: siblings in the order of these characters, whatever the database's language.
  rank text collate "C" not null,
  access public.document_access not null default 'inherit',
  -- Apps older than this may not write here. Raised by the first append that says so, never lowered.
  schema_version integer not null default 1,
  -- Raised when rights are taken away: it is part of the topics' names, so that who lost them stays behind alone.
  epoch bigint not null default 1,
  body_text text not null default '',
  text_seq bigint not null default 0,
  -- A longer text would not fit into a tsvector, and the write that brought it would fail.
  search tsvector not null generated always as (
    setweight(to_tsvector('pg_catalog.simple', title), 'A')
    || setweight(to_tsvector('pg_catalog.simple', left(body_text, 200000)), 'B')
  ) stored,
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

create table public.share_links (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references public.documents (id) on delete cascade,
  role public.document_role not null,
  secret_hash bytea not null unique,
  -- Names the watch topic. Random by itself: who reads topic names must not come any closer to the secret.
  topic_key text not null unique,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Somebody watches through it until then; rows are published to its topic only that long.
  watched_until timestamptz,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint share_links_role_check check (role in ('viewer', 'commenter', 'editor'))
);
create index share_links_document_id_index on public.share_links (document_id);

-- Explicit roles, and roles by a redeemed link. Somebody may have both: when the link dies, what a manager gave stays.
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

-- The tree: one workspace, no cycle, at most 12 levels. A trigger, so that no path into the table goes round it.
create function weft.check_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  above integer;
  below integer;
begin
  if tg_op = 'UPDATE' and new.workspace_id <> old.workspace_id then
    perform weft.raise('WF010', 'a page stays in its workspace');
  end if;
  if new.parent_id is null then
    return new;
  end if;
  -- Two moves at once could each be right and make a cycle together.
  perform pg_advisory_xact_lock(hashtextextended('weft.tree.' || new.workspace_id, 0));

  if not exists (
    select from public.documents as p where p.id = new.parent_id and p.workspace_id = new.workspace_id
  ) then
    perform weft.raise('WF010', 'the parent is not in this workspace');
  end if;

  -- 13 is far enough to know that it is too deep; a cycle would not end by itself.
  with recursive up as (
    select p.id, p.parent_id, 1 as height from public.documents as p where p.id = new.parent_id
    union all
    select p.id, p.parent_id, up.height + 1
    from up join public.documents as p on p.id = up.parent_id
    where up.height <= 12 and up.id <> new.id
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
    where down.height <= 12
  )
  select max(down.height) into below from down;
  if above + below > 12 then
    perform weft.raise('WF010', 'deeper than 12 levels');
  end if;
  return new;
end
$$;

create trigger check_tree before insert or update of parent_id, workspace_id on public.documents
for each row execute function weft.check_tree();

revoke all on function weft.check_tree from public, anon, authenticated, service_role;
