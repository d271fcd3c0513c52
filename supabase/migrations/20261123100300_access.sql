-- Who has access to a page and why, who would lose it, requests for it, and why a page was closed to somebody.

alter table public.share_links
  -- Tells links apart, for managers.
  add column name text,
  -- How many people joined by it.
  add column uses integer not null default 0,
  add constraint share_links_name_check check (char_length(name) between 1 and 80 and name !~ '[\u0001-\u001f\u007f-\u009f]');
grant select (name, uses) on public.share_links to authenticated, service_role;

-- Who gave the role, where somebody did.
alter table public.document_members add column added_by uuid references public.profiles (id) on delete set null;
create index document_members_added_by_index on public.document_members (added_by);

-- --- sources of access --------------------------------------------------------------------------------------------

-- Every role that anybody has on a document, and where it comes from, if the document lay below `parent` with `access`.
-- The highest role of a person counts (document_role); tests/sql/access/access.test.ts compares the two.
create function weft.access_sources(document uuid, parent uuid, access public.document_access)
returns table (
  user_id uuid, role public.document_role, kind text, source_document uuid, source_link uuid, added_by uuid
)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    with recursive chain as (
      select access_sources.document as id, access_sources.parent as parent_id, access_sources.access as access, 1 as height
      union all
      select p.id, p.parent_id, p.access, chain.height + 1
      from chain join public.documents as p on p.id = chain.parent_id
      where chain.access = 'inherit'
    ),
    top as (
      select chain.access from chain order by chain.height desc limit 1
    )
    select
      w.user_id, weft.default_role(w.role, top.access), case w.role when 'owner' then 'owner' else 'workspace' end,
      null::uuid, null::uuid, null::uuid
    from top
    join public.documents as d on d.id = access_sources.document
    join public.workspace_members as w on w.workspace_id = d.workspace_id
    where weft.default_role(w.role, top.access) is not null
    union all
    select
      m.user_id, m.role, case chain.height when 1 then 'page' else 'ancestor' end, chain.id, null, m.added_by
    from chain join public.document_members as m on m.document_id = chain.id
    where m.via_link is null
    union all
    select m.user_id, m.role, 'link', null, l.id, null
    from public.document_members as m join public.share_links as l on l.id = m.via_link
    where m.document_id = access_sources.document and weft.is_link_active(l.revoked_at, l.expires_at);
end
$$;

-- The people with access to a page, each with every source of it. A page above that the caller may not see is not named, and
-- links only to managers.
create function public.document_people(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'viewer');
begin
  return (
    with recursive chain as (
      select d.id, d.parent_id, d.access, 1 as height
      from public.documents as d
      where d.id = document_people.document
      union all
      select p.id, p.parent_id, p.access, chain.height + 1
      from chain join public.documents as p on p.id = chain.parent_id
      where chain.access = 'inherit'
    ),
    visible as (
      select chain.id from chain where weft.document_role(chain.id, caller.user_id) is not null
    ),
    people as (
      select
        s.user_id,
        max(s.role) as role,
        jsonb_agg(
          jsonb_build_object(
            'kind', s.kind, 'role', s.role, 'document', visible.id,
            'link', case when caller.role = 'manager' then s.source_link end, 'addedBy', s.added_by
          )
          order by s.role desc, s.kind, s.source_document, s.source_link
        ) as sources
      from chain
      cross join lateral weft.access_sources(chain.id, chain.parent_id, chain.access) as s
      left join visible on visible.id = s.source_document
      where chain.height = 1
      group by s.user_id
    )
    select jsonb_build_object(
      'access', (select chain.access from chain where chain.height = 1),
      'resolvedAccess', (select chain.access from chain order by chain.height desc limit 1),
      'resolvedFrom', (
        select visible.id
        from (select chain.id from chain order by chain.height desc limit 1) as top join visible on visible.id = top.id
      ),
      'people', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('user', p.user_id, 'role', p.role, 'sources', p.sources) order by p.role desc, p.user_id
          ),
          '[]'
        )
        from people as p
      )
    )
  );
end
$$;

-- People who see the document now, and would not see it below `parent` with `access`.
create function weft.losers(document uuid, parent uuid, access public.document_access)
returns table (user_id uuid)
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select r.user_id
    from public.documents as d cross join lateral weft.readers(d.id, d.workspace_id, d.parent_id, d.access) as r
    where d.id = losers.document
    except
    select r.user_id
    from public.documents as d
    cross join lateral weft.readers(d.id, d.workspace_id, losers.parent, losers.access) as r
    where d.id = losers.document;
end
$$;

-- The people who lose access if a manager sets this access. The caller stays a manager.
create function public.who_loses_access(document uuid, access text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
begin
  if who_loses_access.access is null or who_loses_access.access not in ('inherit', 'workspace', 'restricted') then
    raise exception using errcode = '22023', message = 'access: workspace, restricted or inherit';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('user', l.user_id) order by l.user_id), '[]')
    from public.documents as d
    cross join lateral weft.losers(d.id, d.parent_id, who_loses_access.access::public.document_access) as l
    where d.id = who_loses_access.document and l.user_id <> caller.user_id
  );
end
$$;

-- The people who lose access if the page is moved below `parent`, or to the top. A page that is open to the workspace
-- inherits from then on; one that inherits and is moved to the top keeps its people.
create function public.who_loses_access_by_move(document uuid, parent uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(who_loses_access_by_move.document, 'editor');
  if who_loses_access_by_move.parent is not null then
    perform weft.require_role(who_loses_access_by_move.parent, 'editor');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('user', l.user_id) order by l.user_id), '[]')
    from public.documents as d
    cross join lateral weft.losers(
      d.id, who_loses_access_by_move.parent,
      case when d.parent_id is null and d.access = 'workspace' then 'inherit' else d.access end
    ) as l
    where d.id = who_loses_access_by_move.document
      and (who_loses_access_by_move.parent is not null or d.access <> 'inherit')
  );
end
$$;

-- --- why a page was closed ----------------------------------------------------------------------------------------

-- An act that took access away from people, kept for 30 days. Only they may learn of it: somebody who never saw a page must
-- not learn that it exists.
create table weft.access_cuts (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- Without references, because a page may be gone.
  documents uuid[] not null,
  by_user uuid references public.profiles (id) on delete set null,
  at timestamptz not null default now(),
  constraint access_cuts_kind_check check (kind in ('removed', 'restricted', 'link', 'purged'))
);
create index access_cuts_by_user_index on weft.access_cuts (by_user);
create index access_cuts_at_index on weft.access_cuts (at);

create table weft.cut_people (
  cut_id uuid not null references weft.access_cuts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  primary key (cut_id, user_id)
);
create index cut_people_user_id_index on weft.cut_people (user_id);

-- The caller of the function that takes access away is no loser: they know.
create function weft.note_cut(kind text, documents uuid[], people uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  kept_for constant interval := interval '30 days';
  me uuid := auth.uid();
  made uuid;
begin
  if not exists (select from unnest(people) as p (id) where p.id is distinct from me) or documents = '{}' then
    return;
  end if;
  delete from weft.access_cuts as c where c.at < now() - kept_for;
  insert into weft.access_cuts (kind, documents, by_user)
  select note_cut.kind, note_cut.documents, (select p.id from public.profiles as p where p.id = me)
  returning id into made;
  insert into weft.cut_people (cut_id, user_id)
  select made, p.id from unnest(people) as p (id) where p.id is distinct from me
  on conflict do nothing;
end
$$;

create function weft.seen_among(documents uuid[], person uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Above that many, the roles on all documents cost less than one by one.
  max_single constant integer := 100;
begin
  if cardinality(documents) <= max_single then
    return array(
      select d.id from unnest(documents) as d (id) where weft.document_role(d.id, seen_among.person) is not null
    );
  end if;
  return array(
    select unnest(documents) intersect select r.document_id from weft.document_roles(seen_among.person, null) as r
  );
end
$$;

-- Notes a cut of those documents that the person saw and no longer sees.
create function weft.note_losses(kind text, seen uuid[], person uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform weft.note_cut(
    note_losses.kind,
    array(select unnest(seen) except select unnest(weft.seen_among(seen, person))), array[person]
  );
end
$$;

-- Why the page is closed to the caller, if they had access in the last 30 days and have none now, else null. `byName`: the
-- caller may not see the profile any more.
create function public.why_closed(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.document_role(why_closed.document, me) is not null then
    return null;
  end if;
  return (
    select jsonb_build_object('kind', c.kind, 'by', c.by_user, 'byName', p.display_name, 'at', c.at)
    from weft.cut_people as l
    join weft.access_cuts as c on c.id = l.cut_id
    left join public.profiles as p on p.id = c.by_user
    where l.user_id = me and why_closed.document = any (c.documents)
    order by c.at desc
    limit 1
  );
end
$$;

-- --- functions that take access away ------------------------------------------------------------------------------

-- As before. Those who lose access can learn why, and members of a page know who added them.
create or replace function public.set_document_member(document uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  inheriting uuid[] := weft.inheriting_documents(document);
  given public.document_role;
  before public.document_role;
  seen uuid[];
begin
  perform weft.lock_heads(inheriting);
  perform weft.require_role(set_document_member.document, 'manager');
  begin
    given := set_document_member.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  if not exists (select from public.profiles as p where p.id = set_document_member.person) then
    perform weft.raise('WF001', 'no such person');
  end if;

  select max(m.role)
  into before
  from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person;

  if before is not null and coalesce(given < before, true) then
    seen := weft.seen_among(inheriting, set_document_member.person);
  end if;
  delete from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member.person
    and (given is null or m.via_link is not null);
  if given is not null then
    insert into public.document_members as m (document_id, user_id, role, added_by)
    values (set_document_member.document, set_document_member.person, given, auth.uid())
    on conflict on constraint document_members_key do update
    set role = excluded.role where m.role <> excluded.role;
  end if;
  if before is not null and coalesce(given < before, true) then
    perform weft.move_topics(inheriting);
    perform weft.note_losses('removed', seen, set_document_member.person);
  end if;
  return jsonb_build_object('role', given);
end
$$;

-- As before, with a note of who lost access.
create or replace function public.set_document_access(document uuid, access text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  inheriting uuid[] := weft.inheriting_documents(document);
  caller weft.caller;
  given public.document_access;
  before public.document_access;
  losers uuid[];
begin
  perform weft.lock_heads(inheriting);
  caller := weft.require_role(set_document_access.document, 'manager');
  select d.access into before from public.documents as d where d.id = set_document_access.document;
  begin
    given := set_document_access.access::public.document_access;
  exception when invalid_text_representation then
    given := null;
  end;
  if given is null or given = 'inherit' and not exists (
    select from public.documents as d where d.id = set_document_access.document and d.parent_id is not null
  ) then
    raise exception using errcode = '22023', message = 'access: workspace, restricted, or, below another page, inherit';
  end if;
  if given <> before then
    losers := array(
      select l.user_id
      from public.documents as d cross join lateral weft.losers(d.id, d.parent_id, given) as l
      where d.id = set_document_access.document
    );
    update public.documents as d set access = given where d.id = set_document_access.document;
    if weft.document_role(set_document_access.document, caller.user_id) is distinct from 'manager' then
      insert into public.document_members (document_id, user_id, role)
      values (set_document_access.document, caller.user_id, 'manager')
      on conflict on constraint document_members_key do update set role = 'manager';
    end if;
    perform weft.move_topics(inheriting);
    perform weft.note_cut('restricted', inheriting, losers);
  end if;
  return jsonb_build_object('access', given);
end
$$;

-- As before, with a note of what the person can no longer see.
create or replace function weft.change_workspace_member(workspace uuid, person uuid, role public.workspace_role) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
  mine public.workspace_role := weft.workspace_role(workspace, me);
  before public.workspace_role;
  seen uuid[];
begin
  -- The role is checked before the lock, because only members may take the lock, and again after it.
  if mine is not null then
    perform weft.lock_workspace(change_workspace_member.workspace);
    mine := weft.workspace_role(change_workspace_member.workspace, me);
    before := weft.workspace_role(change_workspace_member.workspace, change_workspace_member.person);
  end if;
  if mine is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  elsif before is null then
    -- A repeated call, whose first answer was lost.
    if change_workspace_member.role is null and mine >= 'admin' then
      return;
    end if;
    perform weft.raise('WF001', 'no such member');
  elsif not (
    mine = 'owner'
    or mine = 'admin' and before <= 'admin' and coalesce(change_workspace_member.role <= 'admin', true)
    or change_workspace_member.person = me and change_workspace_member.role is null
  ) then
    perform weft.raise(
      'WF002', format('a %s may not make a %s %s', mine, before, coalesce(change_workspace_member.role::text, 'leave'))
    );
  elsif before = 'owner' and change_workspace_member.role is distinct from 'owner' and not exists (
    select
    from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.role = 'owner'
      and m.user_id <> change_workspace_member.person
  ) then
    perform weft.raise('WF014', 'the last owner');
  end if;

  if coalesce(change_workspace_member.role < before, true) then
    seen := array(
      select r.document_id
      from weft.document_roles(change_workspace_member.person, change_workspace_member.workspace) as r
    );
  end if;
  if change_workspace_member.role is null then
    delete from public.workspace_members as m
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person;
  else
    update public.workspace_members as m
    set role = change_workspace_member.role
    where m.workspace_id = change_workspace_member.workspace and m.user_id = change_workspace_member.person
      and m.role <> change_workspace_member.role;
  end if;
  if coalesce(change_workspace_member.role < before, true) then
    perform weft.move_workspace_topics(change_workspace_member.workspace);
    perform weft.note_losses('removed', seen, change_workspace_member.person);
  end if;
end
$$;

-- Removes the roles that people have through these links on these documents, whose heads are locked. Returns the documents
-- on which there were some.
create function weft.remove_link_members(links uuid[], documents uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  one uuid;
  removed uuid[];
  changed uuid[] := '{}';
begin
  foreach one in array documents loop
    with gone as (
      delete from public.document_members as m
      where m.document_id = one and m.via_link = any (links)
      returning m.user_id
    )
    select array_agg(gone.user_id) into removed from gone;
    if removed is not null then
      changed := changed || one;
      perform weft.note_cut(
        'link', array[one],
        array(select r.id from unnest(removed) as r (id) where weft.document_role(one, r.id) is null)
      );
    end if;
  end loop;
  return changed;
end
$$;

-- As before, with a note of who lost access.
create or replace function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  linked_document uuid;
  documents uuid[];
  topic_key text;
begin
  select l.document_id into linked_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: while the first call waits for its locks, a guest of the link may create a subpage, which adds a document.
  -- Nobody can add one after that.
  perform weft.lock_heads(array_append(weft.documents_via_link(revoke_share_link.link), linked_document));
  perform weft.lock_heads(weft.documents_via_link(revoke_share_link.link));
  perform weft.require_role(linked_document, 'manager');

  update public.share_links as l
  set revoked_at = now()
  where l.id = revoke_share_link.link and l.revoked_at is null
  returning l.topic_key into topic_key;
  if topic_key is not null then
    perform weft.publish_json('{}', 'ended', 'w:' || topic_key);
  end if;

  documents := weft.remove_link_members(array[revoke_share_link.link], weft.documents_via_link(revoke_share_link.link));
  if documents <> '{}' then
    perform weft.move_topics(documents);
  end if;
  return jsonb '{}';
end
$$;

-- As before, with a note of who lost access.
create or replace function weft.remove_expired_members(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (
    select
    from public.document_members as m join public.share_links as l on l.id = m.via_link
    where m.document_id = remove_expired_members.document and not weft.is_link_active(l.revoked_at, l.expires_at)
  ) then
    return;
  end if;
  perform weft.lock_heads(array[remove_expired_members.document]);
  -- Nothing is left if another call removed them while this one waited for the lock.
  if weft.remove_link_members(
    array(
      select l.id
      from public.document_members as m join public.share_links as l on l.id = m.via_link
      where m.document_id = remove_expired_members.document and not weft.is_link_active(l.revoked_at, l.expires_at)
    ),
    array[remove_expired_members.document]
  ) <> '{}' then
    perform weft.move_topics(array[remove_expired_members.document]);
  end if;
end
$$;

-- --- links with names ---------------------------------------------------------------------------------------------

-- As before, with the link's name and the number of people who joined by it.
create or replace function weft.link_summary(link uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', l.id, 'documentId', l.document_id, 'role', l.role, 'expiresAt', l.expires_at,
      'revokedAt', l.revoked_at, 'createdBy', l.created_by, 'createdAt', l.created_at,
      'name', l.name, 'uses', l.uses
    )
    from public.share_links as l
    where l.id = link_summary.link
  );
end
$$;

-- As before; the link is counted, and guests are told apart.
create or replace function public.redeem_share_link(secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  link public.share_links := weft.active_link(secret);
  role public.document_role;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no active link with this secret');
  end if;
  role := weft.document_role(link.document_id, me);
  if role is null or role < link.role then
    -- Waits for a call that revokes the link; otherwise that call could miss the new member.
    perform weft.lock_heads(array[link.document_id]);
    link := weft.active_link(secret);
    if link.id is null then
      perform weft.raise('WF009', 'no active link with this secret');
    end if;
    insert into public.document_members (document_id, user_id, role, via_link)
    values (link.document_id, me, link.role, link.id)
    on conflict on constraint document_members_key do nothing;
    if found then
      update public.share_links as l set uses = l.uses + 1 where l.id = link.id;
      perform weft.number_guest(me, d.workspace_id) from public.documents as d where d.id = link.document_id;
    end if;
    role := link.role;
  end if;
  return (
    select jsonb_build_object('document', d.id, 'workspaceSlug', w.slug, 'role', role)
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = link.document_id
  );
end
$$;

drop function public.create_share_link(uuid, text, timestamptz);

-- Creates a link and returns its secret. Nothing can return the secret later: the database stores a hash.
create function public.create_share_link(
  document uuid, role text, expires_at timestamptz, name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  secret text := weft.random_key();
  made uuid;
begin
  if create_share_link.role is null or create_share_link.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif create_share_link.expires_at <= now() or create_share_link.expires_at > now() + interval '1 year' then
    raise exception using errcode = '22023', message = 'expires_at: none, or in the future and within a year';
  end if;
  insert into public.share_links (document_id, role, secret_hash, topic_key, expires_at, created_by, name)
  values (
    create_share_link.document, create_share_link.role::public.document_role, weft.hash_secret(secret),
    weft.random_key(), create_share_link.expires_at, caller.user_id,
    nullif(weft.trim_name(left(create_share_link.name, 1000)), '')
  )
  returning id into made;
  return jsonb_build_object('link', weft.link_summary(made), 'secret', secret);
end
$$;


alter table weft.access_cuts enable row level security;
alter table weft.cut_people enable row level security;
create policy weft_nobody on weft.access_cuts using (false);
create policy weft_nobody on weft.cut_people using (false);
revoke all on weft.access_cuts, weft.cut_people from public, anon, authenticated, service_role;

revoke all on function
  weft.access_sources, weft.losers, weft.note_cut, weft.seen_among, weft.note_losses, weft.remove_link_members,
  public.document_people, public.who_loses_access, public.who_loses_access_by_move, public.why_closed,
  public.create_share_link
from public, anon, authenticated, service_role;
grant execute on function
  public.document_people, public.who_loses_access, public.who_loses_access_by_move, public.why_closed,
  public.create_share_link
to authenticated;
