-- The excerpts of a search result show every word of the query where two can: the first is at the word that comes up last in
-- the text, so that "safety boat" is found at its place on a page that names boats in every line above it.

create or replace function weft.excerpts_of(body_text text, folded text, words text[]) returns jsonb
language plpgsql immutable security definer set search_path = ''
as $$
declare
  max_excerpts constant integer := 2;
  -- Copies, because a stored text is unpacked again by every function that reads it.
  original constant text := excerpts_of.body_text || '';
  folded constant text := excerpts_of.folded || '';
  -- A second excerpt begins at least so many letters behind the first match.
  min_distance constant integer := 120;
  made jsonb[] := '{}';
  -- Words that no excerpt shows yet.
  missing text[];
  from_letter integer := 1;
  hit integer;
  before text;
  line text;
  column_at integer;
  step integer;
  step_length integer;
  piece text;
  skipped integer;
begin
  select max(found.at), array_agg(found.word) into hit, missing
  from (select w as word, strpos(folded, w) as at from unnest(excerpts_of.words) as w) as found
  where found.at > 0;

  while hit is not null loop
    before := left(folded, hit - 1);
    line := split_part(original, E'\n', 1 + char_length(before) - char_length(replace(before, E'\n', '')));
    column_at := coalesce(nullif(strpos(reverse(before), E'\n'), 0), char_length(before) + 1);
    -- Folding may change lengths. In a long line, whole steps are skipped by the length of their folded text; within one,
    -- the place is close enough.
    skipped := 0;
    foreach step in array array[4000, 100] loop
      continue when char_length(line) <= step;
      loop
        piece := substr(line, skipped + 1, step);
        step_length := char_length(weft.fold_text(piece));
        exit when step_length >= column_at or char_length(piece) < step;
        column_at := column_at - step_length;
        skipped := skipped + step;
      end loop;
    end loop;
    piece := weft.excerpt(
      normalize(substr(line, greatest(skipped + column_at - 200, 1), 600), NFC), least(skipped + column_at, 201)
    );
    made := array_append(made, jsonb_build_object('text', piece, 'marks', weft.marks_in(piece, excerpts_of.words)));
    exit when cardinality(made) = max_excerpts;

    missing := array(select w from unnest(missing) as w where strpos(weft.fold_text(piece), w) = 0);
    from_letter := hit + case when char_length(line) <= 160 then char_length(line) else min_distance end;
    select case when cardinality(missing) > 0 then max(found.at) else min(found.at) end into hit
    from (
      select case
        when cardinality(missing) > 0 then strpos(folded, w)
        else from_letter - 1 + nullif(strpos(substr(folded, from_letter), w), 0)
      end as at
      from unnest(case when cardinality(missing) > 0 then missing else excerpts_of.words end) as w
    ) as found;
  end loop;
  return to_jsonb(made);
end
$$;
