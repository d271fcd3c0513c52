-- Full-text search in every language, without an extension and without the database's own rules for letters: those differ
-- between projects. A page is found by any part of its words, so that "boot" finds "Rettungsboot", كتاب finds والكتاب, and a
-- language without spaces needs no list of words. How that was chosen: SPECIFICATION.md, "Search".
--
-- Texts are folded (below) and stored a second time. Their letters, three at a time ("grams"), are an inverted index, which
-- yields the pages that may contain a word; the folded text then decides. Words of one or two letters are the beginnings of
-- grams.

set check_function_bodies = off;

-- --- folding -------------------------------------------------------------------------------------------------------

-- The same text without the differences that a search ignores: case, accents, width, Arabic vowel signs and forms of alef,
-- hiragana or katakana, ß or ss. White space stays as it is, so lines keep their numbers. Unlike NFKC, it may be applied to
-- parts of a text, as long as combining marks stay with their letters.
create function weft.fold_text(text text) returns text
language plpgsql immutable security definer set search_path = ''
as $$
begin
  if octet_length(fold_text.text) = char_length(fold_text.text) then
    return lower(fold_text.text); -- ASCII alone
  end if;
  return translate(
    replace(
      normalize(
        regexp_replace(
          lower(normalize(fold_text.text, NFKD)),
          '[\u0300-\u036f\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g'
        ),
        NFKC
      ),
      'ß', 'ss'
    ),
    'ςøłđıٱىةیک٠١٢٣٤٥٦٧٨٩'
    || 'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ',
    'σoldiايهيك0123456789'
    || 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ'
  );
end
$$;

-- The different words of a folded text. Everything that is no white space, control character or punctuation is a letter:
-- regular expressions know other letters in every project.
create function weft.words_of(folded text) returns setof text
language sql immutable security definer set search_path = ''
as $$
  select distinct w
  from regexp_split_to_table(
    words_of.folded,
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u060c\u061b\u061f\u066a-\u066d\u06d4\u2000-\u206f'
    || '\u2190-\u23ff\u2500-\u25ff\u3000-\u3004\u3008-\u303f\u30a0\u30fb\uff00-\uff20\uff3b-\uff40\uff5b-\uff65]+'
  ) as w
  where w <> ''
$$;

-- The grams of a text: from each letter on, three letters of its word, or as many as are left.
create function weft.grams_of(folded text) returns text[]
language sql immutable security definer set search_path = ''
as $$
  with words as materialized (
    select w as word, char_length(w) > 64 as is_long from weft.words_of(grams_of.folded) as w
  )
  select coalesce(array_agg(distinct found.gram), '{}')
  from (
    select substr(words.word, at, 3) as gram
    from words cross join lateral generate_series(1, char_length(words.word)) as at
    where not words.is_long
    union all
    -- Reaching for the nth letter of a long text takes n steps each time: this walks it once.
    select letter || lead(letter, 1, '') over next_letters || lead(letter, 2, '') over next_letters
    from (select w.word, row_number() over () as nth from words as w where w.is_long) as long_words
    cross join lateral unnest(string_to_array(long_words.word, null)) with ordinality as split (letter, at)
    window next_letters as (partition by long_words.nth order by split.at)
  ) as found
$$;

-- --- the index -----------------------------------------------------------------------------------------------------

-- A table of its own: moving or renaming a page does not write its index again, and no client can read it.
create table weft.search_texts (
  document_id uuid primary key references public.documents (id) on delete cascade,
  -- Folded. Lines of `body` are lines of documents.body_text.
  title text not null,
  body text not null,
  -- Its workspace as one lexeme, and the grams of title and body.
  terms tsvector not null
);
-- Without a list of pending entries: every search would read it, and every so often one save would have to sort it in.
create index search_texts_terms_index on weft.search_texts using gin (terms) with (fastupdate = off);
alter table weft.search_texts enable row level security;
revoke all on weft.search_texts from public, anon, authenticated, service_role;
create policy weft_nobody on weft.search_texts using (false);

create function weft.workspace_term(workspace uuid) returns text
language sql immutable security definer set search_path = ''
as $$
  -- No gram contains "@".
  select '@' || workspace_term.workspace
$$;

-- A page is found by the first 200,000 letters of its text. Postgres refuses a tsvector of more than 1 MiB (54000), and the
-- write that brought the text would fail with it; if so many letters do not fit, half of them are indexed.
create function weft.search_text(document uuid, workspace uuid, title text, body_text text) returns weft.search_texts
language plpgsql immutable security definer set search_path = ''
as $$
declare
  letters integer := 200000;
  made weft.search_texts;
begin
  made.document_id := search_text.document;
  made.title := weft.fold_text(search_text.title);
  loop
    made.body := weft.fold_text(left(search_text.body_text, letters));
    begin
      made.terms := array_to_tsvector(
        array_append(weft.grams_of(made.title || E'\n' || made.body), weft.workspace_term(search_text.workspace))
      );
      return made;
    exception when program_limit_exceeded then
      letters := letters / 2;
    end;
  end loop;
end
$$;

create function weft.index_changed_document() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' or (new.title, new.body_text) is distinct from (old.title, old.body_text) then
    insert into weft.search_texts as s
    select made.* from weft.search_text(new.id, new.workspace_id, new.title, new.body_text) as made
    on conflict on constraint search_texts_pkey do update
    set title = excluded.title, body = excluded.body, terms = excluded.terms
    where (s.title, s.body) is distinct from (excluded.title, excluded.body);
  end if;
  return null;
end
$$;
create trigger index_changed_document after insert or update of title, body_text on public.documents
for each row execute function weft.index_changed_document();

-- --- excerpts ------------------------------------------------------------------------------------------------------

-- Where the words of a query stand in a text, as [from, to] in UTF-16 code units, as JavaScript counts. The text is in NFC.
create function weft.marks_in(text text, words text[]) returns jsonb
language plpgsql immutable security definer set search_path = ''
as $$
declare
  -- What folding makes shorter or longer.
  uneven constant text := '[ßẞ\u0300-\u036f\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]';
  folded constant text := weft.fold_text(marks_in.text);
  is_plain constant boolean := octet_length(marks_in.text) = char_length(marks_in.text);
  -- For each letter of the folded text, the letter of the text that it came from, with its combining marks.
  clusters text[];
  starts integer[] := '{}';
  ends integer[] := '{}';
  units integer := 0;
  found int4multirange := '{}';
  cluster text;
  folded_length integer;
  unit_length integer;
  word text;
  at integer;
  seen integer;
begin
  foreach word in array marks_in.words loop
    seen := 0;
    loop
      at := strpos(substr(folded, seen + 1), word);
      exit when at = 0;
      found := found + int4multirange(int4range(seen + at, seen + at + char_length(word)));
      seen := seen + at + char_length(word) - 1;
    end loop;
  end loop;
  if not is_plain and not isempty(found) then
    clusters := array(
      select m[1]
      from regexp_matches(
        marks_in.text, '.[\u0300-\u036f\u064b-\u065f\u0670\u06d6-\u06ed\u3099\u309a\uff9e\uff9f]*', 'g'
      ) as m
    );
    foreach cluster in array clusters loop
      unit_length := char_length(cluster) + case
        when octet_length(cluster) < 4 then 0
        else char_length(regexp_replace(cluster, '[^\U00010000-\U0010ffff]', '', 'g'))
      end;
      folded_length := case
        when char_length(cluster) = 1 and cluster is nfkc normalized and cluster !~ uneven then 1
        else char_length(weft.fold_text(cluster))
      end;
      for nth in 1..folded_length loop
        starts := array_append(starts, units);
        ends := array_append(ends, units + unit_length);
      end loop;
      units := units + unit_length;
    end loop;
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_array(
        case when is_plain then lower(mark) - 1 else starts[lower(mark)] end,
        case when is_plain then upper(mark) - 1 else ends[upper(mark) - 1] end
      )
      order by lower(mark)
    ), '[]')
    from unnest(found) as mark
  );
end
$$;

-- A text of at most 160 letters around the letter `at` of a line, cut between words where one begins nearby.
create function weft.excerpt(line text, at integer) returns text
language plpgsql immutable security definer set search_path = ''
as $$
declare
  max_letters constant integer := 160;
  letters_before constant integer := 60;
  longest_word constant integer := 24;
  -- Combining marks stay with their letters, and joined emoji together.
  joins constant text := '^[\u0300-\u036f\u064b-\u065f\u0670\u06d6-\u06ed\u200d\u3099\u309a\ufe0f\uff9e\uff9f\U0001f3fb-\U0001f3ff]';
  from_letter integer := greatest(excerpt.at - letters_before, 1);
  piece text;
  kept integer := max_letters;
begin
  if char_length(excerpt.line) <= max_letters then
    return btrim(excerpt.line);
  end if;
  if from_letter > 1 then
    from_letter := from_letter
      + coalesce(char_length(substring(substr(excerpt.line, from_letter, longest_word) from '^\S*\s+')), 0);
    while substr(excerpt.line, from_letter, 1) ~ joins loop
      from_letter := from_letter + 1;
    end loop;
  end if;
  piece := substr(excerpt.line, from_letter, max_letters + 1);
  if char_length(piece) > max_letters then
    kept := kept - coalesce(char_length(substring(right(piece, longest_word) from '\S+$')) - 1, 0);
    if kept <= max_letters - longest_word + 1 then
      kept := max_letters; -- No space nearby: a language without spaces, or one long word.
    end if;
    while kept > 1 and (substr(piece, kept + 1, 1) ~ joins or substr(piece, kept, 1) = U&'\200D') loop
      kept := kept - 1;
    end loop;
  end if;
  return case when from_letter > 1 then '…' else '' end
    || btrim(left(piece, kept))
    || case when char_length(piece) > max_letters then '…' else '' end;
end
$$;

-- Up to two excerpts of a page's text with the places of the words in them. They show every word of the query where two can: the
-- first is at the word that comes up last in the text, so that "safety boat" is found at its place on a page that names boats in
-- every line above it.
create function weft.excerpts_of(body_text text, folded text, words text[]) returns jsonb
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

-- --- searching -----------------------------------------------------------------------------------------------------

-- The words of a query, at most twelve of those in its first 500 letters.
create function weft.query_words(query text) returns text[]
language plpgsql immutable security definer set search_path = ''
as $$
begin
  return array(select w from weft.words_of(weft.fold_text(left(query_words.query, 500))) as w limit 12);
end
$$;

-- Finds the pages whose index has all grams of these words.
create function weft.query_terms(workspace uuid, words text[]) returns tsquery
language plpgsql immutable security definer set search_path = ''
as $$
begin
  return (
    select (quote_literal(weft.workspace_term(query_terms.workspace)) || ' & ' || string_agg(found.term, ' & '))::tsquery
    from (
      select distinct
        quote_literal(substr(word, at, 3)) || case when char_length(word) < 3 then ':*' else '' end as term
      from unnest(query_terms.words) as word
      cross join lateral generate_series(1, greatest(char_length(word) - 2, 1)) as at
    ) as found
  );
end
$$;

create function weft.count_matches(folded text, words text[]) returns bigint
language sql immutable security definer set search_path = ''
as $$
  select sum(
    (octet_length(count_matches.folded) - octet_length(replace(count_matches.folded, w, ''))) / octet_length(w)
  )
  from unnest(count_matches.words) as w
$$;

-- How well a page fits a query, or null if one of its words is missing. Title before text, the whole query before its single
-- words, then the number of matches.
create function weft.search_rank(title text, body text, words text[], phrase text) returns integer
language plpgsql immutable security definer set search_path = ''
as $$
declare
  max_matches constant integer := 20;
  -- A copy, because a stored text is unpacked again by every function that reads it.
  folded constant text := search_rank.body || '';
  word text;
  is_in_title boolean := true;
begin
  foreach word in array search_rank.words loop
    if strpos(search_rank.title, word) = 0 then
      if strpos(folded, word) = 0 then
        return null;
      end if;
      is_in_title := false;
    end if;
  end loop;
  return case
      when search_rank.title = phrase then 400
      when starts_with(search_rank.title, phrase) then 300
      when is_in_title then 200
      when strpos(folded, phrase) > 0 then 100
      else 0
    end
    + least(weft.count_matches(folded, search_rank.words), max_matches);
end
$$;

-- The pages that someone may read in a workspace, as what is shut and what was given, so that the time it takes does not grow
-- with the workspace. For `is_member` (member, admin, owner) everything may be read that is not in `shut`: pages below a
-- restricted one, and for owners nothing. `given`: by roles on single pages, and through links. tests/sql/access/roles.test.ts
-- compares this with weft.document_roles on random trees.
create type weft.readable as (is_member boolean, shut uuid[], given uuid[]);

create function weft.readable_documents(person uuid, workspace uuid) returns weft.readable
language plpgsql stable security definer set search_path = ''
as $$
declare
  membership constant public.workspace_role := weft.workspace_role(workspace, person);
  readable weft.readable;
begin
  readable.is_member := coalesce(membership > 'guest', false);
  readable.shut := array(
    with recursive shut as (
      select d.id
      from public.documents as d
      where d.workspace_id = readable_documents.workspace and d.access = 'restricted' and membership <> 'owner'
      union all
      select c.id from shut join public.documents as c on c.parent_id = shut.id where c.access = 'inherit'
    )
    select shut.id from shut
  );
  readable.given := array(
    with recursive given as (
      select d.id, m.via_link
      from public.document_members as m
      join public.documents as d on d.id = m.document_id
      left join public.share_links as l on l.id = m.via_link
      where m.user_id = readable_documents.person and d.workspace_id = readable_documents.workspace
        and (m.via_link is null or weft.is_link_active(l.revoked_at, l.expires_at))
      union
      select c.id, null::uuid
      from given join public.documents as c on c.parent_id = given.id
      where c.access = 'inherit' and given.via_link is null
    )
    select distinct given.id from given
  );
  return readable;
end
$$;

-- The pages of a workspace that contain every word of the query and that the caller may read, without the trash. `author`:
-- who created the page or changed it last; `since` and `until`: when it was changed last; `below`: pages under that page.
-- `isComplete` is false if only the first 1,000 pages were looked at, by title and then the newest, or those that could be in
-- the time that the call may take. With `newest_first` the page that changed last comes first, wherever the words stand in it.
--
-- What the caller may not read is removed before any text is looked at, so it changes neither totals nor, beyond the
-- microseconds of an index, the time of an answer.
create function public.search_documents(
  workspace uuid, query text, author uuid default null, since timestamptz default null, until timestamptz default null,
  below uuid default null, row_limit integer default 20, skip integer default 0, newest_first boolean default false
) returns jsonb
-- The planner does not know that reading a whole text costs more than the row that holds it.
language plpgsql volatile security definer set search_path = '' set enable_seqscan = off
as $$
declare
  max_found constant integer := 1000;
  max_rows constant integer := 50;
  max_time constant interval := '250 milliseconds';
  begun constant timestamptz := clock_timestamp();
  me uuid := weft.require_user();
  words constant text[] := weft.query_words(query);
  phrase constant text := btrim(weft.fold_text(left(query, 500)));
  readable constant weft.readable := weft.readable_documents(me, workspace);
  page record;
  rank integer;
  ids uuid[] := '{}';
  ranks integer[] := '{}';
  is_complete boolean := true;
begin
  if readable.given = '{}' and weft.workspace_role(search_documents.workspace, me) is null
    or below is not null and weft.document_role(below, me) is null
  then
    perform weft.raise('WF001', 'no member, and no page to see');
  end if;
  if cardinality(words) = 0 then
    return jsonb_build_object('total', 0, 'isComplete', true, 'results', jsonb '[]');
  end if;

  for page in
    with recursive under as (
      select search_documents.below as id
      union
      select c.id from under join public.documents as c on c.parent_id = under.id
    ),
    -- Before the texts are touched.
    found as materialized (
      select s.document_id
      from weft.search_texts as s
      where s.terms @@ weft.query_terms(search_documents.workspace, words)
    ),
    allowed as materialized (
      select d.id, d.updated_at
      from found join public.documents as d on d.id = found.document_id
      where (readable.is_member and not d.id = any (readable.shut) or d.id = any (readable.given))
        and d.trashed_at is null
        and (author is null or d.updated_by = author or d.created_by = author)
        and (since is null or d.updated_at >= since)
        and (until is null or d.updated_at < until)
        and (below is null or d.id in (select under.id from under) and d.id <> below)
    )
    select s.document_id, s.title, s.body
    from allowed join weft.search_texts as s on s.document_id = allowed.id
    order by (
      not coalesce(newest_first, false) and (select bool_and(strpos(s.title, w) > 0) from unnest(words) as w)
    ) desc, allowed.updated_at desc, s.document_id
  loop
    if cardinality(ids) = max_found or clock_timestamp() > begun + max_time then
      is_complete := false;
      exit;
    end if;
    rank := weft.search_rank(page.title, page.body, words, phrase);
    if rank is not null then
      ids := array_append(ids, page.document_id);
      ranks := array_append(ranks, case when newest_first then 0 else rank end);
    end if;
  end loop;

  return jsonb_build_object(
    'total', cardinality(ids),
    'isComplete', is_complete,
    'results', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'document', d.id,
          'title', jsonb_build_object(
            'text', normalize(d.title, NFC), 'marks', weft.marks_in(normalize(d.title, NFC), words)
          ),
          'excerpts', weft.excerpts_of(d.body_text, s.body, words),
          'matches', weft.count_matches(s.title || E'\n' || s.body, words),
          'at', d.updated_at,
          'by', d.updated_by
        )
        order by best.nth
      ), '[]')
      from (
        select hit.id, row_number() over (order by hit.rank desc, hit.nth) as nth
        from unnest(ids, ranks) with ordinality as hit (id, rank, nth)
        order by hit.rank desc, hit.nth
        limit least(greatest(coalesce(row_limit, 20), 0), max_rows)
        offset greatest(coalesce(skip, 0), 0)
      ) as best
      join public.documents as d on d.id = best.id
      join weft.search_texts as s on s.document_id = best.id
    )
  );
end
$$;

-- --- rights --------------------------------------------------------------------------------------------------------

revoke all on function
  weft.fold_text, weft.words_of, weft.grams_of, weft.workspace_term, weft.search_text, weft.index_changed_document,
  weft.marks_in, weft.excerpt, weft.excerpts_of, weft.query_words, weft.query_terms, weft.count_matches,
  weft.search_rank, weft.readable_documents, public.search_documents
from public, anon, authenticated, service_role;

grant execute on function
  public.search_documents
to authenticated;
