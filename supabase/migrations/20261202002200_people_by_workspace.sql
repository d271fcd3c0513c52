-- The people of a workspace's pages are found by the workspace: a list of members looked at each of its pages.

set check_function_bodies = off;

alter table public.document_members add column workspace_id uuid;

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
revoke all on function weft.set_workspace_of_page from public, anon, authenticated, service_role;

-- No one's rights change, so no one is told.
alter table public.document_members disable trigger publish_access_change;
update public.document_members as m
set workspace_id = d.workspace_id
from public.documents as d
where d.id = m.document_id;
alter table public.document_members enable trigger publish_access_change;
alter table public.document_members alter column workspace_id set not null;
create index document_members_workspace_id_index on public.document_members (workspace_id);

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
    select m.user_id from public.document_members as m where m.workspace_id = number_guest.workspace
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
      select m.document_id, m.user_id, m.created_at, m.via_link
      from public.document_members as m left join public.share_links as l on l.id = m.via_link
      where m.workspace_id = list_members.workspace
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
