-- Search results by the newest change, as well as by the best match.

drop function public.search_documents(uuid, text, uuid, timestamptz, timestamptz, uuid, integer, integer);

-- As before. With `newest_first` the page that changed last comes first, wherever the words stand in it.
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

revoke all on function public.search_documents from public, anon, authenticated, service_role;
grant execute on function public.search_documents to authenticated;
