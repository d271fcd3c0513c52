// Gap: @supabase/lite 0.10.0 takes some ten milliseconds and seven statements for one `rpc`, which is every write of Weft. Here
// a plain call of a function of the exposed schema goes to the database in one step, with PostgREST's answers. Whatever is
// not plain (filters, preferences, other media types, a caller or a function nobody knows) is left to lite.
import process from 'node:process';
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys.ts';
import type { Repair } from '../lite/fetch.ts';
import { isWorthReading } from '../lite/quiet-log.ts';
import { answerResponse } from './answer.ts';
import { callWithJson, callWithTexts, chooseFunction } from './call-statement.ts';
import { type Caller, callerReader } from './caller.ts';
import type { FunctionCatalogue, RpcFunction } from './function-catalogue.ts';
import { parseDatabaseError, refusalResponse } from './refusal.ts';
import { type Call, runCall } from './run-call.ts';

export type RpcParts = {
  readonly pg: Engine;
  readonly keys: Keys;
  /** Of the schema "public". */
  readonly catalogue: FunctionCatalogue;
};

const PATH = /^\/rest\/v1\/rpc\/(\w+)$/;
const SCHEMA = 'public';
const PLAIN_ACCEPT = new Set([null, '*/*', 'application/json']);
/** Parameters of an address that are PostgREST's own, or lite's. */
const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'on_conflict', 'columns', 'apikey', 'and', 'or']);
/** Possibly a filter on the result: `eq.3`, `not.is.null`, `like(any).{a,b}`. */
const MAYBE_FILTER = /^[a-z]+(?:\([^)]*\))?\./;

export function rpc({ pg, keys, catalogue }: RpcParts): Repair {
  const readCaller = callerReader(keys);

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
    const call = callOfBody(functions, body);
    return call === null ? next(unread(request, body), peerAddress) : answer(pg, request, caller, call);
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

function callOfBody(functions: readonly RpcFunction[], body: string): Call | null {
  const json = body === '' ? '{}' : body;
  const given = keysOf(json);
  const fn = given === null ? null : chooseFunction(functions, given);
  return given === null || fn === null || fn.returns === 'other'
    ? null
    : { fn, statement: callWithJson(fn, given, json) };
}

/** Of a JSON object; null when it is none. */
function keysOf(json: string): ReadonlySet<string> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Set(Object.keys(value)) : null;
  } catch {
    return null;
  }
}

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

/** The same request with its body still to be read. */
const unread = ({ url, method, headers }: Request, body: string): Request =>
  new Request(url, { method, headers, body });
