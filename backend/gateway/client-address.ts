// Finds who sends a request: the address at the other end of the connection, or one that a trusted proxy reports.
// Ignores what anyone else claims about addresses.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { type AddressSet, isLoopback, normalizeAddress } from './addresses.ts';

export type Client = {
  /** Empty when the connection is already gone. */
  readonly address: string;
  /** True for a program on this machine that, as far as we can tell, sends the request for itself. */
  readonly isThisMachine: boolean;
  /** True when the client speaks TLS to a trusted proxy. */
  readonly isHttps: boolean;
};

/** Any of these headers means that the request is sent on behalf of someone else. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

export function clientOf(incoming: IncomingMessage, trusted: AddressSet): Client {
  const peer = normalizeAddress(incoming.socket.remoteAddress ?? '');
  const { headers } = incoming;
  if (trusted.has(peer)) {
    const isHttps = header(headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'https';
    return { address: forwardedAddress(incoming, trusted), isThisMachine: false, isHttps };
  }
  const isDirect = saysKeepAlive(incoming) && !PROXY_HEADERS.some((name) => name in headers);
  return { address: peer, isThisMachine: isDirect && isLoopback(peer), isHttps: false };
}

/**
 * From the peer backwards through X-Forwarded-For: the first address that is not a trusted proxy, since anyone can write
 * what precedes it. When that item is no address at all, the last trusted proxy before it.
 */
function forwardedAddress(incoming: IncomingMessage, trusted: AddressSet): string {
  const hops = proxyAddr.all(incoming, (hop) => trusted.has(addressOfHop(hop))).map(addressOfHop);
  return hops.findLast((address) => isIP(address) !== 0) ?? '';
}

/**
 * As browsers say. nginx with its default settings sends none of the headers above, and does not pass this one on: it speaks
 * HTTP/1.0, or from 1.29.7 on 1.1 without it.
 */
const saysKeepAlive = ({ httpVersion, headers: { connection } }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && connection?.toLowerCase() === 'keep-alive';

/** Some proxies write ports too: "192.0.2.7:4711", "[2001:db8::1]:4711". */
const addressOfHop = (hop: string | undefined = ''): string =>
  normalizeAddress(hop.trim().replace(/^\[(.+)\](?::\d+)?$|^(\d[\d.]+):\d+$/, '$1$2'));

const header = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value ?? []).join(',');
