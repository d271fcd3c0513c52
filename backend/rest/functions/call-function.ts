// Calls a function for a caller (`POST /rest/v1/rpc/name` with a JSON object of named arguments) and answers as PostgREST 14
// does. Except for files and accounts, all that Weft's app writes is such a call, each in a transaction of its own.
import { assert } from '../../../src/lib/assert.ts';
import type { Engine } from '../../engine.ts';
import type { RestCaller } from '../caller.ts';
import { errorResponse, invalidJson, parseJson, restNotImplemented } from '../postgrest-error.ts';
import { settingsFor } from '../request-settings.ts';
import { type CallRow, callStatement, matchingFunctions } from './call-statement.ts';
import type { DatabaseFunction, FunctionCatalogue } from './function-catalogue.ts';
import { functionResponse } from './function-response.ts';

export type FunctionRequest = {
  readonly pg: Engine;
  readonly name: string;
  readonly request: Request;
  readonly caller: RestCaller;
};

/** Rejects with the database's error. */
export async function callFunction(
  { pg, name, request, caller }: FunctionRequest,
  functions: FunctionCatalogue,
): Promise<Response> {
  const unsupported = unsupportedCall(request);
  if (unsupported !== null) return restNotImplemented(unsupported);
  const body = await request.text();
  const given = argumentNames(body);
  if (given instanceof Response) return given;
  const overloads = (await functions.get()).get(name) ?? [];
  const [fn, ...others] = matchingFunctions(overloads, given);
  if (fn === undefined)
    return overloads.some(takesWholeBody) ? restNotImplemented(WHOLE_BODY) : functionNotFound(name, given);
  if (others.length > 0)
    return restNotImplemented('Choosing between several functions that fit the arguments is not supported.');
  if (fn.returns === 'unsupported') return restNotImplemented('Calling this kind of function is not supported.');

  const { sql, params } = callStatement(fn, given, body);
  const settings = {
    ...settingsFor(request, caller, `/rpc/${name}`),
    'response.status': '',
    'response.headers': '',
    ...(fn.isVolatile ? {} : { transaction_read_only: 'on' }),
  };
  const { rows } = await pg.queryAs<CallRow>(settings, sql, [...params]);
  const [row] = rows;
  assert(row !== undefined, 'a call has one result row');
  return functionResponse(fn, row);
}

const WHOLE_BODY = 'Passing the whole body as one unnamed argument is not supported.';

/** The sentence for the caller; null if the request is a plain call. */
function unsupportedCall({ method, url, headers }: Request): string | null {
  if (method !== 'POST') return `${method} is not supported for a function.`;
  const [parameter] = [...new URL(url).searchParams.keys()].filter((key) => key !== 'apikey');
  if (parameter !== undefined) return `The parameter "${parameter}" is not supported for a function.`;
  const prefer = headers.get('prefer');
  return prefer === null ? null : `The preference "${prefer}" is not supported for a function.`;
}

/** An empty body means no arguments. */
function argumentNames(body: string): ReadonlySet<string> | Response {
  if (body === '') return new Set();
  const value = parseJson(body);
  if (value === undefined) return invalidJson();
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Set(Object.keys(value))
    : restNotImplemented('Only a JSON object is supported as arguments.');
}

const takesWholeBody = ({ args }: DatabaseFunction): boolean => args.length === 1 && args[0]?.name === '';

function functionNotFound(name: string, given: ReadonlySet<string>): Response {
  const names = [...given].toSorted();
  const called = names.length === 0 ? `public.${name} without parameters` : `public.${name}(${names.join(', ')})`;
  const searched =
    names.length === 0 ? 'without parameters' : `with parameter${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  return errorResponse(404, {
    code: 'PGRST202',
    message: `Could not find the function ${called} in the schema cache`,
    details: `Searched for the function public.${name} ${searched} or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.`,
    hint: null,
  });
}
