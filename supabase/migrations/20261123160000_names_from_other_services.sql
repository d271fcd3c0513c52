-- People who sign up with an account of another service (OAuth) get the name that they have there.

-- A new user's name: the one they gave, else the one of the other service, else the part of their email before the @, else
-- "Guest". A name must not make sign-up fail, so an unsuitable one is shortened instead of refused.
create or replace function weft.name_of_new_user(metadata jsonb, email text) returns text
language sql immutable security definer set search_path = ''
as $$
  select coalesce(
    (
      select tidy.name
      from unnest(array[
        metadata ->> 'display_name', metadata ->> 'full_name', metadata ->> 'name', split_part(email, '@', 1)
      ]) with ordinality as candidate (name, nth)
      cross join lateral (
        select weft.trim_name(left(weft.trim_name(
          regexp_replace(left(candidate.name, 1000), '[\u0001-\u001f\u007f-\u009f]', '', 'g')
        ), 80)) as name
      ) as tidy
      where tidy.name <> ''
      order by candidate.nth
      limit 1
    ),
    'Guest'
  )
$$;
