// Reads and changes rows of a table or view for a caller, and answers as PostgREST 14 does.
import { assert } from '../../../src/lib/assert.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Engine } from '../../engine.ts';
import type { RestCaller } from '../caller.ts';
import { errorResponse, invalidJson, parseJson, restNotImplemented } from '../postgrest-error.ts';
import { settingsFor } from '../request-settings.ts';
import type { SqlStatement } from '../sql-statement.ts';
import { parseChange, parseInsert, parseRead } from './parse-table-request.ts';
import type { TableCatalogue, TableColumn } from './table-catalogue.ts';
import { type ReadRow, deleteStatement, insertStatement, readStatement, updateStatement } from './table-statement.ts';

export type TableRequest = {
  readonly pg: Engine;
  readonly table: string;
  readonly request: Request;
  readonly caller: RestCaller;
};

type Query = { readonly params: URLSearchParams; readonly prefer: string | null };
type Handler = (tableRequest: TableRequest, query: Query, columns: readonly TableColumn[]) => Promise<Response>;

/** Rejects with the database's error. */
export async function answerTable(tableRequest: TableRequest, tables: TableCatalogue): Promise<Response> {
  const { table, request } = tableRequest;
  const handler = HANDLERS.get(request.method);
  if (handler === undefined) return restNotImplemented(`${request.method} is not supported for a table.`);
  const { search, searchParams: params } = new URL(request.url);
  // PostgREST reads it as "&"; supabase-js always encodes it.
  if (search.includes(';')) return restNotImplemented('An unencoded ";" in the query is not supported.');
  const columns = (await tables.get()).get(table) ?? [];
  if (columns.length === 0) return tableNotFound(table);
  return handler(tableRequest, { params, prefer: request.headers.get('prefer') }, columns);
}

const readRows: Handler = async ({ pg, table, request, caller }, { params, prefer }) => {
  const read = parseRead(params, prefer);
  if (!read.ok) return restNotImplemented(read.error);
  const statement = readStatement(table, read.value);
  const settings = { ...settingsFor(request, caller, `/${table}`), transaction_read_only: 'on' };
  const { rows } = await pg.queryAs<ReadRow>(settings, statement.sql, [...statement.params]);
  const [row] = rows;
  assert(row !== undefined, 'an aggregate is one row');
  const body = new TextEncoder().encode(row.body);
  const isComplete = row.total === null || row.count >= row.total;
  return new Response(body, {
    status: isComplete ? 200 : 206,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.byteLength),
      'content-range': contentRange(read.value.offset, row.count, row.total),
      ...(row.total === null ? {} : { 'preference-applied': 'count=exact' }),
    },
  });
};

const insertRow: Handler = async (tableRequest, { params, prefer }, columns) => {
  const insert = parseInsert(params, prefer);
  if (!insert.ok) return restNotImplemented(insert.error);
  const row = await rowOfBody(tableRequest, columns);
  if (!row.ok) return row.error;
  await changeRows(tableRequest, insertStatement(tableRequest.table, row.value.columns, row.value.json));
  return new Response(null, { status: 201, headers: { 'content-range': '*/*' } });
};

const updateRows: Handler = async (tableRequest, { params, prefer }, columns) => {
  const filters = parseChange(params, prefer);
  if (!filters.ok) return restNotImplemented(filters.error);
  const row = await rowOfBody(tableRequest, columns);
  if (!row.ok) return row.error;
  const statement = updateStatement(tableRequest.table, row.value.columns, row.value.json, filters.value);
  const count = await changeRows(tableRequest, statement);
  return new Response(null, { status: 204, headers: { 'content-range': contentRange(0, count, null) } });
};

const deleteRows: Handler = async (tableRequest, { params, prefer }) => {
  const filters = parseChange(params, prefer);
  if (!filters.ok) return restNotImplemented(filters.error);
  await changeRows(tableRequest, deleteStatement(tableRequest.table, filters.value));
  return new Response(null, { status: 204, headers: { 'content-range': '*/*' } });
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['GET', readRows],
  ['HEAD', readRows],
  ['POST', insertRow],
  ['PATCH', updateRows],
  ['DELETE', deleteRows],
]);

/** Returns the number of changed rows. */
async function changeRows(
  { pg, table, request, caller }: TableRequest,
  { sql, params }: SqlStatement,
): Promise<number> {
  const { affectedRows = 0 } = await pg.queryAs(settingsFor(request, caller, `/${table}`), sql, [...params]);
  return affectedRows;
}

const contentRange = (offset: number, count: number, total: number | null): string =>
  `${count === 0 ? '*' : `${offset}-${offset + count - 1}`}/${total ?? '*'}`;

type Row = { readonly columns: readonly TableColumn[]; readonly json: string };

/** The body: one row as a JSON object. The database reads its values: numbers that JavaScript read could lose digits. */
async function rowOfBody(
  { request, table }: TableRequest,
  columns: readonly TableColumn[],
): Promise<Result<Row, Response>> {
  const json = await request.text();
  const value = parseJson(json);
  if (value === undefined) return err(invalidJson());
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (names.length === 0)
    return err(restNotImplemented('Only a JSON object with at least one column is supported as a row.'));
  const given: TableColumn[] = [];
  for (const name of names) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined) return err(columnNotFound(table, name));
    given.push(column);
  }
  return ok({ columns: given, json });
}

const tableNotFound = (table: string): Response =>
  errorResponse(404, {
    code: 'PGRST205',
    message: `Could not find the table 'public.${table}' in the schema cache`,
    details: null,
    hint: null,
  });

const columnNotFound = (table: string, column: string): Response =>
  errorResponse(400, {
    code: 'PGRST204',
    message: `Could not find the '${column}' column of '${table}' in the schema cache`,
    details: null,
    hint: null,
  });
