-- Schema version 4 brought the list of a page's subpages: a block. Apps of version 3 show it as unknown, and must not write to
-- such a page (WF004).
create or replace function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 4
$$;
