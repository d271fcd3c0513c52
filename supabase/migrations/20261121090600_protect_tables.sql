-- Row level security and grants of every table. Clients read; every write goes through a function.
-- Each policy asks for a set once per query instead of calling a function per row.

-- Documents the caller has a role on.
create function weft.my_documents() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select r.document_id from weft.document_roles(auth.uid(), null) as r;
end
$$;

-- Documents the caller manages.
create function weft.my_managed_documents() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select r.document_id from weft.document_roles(auth.uid(), null) as r where r.role = 'manager';
end
$$;

-- Workspaces the caller belongs to.
create function weft.my_memberships() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query select w.workspace_id from public.workspace_members as w where w.user_id = auth.uid();
end
$$;

-- Those, and the workspaces of single pages the caller was let in to.
create function weft.my_workspaces() returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
begin
  return query
    select w.workspace_id from public.workspace_members as w where w.user_id = auth.uid()
    union
    select d.workspace_id
    from public.document_members as m
    join public.documents as d on d.id = m.document_id
    left join public.share_links as l on l.id = m.via_link
    where m.user_id = auth.uid() and (m.via_link is null or weft.is_live(l.revoked_at, l.expires_at));
end
$$;

-- Whether the caller may see who somebody is: they share a workspace, or a document that one of them was let in to.
-- Per profile, because lists of people ask for a handful by id.
create function weft.may_know(person uuid) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  return person = me
    or exists (
      select
      from public.workspace_members as mine join public.workspace_members as theirs using (workspace_id)
      where mine.user_id = me and theirs.user_id = person
    )
    or exists (
      select
      from public.document_members as m
      where m.user_id in (me, person)
        and weft.document_role(m.document_id, me) is not null
        and weft.document_role(m.document_id, person) is not null
    );
end
$$;

revoke all on function
  weft.my_documents, weft.my_managed_documents, weft.my_memberships, weft.my_workspaces, weft.may_know
from public, anon, authenticated, service_role;
grant execute on function
  weft.my_documents, weft.my_managed_documents, weft.my_memberships, weft.my_workspaces, weft.may_know
to authenticated;

alter table public.profiles enable row level security;
alter table public.workspaces enable row level security;
alter table public.workspace_members enable row level security;
alter table public.documents enable row level security;
alter table public.document_members enable row level security;
alter table public.share_links enable row level security;
alter table public.document_heads enable row level security;
alter table public.document_sessions enable row level security;
alter table public.document_updates enable row level security;
alter table public.document_snapshots enable row level security;

revoke all on
  public.profiles, public.workspaces, public.workspace_members, public.documents, public.document_members,
  public.share_links, public.document_heads, public.document_sessions, public.document_updates,
  public.document_snapshots
from public, anon, authenticated;

grant select on
  public.profiles, public.workspaces, public.workspace_members, public.documents, public.document_members,
  public.document_heads, public.document_sessions, public.document_updates, public.document_snapshots
to authenticated;

-- A share link's hash and topic key are nobody's business, the service key's included.
revoke all on public.share_links from service_role;
grant select (id, document_id, role, expires_at, revoked_at, watched_until, created_by, created_at)
on public.share_links to authenticated, service_role;
grant delete on public.share_links to service_role;

create policy weft_select on public.profiles for select to authenticated
using (weft.may_know(id));

create policy weft_select on public.workspaces for select to authenticated
using (id in (select weft.my_workspaces()));

create policy weft_select on public.workspace_members for select to authenticated
using (workspace_id in (select weft.my_memberships()));

create policy weft_select on public.documents for select to authenticated
using (id in (select weft.my_documents()));

create policy weft_select on public.document_members for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.share_links for select to authenticated
using (document_id in (select weft.my_managed_documents()));

create policy weft_select on public.document_heads for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_sessions for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_updates for select to authenticated
using (document_id in (select weft.my_documents()));

create policy weft_select on public.document_snapshots for select to authenticated
using (document_id in (select weft.my_documents()));
