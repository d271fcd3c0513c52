-- Schema version 3 brought formulas in a line: a mark on text. Apps of version 2 show a block with one as unknown, and must
-- not write to such a page (WF004).
create or replace function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 3
$$;
