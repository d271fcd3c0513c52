-- Which database this is, for devices: they file what they hold under it, so that a new address of the same database finds it
-- (the decisions about the device in SPECIFICATION.md). A restored backup has it too, and so does a clone.
alter table weft.settings add column database_id uuid not null default gen_random_uuid();

create function public.database_identity() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('database', s.database_id) from weft.settings as s
$$;

-- For the owner of a clone, in the SQL editor, before anybody opens it: devices then keep it apart from the original.
create function weft.new_database_identity() returns void
language sql volatile security definer set search_path = ''
as $$
  update weft.settings as s set database_id = gen_random_uuid() where s.is_only_row
$$;

revoke all on function public.database_identity, weft.new_database_identity from public, anon, authenticated, service_role;
grant execute on function public.database_identity to authenticated;
