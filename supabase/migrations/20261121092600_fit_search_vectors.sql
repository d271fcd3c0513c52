-- Postgres refuses a tsvector of more than 1 MiB (54000), and the write that brought the text fails with it. How many
-- characters fit depends on them: "a-b" is stored three times over (whole, a, b), each word takes four bytes more than
-- its letters, and a letter has up to four. 200,000 characters of nearly any text fit; of the rest, the half that does.
create function weft.search_vector(title text, body_text text) returns tsvector
language plpgsql immutable security definer set search_path = ''
as $$
declare
  characters integer := 200000;
begin
  loop
    begin
      return setweight(to_tsvector('pg_catalog.simple', search_vector.title), 'A')
        || setweight(to_tsvector('pg_catalog.simple', left(search_vector.body_text, characters)), 'B');
    exception when program_limit_exceeded then
      characters := characters / 2;
    end;
  end loop;
end
$$;

revoke all on function weft.search_vector from public, anon, authenticated, service_role;
-- A generated column is computed with the rights of who writes, and the service key writes to the table itself.
grant execute on function weft.search_vector to service_role;

-- The expression of a generated column can be changed since Postgres 17 only.
alter table public.documents drop column search;
alter table public.documents add column search tsvector not null
generated always as (weft.search_vector(title, body_text)) stored;
