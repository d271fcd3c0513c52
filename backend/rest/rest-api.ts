// /rest/v1: the requests to tables and functions that Weft's app, tests and tools send, answered as PostgREST 14 does. Any
// other request gets 501 and a sentence, because an answer that is almost PostgREST's would do harm.
import process from 'node:process';
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import { callerIdentifier } from './caller.ts';
import { callFunction } from './functions/call-function.ts';
import { functionCatalogue } from './functions/function-catalogue.ts';
import {
  databaseErrorResponse,
  errorResponse,
  isServerTrouble,
  parsePostgresError,
  restNotImplemented,
} from './postgrest-error.ts';
import { answerTable } from './tables/answer-table.ts';
import { tableCatalogue } from './tables/table-catalogue.ts';

export type RestApi = {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Call it after tables or functions changed. `notify pgrst, 'reload schema'` does the same, as on a hosted project. */
  readonly reloadSchema: () => void;
};

const SCHEMA = 'public';
const PATH = /^\/rest\/v1\/(rpc\/)?([^/]+)$/;
const MEDIA_TYPES = new Set(['*/*', 'application/json']);

export async function openRestApi({ pg, keys }: { readonly pg: Engine; readonly keys: Keys }): Promise<RestApi> {
  const identify = callerIdentifier(keys, async (name) => {
    const { rows } = await pg.query('select 1 from pg_catalog.pg_roles where rolname = $1', [name]);
    return rows.length > 0;
  });
  const functions = functionCatalogue(pg, SCHEMA);
  const tables = tableCatalogue(pg, SCHEMA);
  const reloadSchema = () => {
    functions.clear();
    tables.clear();
  };
  await pg.listen('pgrst', (payload) => {
    if (payload === '' || payload === 'reload schema') reloadSchema();
  });

  async function answer(request: Request): Promise<Response> {
    const caller = await identify(request);
    if (!caller.ok) return caller.error;
    const refused = refuseHeaders(request);
    if (refused !== null) return refused;
    const [, isFunction, encoded] = PATH.exec(new URL(request.url).pathname) ?? [];
    if (encoded === undefined) return restNotImplemented('Only paths to a table or a function are supported.');
    const context = { pg, request, caller: caller.value };
    const name = decode(encoded);
    try {
      return isFunction === undefined
        ? await answerTable({ ...context, table: name }, tables)
        : await callFunction({ ...context, name }, functions);
    } catch (error) {
      const known = parsePostgresError(error);
      if (known === null) throw error;
      if (isServerTrouble(known)) process.stderr.write(`${known.code}: ${known.message}\n`);
      return databaseErrorResponse(known, caller.value.role === 'anon');
    }
  }

  return {
    async fetch(request) {
      const response = await answer(request);
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
    reloadSchema,
  };
}

/** Null if the request's headers ask for nothing but JSON of the schema "public". */
function refuseHeaders({ method, headers }: Request): Response | null {
  const isReading = method === 'GET' || method === 'HEAD';
  const schema = headers.get(isReading ? 'accept-profile' : 'content-profile') ?? SCHEMA;
  if (schema !== SCHEMA) {
    return errorResponse(406, {
      code: 'PGRST106',
      message: `Invalid schema: ${schema}`,
      details: null,
      hint: `Only the following schemas are exposed: ${SCHEMA}`,
    });
  }
  const accept = headers.get('accept') ?? '*/*';
  if (!MEDIA_TYPES.has(accept)) return restNotImplemented(`The media type "${accept}" is not supported in an answer.`);
  if (headers.has('range')) return restNotImplemented('The header "Range" is not supported.');
  const contentType = headers.get('content-type') ?? 'application/json';
  return isReading || /^application\/json(?:;|$)/.test(contentType)
    ? null
    : restNotImplemented(`The media type "${contentType}" is not supported in a body.`);
}

/** Returns a name unchanged if its percent escapes are not UTF-8: no table has that name, and the answer is a 404. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
