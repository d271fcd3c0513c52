-- A link to watch is watched (open_watch), not redeemed: a role would show the page's people, sessions, live updates and history to
-- whoever has the link.

-- As before, but a link to watch gives no role. Whoever has one already is told where the page is.
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

-- Roles that such links gave end, and the topics of their pages move. No cut is noted: the link still shows the page.
create function weft.end_roles_of_watch_links() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  documents uuid[] := array(
    select distinct m.document_id from public.document_members as m where m.via_link is not null and m.role = 'viewer'
  );
begin
  perform weft.lock_heads(documents);
  delete from public.document_members as m where m.via_link is not null and m.role = 'viewer';
  perform weft.move_topics(documents);
end
$$;
select weft.end_roles_of_watch_links();
drop function weft.end_roles_of_watch_links;

alter table public.document_members
  add constraint document_members_via_link_check check (via_link is null or role <> 'viewer');
