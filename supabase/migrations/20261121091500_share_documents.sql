-- Giving rights on a document and taking them away. Whatever takes away locks the heads first, then changes the rights
-- and moves the topics in the same transaction: no append of that person comes after it, and who listened stays behind.

-- Clears roles whose link has expired, on this document. Cheap when there are none, which is nearly always.
create function weft.clear_expired(document uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if not exists (
    select
    from public.document_members as m join public.share_links as l on l.id = m.via_link
    where m.document_id = clear_expired.document and not weft.is_live(l.revoked_at, l.expires_at)
  ) then
    return;
  end if;
  perform weft.lock_heads(array[clear_expired.document]);
  delete from public.document_members as m
  using public.share_links as l
  where m.document_id = clear_expired.document and l.id = m.via_link and not weft.is_live(l.revoked_at, l.expires_at);
  -- Found: not, when another call cleared them while this one waited.
  if found then
    perform weft.move_topics(array[clear_expired.document]);
  end if;
end
$$;

-- Gives somebody a role on a document and what inherits from it, or takes it away (null). The word of a manager
-- replaces what a link gave.
create function public.set_document_member(document uuid, "user" uuid, role text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  heirs uuid[] := weft.heirs(document);
  given public.document_role;
  before public.document_role;
begin
  perform weft.lock_heads(heirs);
  perform weft.enter(set_document_member.document, 'manager');
  begin
    given := set_document_member.role;
  exception when invalid_text_representation then
    raise exception using errcode = '22023', message = 'role: viewer, commenter, editor, manager or null';
  end;
  if not exists (select from public.profiles as p where p.id = set_document_member."user") then
    perform weft.raise('WF001', 'no such person');
  end if;

  select max(m.role)
  into before
  from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member."user";

  delete from public.document_members as m
  where m.document_id = set_document_member.document and m.user_id = set_document_member."user"
    and (given is null or m.via_link is not null);
  if given is not null then
    insert into public.document_members as m (document_id, user_id, role)
    values (set_document_member.document, set_document_member."user", given)
    on conflict on constraint document_members_key do update
    set role = excluded.role where m.role <> excluded.role;
  end if;
  if before is not null and coalesce(given < before, true) then
    perform weft.move_topics(heirs);
  end if;
  return jsonb_build_object('role', given);
end
$$;

create function weft.link_summary(link uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (
    select jsonb_build_object(
      'id', l.id, 'documentId', l.document_id, 'role', l.role, 'expiresAt', l.expires_at,
      'revokedAt', l.revoked_at, 'createdBy', l.created_by, 'createdAt', l.created_at
    )
    from public.share_links as l
    where l.id = link_summary.link
  );
end
$$;

-- Makes a link. Its secret is told here and never again: the database keeps a hash.
create function public.create_share_link(document uuid, role text, expires_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  entry weft.entry := weft.enter(document, 'manager');
  secret text := weft.random_key();
  made uuid;
begin
  if create_share_link.role is null or create_share_link.role not in ('viewer', 'commenter', 'editor') then
    raise exception using errcode = '22023', message = 'role: viewer, commenter or editor';
  elsif create_share_link.expires_at <= now() or create_share_link.expires_at > now() + interval '1 year' then
    raise exception using errcode = '22023', message = 'expires_at: none, or in the future and within a year';
  end if;
  insert into public.share_links (document_id, role, secret_hash, topic_key, expires_at, created_by)
  values (
    create_share_link.document, create_share_link.role::public.document_role, weft.hash_secret(secret),
    weft.random_key(), create_share_link.expires_at, entry."user"
  )
  returning id into made;
  return jsonb_build_object('link', weft.link_summary(made), 'secret', secret);
end
$$;

-- Documents on which somebody has a role by this link: its own, and what its guests created below.
create function weft.documents_by(link uuid) returns uuid[]
language plpgsql stable security definer set search_path = ''
as $$
begin
  return array(
    select distinct m.document_id from public.document_members as m where m.via_link = documents_by.link
  );
end
$$;

-- Ends a link: watchers are told, and who came in by it is out. Repeats safely.
create function public.revoke_share_link(link uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  its_document uuid;
  left_behind uuid[];
  topic_key text;
begin
  select l.document_id into its_document from public.share_links as l where l.id = revoke_share_link.link;
  -- Twice: the first time may wait for somebody who just came in by it. Nobody does after that.
  perform weft.lock_heads(array_append(weft.documents_by(revoke_share_link.link), its_document));
  perform weft.lock_heads(weft.documents_by(revoke_share_link.link));
  perform weft.enter(its_document, 'manager');

  update public.share_links as l
  set revoked_at = now()
  where l.id = revoke_share_link.link and l.revoked_at is null
  returning l.topic_key into topic_key;
  if topic_key is not null then
    perform weft.publish_json('{}', 'ended', 'w:' || topic_key);
  end if;

  with removed as (
    delete from public.document_members as m where m.via_link = revoke_share_link.link returning m.document_id
  )
  select array_agg(distinct removed.document_id) into left_behind from removed;
  if left_behind is not null then
    perform weft.move_topics(left_behind);
  end if;
  return '{}';
end
$$;

-- The living link behind a secret, or null. A page in the trash is shown to nobody from outside.
create function weft.link_of(secret text) returns public.share_links
language plpgsql stable security definer set search_path = ''
as $$
declare
  link public.share_links;
begin
  select l.*
  into link
  from public.share_links as l join public.documents as d on d.id = l.document_id
  where l.secret_hash = weft.hash_secret(link_of.secret) and weft.is_live(l.revoked_at, l.expires_at)
    and d.trashed_at is null;
  return link;
end
$$;

-- Lets the caller in by a link; guests too. Who may do as much without it gets no second right.
create function public.redeem_share_link(secret text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  me uuid := weft.me();
  link public.share_links := weft.link_of(secret);
  role public.document_role;
begin
  if link.id is null then
    perform weft.raise('WF009', 'no living link with this secret');
  end if;
  role := weft.document_role(link.document_id, me);
  if role is null or role < link.role then
    -- Not while the link is being revoked: who came in then would be in nobody's sight.
    perform weft.lock_heads(array[link.document_id]);
    link := weft.link_of(secret);
    if link.id is null then
      perform weft.raise('WF009', 'no living link with this secret');
    end if;
    insert into public.document_members (document_id, user_id, role, via_link)
    values (link.document_id, me, link.role, link.id)
    on conflict on constraint document_members_key do nothing;
    role := link.role;
  end if;
  return (
    select jsonb_build_object('document', d.id, 'workspaceSlug', w.slug, 'role', role)
    from public.documents as d join public.workspaces as w on w.id = d.workspace_id
    where d.id = link.document_id
  );
end
$$;

revoke all on function
  weft.clear_expired, weft.link_summary, weft.link_of, weft.documents_by,
  public.set_document_member, public.create_share_link, public.revoke_share_link, public.redeem_share_link
from public, anon, authenticated, service_role;
grant execute on function
  public.set_document_member, public.create_share_link, public.revoke_share_link, public.redeem_share_link
to authenticated;
