// The `Retry-After` header of refused calls. Errors of supabase-js carry no headers, so our fetch writes the time into
// the body's `hint`, which PostgREST leaves empty in such a case. Browsers show the header only if the server exposes
// it.

const PREFIX = 'retry-after-ms=';
/** Limit for nonsense values from a proxy. */
const MAX_MS = 5 * 60_000;

/** Adds the time to 429 and 503 answers of PostgREST; leaves every other answer as it is. */
export async function withRetryAfter(response: Response, input: RequestInfo | URL, now: number): Promise<Response> {
  const ms = response.status === 429 || response.status === 503 ? retryAfterMs(response.headers, now) : null;
  const url = input instanceof Request ? input.url : String(input);
  if (ms === null || !url.includes('/rest/v1/')) return response;
  const message = await response.text().catch(() => '');
  const body = JSON.stringify({ code: '', message, details: null, hint: `${PREFIX}${ms}` });
  const headers = { 'content-type': 'application/json' };
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Parses seconds or a date. Null if the header is missing or invalid. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d+$/u.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_MS) : null;
}

export function retryAfterOf(hint: string | null | undefined): number | null {
  const ms = hint?.startsWith(PREFIX) === true ? Number(hint.slice(PREFIX.length)) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}
