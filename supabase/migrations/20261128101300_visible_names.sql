-- Names hold no characters that nobody sees: controls of the direction of text, with which "gnp.exe" reads as "exe.png", and
-- characters without width, with which two names look the same or a name is empty. Joiners stay between letters of scripts and emoji
-- that need them (Persian, families), but not beside ASCII.

create function weft.visible_text(text text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(
    regexp_replace(
      visible_text.text, '[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]', '', 'g'
    ),
    '(?<![^\u0001-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0001-\u007f\u200c\u200d])', '', 'g'
  )
$$;

-- As before: names are stored without white space around them, and without letters that are blank (Hangul fillers, empty Braille).
create or replace function weft.trim_name(name text) returns text
language sql immutable security definer set search_path = ''
as $$
  select regexp_replace(
    weft.visible_text(trim_name.name), '^[\s\u115f\u1160\u2800\u3164\uffa0]+|[\s\u115f\u1160\u2800\u3164\uffa0]+$', '', 'g'
  )
$$;

-- The title in lists and in search. The page itself shows what its text says.
create function weft.clean_title() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.title := weft.visible_text(new.title);
  return new;
end
$$;

create trigger clean_title before insert or update of title on public.documents
for each row execute function weft.clean_title();

update public.profiles as p
set display_name = coalesce(nullif(weft.trim_name(p.display_name), ''), 'Guest')
where p.display_name <> weft.trim_name(p.display_name);
update public.workspaces as w
set name = coalesce(nullif(weft.trim_name(w.name), ''), w.slug)
where w.name <> weft.trim_name(w.name);
update public.documents as d
set title = d.title
where d.title <> weft.visible_text(d.title);

revoke all on function weft.visible_text, weft.clean_title from public, anon, authenticated, service_role;
