-- A text copy comes from a device, which may send mentions that no row has. So a mention names its author only if they sent
-- the copy themselves: an editor could put a mention into a colleague's mouth.
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
      join public.profiles as p on p.id = m.person
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
