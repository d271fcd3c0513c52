// Gap: @supabase/lite 0.10.0 hands the values of a body to the database as JavaScript has them: a text in a JSON column is
// refused or taken for JSON, long numbers lose digits, rows in a column of a composite type fail; and a body that is no row
// at all becomes broken SQL. Here the database reads them first, by its types, and lite is given what it printed.
import type { Engine } from '../engine.ts';
import { asExactText } from '../lite/exact-text.ts';
import { type Fetch, type Repair, pathOf, withBody } from '../http/fetch.ts';
import type { Caller, ReadCaller } from './caller.ts';
import { parseDatabaseError, parseJson, refusalResponse } from './postgrest-error.ts';
import type { Column, TableCatalogue } from './tables/table-catalogue.ts';
import { type TextRow, readTyped } from './typed-rows.ts';

export type TableBodyParts = {
  readonly pg: Engine;
  readonly readCaller: ReadCaller;
  /** Of the schema "public". */
  readonly tables: TableCatalogue;
};

const PATH = /^\/rest\/v1\/(\w+)$/;
const WRITING = new Set(['POST', 'PATCH', 'PUT']);

export function tableBodies({ pg, readCaller, tables }: TableBodyParts): Repair {
  return (next) => async (request, peerAddress) => {
    const table = isJsonForPublic(request) ? PATH.exec(pathOf(request))?.[1] : undefined;
    const columns = table === undefined ? [] : await tables.columnsOf(table);
    const caller = columns.length === 0 ? null : await readCaller(request.headers);
    if (caller === null) return next(request, peerAddress);
    const body = await request.text();
    const asked = askedOf(request, body);
    const named = asked === null ? [] : asked.names.map((name) => columns.find((column) => column.name === name));
    const known = named.filter((column) => column !== undefined);
    // What is no JSON, and what names other columns, lite refuses as PostgREST does.
    const isLeft = asked === null || known.length < named.length;
    if (isLeft) return next(withBody(request, body), peerAddress);
    return writeTyped({ pg, caller, request, body, columns: known, asked }, next, peerAddress);
  };
}

function isJsonForPublic({ method, headers }: Request): boolean {
  const type = headers.get('content-type') ?? 'application/json';
  const profile = headers.get('content-profile');
  return WRITING.has(method) && /^application\/json(?:;|$)/.test(type) && (profile === null || profile === 'public');
}

type Asked = {
  /** Of columns. */
  readonly names: readonly string[];
  /** Whether the request names them, and the body need not have them. */
  readonly areListed: boolean;
  /** The body's JSON; undefined: it is none. */
  readonly value: unknown;
};

/** Null: PostgREST refuses it before it asks the database. */
function askedOf({ method, url }: Request, body: string): Asked | null {
  const value = parseJson(body);
  const listed = method === 'PUT' ? null : new URL(url).searchParams.get('columns');
  if (listed !== null) {
    const names = listed.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    return { names: [...new Set(names)], areListed: true, value };
  }
  if (value === undefined) return null;
  if (!Array.isArray(value)) return { names: keysOf(value) ?? [], areListed: false, value };
  const [names = [], ...others] = value.map(keysOf);
  const areAlike =
    names !== null &&
    others.every((other) => other?.length === names.length && other.every((name) => names.includes(name)));
  return areAlike ? { names, areListed: false, value } : null;
}

const keysOf = (value: unknown): readonly string[] | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : null;

type Write = {
  readonly pg: Engine;
  readonly caller: Caller;
  readonly request: Request;
  readonly body: string;
  readonly columns: readonly Column[];
  readonly asked: Asked;
};

async function writeTyped(write: Write, next: Fetch, peerAddress: string | null): Promise<Response> {
  try {
    const { request, asked } = write;
    const rows = (await rowsOf(write)).map((row) => forLite(request, row));
    const isOne = !Array.isArray(asked.value) && rows.length > 0;
    const body = request.method === 'PATCH' ? (rows[0] ?? {}) : isOne ? rows[0] : rows;
    return await next(withBody(request, JSON.stringify(body)), peerAddress);
  } catch (error) {
    const refused = parseDatabaseError(error);
    if (refused === null) throw error;
    return refusalResponse(refused, write.caller.role === 'anon');
  }
}

/** What a PUT names in its address is compared with the body's as it stands there. */
function forLite({ method, url }: Request, row: TextRow): Readonly<Record<string, unknown>> {
  const inAddress = method === 'PUT' ? new URL(url).searchParams : new URLSearchParams();
  const values = Object.entries(row).map(([name, text]) => [name, inAddress.has(name) ? text : asExactText(text)]);
  return Object.fromEntries(values);
}

async function rowsOf({ pg, caller, request, body, columns, asked }: Write): Promise<readonly TextRow[]> {
  const given: readonly unknown[] = Array.isArray(asked.value) ? asked.value : [asked.value];
  // A number or a text alone is no row, and null neither.
  if (columns.length === 0) return given.filter((row) => keysOf(row) !== null).map(() => ({}));
  const rows = await readTyped(pg, caller, columns, body);
  const keepsDefaults = /\bmissing=default\b/.test(request.headers.get('prefer') ?? '');
  if (!asked.areListed || !keepsDefaults) return rows;
  return rows.map((row, at) => {
    const own = new Set(keysOf(given[at]));
    return Object.fromEntries(Object.entries(row).filter(([name]) => own.has(name)));
  });
}
