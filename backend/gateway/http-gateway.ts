// Everything between the network and the handlers: which connections and requests get through, who is asking, and what
// the others are told. Knows nothing of what is served behind it.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AddressSet, callerOf, isLoopback } from './addresses.ts';
import { type Client, clientOf } from './client-address.ts';
import { CallerCounts, limitConnections } from './connection-limits.ts';
import { METHODS, inspectRequest } from './inspect-request.ts';
import { type KnownHosts, hostOfOrigin } from './known-hosts.ts';
import type { GatewayLimits } from './limits.ts';
import { RefusalLog } from './refusal-log.ts';
import { type Refusal, rawRefusal, refusal, refuse, retryLater } from './refusal.ts';
import { TokenBuckets } from './token-buckets.ts';

export type GatewayOptions = {
  readonly limits: GatewayLimits;
  readonly hosts: KnownHosts;
  /** Proxies whose word about callers is believed. */
  readonly trustedProxies: AddressSet;
  readonly log: (line: string) => void;
};

const WEBSOCKET_PATH = /^\/realtime\/v1\/websocket(?:\?|$)/;
const SOCKET_RETRY_MS = 30_000;
/** The caller hung up in the middle. */
const LEFT = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);
/** How long somebody who was turned away may go on sending, so that they get to reading why. */
const LINGER_MS = 2_000;

export class HttpGateway {
  readonly #options: GatewayOptions;
  readonly #requests: TokenBuckets;
  readonly #sockets = new CallerCounts();
  readonly #log: RefusalLog;
  /** Connections on which an answer has begun: a second one would be read as part of it. */
  readonly #answering = new WeakSet<Duplex>();
  #isRefused: (socket: Duplex) => boolean = () => false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#requests = new TokenBuckets(options.limits.requests);
    this.#log = new RefusalLog(options.log);
  }

  /** For `createServer`. */
  get serverOptions(): ServerOptions {
    const { limits } = this.#options;
    return {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      noDelay: true,
      // An offer of HTTP/2, say, is an ordinary request: whoever makes it is content with HTTP/1.1.
      shouldUpgradeCallback: ({ headers, url = '' }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && WEBSOCKET_PATH.test(url),
    };
  }

  guard(server: Server): void {
    const { limits, trustedProxies } = this.#options;
    server.timeout = limits.idleMs;
    const { isRefused } = limitConnections(server, limits, trustedProxies, (address, why) =>
      this.#log.say(address, why),
    );
    this.#isRefused = isRefused;
    server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => this.#endBroken(error.code, socket));
    server.on('connect', (incoming: IncomingMessage, connection: Duplex) => {
      this.#refuseConnection(incoming, connection, refusal(405, 'This is no proxy.', { allow: METHODS }));
    });
    server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.turnAway(incoming, outgoing, refusal(417, 'The only expectation met is 100-continue.'));
    });
  }

  /** Null: turned away, and told so. */
  admit(incoming: IncomingMessage, outgoing: ServerResponse): Client | null {
    if (this.#isRefused(incoming.socket)) return null;
    const { socket } = incoming;
    this.#answering.add(socket);
    outgoing.on('close', () => this.#answering.delete(socket));
    const client = clientOf(incoming, this.#options.trustedProxies);
    const refused = inspectRequest(incoming, this.#options.limits, this.#options.hosts) ?? this.#slowDown(client);
    if (refused === null) return client;
    this.turnAway(incoming, outgoing, refused, client);
    return null;
  }

  /** The same for an upgrade, whose connection has nothing but itself to be answered on. */
  admitSocket(incoming: IncomingMessage, connection: Duplex): boolean {
    const { limits, hosts, trustedProxies } = this.#options;
    const client = clientOf(incoming, trustedProxies);
    const caller = this.callerOf(client);
    const { origin } = incoming.headers;
    const refused =
      inspectRequest(incoming, limits, hosts) ??
      (incoming.method === 'GET' ? null : refusal(405, 'A WebSocket is asked for by GET.', { allow: 'GET' })) ??
      (origin === undefined || hosts.has(hostOfOrigin(origin) ?? '')
        ? null
        : refusal(
            403,
            'This site may not open a WebSocket here. If it may, start Weft with --allow-host and its name.',
          )) ??
      this.#slowDown(client) ??
      (caller !== null && this.#sockets.of(caller) >= limits.socketsPerAddress
        ? retryLater(503, 'There are too many WebSockets.', SOCKET_RETRY_MS)
        : null);
    if (refused !== null) {
      this.#refuseConnection(incoming, connection, refused);
      return false;
    }
    if (caller !== null) {
      this.#sockets.add(caller, 1);
      connection.once('close', () => this.#sockets.add(caller, -1));
    }
    return true;
  }

  /** Whom limits count together; null: this machine, which has none of its own. */
  callerOf({ address }: Client): string | null {
    return this.#options.limits.forLoopback || !isLoopback(address) ? callerOf(address) : null;
  }

  turnAway(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refused: Refusal,
    client: Client = clientOf(incoming, this.#options.trustedProxies),
  ): void {
    this.#say(client.address, incoming, refused);
    // Who is answered already and still sends, too slowly, hears no second answer: writing one would throw.
    if (outgoing.headersSent) {
      incoming.destroy();
      return;
    }
    outgoing.on('finish', () => {
      if (!incoming.complete) setTimeout(() => incoming.complete || incoming.destroy(), LINGER_MS).unref();
    });
    refuse(outgoing, refused);
  }

  #refuseConnection(incoming: IncomingMessage, connection: Duplex, refused: Refusal): void {
    this.#say(clientOf(incoming, this.#options.trustedProxies).address, incoming, refused);
    connection.on('error', () => connection.destroy());
    connection.end(rawRefusal(refused));
    setTimeout(() => connection.destroy(), LINGER_MS).unref();
  }

  #slowDown(client: Client): Refusal | null {
    const caller = this.callerOf(client);
    const waitMs = caller === null ? 0 : this.#requests.take(caller, performance.now());
    return waitMs === 0 ? null : retryLater(429, 'Too many requests from this address.', waitMs);
  }

  #endBroken(code: string | undefined, socket: Duplex): void {
    if (socket.destroyed || !socket.writable) return void socket.destroy();
    if (LEFT.has(code ?? '') || this.#isBusy(socket)) return void socket.destroy();
    const refused = brokenRequest(code);
    this.#log.say('remoteAddress' in socket ? String(socket.remoteAddress) : '', String(refused.status), code ?? '');
    socket.end(rawRefusal(refused));
  }

  #isBusy(socket: Duplex): boolean {
    return this.#answering.has(socket) || this.#isRefused(socket);
  }

  #say(address: string, { method = '', url = '' }: IncomingMessage, { status, message }: Refusal): void {
    // Secrets may stand in the query.
    this.#log.say(address, method, url.replace(/\?.*$/s, ''), String(status), message);
  }
}

function brokenRequest(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'The headers are too long.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'The request came too slowly.');
  if (code === 'HPE_INVALID_VERSION') return refusal(505, 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  return refusal(400, 'This is no HTTP request.');
}
