-- Supports `postgres_changes`: collects the changes of the tables in the publication `supabase_realtime` and decides
-- who may see which. Supabase Realtime decodes the write-ahead log; here a trigger stores each change until its
-- transaction has committed, and a table gets the trigger with its first subscription. Only our server calls these
-- functions, as superuser. Runs after bootstrap.sql at each start and can be repeated.

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

-- The subscriptions of our server's clients.
create table if not exists realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  action text not null check (action in ('*', 'INSERT', 'UPDATE', 'DELETE')),
  role regrole not null,
  claims jsonb not null,
  -- SQL about the row `r`, built by `realtime.filter_condition`; null matches every row.
  condition text,
  -- The columns that the condition reads.
  looked_at text[] not null,
  -- The columns to send; null means all.
  selected text[]
);
create index if not exists subscription_entity_index on realtime.subscription (entity);
create index if not exists subscription_subscription_id_index on realtime.subscription (subscription_id);

-- Changes that wait for their commit and then for our server, which removes them.
create table if not exists realtime.change (
  id bigint generated always as identity primary key,
  xid xid8 not null,
  at timestamptz not null,
  entity regclass not null,
  action text not null,
  new_row jsonb,
  old_row jsonb
);
create index if not exists change_xid_index on realtime.change (xid);

revoke all on realtime.subscription, realtime.change from public;

-- Runs as its owner, because the role that writes the table has no rights on ours. Formats times in UTC, whatever the
-- writer's time zone.
create or replace function realtime.capture_change() returns trigger
language plpgsql security definer
set search_path = ''
set timezone = 'UTC'
as $$
begin
  if exists (select from realtime.subscription s where s.entity = tg_relid and s.action in ('*', tg_op)) then
    insert into realtime.change (xid, at, entity, action, new_row, old_row)
    values (
      pg_current_xact_id(), clock_timestamp(), tg_relid, tg_op,
      case when tg_op <> 'DELETE' then to_jsonb(new) end,
      case when tg_op <> 'INSERT' then to_jsonb(old) end
    );
    -- Postgres sends identical notifications of a transaction only once.
    perform pg_notify('realtime_changes', pg_current_xact_id()::text);
  end if;
  return null;
end
$$;

-- Turns a filter into SQL about the row `r`. The value was checked against the column's type before; it becomes a
-- literal in any case.
create or replace function realtime.filter_condition(
  entity regclass, role regrole, column_name text, op text, value text, negate boolean
) returns text
language plpgsql stable
as $$
declare
  type_id oid;
  type_name text;
  condition text;
  elements text[];
begin
  select a.atttypid into type_id from pg_attribute a
  where a.attrelid = entity and a.attname = column_name and a.attnum > 0 and not a.attisdropped
    and has_column_privilege(role, entity, a.attnum, 'select');
  if type_id is null then
    raise exception 'invalid column for filter %', column_name;
  end if;
  type_name := format_type(type_id, null);

  case op
    when 'in' then
      execute format('select %L::%s[]::text[]', value, type_name) into elements;
      if cardinality(elements) > 100 then
        raise exception 'too many values for `in` filter. Maximum 100';
      end if;
      condition := format('r.%I = any (%L::%s[])', column_name, value, type_name);
    when 'is' then
      if value not in ('null', 'true', 'false', 'unknown') then
        raise exception 'invalid value for is filter: must be null, true, false, or unknown';
      end if;
      if value <> 'null' and type_id <> 'boolean'::regtype then
        raise exception 'is % filter requires a boolean column, got %', value, type_name;
      end if;
      condition := format('r.%I is %s', column_name, value);
    when 'like', 'ilike', 'match', 'imatch' then
      if (select t.typcategory from pg_type t where t.oid = type_id) <> 'S' then
        raise exception 'operator % requires a text-compatible column type, got %', op, type_name;
      end if;
      if op in ('match', 'imatch') then
        begin
          perform '' ~ value;
        exception when others then
          raise exception 'invalid regular expression for % filter: %', op, sqlerrm;
        end;
      end if;
      condition := format(
        'r.%I %s %L::text', column_name,
        case op when 'like' then 'like' when 'ilike' then 'ilike' when 'match' then '~' else '~*' end, value
      );
    else
      execute format('select %L::%s', value, type_name);
      condition := format(
        'r.%I %s %L::%s', column_name,
        case op
          when 'eq' then '=' when 'neq' then '<>' when 'lt' then '<' when 'lte' then '<=' when 'gt' then '>'
          when 'gte' then '>=' when 'isdistinct' then 'is distinct from'
        end,
        value, type_name
      );
  end case;
  return case when negate then format('not (%s)', condition) else format('(%s)', condition) end;
end
$$;

-- Subscribes to the named tables of the publication ('*' means any), replaces the earlier state of this subscription,
-- and returns their number. Raises errors about filters and columns in the words of Supabase Realtime.
create or replace function realtime.subscribe_to_changes(
  subscription uuid, claims jsonb, action_name text, schema_name text, table_name text, filters jsonb, columns text[]
) returns integer
language plpgsql
as $$
declare
  role_id regrole := quote_ident(claims ->> 'role')::regrole;
  found_tables integer := 0;
  table_id regclass;
  unknown_column text;
begin
  delete from realtime.subscription s where s.subscription_id = subscription;
  for table_id in
    select format('%I.%I', p.schemaname, p.tablename)::regclass
    from pg_publication_tables p
    where p.pubname = 'supabase_realtime'
      and schema_name in ('*', p.schemaname) and table_name in ('*', p.tablename)
  loop
    select c into unknown_column from unnest(columns) c
    where not exists (
      select from pg_attribute a
      where a.attrelid = table_id and a.attname = c and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(role_id, table_id, a.attnum, 'select')
    )
    limit 1;
    if unknown_column is not null then
      raise exception 'invalid column for select %', unknown_column;
    end if;

    insert into realtime.subscription (subscription_id, entity, action, role, claims, condition, looked_at, selected)
    select
      subscription, table_id, action_name, role_id, claims,
      string_agg(realtime.filter_condition(table_id, role_id, f.column, f.op, f.value, f.negate), ' and '),
      coalesce(array_agg(f.column) filter (where f.column is not null), '{}'),
      columns
    from jsonb_to_recordset(filters) as f ("column" text, op text, value text, negate boolean);

    if not exists (select from pg_trigger t where t.tgrelid = table_id and t.tgname = 'realtime_capture_change') then
      execute format(
        'create or replace trigger realtime_capture_change after insert or update or delete on %s '
        'for each row execute function realtime.capture_change()',
        table_id
      );
    end if;
    found_tables := found_tables + 1;
  end loop;
  return found_tables;
end
$$;

-- Whether a row, given as JSON, meets a condition.
create or replace function realtime.meets(entity regclass, condition text, row_json jsonb) returns boolean
language plpgsql stable
as $$
declare
  answer boolean := true;
begin
  if condition is not null then
    execute format('select (%s) is true from jsonb_populate_record(null::%s, $1) r', condition, entity)
    into answer using row_json;
  end if;
  return answer;
end
$$;

-- Whether row level security lets a role with these claims see the row with this key. A policy that fails hides the
-- row.
create or replace function realtime.may_see(entity regclass, keys text[], row_json jsonb, role regrole, claims jsonb)
returns boolean
language plpgsql
as $$
declare
  answer boolean;
begin
  perform realtime.assume(claims ->> 'role', claims, '');
  execute format(
    'select exists (select from %s t, jsonb_populate_record(null::%s, $1) r where %s)', entity, entity,
    (select string_agg(format('t.%I = r.%I', k, k), ' and ') from unnest(keys) k)
  ) into answer using row_json;
  perform set_config('role', 'none', true);
  return answer;
exception when others then
  raise warning 'a policy on % failed: %', entity, sqlerrm;
  return false;
end
$$;

-- The messages of one change: one for each role and choice of columns, with the subscriptions that receive it.
create or replace function realtime.messages_of(c realtime.change, committed_at timestamptz)
returns table (data text, subscribers uuid[])
language plpgsql
as $$
declare
  max_bytes constant integer := 1048576;
  max_value_bytes constant integer := 64;
  secured boolean;
  keys text[];
  -- The columns that identify an old row: the primary key, or those of REPLICA IDENTITY.
  identity text[];
  seen_row jsonb;
  subscriptions realtime.subscription[];
  too_large boolean := octet_length(coalesce(c.new_row, c.old_row)::text) > max_bytes;
  head jsonb;
  working_role regrole;
  readable text[];
  visible realtime.subscription[];
  failure text;
  working_columns text[];
begin
  select relation.relrowsecurity,
    array(
      select a.attname::text from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = c.entity and i.indisprimary
    ),
    case relation.relreplident
      when 'f' then array(
        select a.attname::text from pg_attribute a where a.attrelid = c.entity and a.attnum > 0 and not a.attisdropped
      )
      when 'n' then '{}'
      else array(
        select a.attname::text from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indrelid = c.entity and case relation.relreplident when 'i' then i.indisreplident else i.indisprimary end
      )
    end,
    jsonb_build_object('schema', n.nspname, 'table', relation.relname, 'type', c.action)
  into secured, keys, identity, head
  from pg_class relation join pg_namespace n on n.oid = relation.relnamespace
  where relation.oid = c.entity;
  -- The table was dropped in the meantime.
  if not found then return; end if;

  subscriptions := array(
    select s from realtime.subscription s, pg_publication p
    where s.entity = c.entity and s.action in ('*', c.action) and p.pubname = 'supabase_realtime'
      and case c.action when 'INSERT' then p.pubinsert when 'UPDATE' then p.pubupdate else p.pubdelete end
  );
  seen_row := case
    when c.action = 'DELETE'
    then (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(c.old_row) where key = any (identity))
    else c.new_row
  end;

  for working_role in select distinct s.role from unnest(subscriptions) s loop
    readable := array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.entity and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(working_role, c.entity, a.attnum, 'select')
    );
    failure := case
      when c.action = 'DELETE' then null
      when cardinality(keys) = 0 then 'Error 400: Bad Request, no primary key'
      when not keys <@ readable then 'Error 401: Unauthorized'
    end;
    if failure is not null then
      data := head || jsonb_build_object(
        'commit_timestamp', null, 'columns', '[]'::jsonb, 'record', '{}'::jsonb, 'errors', jsonb_build_array(failure)
      ) || case c.action when 'UPDATE' then '{"old_record": {}}'::jsonb else '{}' end;
      subscribers := array(select s.subscription_id from unnest(subscriptions) s where s.role = working_role);
      return next;
      continue;
    end if;

    -- First the subscriptions whose filters match, then one policy check for each distinct identity.
    visible := array(
      select s from unnest(subscriptions) s
      where s.role = working_role
        and (c.action <> 'DELETE' or s.looked_at <@ identity)
        and realtime.meets(c.entity, s.condition, seen_row)
    );
    if secured and c.action <> 'DELETE' then
      visible := array(
        with allowed as materialized (
          select who.claims from (select distinct s.claims from unnest(visible) s) who
          where realtime.may_see(c.entity, keys, c.new_row, working_role, who.claims)
        )
        select s from unnest(visible) s join allowed on allowed.claims = s.claims
      );
    end if;

    for working_columns, subscribers in
      select s.selected, array_agg(s.subscription_id) from unnest(visible) s group by s.selected
    loop
      data := head || jsonb_build_object(
        'commit_timestamp', to_char(committed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'columns', (
          select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname) order by a.attnum)
          from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = c.entity and a.attname = any (readable)
            and (working_columns is null or a.attname = any (working_columns || keys))
        ),
        'errors', case when too_large then '["Error 413: Payload Too Large"]'::jsonb end
      )
      || case when c.action = 'DELETE' then '{}' else jsonb_build_object('record', (
        select jsonb_object_agg(e.key, e.value)
        from jsonb_each(c.new_row) e join pg_attribute a on a.attrelid = c.entity and a.attname = e.key
        -- The write-ahead log has no generated columns, so Supabase Realtime sends none.
        where a.attgenerated = '' and e.key = any (readable)
          and (working_columns is null or e.key = any (working_columns || keys))
          and (not too_large or octet_length(e.value::text) <= max_value_bytes)
      )) end
      || case when c.action = 'INSERT' then '{}' else jsonb_build_object('old_record', (
        select jsonb_object_agg(e.key, e.value) from jsonb_each(c.old_row) e
        where e.key = any (identity) and e.key = any (readable)
          and (working_columns is null or e.key = any (working_columns || keys))
          and (not too_large or octet_length(e.value::text) <= max_value_bytes)
          -- Policies cannot be checked for a deleted row, so only its key is sent.
          and (c.action = 'UPDATE' or not secured or e.key = any (keys))
      )) end;
      return next;
    end loop;
  end loop;
end
$$;

-- Removes the changes of a transaction in their order and returns the messages for subscribers. A last row without data
-- means that there are more; other work may run in between.
create or replace function realtime.take_changes(transaction_id text, at_most integer)
returns table (data text, subscribers uuid[])
language plpgsql
as $$
declare
  taken realtime.change[];
begin
  with gone as (
    delete from realtime.change c
    where c.id in (
      select w.id from realtime.change w where w.xid = transaction_id::xid8 order by w.id limit at_most
    )
    returning c.*
  )
  select array_agg(gone::realtime.change order by gone.id) into taken from gone;
  return query
    select m.data, m.subscribers
    from unnest(taken) with ordinality as c (id, xid, at, entity, action, new_row, old_row, place)
    cross join lateral realtime.messages_of(
      row(c.id, c.xid, c.at, c.entity, c.action, c.new_row, c.old_row)::realtime.change,
      (select max(t.at) from unnest(taken) t)
    ) m
    order by c.place;
  if exists (select from realtime.change c where c.xid = transaction_id::xid8) then
    data := null;
    subscribers := null;
    return next;
  end if;
end
$$;

do $$
declare
  f regprocedure;
begin
  for f in
    select p.oid from pg_proc p where p.pronamespace = 'realtime'::regnamespace and p.proname in (
      'capture_change', 'filter_condition', 'subscribe_to_changes', 'meets', 'may_see', 'messages_of', 'take_changes'
    )
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end
$$;
