// Checks the request line and the headers before the body is read. Refuses what this server does not accept, such as
// unknown host names, and what two programs could understand in two different ways (request smuggling).
import type { IncomingMessage } from 'node:http';
import { type KnownHosts, hostOf } from './known-hosts.ts';
import type { GatewayLimits } from './limits.ts';
import { type Refusal, refusal as refuseWith } from './refusal.ts';
import { METHODS } from './response-headers.ts';

const KNOWN_METHODS = new Set(METHODS.split(', '));

/** Headers that may occur once: of two, Node takes the first or joins them, and a proxy in front may do otherwise. */
const ONCE = new Set([
  'accept-profile',
  'apikey',
  'authorization',
  'content-length',
  'content-profile',
  'content-type',
  'expect',
  'host',
  'origin',
  'range',
  'sec-websocket-key',
  'sec-websocket-version',
  'transfer-encoding',
  'upgrade',
]);

/** Closes the connection too: where a malformed request ends is uncertain, so nothing after it can be read. */
const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusal =>
  refuseWith(status, message, { connection: 'close', ...headers });

/** Returns null for a good request. Turns an absolute `incoming.url` into a path, so that handlers see paths only. */
export function inspectRequest(
  incoming: IncomingMessage,
  limits: Pick<GatewayLimits, 'urlBytes' | 'headers'>,
  hosts: KnownHosts,
): Refusal | null {
  const { method = '', rawHeaders, headers } = incoming;
  if (!KNOWN_METHODS.has(method)) return refusal(405, `The method ${method} is not supported.`, { allow: METHODS });
  if ((incoming.url ?? '').length > limits.urlBytes) return refusal(414, 'The address is too long.');
  if (rawHeaders.length / 2 > limits.headers) return refusal(431, 'There are too many headers.');
  const twice = repeatedHeader(rawHeaders);
  if (twice !== null) return refusal(400, `The header ${twice} may occur only once.`);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding !== 'chunked')
    return refusal(501, 'The only supported transfer encoding is chunked.');
  if (coding !== undefined && incoming.httpVersion !== '1.1') return refusal(400, 'HTTP/1.0 has no chunked encoding.');
  return inspectTarget(incoming, hosts);
}

function inspectTarget(incoming: IncomingMessage, hosts: KnownHosts): Refusal | null {
  const host = hostOf(incoming.headers.host ?? '');
  if (host === null) return refusal(400, 'The header Host must name this server.');
  if (!hosts.has(host)) {
    return refusal(
      421,
      'This server does not accept this host name. If it should, start Weft with --allow-host and the name.',
    );
  }
  const target = incoming.url ?? '';
  if (target === '*' && incoming.method === 'OPTIONS') {
    incoming.url = '/';
    return null;
  }
  const path = pathOfAbsolute(target);
  if (path !== null) {
    if (path.host !== host) return refusal(400, 'The address and the header Host name different servers.');
    incoming.url = path.rest;
  }
  // A URL parser reads \ as / and ends the path at #; code that looks at the raw text does neither.
  if (!/^\/[!"$-[\]-~]*$/.test(incoming.url ?? '')) {
    return refusal(400, 'The address is not a path.');
  }
  return null;
}

function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!ONCE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Splits "http://host/path?query". Servers must accept this form, although clients send it only to proxies. */
function pathOfAbsolute(target: string): { readonly host: string | null; readonly rest: string } | null {
  const parts = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (parts === null) return null;
  const [, authority = '', rest = ''] = parts;
  return { host: hostOf(authority), rest: rest.startsWith('/') ? rest : `/${rest}` };
}
