-- Erasing overwrites letters and nothing else: the database reads how Yjs wrote the rows, and refuses places that are no text. It
-- takes any number of places, answers how far the log was, and gives the page's title the same signs.

-- How long an erased word was says something of it.
alter table public.document_erasures drop column bytes;

-- The texts in bytes `first` to `last` (exclusive, from 0), which are an update of Yjs in its first encoding: where the letters of
-- each begin, from 0, and how many bytes they have. Ends behind byte `until`, and where the bytes are no update.
create function weft.texts_in_update(bytes bytea, first integer, last integer, until integer)
returns table (start integer, size integer)
language plpgsql immutable security definer set search_path = ''
as $$
declare
  -- A stored value would be unpacked for every byte that is read.
  data constant bytea := texts_in_update.bytes || ''::bytea;
  ends constant integer := least(texts_in_update.last, octet_length(data));
  at integer := texts_in_update.first;
  -- What comes next, one letter each: n a number, s a number of bytes and so many bytes, t the same for letters of the page,
  -- p a parent, y a shared type, a a value, k strings, v values, o an object, l a list, c structs of a client, i a struct,
  -- u the whole update. Each begins with a number but i, which begins with a byte of bits.
  fields text := 'u';
  -- What comes after them, and how often.
  repeated text[] := '{}';
  times bigint[] := '{}';
  depth integer := 0;
  field text;
  byte integer;
  factor bigint;
  value bigint;
begin
  loop
    if fields = '' then
      if depth = 0 then
        return;
      elsif times[depth] = 0 then
        depth := depth - 1;
        continue;
      end if;
      times[depth] := times[depth] - 1;
      fields := repeated[depth];
    end if;
    field := left(fields, 1);
    fields := substr(fields, 2);
    if at >= ends then
      return;
    end if;
    byte := get_byte(data, at);
    at := at + 1;

    if field = 'i' then
      if at > until then
        return;
      end if;
      -- Garbage and what is skipped have a length alone.
      if byte & 31 in (0, 10) then
        fields := 'n';
        continue;
      end if;
      fields := case when byte & 128 > 0 then 'nn' else '' end || case when byte & 64 > 0 then 'nn' else '' end
        || case when byte & 192 > 0 then '' when byte & 32 > 0 then 'ps' else 'p' end
        || case byte & 31
          when 1 then 'n' -- deleted
          when 2 then 'k' -- JSON
          when 3 then 's' -- bytes
          when 4 then 't'
          when 5 then 's' -- embedded
          when 6 then 'ss' -- a mark
          when 7 then 'y'
          when 8 then 'v'
          else 'x'
        end;
      continue;
    elsif field = 'x' then
      -- A document inside of the document, which every reader refuses, or nothing that Yjs writes.
      return;
    end if;

    -- Seven bits a byte, the lowest first, as lib0 writes numbers.
    value := byte & 127;
    factor := 128;
    while byte > 127 loop
      if at >= ends or factor > 562949953421312 then
        return;
      end if;
      byte := get_byte(data, at);
      at := at + 1;
      value := value + (byte & 127) * factor;
      factor := factor * 128;
    end loop;

    case field
      when 'n' then
        null;
      when 's', 't' then
        if value > ends - at then
          return;
        end if;
        if field = 't' then
          start := at;
          size := value;
          return next;
        end if;
        at := at + value;
      when 'p' then
        fields := case value when 1 then 's' else 'nn' end || fields;
      when 'y' then
        -- Elements and hooks have a name.
        fields := case when value in (3, 5) then 's' else '' end || fields;
      when 'a' then
        case
          when value in (116, 119) then fields := 's' || fields;
          when value = 117 then fields := 'l' || fields;
          when value = 118 then fields := 'o' || fields;
          when value in (122, 123) then at := at + 8;
          when value = 124 then at := at + 4;
          when value = 125 then fields := 'n' || fields;
          when value in (120, 121, 126, 127) then null;
          else return;
        end case;
      else
        -- Nothing is behind a list among the fields: all of it comes before what is repeated already.
        depth := depth + 1;
        times[depth] := value;
        repeated[depth] := case field when 'u' then 'c' when 'c' then 'i' when 'k' then 's' when 'o' then 'sa' else 'a' end;
        if field = 'c' then
          fields := 'nn';
        end if;
    end case;
  end loop;
end
$$;

-- The bytes with signs in the place of letters: `places` are `[start, size, first, last]`, of the text that begins at byte `start`
-- (from 0) and has `size` bytes those from `first` to `last` (exclusive). Each letter becomes a sign of as many bytes, which has as
-- many UTF-16 units, so every position in the page stays. The bytes are an update, or a list of dependencies. Null if one of the
-- places is no text of it, cuts a letter, or overlaps another one.
create function weft.mask_texts(bytes bytea, places jsonb, are_dependencies boolean) returns bytea
language plpgsql immutable security definer set search_path = ''
as $$
declare
  header_bytes constant integer := 36;
  data constant bytea := mask_texts.bytes || ''::bytea;
  until integer;
  at integer := 2;
  starts integer[] := '{0}';
  ends integer[] := array[octet_length(data)];
  masked bytea;
  is_whole boolean;
begin
  if jsonb_typeof(mask_texts.places) is distinct from 'array' then
    return null;
  elsif jsonb_array_length(mask_texts.places) = 0 then
    return mask_texts.bytes;
  end if;
  select max((p.place ->> 0)::integer) into until from jsonb_array_elements(mask_texts.places) as p (place);
  if are_dependencies then
    starts := '{}';
    ends := '{}';
    while at + header_bytes <= octet_length(data) loop
      starts := starts || (at + header_bytes);
      at := at + header_bytes + ('x' || encode(substring(data, at + header_bytes - 3, 4), 'hex'))::bit(32)::integer;
      ends := ends || at;
    end loop;
  end if;

  with texts as materialized (
    select t.start, t.size
    from unnest(starts, ends) as part (first, last)
    cross join lateral weft.texts_in_update(data, part.first, part.last, until) as t
    where part.first <= until
  ),
  wanted as materialized (
    select
      (p.place ->> 0)::integer as start,
      (p.place ->> 1)::integer as size,
      (p.place ->> 2)::integer as first,
      (p.place ->> 3)::integer as last
    from jsonb_array_elements(mask_texts.places) as p (place)
  ),
  pieces as (
    select
      w.start + w.first as begins,
      w.start + w.last as ends,
      coalesce(lag(w.start + w.last) over (order by w.start + w.first), 0) as before,
      coalesce(
        w.first >= 0 and w.last > w.first and w.last <= w.size
        and exists (select from texts as t where t.start = w.start and t.size = w.size), false
      ) as is_text,
      w.last = w.size as is_end
    from wanted as w
  ),
  signs as (
    select
      p.*,
      m.signs
    from pieces as p
    cross join lateral (
      select string_agg(
        case
          when b.byte < 128 then '\x2a'::bytea -- *
          when b.byte < 192 then ''::bytea -- the rest of a letter
          when b.byte < 224 then '\xc2b7'::bytea -- ·
          when b.byte < 240 then '\xe29688'::bytea -- █
          else '\xf09f9fa6'::bytea -- 🟦
        end, ''::bytea order by b.at
      ) as signs
      from (
        select i as at, get_byte(data, i) as byte
        from generate_series(p.begins, case when p.is_text then p.ends else p.begins end - 1) as i
      ) as b
    ) as m
  )
  select
    coalesce(bool_and(
      s.is_text and s.before <= s.begins and octet_length(s.signs) = s.ends - s.begins
      and get_byte(data, case when s.is_text then s.begins else 0 end) & 192 <> 128
      and (s.is_end or get_byte(data, case when s.is_text then s.ends else 0 end) & 192 <> 128)
    ), false),
    string_agg(substring(data, s.before + 1, greatest(s.begins - s.before, 0)) || s.signs, ''::bytea order by s.begins)
      || substring(data, max(s.ends) + 1)
  into is_whole, masked
  from signs as s;
  return case when is_whole and octet_length(masked) = octet_length(data) then masked end;
end
$$;

drop function public.erase_text(uuid, uuid, jsonb);
drop function weft.mask_text;

-- Erases letters of the page in all rows that hold them: `rows` is JSON, `[{seq, sha256, update: [place], dependencies: [place]}]`
-- with places as in weft.mask_texts; text, because a page has more places than a request may have JSON values. `sha256` is that of
-- a row message of version 3 with this row, whose head is its seq. `title`: the page's title without the letters. Not erased, and
-- nothing is changed, if a row is another one by now. Answers with the head, too: rows that the caller has not read can hold the
-- letters, or new copies of them. Snapshots and the text copy, which have the letters too, go and are made anew. Everybody opens the
-- page again.
create function public.erase_text(id uuid, document uuid, rows text, title text) returns jsonb
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  max_rows constant integer := 20000;
  max_length constant integer := 32 * 1024 * 1024;
  max_title_length constant integer := 200;
  max_row_bytes constant bigint := 64 * 1024 * 1024;
  caller weft.caller := weft.require_editor(document);
  head public.document_heads;
  list jsonb;
  wanted record;
  found_row public.document_updates;
begin
  if octet_length(erase_text.rows) <= max_length then
    list := erase_text.rows::jsonb;
  end if;
  if jsonb_typeof(list) is distinct from 'array'
    or jsonb_array_length(list) not between 1 and max_rows
    or erase_text.id is null
    or coalesce(char_length(erase_text.title) > max_title_length, true)
  then
    raise exception using errcode = '22023', message = 'rows: 1 to 20000 rows with places; title: 200 characters';
  end if;
  select h.* into head from public.document_heads as h where h.document_id = erase_text.document for update;
  caller := weft.require_editor(erase_text.document);
  if caller.role < 'manager' then
    perform weft.raise('WF002', 'managers erase');
  end if;
  if exists (select from public.document_erasures as e where e.id = erase_text.id) then
    -- A repeated call, whose first answer was lost.
    return coalesce(
      (
        select jsonb_build_object('erased', true, 'head', e.seq)
        from public.document_erasures as e
        where e.id = erase_text.id and e.document_id = erase_text.document
      ),
      jsonb_build_object('erased', false, 'head', head.head_seq)
    );
  end if;

  for wanted in
    select r.seq, r.sha256, coalesce(r.update, '[]') as update, coalesce(r.dependencies, '[]') as dependencies
    from jsonb_to_recordset(list) as r (seq bigint, sha256 text, update jsonb, dependencies jsonb)
  loop
    select u.*
    into found_row
    from public.document_updates as u
    where u.document_id = erase_text.document and u.seq = wanted.seq;
    if found_row.seq is null or wanted.sha256 is distinct from encode(
      sha256((weft.encode_rows(erase_text.document, wanted.seq - 1, wanted.seq, null, max_row_bytes, 3)).message), 'hex'
    ) then
      -- Also for what the loop did before.
      raise exception using errcode = '40001', message = 'the rows are others by now';
    end if;
    found_row.update := weft.mask_texts(found_row.update, wanted.update, false);
    if wanted.dependencies <> '[]' then
      found_row.dependencies := weft.mask_texts(found_row.dependencies, wanted.dependencies, true);
    end if;
    if found_row.update is null or (found_row.dependencies is null and wanted.dependencies <> '[]') then
      perform weft.raise('WF005', 'no text at this place');
    end if;
    update public.document_updates as u
    set update = found_row.update, dependencies = found_row.dependencies
    where u.document_id = erase_text.document and u.seq = wanted.seq;
  end loop;

  delete from public.document_snapshots as s where s.document_id = erase_text.document;
  update public.document_heads as h
  set
    erasures = h.erasures + 1,
    snapshot_seq = 0,
    snapshot_bytes = 0,
    snapshot_claimed_by = null,
    snapshot_claimed_until = null,
    tail_bytes = (
      select coalesce(sum(octet_length(u.update) + coalesce(octet_length(u.dependencies), 0)), 0)
      from public.document_updates as u
      where u.document_id = h.document_id
    )
  where h.document_id = erase_text.document;
  -- Whoever opens the page next and may edit it copies the text anew, because the copy is behind the log.
  update public.documents as d
  set title = erase_text.title, body_text = '', text_seq = greatest(least(d.text_seq, head.head_seq - 1), 0)
  where d.id = erase_text.document;
  update weft.notifications as n
  set detail = n.detail - 'excerpt'
  where n.document_id = erase_text.document and n.detail ? 'excerpt';
  insert into public.document_erasures (id, document_id, seq, erased_by)
  values (erase_text.id, erase_text.document, head.head_seq, caller.user_id);
  perform weft.move_topics(array[erase_text.document]);
  perform weft.publish_json('{}', 'erased', 'w:' || l.topic_key)
  from public.share_links as l
  where l.document_id = erase_text.document and weft.is_link_active(l.revoked_at, l.expires_at);
  return jsonb_build_object('erased', true, 'head', head.head_seq);
exception when serialization_failure then
  return jsonb_build_object('erased', false, 'head', head.head_seq);
end
$$;

revoke all on function weft.texts_in_update, weft.mask_texts, public.erase_text from public, anon, authenticated, service_role;
grant execute on function public.erase_text to authenticated;
