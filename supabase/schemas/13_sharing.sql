-- Roles on documents, share links, who has access to a page and why, who would lose it, requests for it, and why a page was closed
-- to someone. Every function that takes rights away locks the heads, changes the rights and moves the topics in one transaction
-- (07_topics.sql says why).

set check_function_bodies = off;

-- --- roles ---------------------------------------------------------------------------------------------------------

-- Gives a person a role on a document and on all that inherit from it, or takes it away (null). It replaces the roles
-- that they got through links. Those who lose access can learn why, and members of a page know who added them. The tree is locked:
-- otherwise a page that is moved below this one at the same time would keep its topics although its rights change.
create function public.set_document_member(document uuid, person uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_role;
  before public.document_role;
  seen uuid[];
begin
  perform weft.lock_tree(caller.workspace_id);
  inheriting := weft.inheriting_documents(set_document_member.document);
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

-- Sets where a page's default readers come from. The topics move in every case, because the pages above decide who
-- loses access. The caller stays a manager of the page. With `revoke_links`, the links to the page end in the same transaction, so
-- that no link stays open if a second call gets lost; also if the page has this access already: a repeated call does what the first
-- one did.
create function public.set_document_access(document uuid, access text, revoke_links boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  caller weft.caller := weft.require_role(document, 'manager');
  inheriting uuid[];
  given public.document_access;
  before public.document_access;
  losers uuid[];
  links uuid[] := '{}';
  moving uuid[] := '{}';
begin
  perform weft.lock_tree(caller.workspace_id);
  inheriting := weft.inheriting_documents(set_document_access.document);
  if set_document_access.revoke_links then
    links := array(
      select l.id from public.share_links as l
      where l.document_id = set_document_access.document and l.revoked_at is null
    );
  end if;
  perform weft.lock_heads(inheriting || weft.documents_via_links(links));
  -- Again, as in revoke_share_link: a guest of a link may have created a subpage.
  perform weft.lock_heads(weft.documents_via_links(links));
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
    moving := inheriting;
    perform weft.note_cut('restricted', inheriting, losers);
  end if;
  moving := array(
    select unnest(moving) union select unnest(weft.revoke_links(links, weft.documents_via_links(links)))
  );
  if moving <> '{}' then
    perform weft.move_topics(moving);
  end if;
  return jsonb_build_object('access', given);
end
$$;

-- --- links ---------------------------------------------------------------------------------------------------------

-- A share link as clients see it.
create function weft.link_summary(link uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', l.id, 'documentId', l.document_id, 'role', l.role, 'expiresAt', l.expires_at,
      'revokedAt', l.revoked_at, 'createdBy', l.created_by, 'createdAt', l.created_at,
      'name', l.name, 'uses', l.uses, 'history', l.history
    )
    from public.share_links as l
    where l.id = link_summary.link
  );
end
$$;

-- The active link with this secret, or null. A link shows no page that is in the trash.
create function weft.active_link(secret text) returns public.share_links
language plpgsql stable security definer set search_path = ''
as $$
declare
  link public.share_links;
begin
  select l.*
  into link
  from public.share_links as l join public.documents as d on d.id = l.document_id
  where l.secret_hash = weft.hash_secret(active_link.secret) and weft.is_link_active(l.revoked_at, l.expires_at)
    and d.trashed_at is null;
  return link;
end
$$;

-- The documents on which people have roles through these links: a link's own document, and pages that its guests created below.
create function weft.documents_via_links(links uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct m.document_id from public.document_members as m where m.via_link = any (documents_via_links.links)
  );
end
$$;

-- Creates a link and returns its secret. Nothing can return the secret later: the database stores a hash.
create function public.create_share_link(
  document uuid, role text, expires_at timestamptz, name text default null, history boolean default false
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
  insert into public.share_links (document_id, role, secret_hash, topic_key, expires_at, created_by, name, history)
  values (
    create_share_link.document, create_share_link.role::public.document_role, weft.hash_secret(secret),
    weft.random_key(), create_share_link.expires_at, caller.user_id,
    nullif(weft.trim_name(left(create_share_link.name, 1000)), ''), coalesce(create_share_link.history, false)
  )
  returning id into made;
  return jsonb_build_object('link', weft.link_summary(made), 'secret', secret);
end
$$;

-- Gives the caller, who may be a guest, the role of a link, and counts that the link was used. A caller who has at least that role
-- already gets no second one. A link to watch is watched (open_watch), not redeemed: a role would show the page's people, sessions,
-- live updates and history to a person with the link. A person who has a role already only learns where the page is.
create function public.redeem_share_link(secret text) returns jsonb
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
  if role is null and link.role = 'viewer' then
    perform weft.raise('WF002', 'a link to watch gives no role');
  elsif role is null or role < link.role then
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

-- Ends a link, informs its watchers, and removes the roles that people got through it. The call may be repeated.
create function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  links constant uuid[] := array[link];
  linked_document uuid;
  documents uuid[];
begin
  select l.document_id into linked_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: while the first call waits for its locks, a guest of the link may create a subpage, which adds a document.
  -- Nobody can add one after that.
  perform weft.lock_heads(array_append(weft.documents_via_links(links), linked_document));
  perform weft.lock_heads(weft.documents_via_links(links));
  perform weft.require_role(linked_document, 'manager');

  documents := weft.revoke_links(links, weft.documents_via_links(links));
  if documents <> '{}' then
    perform weft.move_topics(documents);
  end if;
  return jsonb '{}';
end
$$;

-- Revokes links, and removes the roles that people have through them on these documents, whose heads are locked. Returns the
-- documents on which there were some: their topics have to move.
create function weft.revoke_links(links uuid[], documents uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
declare
  topic_key text;
begin
  for topic_key in
    update public.share_links as l
    set revoked_at = now()
    where l.id = any (revoke_links.links) and l.revoked_at is null
    returning l.topic_key
  loop
    perform weft.publish_json('{}', 'ended', 'w:' || topic_key);
  end loop;
  return weft.remove_link_members(revoke_links.links, revoke_links.documents);
end
$$;

-- Removes the roles of expired links on a document. Nearly always there are none, and then this is cheap.
create function weft.remove_expired_members(document uuid) returns void
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

-- --- who has access, and who would lose it -------------------------------------------------------------------------

-- Every role that anyone has on a document, and where it comes from, if the document lay below `parent` with `access`.
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
-- links only to managers. A person whose only access is a link learns of no one else's access: presence shows them who is here.
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
        ) as sources,
        bool_and(s.kind = 'link') as is_by_link
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
      'commentReaders', (select d.comment_readers from public.documents as d where d.id = document_people.document),
      'people', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('user', p.user_id, 'role', p.role, 'sources', p.sources) order by p.role desc, p.user_id
          ),
          '[]'
        )
        from people as p
        where p.user_id = caller.user_id
          or not exists (select from people as me where me.user_id = caller.user_id and me.is_by_link)
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

-- --- why a page was closed -----------------------------------------------------------------------------------------

-- An act that took access away from people, kept for 30 days. Only they may learn of it: someone who never saw a page must
-- not learn that it exists.
create table weft.access_cuts (
  id uuid primary key default gen_random_uuid(),
  -- `removed`: someone took the person's role away; `restricted`: the page's access was changed, or it was moved; `link`: the link
  -- ended; `purged`: the page was deleted for good.
  kind text not null,
  -- Without references, because a page may be gone.
  documents uuid[] not null,
  by_user uuid references public.profiles (id) on delete set null,
  at timestamptz not null default now(),
  constraint access_cuts_kind_check check (kind in ('removed', 'restricted', 'link', 'purged'))
);
create index access_cuts_by_user_index on weft.access_cuts (by_user);
create index access_cuts_at_index on weft.access_cuts (at);
alter table weft.access_cuts enable row level security;
revoke all on weft.access_cuts from public, anon, authenticated, service_role;
create policy weft_nobody on weft.access_cuts using (false);

create table weft.cut_people (
  cut_id uuid not null references weft.access_cuts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  primary key (cut_id, user_id)
);
create index cut_people_user_id_index on weft.cut_people (user_id);
alter table weft.cut_people enable row level security;
revoke all on weft.cut_people from public, anon, authenticated, service_role;
create policy weft_nobody on weft.cut_people using (false);

-- Notes an act that took access away from these people. The person who did it is left out: they know.
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

-- Those of these documents on which the person has a role.
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
-- caller may not see the profile any more. A person who may open a page that is in the trash learns who put it there (`trashed`).
create function public.why_closed(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.document_role(why_closed.document, me) is not null then
    return (
      select jsonb_build_object('kind', 'trashed', 'by', p.id, 'byName', p.display_name, 'at', d.trashed_at)
      from public.documents as d left join public.profiles as p on p.id = d.trashed_by
      where d.id = why_closed.document and d.trashed_at is not null
    );
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

-- --- requests for access -------------------------------------------------------------------------------------------

-- Requests for access to a page. The person who asks learns nothing about the page: not from the answer, and not from its time.
create table weft.access_requests (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null references public.documents (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  role public.document_role not null,
  note text not null default '',
  requested_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references public.profiles (id) on delete set null,
  -- Null if the request was denied.
  given_role public.document_role,
  constraint access_requests_role_check check (role in ('viewer', 'commenter', 'editor')),
  constraint access_requests_note_check check (char_length(note) <= 500)
);
create unique index access_requests_open_index on weft.access_requests (document_id, user_id) where answered_at is null;
create index access_requests_document_id_index on weft.access_requests (document_id);
create index access_requests_user_id_index on weft.access_requests (user_id);
create index access_requests_answered_by_index on weft.access_requests (answered_by);
alter table weft.access_requests enable row level security;
revoke all on weft.access_requests from public, anon, authenticated, service_role;
create policy weft_nobody on weft.access_requests using (false);

-- Every request of a person in the last day. Those for pages that do not exist are written too, so that they take the same time.
create table weft.request_attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default clock_timestamp()
);
create index request_attempts_user_id_index on weft.request_attempts (user_id, at);
alter table weft.request_attempts enable row level security;
revoke all on weft.request_attempts from public, anon, authenticated, service_role;
create policy weft_nobody on weft.request_attempts using (false);

-- Asks the managers of a page for a role on it. The answer is always the same. A second request replaces an open one; after
-- an answer nothing is asked again for a day. Above 20 in a day nothing is done, whatever the page.
create function public.request_access(document uuid, role text, note text default '') returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  began constant timestamptz := clock_timestamp();
  per_day constant integer := 20;
  me uuid := weft.require_user();
begin
  if request_access.role is null or request_access.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif char_length(request_access.note) > 500 then
    raise exception using errcode = '22023', message = 'note: at most 500 characters';
  end if;
  perform weft.lock_limit('access requests', me);
  delete from weft.request_attempts as a where a.user_id = me and a.at < now() - interval '1 day';
  if (select count(*) from weft.request_attempts as a where a.user_id = me) >= per_day then
    return jsonb '{}';
  end if;
  insert into weft.request_attempts (user_id) values (me);
  begin
    insert into weft.access_requests as r (document_id, user_id, role, note)
    select d.id, me, request_access.role::public.document_role, coalesce(weft.trim_name(request_access.note), '')
    from public.documents as d
    where d.id = request_access.document and d.trashed_at is null
      and coalesce(weft.document_role(d.id, me) < request_access.role::public.document_role, true)
      and not exists (
        select
        from weft.access_requests as earlier
        where earlier.document_id = d.id and earlier.user_id = me and earlier.answered_at > now() - interval '1 day'
      )
    on conflict (document_id, user_id) where answered_at is null do update
    set role = excluded.role, note = excluded.note, requested_at = excluded.requested_at;
  exception when lock_not_available then
    -- Something holds the page, so it exists: that is nothing to tell.
    null;
  end;
  perform weft.wait_for_step(began);
  return jsonb '{}';
end
$$;

-- Takes back the caller's open request, if there is one.
create function public.withdraw_request(document uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  began constant timestamptz := clock_timestamp();
  me uuid := weft.require_user();
begin
  delete from weft.access_requests as r
  where r.document_id = withdraw_request.document and r.user_id = me and r.answered_at is null;
  perform weft.wait_for_step(began);
  return jsonb '{}';
end
$$;

-- The open requests for a page, with names: a manager may not see the profile of someone who is not there yet.
create function public.list_requests(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform weft.require_role(list_requests.document, 'manager');
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', r.id, 'user', r.user_id, 'displayName', p.display_name, 'color', p.color, 'role', r.role,
          'note', r.note, 'at', r.requested_at
        )
        order by r.requested_at, r.id
      ),
      '[]'
    )
    from weft.access_requests as r join public.profiles as p on p.id = r.user_id
    where r.document_id = list_requests.document and r.answered_at is null
  );
end
$$;

-- Gives a role on the page, or denies (null). A role that the person has by now is never lowered. A repeated call gets the
-- first answer.
create function public.answer_request(request uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.require_user();
  given public.document_role;
  asked weft.access_requests;
begin
  begin
    given := answer_request.role::public.document_role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  select r.* into asked from weft.access_requests as r where r.id = answer_request.request;
  if weft.document_role(asked.document_id, me) = 'manager' then
    -- Waits for a call that takes the caller's own rights away.
    perform weft.lock_heads(array[asked.document_id]);
    select r.* into asked from weft.access_requests as r where r.id = answer_request.request for update;
  end if;
  if weft.document_role(asked.document_id, me) is distinct from 'manager' then
    perform weft.raise('WF001', 'no such request');
  end if;
  if asked.answered_at is null then
    if given is not null then
      insert into public.document_members as m (document_id, user_id, role, added_by)
      values (asked.document_id, asked.user_id, given, me)
      on conflict on constraint document_members_key do update set role = excluded.role where m.role < excluded.role;
    end if;
    update weft.access_requests as r
    set answered_at = now(), answered_by = me, given_role = given
    where r.id = asked.id
    returning r.* into asked;
  end if;
  return jsonb_build_object('role', asked.given_role);
end
$$;

-- Tells the managers of the page, and the answer to the person who asked.
create function weft.publish_request_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  request weft.access_requests := coalesce(new, old);
begin
  perform weft.publish_to_managers(request.document_id, 'request', weft.op_name(tg_op), request.id);
  if tg_op = 'UPDATE' and new.answered_at is not null then
    perform weft.publish_change('u:' || request.user_id, 'request', 'changed', request.id, null);
  end if;
  return null;
end
$$;
create trigger publish_request_change after insert or delete or update on weft.access_requests
for each row execute function weft.publish_request_change();

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  public.set_document_member, public.set_document_access, weft.link_summary, weft.active_link,
  weft.documents_via_links, public.create_share_link, public.redeem_share_link,
  public.revoke_share_link, weft.revoke_links, weft.remove_expired_members, weft.remove_link_members,
  weft.access_sources, public.document_people, weft.losers, public.who_loses_access, public.who_loses_access_by_move,
  weft.note_cut, weft.seen_among, weft.note_losses, public.why_closed, public.request_access, public.withdraw_request,
  public.list_requests, public.answer_request, weft.publish_request_change
from public, anon, authenticated, service_role;

grant execute on function
  public.set_document_member, public.set_document_access, public.create_share_link, public.redeem_share_link,
  public.revoke_share_link, public.document_people, public.who_loses_access, public.who_loses_access_by_move,
  public.why_closed, public.request_access, public.withdraw_request, public.list_requests, public.answer_request
to authenticated;
