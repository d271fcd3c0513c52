-- Schema version 4 brought the number at which a list starts and the sign behind its numbers, and callouts that hold blocks. Apps of
-- version 3 would remove these attributes from a block that they change, so they must not write to such a page (WF004).
create or replace function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 4
$$;
