// The response to a function call, as PostgREST builds it: the body as the database wrote it; a function can set the status
// and headers itself.
import * as v from 'valibot';
import { parseJsonOrNull } from '../../../src/lib/parse-or-null.ts';
import { STATUSES_WITHOUT_BODY, errorResponse } from '../postgrest-error.ts';
import type { CallRow } from './call-statement.ts';
import type { DatabaseFunction } from './function-catalogue.ts';

/** `[{"Set-Cookie": "a=b"}, …]`: a list, because a name may occur twice. */
const headersSchema = v.array(
  v.pipe(
    v.record(v.string(), v.string()),
    v.check((one) => Object.keys(one).length === 1),
  ),
);

export function functionResponse(fn: DatabaseFunction, row: CallRow): Response {
  const status = parseStatus(row.status ?? '');
  if (status === 'invalid') return invalidStatus();
  const given = parseHeaders(row.headers ?? '');
  if (given === null) return invalidHeaders();
  const headers = new Headers({ 'content-range': contentRange(fn, row.count) });
  const body = row.body === null ? null : new TextEncoder().encode(row.body);
  if (body !== null) {
    headers.set('content-type', 'application/json; charset=utf-8');
    headers.set('content-length', String(body.byteLength));
  }
  try {
    for (const [name, value] of given) {
      if (name.toLowerCase() === 'set-cookie') headers.append(name, value);
      else headers.set(name, value);
    }
  } catch {
    return invalidHeaders();
  }
  const code = status ?? (body === null ? 204 : 200);
  if (!STATUSES_WITHOUT_BODY.has(code)) return new Response(body, { status: code, headers });
  headers.delete('content-length');
  return new Response(null, { status: code, headers });
}

function contentRange({ isSet }: DatabaseFunction, count: number): string {
  if (!isSet) return '0-0/*';
  return count === 0 ? '*/*' : `0-${count - 1}/*`;
}

/** Null if the function set none. */
function parseStatus(text: string): number | null | 'invalid' {
  if (text === '') return null;
  const status = Number(text);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 'invalid';
}

/** Null if they are invalid. */
function parseHeaders(json: string): readonly (readonly [name: string, value: string])[] | null {
  if (json === '') return [];
  return parseJsonOrNull(headersSchema, json)?.flatMap((one) => Object.entries(one)) ?? null;
}

const invalidStatus = (): Response =>
  errorResponse(500, {
    code: 'PGRST112',
    message: 'response.status guc must be a valid status code',
    details: null,
    hint: null,
  });

const invalidHeaders = (): Response =>
  errorResponse(500, {
    code: 'PGRST111',
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    details: null,
    hint: null,
  });
