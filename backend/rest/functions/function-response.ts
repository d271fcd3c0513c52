// What a call answers, as PostgREST does: the body as the database wrote it, status and headers by what the function said
// while it ran.
import * as v from 'valibot';
import type { AnswerRow } from './call-statement.ts';
import type { RpcFunction } from './function-catalogue.ts';
import { parseJson, refuse } from '../postgrest-error.ts';

const WITHOUT_BODY = new Set([204, 205, 304]);
const saidHeaders = v.array(
  v.pipe(
    v.record(v.string(), v.string()),
    v.check((one) => Object.keys(one).length === 1),
  ),
);

export function answerResponse(fn: RpcFunction, row: AnswerRow, isHead: boolean): Response {
  const found = parseSaid(row);
  if (found instanceof Response) return found;
  const headers = new Headers({ 'content-range': rangeOf(fn, row.count) });
  const body = row.body === null ? null : new TextEncoder().encode(row.body);
  if (body !== null) {
    headers.set('content-type', 'application/json; charset=utf-8');
    headers.set('content-length', String(body.byteLength));
  }
  const status = found.status ?? (body === null ? 204 : 200);
  try {
    for (const [name, value] of found.headers) {
      if (name.toLowerCase() === 'set-cookie') headers.append(name, value);
      else headers.set(name, value);
    }
  } catch {
    return refuse(500, WRONG_HEADERS);
  }
  if (WITHOUT_BODY.has(status)) {
    headers.delete('content-type');
    headers.delete('content-length');
  }
  return new Response(isHead || WITHOUT_BODY.has(status) ? null : body, { status, headers });
}

function rangeOf(fn: RpcFunction, count: number): string {
  if (!fn.isSet) return '0-0/*';
  return count === 0 ? '*/*' : `0-${count - 1}/*`;
}

type Found = { readonly status: number | null; readonly headers: readonly (readonly [name: string, value: string])[] };

/** A refusal when the function said what is no status or no headers. */
function parseSaid({ status, headers }: AnswerRow): Found | Response {
  const number = status === null || status === '' ? null : Number(status);
  if (number !== null && !(Number.isInteger(number) && number >= 200 && number <= 599)) {
    return refuse(500, WRONG_STATUS);
  }
  const list = headers === null || headers === '' ? [] : parseHeaders(headers);
  return list === null ? refuse(500, WRONG_HEADERS) : { status: number, headers: list };
}

const WRONG_STATUS = {
  code: 'PGRST112',
  message: 'response.status guc must be a valid status code',
  details: null,
  hint: null,
};
const WRONG_HEADERS = {
  code: 'PGRST111',
  message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  details: null,
  hint: null,
};

/** `[{"Set-Cookie": "a=b"}, …]`: a list, because a name may come twice. */
function parseHeaders(json: string): Found['headers'] | null {
  const parsed = v.safeParse(saidHeaders, parseJson(json));
  return parsed.success ? parsed.output.flatMap((one) => Object.entries(one)) : null;
}
