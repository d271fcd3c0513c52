// Headers that do not depend on what is answered: who may call the API from where, and what our pages may do.

const API_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = [
  'content-encoding',
  'content-length',
  'content-location',
  'content-profile',
  'content-range',
  'date',
  'location',
  'preference-applied',
  'server',
  'transfer-encoding',
  'x-sb-error-code',
  'x-supabase-api-version',
].join(', ');
const PREFLIGHT_SECONDS = 86_400;

const PAGE_POLICY = [
  `default-src 'self'`,
  `script-src 'self'`,
  // The editor and the floating menus set styles at run time.
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self' ws: wss: http: https:`,
  `worker-src 'self'`,
  `object-src 'none'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
].join('; ');

export const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method');

/** As a hosted project answers: any origin, any header that is asked for. Keys and tokens decide, not origins. */
export function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': API_METHODS,
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      vary: 'access-control-request-headers',
    },
  });
}

/** For every answer of the API, refusals of ours included: a browser hides an answer without them. */
export function withApiHeaders(response: Response): Response {
  return withHeaders(response, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'x-content-type-options': 'nosniff',
  });
}

export function withPageHeaders(response: Response): Response {
  return withHeaders(response, {
    'content-security-policy': PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
}

/** A copy: headers of an answer that came from `fetch` or a redirect cannot be set. */
function withHeaders(response: Response, added: Readonly<Record<string, string>>): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
