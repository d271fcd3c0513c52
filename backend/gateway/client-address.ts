// Who asks: the address a connection comes from, or what a proxy says of it whom the operator trusts. Anybody else's
// word about addresses is not believed.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressSet, isLoopback, plainAddress } from './addresses.ts';

export type Client = {
  /** Of the caller, as far as it is known; '' when the connection is gone. */
  readonly address: string;
  /** The caller is a program on this machine, and speaks for nobody else as far as one can tell. */
  readonly isThisMachine: boolean;
  /** The caller speaks TLS to a proxy we trust. */
  readonly isHttps: boolean;
};

/** Any of them: somebody asks for somebody elsewhere. */
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
  const peer = plainAddress(incoming.socket.remoteAddress ?? '');
  const { headers } = incoming;
  if (trusted.has(peer)) {
    const address = callerOfChain(peer, header(headers['x-forwarded-for']), trusted);
    const isHttps = header(headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'https';
    return { address, isThisMachine: false, isHttps };
  }
  // nginx, left to its defaults, is all that still speaks HTTP/1.0, and says nothing of itself.
  const isDirect = incoming.httpVersion !== '1.0' && !PROXY_HEADERS.some((name) => name in headers);
  return { address: peer, isThisMachine: isDirect && isLoopback(peer), isHttps: false };
}

/** The last one in the chain that a trusted proxy saw and that is none itself; what stands before it anybody may write. */
function callerOfChain(peer: string, chain: string, trusted: AddressSet): string {
  let last = peer;
  for (const hop of chain.split(',').toReversed()) {
    const address = plainAddress(hop.trim().replace(/^\[(.+)\](?::\d+)?$|^(\d[\d.]+):\d+$/, '$1$2'));
    if (isIP(address) === 0) return last;
    last = address;
    if (!trusted.has(address)) return last;
  }
  return last;
}

const header = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value ?? []).join(',');
