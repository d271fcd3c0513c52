-- A guest who gets a number shares it with no guest of any workspace that they are in.

-- The database names guests who gave no name "Guest". One who arrives where someone has that name becomes "Guest 2",
-- "Guest 3" and so on, so that they can be told apart.
create or replace function weft.number_guest(person uuid, workspace uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  guest_name constant text := '^Guest( [0-9]{1,6})?$';
  own_name text;
  workspaces uuid[];
  taken text[];
begin
  select p.display_name into own_name from public.profiles as p where p.id = number_guest.person;
  if own_name is null or own_name !~ guest_name then
    return;
  end if;
  -- The new name shows in their other workspaces, too.
  workspaces := array(
    select number_guest.workspace
    union
    select m.workspace_id from public.workspace_members as m where m.user_id = number_guest.person
    union
    select m.workspace_id from public.document_members as m where m.user_id = number_guest.person
    order by 1
  );
  -- Two who arrive at once would choose the same number.
  perform pg_advisory_xact_lock(hashtextextended('weft.guests.' || w, 0)) from unnest(workspaces) as w;
  select array_agg(p.display_name)
  into taken
  from (
    select m.user_id from public.workspace_members as m where m.workspace_id = any (workspaces)
    union
    select m.user_id from public.document_members as m where m.workspace_id = any (workspaces)
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
