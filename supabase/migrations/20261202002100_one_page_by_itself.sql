-- What one page costs: policies look at a page from itself up, and the list of members reads no page that it does not show. The log,
-- the people of pages, versions and attachments are read by functions alone.

set check_function_bodies = off;

create function weft.may_read(document uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return weft.document_role(may_read.document, auth.uid()) is not null;
end
$$;

create function weft.may_manage(document uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(weft.document_role(may_manage.document, auth.uid()) = 'manager', false);
end
$$;

revoke all on function weft.may_read, weft.may_manage from public, anon, authenticated, service_role;
grant execute on function weft.may_read, weft.may_manage to authenticated;

drop policy weft_select on public.workspaces;
create policy weft_select on public.workspaces for select to authenticated
using (id = any (array(select weft.my_visible_workspaces())));
drop policy weft_select on public.workspace_members;
create policy weft_select on public.workspace_members for select to authenticated
using (workspace_id = any (array(select weft.my_workspaces())));
drop policy weft_select on public.documents;
create policy weft_select on public.documents for select to authenticated
using (workspace_id = any (array(select weft.my_visible_workspaces())) and weft.may_read(id));
drop policy weft_select on public.share_links;
create policy weft_select on public.share_links for select to authenticated
using (weft.may_manage(document_id));

revoke select on public.document_members from authenticated;
drop policy weft_select on public.document_members;
create policy weft_nobody on public.document_members using (false);
revoke select on public.document_heads from authenticated;
drop policy weft_select on public.document_heads;
create policy weft_nobody on public.document_heads using (false);
revoke select on public.document_sessions from authenticated;
drop policy weft_select on public.document_sessions;
create policy weft_nobody on public.document_sessions using (false);
revoke select on public.document_updates from authenticated;
drop policy weft_select on public.document_updates;
create policy weft_nobody on public.document_updates using (false);
revoke select on public.document_snapshots from authenticated;
drop policy weft_select on public.document_snapshots;
create policy weft_nobody on public.document_snapshots using (false);
revoke select on public.document_versions from authenticated;
drop policy weft_select on public.document_versions;
create policy weft_nobody on public.document_versions using (false);
revoke select on public.attachments from authenticated;
drop policy weft_select on public.attachments;
create policy weft_nobody on public.attachments using (false);

drop function weft.my_histories();
drop function weft.my_documents();
drop function weft.my_managed_documents();

drop index public.documents_updated_by_index;
create index documents_updated_by_index on public.documents (updated_by, workspace_id, updated_at);
-- For the deletion of an account.
create index document_heads_snapshot_claimed_by_index on public.document_heads (snapshot_claimed_by)
where snapshot_claimed_by is not null;

-- When a person last wrote or was on a page of the workspace that `viewer` may read. Each search begins with the newest and ends at
-- the first such page.
create function weft.last_active_at(person uuid, workspace uuid, viewer uuid) returns timestamptz
language plpgsql stable security definer set search_path = ''
as $$
begin
  return greatest(
    (
      select d.updated_at
      from public.documents as d
      where d.updated_by = last_active_at.person and d.workspace_id = last_active_at.workspace
        and weft.document_role(d.id, last_active_at.viewer) is not null
      order by d.updated_at desc
      limit 1
    ),
    (
      select a.announced_at
      from weft.announced_sessions as a join public.documents as d on d.id = a.document_id
      where a.user_id = last_active_at.person and d.workspace_id = last_active_at.workspace
        and weft.document_role(d.id, last_active_at.viewer) is not null
      order by a.announced_at desc
      limit 1
    )
  );
end
$$;

revoke all on function weft.last_active_at from public, anon, authenticated, service_role;

-- The people of a workspace, for its members: members, and guests who have roles on single pages only. Of pages that the
-- caller may not see, nothing is counted or dated. `pages` counts the pages on which a guest has a role of their own.
create or replace function public.list_members(workspace uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := weft.require_user();
begin
  if weft.workspace_role(list_members.workspace, me) is null then
    perform weft.raise('WF001', 'not a member of this workspace');
  end if;
  return (
    with given as materialized (
      select m.*
      from public.documents as d
      -- Without the offset a join with the people of all pages is planned.
      cross join lateral (
        select one.document_id, one.user_id, one.created_at, one.via_link
        from public.document_members as one
        where one.document_id = d.id
        offset 0
      ) as m
      left join public.share_links as l on l.id = m.via_link
      where d.workspace_id = list_members.workspace
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
    ),
    -- Few pages have people of their own, so each is looked at from itself up.
    visible as materialized (
      select page.document_id
      from (select distinct given.document_id from given) as page
      where weft.document_role(page.document_id, me) is not null
    ),
    on_pages as (
      select
        given.user_id, min(given.created_at) as joined_at, count(distinct given.document_id) as pages,
        bool_and(given.via_link is not null) as by_links
      from given join visible on visible.document_id = given.document_id
      group by given.user_id
    ),
    people as (
      select m.user_id, m.role, m.created_at as joined_at, m.invited_by, m.via, o.pages
      from public.workspace_members as m left join on_pages as o on o.user_id = m.user_id
      where m.workspace_id = list_members.workspace
      union all
      select o.user_id, 'guest', o.joined_at, null, case when o.by_links then 'share-link' else 'page' end, o.pages
      from on_pages as o
      where not exists (
        select
        from public.workspace_members as m
        where m.workspace_id = list_members.workspace and m.user_id = o.user_id
      )
    )
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'user', p.user_id, 'role', p.role, 'joinedAt', p.joined_at, 'invitedBy', p.invited_by, 'via', p.via,
          'lastActiveAt', weft.last_active_at(p.user_id, list_members.workspace, me),
          'pages', case when p.role = 'guest' then coalesce(p.pages, 0) end,
          'hasAccount', not u.is_anonymous
        )
        order by p.role desc, p.joined_at, p.user_id
      ),
      '[]'
    )
    from people as p
    join auth.users as u on u.id = p.user_id
  );
end
$$;

-- The caller's documents in a workspace, without those in the trash. With the stamp of an earlier answer: only those that
-- changed since, and the ids of those that went to the trash, unless rights changed (`isComplete`). The function is
-- stable, so that everything in the answer is of one moment.
create or replace function public.list_documents(workspace uuid, since text default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- Above that many, a complete list costs less.
  max_changed constant integer := 500;
  me uuid := weft.require_user();
  membership public.workspace_role := weft.workspace_role(workspace, me);
  unseen xid8 := weft.first_unseen(since, workspace, me);
  is_complete boolean := true;
  changed uuid[];
  ids uuid[];
  roles public.document_role[];
  removed uuid[];
begin
  if unseen is not null then
    select array_agg(c.id)
    into changed
    from (
      select c.id from weft.changed_documents(list_documents.workspace, me, unseen) as c (id) limit max_changed + 1
    ) as c;
    if coalesce(cardinality(changed), 0) <= max_changed then
      select
        array_agg(d.id) filter (where d.trashed_at is null),
        array_agg(seen.role) filter (where d.trashed_at is null),
        array_agg(d.id) filter (where d.trashed_at is not null)
      into ids, roles, removed
      from public.documents as d
      cross join lateral weft.document_role(d.id, me) as seen (role)
      where d.id = any (changed) and seen.role is not null;
      -- Somebody whose last page went to the trash gets the refusal below.
      is_complete := membership is null and removed is not null;
    end if;
  end if;

  if is_complete then
    removed := null;
    select array_agg(r.document_id), array_agg(r.role)
    into ids, roles
    from weft.document_roles(me, list_documents.workspace) as r
    -- Few pages are in the trash; a join would look up all of them.
    where r.document_id not in (
      select d.id from public.documents as d
      where d.workspace_id = list_documents.workspace and d.trashed_at is not null
    );
    if ids is null and membership is null then
      perform weft.raise('WF001', 'no member, and no page to see');
    end if;
  end if;
  return json_build_object(
    'workspace', weft.workspace_summary(list_documents.workspace, me),
    'stamp', weft.present_stamp(),
    'isComplete', is_complete,
    'documents', (
      select coalesce(json_agg(s.summary order by s.rank, s.id), '[]') from weft.document_summaries(ids, roles) as s
    ),
    'removed', coalesce(removed, '{}')
  );
end
$$;

-- The database names guests who gave no name "Guest". One who arrives where someone has that name becomes "Guest 2",
-- "Guest 3" and so on, so that they can be told apart.
create or replace function weft.number_guest(person uuid, workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  guest_name constant text := '^Guest( [0-9]{1,6})?$';
  own_name text;
  taken text[];
begin
  select p.display_name into own_name from public.profiles as p where p.id = number_guest.person;
  if own_name is null or own_name !~ guest_name then
    return;
  end if;
  -- Two who arrive at once would choose the same number.
  perform pg_advisory_xact_lock(hashtextextended('weft.guests.' || number_guest.workspace, 0));
  select array_agg(p.display_name)
  into taken
  from (
    select m.user_id from public.workspace_members as m where m.workspace_id = number_guest.workspace
    union
    select m.user_id
    from public.document_members as m join public.documents as d on d.id = m.document_id
    where d.workspace_id = number_guest.workspace
  ) as person
  -- Without the offset a join with everyone is planned.
  cross join lateral (select p.display_name from public.profiles as p where p.id = person.user_id offset 0) as p
  where p.display_name ~ guest_name and person.user_id <> number_guest.person;
  if own_name = any (taken) then
    update public.profiles as p
    set display_name = (
      select 'Guest ' || n
      from generate_series(2, cardinality(taken) + 2) as n
      where 'Guest ' || n <> all (taken)
      order by n
      limit 1
    )
    where p.id = number_guest.person;
  end if;
end
$$;

-- Stores the mentions of a text copy and tells whom they name. A copy comes from a device, which may send mentions that no row has.
-- So a mention names its author only if they sent the copy themselves: an editor could put a mention into a colleague's mouth.
-- Someone who wrote since the last copy is on the page, and may have written the mention, so they are not told.
create or replace function weft.save_mentions(document uuid, workspace uuid, mentions jsonb, authors uuid[]) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  max_mentions constant integer := 500;
  mention record;
begin
  for mention in
    with named as (
      select distinct on (m.person, m.block) m.person, m.block, m.excerpt
      from (
        select
          (one.value ->> 'user')::uuid as person, left(one.value ->> 'block', 64) as block,
          left(one.value ->> 'excerpt', 200) as excerpt
        from jsonb_array_elements(save_mentions.mentions) with ordinality as one (value, nth)
        where one.nth <= max_mentions
      ) as m
      -- Without the offset a join with everyone is planned.
      cross join lateral (select from public.profiles as p where p.id = m.person offset 0) as p
      where m.block is not null
    ),
    added as (
      insert into weft.mentions (document_id, user_id, block)
      select save_mentions.document, n.person, n.block from named as n
      on conflict do nothing
      returning user_id, block
    )
    select n.person, n.block, n.excerpt
    from added as a join named as n on n.person = a.user_id and n.block = a.block
    where not n.person = any (authors)
  loop
    perform weft.notify(
      mention.person, 'mention', save_mentions.workspace, save_mentions.document,
      case when authors = array[auth.uid()] then auth.uid() end,
      mention.block, jsonb_build_object('block', mention.block, 'excerpt', coalesce(mention.excerpt, ''))
    );
  end loop;
end
$$;
