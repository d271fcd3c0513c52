// One call of a function as one SQL statement with one result row. The database writes the JSON, as it does for PostgREST, so
// that no number loses a digit. Names and types come from the catalogue; what the caller sent is always a parameter.
import type { SqlStatement } from '../sql-statement.ts';
import { MAX_RESULT_ROWS } from '../tables/parse-table-request.ts';
import type { DatabaseFunction } from './function-catalogue.ts';

/** The result row: the JSON, its number of rows, and the status and headers that the function set. */
export type CallRow = {
  readonly body: string | null;
  readonly count: number;
  readonly status: string | null;
  readonly headers: string | null;
};

/** No function has a column or an argument of these names. */
const VALUE = '"weft: value"';
const ROW = '"weft: row"';
const ARGUMENTS = '"weft: arguments"';

/** The functions that can be called with exactly these named arguments: none is unknown, and no required one is missing. */
export const matchingFunctions = (
  functions: readonly DatabaseFunction[],
  given: ReadonlySet<string>,
): readonly DatabaseFunction[] =>
  functions.filter(({ args }) => {
    const names = new Set(args.map(({ name }) => name));
    return (
      [...given].every((name) => name !== '' && names.has(name)) &&
      args.every(({ name, isRequired }) => !isRequired || (name !== '' && given.has(name)))
    );
  });

/** `json` is an object with the keys `given`. The database reads each value as the type of its argument. */
export function callStatement(fn: DatabaseFunction, given: ReadonlySet<string>, json: string): SqlStatement {
  const args = fn.args.filter(({ name }) => given.has(name));
  const values = args.map(({ identifier }) => `${identifier} := ${ARGUMENTS}.${identifier}`).join(', ');
  const call = `${fn.reference}(${values}) as ${VALUE}`;
  if (args.length === 0) return { sql: selectFrom(fn, call), params: [] };
  const fields = args.map(({ identifier, type }) => `${identifier} ${type}`).join(', ');
  const record = `pg_catalog.json_to_record($1::json) as ${ARGUMENTS}(${fields})`;
  return { sql: selectFrom(fn, `${record}, lateral ${call}`), params: [json] };
}

function selectFrom(fn: DatabaseFunction, source: string): string {
  const columns = [
    `${bodyOf(fn)} as body`,
    `${fn.isSet ? 'pg_catalog.count(*)' : '1'} as count`,
    // Last: the function sets them while it runs.
    `pg_catalog.current_setting('response.status', true) as status`,
    `pg_catalog.current_setting('response.headers', true) as headers`,
  ];
  const limit = fn.isSet ? ` limit ${MAX_RESULT_ROWS}` : '';
  return `select ${columns.join(', ')} from (select ${VALUE}.* from ${source}${limit}) as ${ROW}`;
}

function bodyOf({ returns, isSet }: DatabaseFunction): string {
  if (returns === 'void') return 'null';
  const value = returns === 'object' ? ROW : `${ROW}.${VALUE}`;
  if (isSet) return `coalesce(pg_catalog.json_agg(${value})::text, '[]')`;
  // `to_json` would copy a long answer once more.
  return `coalesce(${returns === 'json' ? value : `pg_catalog.to_json(${value})`}::text, 'null')`;
}
