-- After a restore, tokens are still valid whose account the database does not know. They are no sign-in: the app says so and throws
-- nothing away, instead of taking the answers for those of somebody who may see nothing.

-- As before, and the account must exist.
create or replace function weft.require_user() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid := auth.uid();
begin
  if me is null then
    perform weft.raise('WF003', 'nobody is signed in');
  elsif not exists (select from public.profiles as p where p.id = me) then
    perform weft.raise('WF003', 'no account of this id');
  end if;
  return me;
end
$$;
