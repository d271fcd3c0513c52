-- The size of an answer, and the rows that are read for it, go with what the caller lacks and not with the page's age.

-- As before, but `translate` looks at each letter: for 1 MiB it took 30 ms, this takes 4.
create or replace function weft.to_base64(bytes bytea) returns text
language sql immutable security definer set search_path = ''
as $$
  select replace(encode(to_base64.bytes, 'base64'), E'\n', '')
$$;
