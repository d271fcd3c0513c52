// The functions of the exposed schema as the database knows them: their arguments, and what they answer. Read when first
// asked for and kept until `forget`; every identifier and type name comes out as SQL, quoted by the database.
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { Kept } from '../async-cache.ts';

const argumentSchema = v.object({
  name: v.string(),
  /** As SQL. */
  identifier: v.string(),
  /** As SQL. */
  type: v.string(),
  isRequired: v.boolean(),
});

const functionSchema = v.object({
  name: v.string(),
  /** As SQL, with its schema. */
  reference: v.string(),
  /** What comes in, in order; one without a name has ''. */
  args: v.array(argumentSchema),
  /** `object`: several columns, or a row; `scalar`: one value; `other`: what PostgREST has rules of its own for. */
  returns: v.picklist(['void', 'scalar', 'object', 'other']),
  isSet: v.boolean(),
  isVolatile: v.boolean(),
});

export type Argument = v.InferOutput<typeof argumentSchema>;
export type RpcFunction = v.InferOutput<typeof functionSchema>;

/** `other`: media types (a domain called "image/png"), variadic and polymorphic arguments, triggers. */
const READ_FUNCTIONS = `
  select
    p.proname as "name",
    format('%I.%I', n.nspname, p.proname) as "reference",
    coalesce(a.args, '[]') as "args",
    case
      when p.provariadic <> 0 or a.has_pseudo or r.typname in ('trigger', 'event_trigger')
        or (r.typtype = 'd' and r.typname like '%/%')
        or (r.typname = 'void' and p.proretset) or (r.typtype = 'p' and r.typname not in ('void', 'record'))
        then 'other'
      when p.proargmodes && '{o,b,t}'::"char"[] or r.typtype = 'c' or r.typname = 'record' then 'object'
      when r.typname = 'void' then 'void'
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

export class FunctionCatalogue {
  readonly #functions: Kept<ReadonlyMap<string, readonly RpcFunction[]>>;

  constructor(engine: Queries, schema: string) {
    this.#functions = new Kept(async () => {
      const { rows } = await engine.query(READ_FUNCTIONS, [schema]);
      return Map.groupBy(v.parse(v.array(functionSchema), rows), ({ name }) => name);
    });
  }

  /** All functions of that name. */
  async named(name: string): Promise<readonly RpcFunction[]> {
    return (await this.#functions.get()).get(name) ?? [];
  }

  forget(): void {
    this.#functions.forget();
  }
}
