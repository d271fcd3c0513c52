// SQL for a parsed table request, as PostgREST writes it, so that the database refuses in the same words. Names are quoted
// identifiers; every value is a parameter, and the database reads it as its column's type: no number loses a digit.
import type { SqlStatement } from '../sql-statement.ts';
import type { ColumnFilter, SortKey, TableRead } from './parse-table-request.ts';
import type { TableColumn } from './table-catalogue.ts';

/** The result row of `readStatement`. */
export type ReadRow = {
  /** The rows as JSON. */
  readonly body: string;
  readonly count: number;
  /** The number of all matching rows; null unless the request asked for it. */
  readonly total: number | null;
};

/** No column can be called this: a request's names are `\w+`. */
const ROW = '"weft: row"';

export function readStatement(table: string, read: TableRead): SqlStatement {
  const params: string[] = [];
  const from = qualified(table);
  const columns = read.select?.map(({ column, alias }) => `${from}.${quoted(column)} as ${quoted(alias)}`);
  const where = whereClause(table, read.filters, params);
  const order = read.order.map((key) => sortClause(table, key)).join(', ');
  const rows = [
    `select ${columns?.join(', ') ?? `${from}.*`} from ${from}${where}`,
    order === '' ? '' : `order by ${order}`,
    `limit ${read.limit} offset ${read.offset}`,
  ];
  const total = read.countsAll ? `(select pg_catalog.count(*) from ${from}${where})` : 'null::bigint';
  return {
    sql: `select coalesce(pg_catalog.json_agg(${ROW})::text, '[]') as body, pg_catalog.count(*) as count, ${total} as total
      from (${rows.join(' ')}) as ${ROW}`,
    params,
  };
}

/** `json` is an object with a value for each of `columns`. */
export function insertStatement(table: string, columns: readonly TableColumn[], json: string): SqlStatement {
  const names = columns.map(({ identifier }) => identifier).join(', ');
  return {
    sql: `insert into ${qualified(table)} (${names}) select ${names} from ${recordOf(columns)}`,
    params: [json],
  };
}

/** `json` is an object with a value for each of `columns`. */
export function updateStatement(
  table: string,
  columns: readonly TableColumn[],
  json: string,
  filters: readonly ColumnFilter[],
): SqlStatement {
  const params = [json];
  const assignments = columns.map(({ identifier }) => `${identifier} = ${ROW}.${identifier}`).join(', ');
  const where = whereClause(table, filters, params);
  return { sql: `update ${qualified(table)} set ${assignments} from ${recordOf(columns)}${where}`, params };
}

export function deleteStatement(table: string, filters: readonly ColumnFilter[]): SqlStatement {
  const params: string[] = [];
  return { sql: `delete from ${qualified(table)}${whereClause(table, filters, params)}`, params };
}

/** Adds the filters' values to `params`. */
function whereClause(table: string, filters: readonly ColumnFilter[], params: string[]): string {
  const conditions = filters.map((filter) => {
    const column = `${qualified(table)}.${quoted(filter.column)}`;
    params.push(filter.operator === 'in' ? arrayLiteral(filter.values) : filter.value);
    const parameter = `$${params.length}`;
    return {
      eq: `${column} = ${parameter}`,
      like: `${column} like ${parameter}`,
      in: `${column} = any (${parameter})`,
    }[filter.operator];
  });
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

const sortClause = (table: string, { column, isDescending }: SortKey): string =>
  `${qualified(table)}.${quoted(column)}${isDescending ? ' desc' : ''}`;

const recordOf = (columns: readonly TableColumn[]): string => {
  const fields = columns.map(({ identifier, type }) => `${identifier} ${type}`).join(', ');
  return `pg_catalog.json_to_record($1::json) as ${ROW}(${fields})`;
};

const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`;

const qualified = (table: string): string => `"public".${quoted(table)}`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
