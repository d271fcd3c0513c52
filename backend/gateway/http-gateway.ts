// Guards the server against the network: decides which connections and requests get through, finds out who sends them, and
// answers the ones it refuses. Knows nothing about the handlers behind it.
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AddressSet, callerOf, isLoopback, normalizeAddress } from './addresses.ts';
import { type Client, clientOf } from './client-address.ts';
import { CallerCounts, limitConnections } from './connection-limits.ts';
import { inspectRequest } from './inspect-request.ts';
import { type KnownHosts, hostOfOrigin } from './known-hosts.ts';
import type { GatewayLimits } from './limits.ts';
import { RefusalLog } from './refusal-log.ts';
import { type Refusal, rawRefusal, refusal, sendRefusal, retryLater } from './refusal.ts';
import { METHODS } from './response-headers.ts';
import { TokenBuckets } from './token-buckets.ts';

export type GatewayOptions = {
  readonly limits: GatewayLimits;
  readonly hosts: KnownHosts;
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto count. */
  readonly trustedProxies: AddressSet;
  readonly log: (line: string) => void;
};

const WEBSOCKET_PATH = /^\/realtime\/v1\/websocket(?:\?|$)/;
const SOCKET_RETRY_MS = 30_000;
/** Error codes of a client that hung up in the middle of a request. */
const HUNG_UP_CODES = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE']);
/** How long a refused client may keep sending: many clients read the answer only after they have sent everything. */
const LINGER_MS = 2_000;
/** A connection ends after this many refusals in a row: answering a flood of requests would keep the server busy too. */
const MAX_REFUSALS = 100;

export class HttpGateway {
  readonly #options: GatewayOptions;
  readonly #requests: TokenBuckets;
  readonly #sockets = new CallerCounts();
  readonly #log: RefusalLog;
  /** Connections with an answer under way: a client would read a second answer as part of the first. */
  readonly #answering = new WeakSet<Duplex>();
  /** Requests that were refused since the last one that was admitted. */
  readonly #refusals = new WeakMap<Duplex, number>();
  #isRefused: (socket: Duplex) => boolean = () => false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#requests = new TokenBuckets(options.limits.requests);
    this.#log = new RefusalLog(options.log);
  }

  /** Options for `createServer`. */
  get serverOptions(): ServerOptions {
    const { limits } = this.#options;
    return {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
      noDelay: true,
      // A request that offers HTTP/2 stays an ordinary request: its client accepts HTTP/1.1 too.
      shouldUpgradeCallback: ({ headers, url = '' }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && WEBSOCKET_PATH.test(url),
    };
  }

  attach(server: Server): void {
    const { limits, trustedProxies } = this.#options;
    server.timeout = limits.idleMs;
    const { isRefused } = limitConnections(server, limits, trustedProxies, (address, reason) =>
      this.#log.write(address, reason),
    );
    this.#isRefused = isRefused;
    server.on('clientError', (error: Error & { code?: string }, socket: Duplex) =>
      this.#endInvalid(error.code, socket),
    );
    server.on('connect', (incoming: IncomingMessage, connection: Duplex) => {
      this.#refuseConnection(incoming, connection, refusal(405, 'This server is not a proxy.', { allow: METHODS }));
    });
    server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.refuse(incoming, outgoing, refusal(417, 'The only supported expectation is 100-continue.'));
    });
  }

  /** Returns who sends the request, or null after refusing it. */
  admit(incoming: IncomingMessage, outgoing: ServerResponse): Client | null {
    const { socket } = incoming;
    if (this.#isRefused(socket) || socket.destroyed) return null;
    this.#answering.add(socket);
    outgoing.on('close', () => this.#answering.delete(socket));
    const client = clientOf(incoming, this.#options.trustedProxies);
    const refused = inspectRequest(incoming, this.#options.limits, this.#options.hosts) ?? this.#checkRate(client);
    if (refused === null) {
      this.#refusals.delete(socket);
      return client;
    }
    if (this.#isFlood(socket)) socket.destroy();
    else this.refuse(incoming, outgoing, refused, client);
    return null;
  }

  /** Counts a refusal. True after too many in a row, except on the connection of a proxy, which many clients share. */
  #isFlood(socket: Socket): boolean {
    const refusals = (this.#refusals.get(socket) ?? 0) + 1;
    this.#refusals.set(socket, refusals);
    return refusals > MAX_REFUSALS && !this.#options.trustedProxies.has(normalizeAddress(socket.remoteAddress ?? ''));
  }

  /** Like `admit`, for a WebSocket upgrade. Node gives it no `ServerResponse`, so a refusal is written to the connection. */
  admitSocket(incoming: IncomingMessage, connection: Duplex): boolean {
    if (this.#isRefused(connection)) return false;
    const { limits, hosts, trustedProxies } = this.#options;
    const client = clientOf(incoming, trustedProxies);
    const caller = this.callerOf(client);
    const { origin } = incoming.headers;
    const refused =
      inspectRequest(incoming, limits, hosts) ??
      (incoming.method === 'GET' ? null : refusal(405, 'A WebSocket is opened with GET.', { allow: 'GET' })) ??
      (origin === undefined || hosts.has(hostOfOrigin(origin) ?? '')
        ? null
        : refusal(
            403,
            'This site may not open a WebSocket here. If it may, start Weft with --allow-host and its name.',
          )) ??
      this.#checkRate(client) ??
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

  /**
   * The key under which limits count this client; null for this machine, which has no limits per address by default.
   */
  callerOf({ address }: Client): string | null {
    return this.#options.limits.forLoopback || !isLoopback(address) ? callerOf(address) : null;
  }

  refuse(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    refused: Refusal,
    client: Client = clientOf(incoming, this.#options.trustedProxies),
  ): void {
    this.#logRefusal(client.address, incoming, refused);
    // A client that sends its body too slowly may already have its answer; writing a second one would throw.
    if (outgoing.headersSent) {
      incoming.destroy();
      return;
    }
    outgoing.on('finish', () => {
      if (!incoming.complete) setTimeout(() => incoming.complete || incoming.destroy(), LINGER_MS).unref();
    });
    sendRefusal(outgoing, refused);
  }

  #refuseConnection(incoming: IncomingMessage, connection: Duplex, refused: Refusal): void {
    this.#logRefusal(clientOf(incoming, this.#options.trustedProxies).address, incoming, refused);
    connection.on('error', () => connection.destroy());
    connection.end(rawRefusal(refused));
    setTimeout(() => connection.destroy(), LINGER_MS).unref();
  }

  #checkRate(client: Client): Refusal | null {
    const caller = this.callerOf(client);
    const waitMs = caller === null ? 0 : this.#requests.take(caller, performance.now());
    return waitMs === 0 ? null : retryLater(429, 'Too many requests from this address.', waitMs);
  }

  #endInvalid(code: string | undefined, socket: Duplex): void {
    if (socket.destroyed || !socket.writable) return void socket.destroy();
    if (HUNG_UP_CODES.has(code ?? '') || this.#isBusy(socket)) return void socket.destroy();
    const refused = invalidRequestRefusal(code);
    this.#log.write('remoteAddress' in socket ? String(socket.remoteAddress) : '', String(refused.status), code ?? '');
    socket.end(rawRefusal(refused));
  }

  #isBusy(socket: Duplex): boolean {
    return this.#answering.has(socket) || this.#isRefused(socket);
  }

  #logRefusal(address: string, { method = '', url = '' }: IncomingMessage, { status, message }: Refusal): void {
    // The query may hold secrets.
    this.#log.write(address, method, url.replace(/\?.*$/s, ''), String(status), message);
  }
}

function invalidRequestRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'The request came too slowly.');
  if (code === 'HPE_INVALID_VERSION') return refusal(505, 'Only HTTP/1.1 and HTTP/1.0 are supported.');
  return refusal(400, 'This is not an HTTP request.');
}
