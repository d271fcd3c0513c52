-- Who is counted as a reader while somebody presents. People who may edit are counted while they follow or decline; they are no
-- readers, and their names are in the presenter's answer.

-- As before, without the people who may edit.
create or replace function weft.watchers_of(document uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  seen record;
  undecided record;
begin
  seen := weft.watchers_with(watchers_of.document, array['none', 'follows', 'declined']);
  -- Nobody of these may edit; roles are looked up for the others alone.
  undecided := weft.watchers_with(watchers_of.document, array['none']);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(person.id order by person.id), '[]')
      from jsonb_array_elements_text(seen.people) as person (id)
      where case
        when undecided.people ? person.id then true
        else coalesce(weft.document_role(watchers_of.document, person.id::uuid) < 'editor', true)
      end
    ),
    'links', seen.links
  );
end
$$;

revoke all on function weft.watchers_of from public, anon, authenticated, service_role;
