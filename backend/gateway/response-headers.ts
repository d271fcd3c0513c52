// Headers that every answer of a kind has: the API's say which origins may call it, the app's say what its pages may do.
import { GOOGLE_PICTURE_HOSTS } from '../../src/protocol/google-pictures.ts';
import { isLoopback } from './addresses.ts';
import type { Client } from './client-address.ts';
import { hostOf } from './known-hosts.ts';

export const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = [
  'content-encoding',
  'content-length',
  'content-location',
  'content-profile',
  'content-range',
  'date',
  'link',
  'location',
  'preference-applied',
  'retry-after',
  'server',
  'transfer-encoding',
  'x-sb-error-code',
  'x-supabase-api-version',
  'x-total-count',
].join(', ');
const PREFLIGHT_SECONDS = 86_400;
const HSTS = 'max-age=31536000';

const PERMISSIONS = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** The headers of every answer. */
export const baseHeaders: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The headers of every answer of the API, refusals included: a browser hides an answer without them from the page. */
export const apiHeaders: Readonly<Record<string, string>> = {
  ...baseHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
  'cross-origin-resource-policy': 'cross-origin',
};

/** Someone may open an answer of the API as a page: nothing in it may run or load anything. */
const API_POLICY = `default-src 'none'; frame-ancestors 'none'; sandbox`;

/** The app fetches pictures that are pasted from there. */
const PICTURES = GOOGLE_PICTURE_HOSTS.map((host) => `https://${host}`);

const webSockets = (host: string): readonly string[] =>
  hostOf(host) === null ? [] : [`ws://${host}`, `wss://${host}`];

const pagePolicy = (host: string, connectTo: readonly string[]): string =>
  [
    `default-src 'self'`,
    `script-src 'self'`,
    // The editor and the floating menus write inline styles.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    // In older Safari, 'self' does not cover WebSockets.
    ["connect-src 'self'", ...webSockets(host), ...connectTo, ...PICTURES].join(' '),
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');

export const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method');

/** Like a hosted project: any origin and any requested header are allowed. Keys and tokens decide, not origins. */
export function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      vary: 'access-control-request-headers',
    },
  });
}

export function withApiHeaders(response: Response, client: Client): Response {
  return withHeaders(response, {
    ...apiHeaders,
    ...(client.isHttps ? { 'strict-transport-security': HSTS } : {}),
    // Storage sets a policy of its own for files.
    ...(response.headers.has('content-security-policy') ? {} : { 'content-security-policy': API_POLICY }),
  });
}

/**
 * The headers of every page and file of the app. `host` is the Host header, already checked; `connectTo` are other origins that
 * its scripts may send to.
 */
export function pageHeaders(
  client: Client,
  host: string,
  connectTo: readonly string[],
): Readonly<Record<string, string>> {
  const name = hostOf(host) ?? '';
  const isTrustworthy = client.isHttps || isLoopback(name) || /(?:^|\.)localhost$/.test(name);
  return {
    ...baseHeaders,
    'content-security-policy': pagePolicy(host, connectTo),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    ...(client.isHttps ? { 'strict-transport-security': HSTS } : {}),
    // On other origins browsers ignore these two, and complain in the console.
    ...(isTrustworthy ? { 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' } : {}),
  };
}

/** Returns a copy: the headers of a response that came from `fetch` or is a redirect cannot be changed. */
export function withHeaders(response: Response, added: Readonly<Record<string, string>>): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
