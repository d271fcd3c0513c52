-- Whoever was given a snapshot that cannot be read asks for the rows alone: with `since` below 0. A signed-in client has
-- rows_since for that; a watcher has nothing but open_watch.
create or replace function weft.needs_snapshot(document uuid, since bigint, head bigint) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return needs_snapshot.since = 0 or needs_snapshot.since between 1 and head - 1 and not exists (
    select
    from public.document_updates as u
    where u.document_id = needs_snapshot.document and u.seq = needs_snapshot.since + 1
  );
end
$$;
