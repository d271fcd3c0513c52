-- Documents (the pages of a workspace), share links, and the people who have a role on a document.

set check_function_bodies = off;

-- --- tables --------------------------------------------------------------------------------------------------------

-- In ascending order: each role may do everything an earlier one may, so roles compare with < and max().
create type public.document_role as enum ('viewer', 'commenter', 'editor', 'manager');
-- Who reads the comments of a page beside those who may comment: no one, people with a role on it, people with a link to watch too.
create type public.comment_readers as enum ('commenters', 'viewers', 'everyone');

-- The people who can read a page by default: the readers of its parent, the workspace, or only the page's own members.
create type public.document_access as enum ('inherit', 'workspace', 'restricted');

-- The pages of a workspace, those in the trash included.
create table public.documents (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references public.workspaces (id) on delete cascade,
  parent_id uuid references public.documents (id) on delete cascade,
  -- A template is a page that the list of templates offers as the start of a new page. It keeps its place in the tree and its
  -- rights, and is edited like any page.
  kind text not null default 'page',
  -- Title and body_text are copies of the Yjs document, for lists and search. The log is the truth.
  title text not null default '',
  -- The name of a line icon. The Y.Doc does not have it.
  icon text,
  body_text text not null default '',
  -- The row of the log that title and body_text were copied at.
  text_seq bigint not null default 0,
  -- Fractional index. Collation "C" orders siblings the same way in every database.
  rank text collate "C" not null,
  -- Pages at the top begin with `workspace`, others with `inherit`.
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
  -- The transaction that last changed what the document's summary shows. Transactions commit in another order than they
  -- take numbers or read clocks, but a snapshot knows below which id all have ended: list_documents uses that.
  changed_xid xid8 not null default pg_current_xact_id(),
  -- When a new time of change was last published.
  update_published_at timestamptz,
  -- The page whose trashing took this page to the trash. Null while the page is not in the trash.
  trash_root uuid references public.documents (id) on delete set null,
  -- When a device made the page again. Null: it was never lost.
  made_again_at timestamptz,
  -- The activity of the import that made the page. It has no foreign key: lines go after 90 days.
  import_id uuid,
  comment_readers public.comment_readers not null default 'viewers',
  constraint documents_kind_check check (kind in ('page', 'template')),
  constraint documents_title_check check (char_length(title) <= 200),
  constraint documents_icon_check check (icon ~ '^[a-z0-9-]{1,64}$'),
  constraint documents_rank_check check (rank ~ '^[!-~]{1,255}$'),
  constraint documents_access_check check (parent_id is not null or access <> 'inherit')
);
create index documents_parent_id_index on public.documents (parent_id);
-- For the deletion of a profile.
create index documents_created_by_index on public.documents (created_by, created_at);
create index documents_updated_by_index on public.documents (updated_by, workspace_id, updated_at);
create index documents_trashed_by_index on public.documents (trashed_by) where trashed_by is not null;
create index documents_workspace_id_changed_xid_index on public.documents (workspace_id, changed_xid);
create index documents_trash_root_index on public.documents (trash_root) where trash_root is not null;
create index documents_restricted_index on public.documents (workspace_id) where access = 'restricted';
create index documents_in_trash_index on public.documents (workspace_id) where trashed_at is not null;
alter table public.documents enable row level security;
revoke all on public.documents from public, anon, authenticated, service_role;
grant select on public.documents to authenticated;
grant select, insert, update, delete on public.documents to service_role;

-- Links to a page, for people with and without an account. A link ends when it expires or is revoked.
create table public.share_links (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references public.documents (id) on delete cascade,
  role public.document_role not null,
  secret_hash bytea not null unique,
  -- Names the link's watch topic. It is random in its own right, so a topic name reveals nothing about the secret.
  topic_key text not null unique,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Until then someone watches through this link, and rows are published to its topic.
  watched_until timestamptz,
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Tells links apart, for managers.
  name text,
  -- How many people joined by it.
  uses integer not null default 0,
  -- Who watches by a link sees the page's history only if the link allows it.
  history boolean not null default false,
  constraint share_links_role_check check (role in ('viewer', 'commenter', 'editor')),
  constraint share_links_name_check check (char_length(name) between 1 and 80 and name !~ '[\u0001-\u001f\u007f-\u009f]')
);
create index share_links_document_id_index on public.share_links (document_id);
create index share_links_created_by_index on public.share_links (created_by);
alter table public.share_links enable row level security;
revoke all on public.share_links from public, anon, authenticated, service_role;
-- No API role reads a link's secret_hash and topic_key, not even the service key.
grant select (
  id, document_id, role, expires_at, revoked_at, watched_until, created_by, created_at, name, uses, history
) on public.share_links to authenticated, service_role;
grant delete on public.share_links to service_role;

-- Roles that a manager gave (via_link is null) and roles from a redeemed link. A person may have both: when the link
-- ends, the role that the manager gave stays.
create table public.document_members (
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.document_role not null,
  via_link uuid references public.share_links (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Tables without a primary key cannot be replicated, and a role given by hand and one of a link have no key in common.
  id uuid primary key default gen_random_uuid(),
  -- Who gave the role, where someone did.
  added_by uuid references public.profiles (id) on delete set null,
  -- That of the page, which never changes: the people of a workspace's pages are found without looking at each page.
  workspace_id uuid not null,
  constraint document_members_key unique nulls not distinct (document_id, user_id, via_link),
  constraint document_members_via_link_check check (via_link is null or role <> 'viewer')
);
create index document_members_user_id_index on public.document_members (user_id);
create index document_members_via_link_index on public.document_members (via_link);
create index document_members_added_by_index on public.document_members (added_by);
create index document_members_workspace_id_index on public.document_members (workspace_id);
alter table public.document_members enable row level security;
revoke all on public.document_members from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.document_members to service_role;

create function weft.set_workspace_of_page() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.workspace_id := (select d.workspace_id from public.documents as d where d.id = new.document_id);
  return new;
end
$$;
create trigger set_workspace_of_page before insert or update of document_id, workspace_id on public.document_members
for each row execute function weft.set_workspace_of_page();

-- --- the tree ------------------------------------------------------------------------------------------------------

-- Keeps the tree of pages within one workspace, without cycles and at most 12 levels deep, and no page below one in the trash.
-- It is a trigger, so no write to the table can bypass it.
create function weft.check_tree() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  max_levels constant integer := 12;
  parent record;
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
  perform from public.workspaces as w where w.id = new.workspace_id for no key update;

  select p.trashed_at into parent
  from public.documents as p
  where p.id = new.parent_id and p.workspace_id = new.workspace_id;
  if not found then
    perform weft.raise('WF010', 'the parent is not in this workspace');
  elsif parent.trashed_at is not null and new.trashed_at is null then
    perform weft.raise('WF010', 'the parent is in the trash');
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

-- --- schema versions -----------------------------------------------------------------------------------------------

-- The newest schema version that an app may write; the same as SCHEMA_VERSION in src/protocol/limits.ts. Apps of an older version
-- must not write to a page of a newer one (WF004): what it brought they show as unknown, or drop from a block that they change.
--   2: toggles, pictures, files, tables, formulas, link cards, highlights, mentions and dates
--   3: formulas in a line, a mark on text
--   4: the number at which a list starts, the sign behind its numbers, callouts that hold blocks, and the list of a page's subpages
create function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 4
$$;

-- Refuses a schema version below 1 or above the newest. Otherwise anyone could lock a page against all existing apps
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

-- The title in lists and in search. The page itself shows what its text says.
create function weft.clean_title() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.title := weft.visible_text(new.title);
  return new;
end
$$;
create trigger clean_title before insert or update of title on public.documents
for each row execute function weft.clean_title();

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.check_tree, weft.newest_schema, weft.check_schema, weft.clean_title, weft.set_workspace_of_page
from public, anon, authenticated, service_role;
