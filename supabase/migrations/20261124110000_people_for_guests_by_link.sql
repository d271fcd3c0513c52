-- As before; a person whose only access is a link learns of nobody else's access: presence shows them who is here.
create or replace function public.document_people(document uuid) returns jsonb
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
