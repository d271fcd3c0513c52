// Reads JSON as rows of the database's types, by the database: the same values and the same refusals as PostgREST's, which
// has it done in the statement that writes.
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import type { Caller } from './caller.ts';

/** A column or an argument; both as SQL but the name. */
export type Field = { readonly name: string; readonly identifier: string; readonly type: string };

/** By field name; the texts are what the database prints, and reads again as the same values. */
export type TextRow = Readonly<Record<string, string | null>>;

const rowsSchema = v.array(v.object({ texts: v.array(v.nullable(v.string())) }));

/** Of an object one row, of a list one for each; all fields are in each row. Throws what the database refuses. */
export async function readTyped(
  pg: Engine,
  { role, claims }: Caller,
  fields: readonly Field[],
  json: string,
): Promise<TextRow[]> {
  const read = /^\s*\{/.test(json) ? 'json_to_record' : 'json_to_recordset';
  const types = fields.map(({ identifier, type }) => `${identifier} ${type}`).join(', ');
  const texts = fields.map(({ identifier }) => `given.${identifier}::text`).join(', ');
  const { rows } = await pg.queryAs(
    { role, 'request.jwt.claims': claims },
    `select pg_catalog.to_json(array[${texts}]) as texts from pg_catalog.${read}($1::json) as given (${types})`,
    [json],
  );
  return v
    .parse(rowsSchema, rows)
    .map((row) => Object.fromEntries(fields.map(({ name }, at) => [name, row.texts[at] ?? null])));
}
