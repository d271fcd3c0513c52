// Looks at the line and the headers of a request, before its body is read: what no honest client sends is refused, and
// so is what two readers could understand in two ways.
import type { IncomingMessage } from 'node:http';
import { type KnownHosts, hostOf } from './known-hosts.ts';
import type { GatewayLimits } from './limits.ts';
import { type Refusal, refusal as refuseWith } from './refusal.ts';

export const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const KNOWN_METHODS = new Set(METHODS.split(', '));

/** Two of them could mean two things; Node keeps the first, joins them, or differs from the proxy in front of it. */
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

/** Where it ends is as doubtful as the rest of such a request: what comes behind it is not read. */
const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Refusal =>
  refuseWith(status, message, { connection: 'close', ...headers });

/** Null: go on. An absolute address is made a path, so that whoever reads `incoming.url` next reads one kind only. */
export function inspectRequest(
  incoming: IncomingMessage,
  limits: Pick<GatewayLimits, 'urlBytes' | 'headers'>,
  hosts: KnownHosts,
): Refusal | null {
  const { method = '', rawHeaders, headers } = incoming;
  if (!KNOWN_METHODS.has(method)) return refusal(405, `The method ${method} is not known here.`, { allow: METHODS });
  if ((incoming.url ?? '').length > limits.urlBytes) return refusal(414, 'The address is too long.');
  if (rawHeaders.length / 2 > limits.headers) return refusal(431, 'There are too many headers.');
  const twice = repeatedHeader(rawHeaders);
  if (twice !== null) return refusal(400, `The header ${twice} may be there only once.`);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding !== 'chunked') return refusal(501, 'The only transfer encoding is chunked.');
  if (coding !== undefined && incoming.httpVersion !== '1.1') return refusal(400, 'HTTP/1.0 knows no chunks.');
  return inspectTarget(incoming, hosts);
}

function inspectTarget(incoming: IncomingMessage, hosts: KnownHosts): Refusal | null {
  const host = hostOf(incoming.headers.host ?? '');
  if (host === null) return refusal(400, 'The header Host has to name this server.');
  if (!hosts.has(host)) {
    return refusal(421, 'This name is not one of this Weft. If it should be, start it with --allow-host and the name.');
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
  // A parser of addresses takes \ for /, and # for the end: whoever reads the raw text takes them for neither.
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

/** Of "http://host/path?query", which servers must take though only proxies are sent it. */
function pathOfAbsolute(target: string): { readonly host: string | null; readonly rest: string } | null {
  const parts = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (parts === null) return null;
  const [, authority = '', rest = ''] = parts;
  return { host: hostOf(authority), rest: rest.startsWith('/') ? rest : `/${rest}` };
}
