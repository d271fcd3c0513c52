// The columns of the tables and views of one schema, read from the database once and cached until `clear`.
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { AsyncCache } from '../async-cache.ts';

const columnSchema = v.object({
  name: v.string(),
  /** The name as SQL, quoted by the database where it needs quotes. */
  identifier: v.string(),
  /** The type as SQL. */
  type: v.string(),
});
export type TableColumn = v.InferOutput<typeof columnSchema>;

const rowsSchema = v.array(v.object({ table: v.string(), ...columnSchema.entries }));

const READ_COLUMNS = `
  select
    c.relname as "table",
    a.attname as "name",
    quote_ident(a.attname) as "identifier",
    format_type(a.atttypid, a.atttypmod) as "type"
  from pg_catalog.pg_class as c
  join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'f')
`;

/** The columns by table. */
export type TableCatalogue = AsyncCache<ReadonlyMap<string, readonly TableColumn[]>>;

export const tableCatalogue = (engine: Queries, schema: string): TableCatalogue =>
  new AsyncCache(async () => {
    const { rows } = await engine.query(READ_COLUMNS, [schema]);
    return Map.groupBy(v.parse(rowsSchema, rows), ({ table }) => table);
  });
