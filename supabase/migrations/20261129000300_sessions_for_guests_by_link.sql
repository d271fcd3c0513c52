-- As before; a person whose only access is a link that does not show the history learns of an author only whether they may edit, which
-- decides whether their live updates are shown and passed on (D7, L6), and not who manages the page.
create or replace function public.session_info(document uuid, sessions uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  caller weft.caller := weft.require_role(session_info.document, 'viewer');
  is_by_link boolean := weft.documents_without_history(caller.user_id, session_info.document) <> '{}';
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'session', s.session, 'clientId', s.client_id, 'user', s.user_id, 'lastN', s.last_n,
          'role', case
            when is_by_link and s.role is not null then
              case when s.role >= 'editor' then 'editor' else 'viewer' end::public.document_role
            else s.role
          end
        )
        order by s.opened_at, s.session
      ),
      '[]'
    )
    from (
      select known.*, weft.document_role(known.document_id, known.user_id) as role
      from (
        select r.session, r.document_id, r.client_id, r.user_id, r.last_n, r.opened_at
        from public.document_sessions as r
        where r.document_id = session_info.document and r.session = any (session_info.sessions[1:1000])
        union all
        select a.session, a.document_id, null, a.user_id, 0, a.announced_at
        from weft.announced_sessions as a
        where a.document_id = session_info.document and a.session = any (session_info.sessions[1:1000])
          and not exists (
            select
            from public.document_sessions as r
            where r.document_id = a.document_id and r.session = a.session
          )
          and not exists (
            select
            from weft.announced_sessions as other
            where other.document_id = a.document_id and other.session = a.session and other.user_id <> a.user_id
          )
      ) as known
    ) as s
  );
end
$$;
