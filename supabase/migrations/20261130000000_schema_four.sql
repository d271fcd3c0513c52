-- Schema version 4 brought the number at which a list starts, the sign behind its numbers, callouts that hold blocks, and the list of a
-- page's subpages. Apps of version 3 would drop the first two from a block that they change, and show the last as unknown, so they
-- must not write to such a page (WF004).
create or replace function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 4
$$;
