// The functions of one schema: their arguments and what they return, read from the database once and cached until `clear`.
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { AsyncCache } from '../async-cache.ts';

const argumentSchema = v.object({
  name: v.string(),
  /** The name as SQL, quoted by the database where it needs quotes. */
  identifier: v.string(),
  /** The type as SQL. */
  type: v.string(),
  isRequired: v.boolean(),
});

const functionSchema = v.object({
  name: v.string(),
  /** Schema and name as SQL. */
  reference: v.string(),
  /** The input arguments in order; an argument without a name has ''. */
  args: v.array(argumentSchema),
  /** `object`: several columns, or a row; `scalar`: one value; `unsupported`: PostgREST has rules of its own for it. */
  returns: v.picklist(['void', 'json', 'scalar', 'object', 'unsupported']),
  isSet: v.boolean(),
  isVolatile: v.boolean(),
});

export type DatabaseFunction = v.InferOutput<typeof functionSchema>;

/** `unsupported`: media types (a domain called "image/png"), variadic and polymorphic arguments, triggers,
 * records whose columns no one declared. */
const READ_FUNCTIONS = `
  select
    p.proname as "name",
    format('%I.%I', n.nspname, p.proname) as "reference",
    coalesce(a.args, '[]') as "args",
    case
      when p.provariadic <> 0 or a.has_pseudo or r.typname in ('trigger', 'event_trigger')
        or (r.typtype = 'd' and r.typname like '%/%')
        or (r.typname = 'void' and p.proretset) or (r.typtype = 'p' and r.typname not in ('void', 'record'))
        or (r.typname = 'record' and p.proargmodes is null)
        then 'unsupported'
      when p.proargmodes && '{o,b,t}'::"char"[] or r.typtype = 'c' or r.typname = 'record' then 'object'
      when r.typname = 'void' then 'void'
      when r.oid in ('json'::regtype, 'jsonb'::regtype) then 'json'
      else 'scalar'
    end as "returns",
    p.proretset as "isSet",
    p.provolatile = 'v' as "isVolatile"
  from pg_catalog.pg_proc as p
  join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
  join pg_catalog.pg_type as r on r.oid = p.prorettype
  cross join lateral (
    select
      json_agg(
        json_build_object(
          'name', coalesce(i.name, ''),
          'identifier', quote_ident(coalesce(i.name, '')),
          'type', format_type(i.type, -1),
          'isRequired', i.nth <= p.pronargs - p.pronargdefaults
        )
        order by i.nth
      ) as args,
      coalesce(bool_or(t.typtype = 'p'), false) as has_pseudo
    from (
      select
        e.type,
        p.proargnames[e.nth] as name,
        row_number() over (order by e.nth) as nth
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as e (type, nth)
      where coalesce(p.proargmodes[e.nth], 'i') in ('i', 'b', 'v')
    ) as i
    join pg_catalog.pg_type as t on t.oid = i.type
  ) as a
  where n.nspname = $1 and p.prokind = 'f'
`;

/** By name: PostgreSQL allows several with different arguments. */
export type FunctionCatalogue = AsyncCache<ReadonlyMap<string, readonly DatabaseFunction[]>>;

export const functionCatalogue = (engine: Queries, schema: string): FunctionCatalogue =>
  new AsyncCache(async () => {
    const { rows } = await engine.query(READ_FUNCTIONS, [schema]);
    return Map.groupBy(v.parse(v.array(functionSchema), rows), ({ name }) => name);
  });
