// Gap: @supabase/lite 0.10.0 answers 500 to a path whose percent signs are no UTF-8 (`/rest/v1/%zz`). PostgREST reads such a
// path as it stands and finds no table of that name; so it is handed on in a form that says the same and can be read.
import { unescape } from 'node:querystring';
import type { Repair } from '../http/fetch.ts';

export const readablePath: Repair = (next) => async (request, peerAddress) => {
  const url = new URL(request.url);
  if (!url.pathname.startsWith('/rest/v1/') || isReadable(url.pathname)) return next(request, peerAddress);
  // Leaves a percent sign that begins no byte as it is, and makes U+FFFD of what is no character.
  url.pathname = url.pathname
    .split('/')
    .map((part) => encodeURIComponent(unescape(part)))
    .join('/');
  const { method, headers } = request;
  const body = request.body === null ? null : await request.arrayBuffer();
  return next(new Request(url, { method, headers, body }), peerAddress);
};

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
