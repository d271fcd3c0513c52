-- Schema 2 of pages: toggles, pictures, files, tables, formulas, link cards, highlights, mentions and dates. Apps of
-- schema 1 would show them as something newer and must not write there (WF004).
create or replace function weft.newest_schema() returns integer
language sql immutable security definer set search_path = ''
as $$
  select 2
$$;
