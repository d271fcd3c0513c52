// Reads a request for a table or view: the part of PostgREST's query language that Weft's app, tests and tools send.
// Everything else is an error with the sentence that the caller gets; nothing is guessed or ignored.
import { type Result, err, ok } from '../../../src/lib/result.ts';

export type ColumnFilter =
  | { readonly column: string; readonly operator: 'eq' | 'like'; readonly value: string }
  | { readonly column: string; readonly operator: 'in'; readonly values: readonly string[] };

export type SelectedColumn = { readonly column: string; readonly alias: string };
export type SortKey = { readonly column: string; readonly isDescending: boolean };

export type TableRead = {
  /** Null: all columns. */
  readonly select: readonly SelectedColumn[] | null;
  /** A row must match all of them. */
  readonly filters: readonly ColumnFilter[];
  readonly order: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  /** Also counts the rows beyond `limit`. */
  readonly countsAll: boolean;
};

/** The hosted service's `max-rows`: no answer has more rows. */
export const MAX_RESULT_ROWS = 1000;

const NAME = /^\w+$/;
const SELECTED = /^(?:(\w+):)?(\w+)$/;
const SORT_KEY = /^(\w+)(?:\.(asc|desc))?$/;
const FILTER = /^(eq|like|in)\.(.*)$/s;
const LIST = /^\((.*)\)$/s;
/** A list's item: quoted, with `\` before `"` and `\`, or without quotes and commas. */
const LIST_ITEM = /(?:"((?:[^"\\]|\\.)*)"|([^",]*))(?:,|$)/gsy;
const MAX_DIGITS = 9;
/** Columns of a list, and filters, in one request: PostgreSQL would plan thousands of them for seconds. */
const MAX_PARTS = 100;
const TOO_MANY = `Only ${MAX_PARTS} filters, and lists of ${MAX_PARTS} columns, are supported in one request.`;

/** Parameters that never name a column. `apikey` is for the gateway. */
const NOT_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'and', 'or', 'apikey']);

export function parseRead(params: URLSearchParams, prefer: string | null): Result<TableRead, string> {
  if ([params.get('select'), params.get('order')].some((list) => partsOf(list).length > MAX_PARTS))
    return err(TOO_MANY);
  if (prefer !== null && prefer !== 'count=exact') return err(`The preference "${prefer}" is not supported.`);
  const filters = parseFilters(params, ['select', 'order', 'limit', 'offset']);
  if (!filters.ok) return filters;
  const select = parseSelect(params.get('select') ?? '*');
  if (select === 'unsupported')
    return err('Only "select=*" and lists of columns, each with or without an alias, are supported.');
  const order = parseOrder(params.get('order'));
  if (order === null) return err('Only columns with ".asc" or ".desc" are supported in "order".');
  const limit = parseCount(params.get('limit') ?? String(MAX_RESULT_ROWS));
  const offset = parseCount(params.get('offset') ?? '0');
  if (limit === null || limit === 0 || offset === null)
    return err('Only whole numbers are supported in "limit" and "offset".');
  const countsAll = prefer !== null;
  if (countsAll && offset > 0) return err('Counting is not supported together with "offset".');
  return ok({ select, filters: filters.value, order, limit: Math.min(limit, MAX_RESULT_ROWS), offset, countsAll });
}

/** The filters of an update or a delete: at least one, because a hosted project refuses to change a whole table. */
export function parseChange(params: URLSearchParams, prefer: string | null): Result<readonly ColumnFilter[], string> {
  if (prefer !== null) return err(`The preference "${prefer}" is not supported.`);
  const filters = parseFilters(params, []);
  return filters.ok && filters.value.length === 0 ? err('Changing rows without a filter is not supported.') : filters;
}

export function parseInsert(params: URLSearchParams, prefer: string | null): Result<null, string> {
  if (prefer !== null) return err(`The preference "${prefer}" is not supported.`);
  const [name] = [...params.keys()].filter((key) => key !== 'apikey');
  return name === undefined ? ok(null) : err(`The parameter "${name}" is not supported in an insert.`);
}

function parseFilters(params: URLSearchParams, others: readonly string[]): Result<readonly ColumnFilter[], string> {
  const filters: ColumnFilter[] = [];
  if (params.size > MAX_PARTS) return err(TOO_MANY);
  for (const [name, text] of params) {
    if (name === 'apikey') continue;
    if (others.includes(name)) {
      if (params.getAll(name).length > 1) return err(`The parameter "${name}" is supported only once.`);
      continue;
    }
    if (NOT_FILTERS.has(name) || !NAME.test(name)) return err(`The parameter "${name}" is not supported.`);
    const filter = parseFilter(name, text);
    if (filter === null) return err(`The filter on "${name}" is not supported; only "eq", "in" and "like" are.`);
    filters.push(filter);
  }
  return ok(filters);
}

function parseFilter(column: string, text: string): ColumnFilter | null {
  const [, operator, value = ''] = FILTER.exec(text) ?? [];
  // PostgreSQL has no text with U+0000.
  if (value.includes('\0')) return null;
  if (operator === 'eq') return { column, operator, value };
  // PostgREST accepts `*` for `%`, because `*` needs no percent-encoding in a URL.
  if (operator === 'like') return { column, operator, value: value.replaceAll('*', '%') };
  const list = operator === 'in' ? LIST.exec(value)?.[1] : undefined;
  const values = list === undefined ? null : parseList(list);
  return values === null ? null : { column, operator: 'in', values };
}

/** Null: not a list. */
function parseList(list: string): readonly string[] | null {
  if (list === '') return [];
  const values: string[] = [];
  LIST_ITEM.lastIndex = 0;
  while (LIST_ITEM.lastIndex < list.length) {
    const item = LIST_ITEM.exec(list);
    if (item === null) return null;
    values.push(item[1] === undefined ? (item[2] ?? '') : item[1].replaceAll(/\\(.)/gs, '$1'));
  }
  // A comma at the end begins an empty item.
  return list.endsWith(',') ? [...values, ''] : values;
}

function parseSelect(text: string): readonly SelectedColumn[] | null | 'unsupported' {
  if (text === '*') return null;
  const columns: SelectedColumn[] = [];
  for (const part of text.split(',')) {
    const [, alias, column] = SELECTED.exec(part) ?? [];
    if (column === undefined) return 'unsupported';
    columns.push({ column, alias: alias ?? column });
  }
  return columns;
}

/** Stops at the first part too many. */
const partsOf = (list: string | null): readonly string[] => (list ?? '').split(',', MAX_PARTS + 1);

/** Null: not supported. */
function parseOrder(text: string | null): readonly SortKey[] | null {
  if (text === null) return [];
  const keys: SortKey[] = [];
  for (const part of text.split(',')) {
    const [, column, direction] = SORT_KEY.exec(part) ?? [];
    if (column === undefined) return null;
    keys.push({ column, isDescending: direction === 'desc' });
  }
  return keys;
}

const parseCount = (text: string): number | null =>
  /^\d+$/.test(text) && text.length <= MAX_DIGITS ? Number(text) : null;
