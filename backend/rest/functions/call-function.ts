// Gap: @supabase/lite 0.10.0 takes some ten milliseconds and seven statements for one `rpc`, which is every write of Weft. Here
// a plain call of a function of the exposed schema goes to the database in one step, with PostgREST's answers. Whatever is
// not plain (filters, preferences, other media types, a caller or a function nobody knows) is left to lite.
import process from 'node:process';
import type { Engine } from '../../engine.ts';
import { type Repair, withBody } from '../../http/fetch.ts';
import { isWorthReading } from '../../lite/quiet-log.ts';
import { answerResponse } from './function-response.ts';
import { type JsonArguments, callWithJson, callWithTexts, chooseFunction } from './call-statement.ts';
import type { Caller, ReadCaller } from '../caller.ts';
import type { FunctionCatalogue, RpcFunction } from './function-catalogue.ts';
import { parseDatabaseError, parseJson, refusalResponse, refuse } from '../postgrest-error.ts';
import { type Call, runCall } from './run-call.ts';

export type RpcParts = {
  readonly pg: Engine;
  readonly readCaller: ReadCaller;
  /** Of the schema "public". */
  readonly functions: FunctionCatalogue;
};

const PATH = /^\/rest\/v1\/rpc\/(\w+)$/;
const SCHEMA = 'public';
const PLAIN_ACCEPT = new Set([null, '*/*', 'application/json']);
/** Parameters of an address that are PostgREST's own, or lite's. */
const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns', 'apikey', 'and', 'or']);
/** Possibly a filter on the result: `eq.3`, `not.is.null`, `like(any).{a,b}`. */
const MAYBE_FILTER = /^[a-z]+(?:\([^)]*\))?\./;

export function rpc({ pg, readCaller, functions: catalogue }: RpcParts): Repair {
  return (next) => async (request, peerAddress) => {
    const url = new URL(request.url);
    const name = PATH.exec(url.pathname)?.[1];
    if (name === undefined || !isPlain(request, url)) return next(request, peerAddress);
    const functions = await catalogue.named(name);
    const caller = functions.length === 0 ? null : await readCaller(request.headers);
    if (caller === null) return next(request, peerAddress);

    if (request.method !== 'POST') {
      const call = callOfAddress(functions, url.searchParams);
      return call === null ? next(request, peerAddress) : answer(pg, request, caller, call);
    }
    const body = await request.text();
    const args = argumentsOf(body);
    if (args === 'unlike') return refuse(400, UNLIKE);
    const call = args === null ? null : callOfBody(functions, args, body);
    return call === null ? next(withBody(request, body), peerAddress) : answer(pg, request, caller, call);
  };
}

function isPlain({ method, headers }: Request, { search }: URL): boolean {
  if (!PLAIN_ACCEPT.has(headers.get('accept')) || headers.has('prefer')) return false;
  if (method === 'POST') {
    const type = headers.get('content-type') ?? 'application/json';
    return search === '' && /^application\/json(?:;|$)/.test(type) && isOfSchema(headers.get('content-profile'));
  }
  return (method === 'GET' || method === 'HEAD') && !headers.has('range') && isOfSchema(headers.get('accept-profile'));
}

const isOfSchema = (profile: string | null): boolean => profile === null || profile === SCHEMA;

function callOfBody(functions: readonly RpcFunction[], args: JsonArguments, body: string): Call | null {
  const fn = chooseFunction(functions, args.given);
  return fn === null || fn.returns === 'other' ? null : { fn, statement: callWithJson(fn, args, body) };
}

const NONE: JsonArguments = { given: new Set(), isList: false };
const UNLIKE = { code: 'PGRST102', message: 'All object keys must match', details: null, hint: null };

/** Null: no JSON. */
function argumentsOf(json: string): JsonArguments | 'unlike' | null {
  if (json === '') return NONE;
  const value = parseJson(json);
  if (value === undefined) return null;
  if (!Array.isArray(value)) return { given: keysOf(value) ?? NONE.given, isList: false };
  if (value.length === 0) return NONE;
  const given = keysOf(value[0]);
  return given !== null && value.every((one) => isSame(keysOf(one), given)) ? { given, isList: true } : 'unlike';
}

const isSame = (some: ReadonlySet<string> | null, others: ReadonlySet<string>): boolean =>
  some?.size === others.size && [...some].every((one) => others.has(one));

/** Null: what is no object, and counts as if nothing were there. */
const keysOf = (value: unknown): ReadonlySet<string> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Set(Object.keys(value)) : null;

function callOfAddress(functions: readonly RpcFunction[], params: URLSearchParams): Call | null {
  const given = new Map(params);
  if (given.size < params.size) return null;
  for (const [name, value] of given) if (RESERVED.has(name) || MAYBE_FILTER.test(value)) return null;
  const fn = chooseFunction(functions, new Set(given.keys()));
  return fn === null || fn.returns === 'other' ? null : { fn, statement: callWithTexts(fn, given) };
}

async function answer(pg: Engine, request: Request, caller: Caller, call: Call): Promise<Response> {
  try {
    return answerResponse(call.fn, await runCall(pg, request, caller, call), request.method === 'HEAD');
  } catch (error) {
    const refused = parseDatabaseError(error);
    if (refused === null) throw error;
    if (isWorthReading(refused.code)) process.stderr.write(`${refused.code}: ${refused.message}\n`);
    return refusalResponse(refused, caller.role === 'anon');
  }
}
