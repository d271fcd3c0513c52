// A gateway with a handler that records what gets through. It has no database, so that each test can set its own
// limits.
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressSet, NO_ADDRESSES, parseAddressSet } from '../../../../backend/gateway/addresses.ts';
import { BodyReader, hasBody } from '../../../../backend/gateway/body-reader.ts';
import { HttpGateway } from '../../../../backend/gateway/http-gateway.ts';
import { knownHosts } from '../../../../backend/gateway/known-hosts.ts';
import { type GatewayLimits, DEFAULT_LIMITS } from '../../../../backend/gateway/limits.ts';

export type GatewayServer = {
  readonly url: string;
  /** The log lines for the operator. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
};

export type GatewayServerOptions = {
  readonly limits?: Partial<GatewayLimits>;
  readonly trustedProxies?: AddressSet;
  readonly isOpen?: boolean;
  readonly allowedHosts?: readonly string[];
  /** The answer to a GET. */
  readonly body?: Buffer;
};

export async function startGateway(options: GatewayServerOptions = {}): Promise<GatewayServer> {
  const log: string[] = [];
  const limits: GatewayLimits = { ...DEFAULT_LIMITS, checkMs: 50, ...options.limits };
  const gateway = new HttpGateway({
    limits,
    hosts: knownHosts(options.isOpen === true, options.allowedHosts ?? []),
    trustedProxies: options.trustedProxies ?? NO_ADDRESSES,
    log: (line) => log.push(line),
  });
  const bodies = new BodyReader(limits);
  const server: Server = createServer(gateway.serverOptions);
  gateway.attach(server);
  server.on('request', (incoming, outgoing) => {
    const client = gateway.admit(incoming, outgoing);
    if (client === null) return;
    const answer = async () => {
      if (!hasBody(incoming)) {
        outgoing.end(options.body ?? JSON.stringify({ ...client, url: incoming.url }));
        return;
      }
      if (incoming.url?.startsWith('/stream') === true) {
        const stream = bodies.stream(incoming, (slow) => gateway.refuse(incoming, outgoing, slow, client));
        let length = 0;
        for await (const part of stream) {
          length += part.length;
          if (length > limits.body.bytes) break;
        }
        outgoing.end(String(length));
        return;
      }
      const done = new Promise<void>((resolve) => outgoing.once('close', resolve));
      const caller = gateway.callerOf(client);
      const body = await bodies.read(incoming, { caller, limits: limits.body, done });
      if (body === null) return;
      if (body.ok) outgoing.end(String(body.value.length));
      else gateway.refuse(incoming, outgoing, body.error, client);
    };
    // A stream that is cut off rejects; the client has its answer already.
    answer().catch(() => {});
  });
  server.on('upgrade', (incoming, connection) => {
    if (!gateway.admitSocket(incoming, connection)) return;
    connection.on('error', () => connection.destroy());
    connection.on('end', () => connection.end()).resume();
    connection.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, log, close };
}

export function addressSet(text: string): AddressSet {
  const set = parseAddressSet(text);
  if (set === null) throw new Error(`no addresses: ${text}`);
  return set;
}
