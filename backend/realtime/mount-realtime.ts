// Mounts our implementation of Supabase Realtime on an HTTP server and a database: handles the upgrades of
// /realtime/v1/websocket. The database must hold what `bootstrap.sql` beside this file makes, and the roles of the API.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import { createTokenVerifier } from '../keys/token.ts';
import type { ChannelServices } from './channel/channel.ts';
import { DEFAULT_OPTIONS, type RealtimeOptions } from './limits/options.ts';
import { Quotas } from './limits/quotas.ts';
import { openDatabaseFeed } from './messages/database-feed.ts';
import { startMessageRetention } from './messages/message-retention.ts';
import { recipientOf, parseHandshake, refuseHandshake } from './socket/handshake.ts';
import { OpenSockets } from './socket/open-sockets.ts';
import { RealtimeSocket } from './socket/socket.ts';
import { createAuthorization } from './topic/authorization.ts';
import { TopicHub } from './topic/topic-hub.ts';

export type RealtimeMount = {
  /** Closes every socket with 1012, so that clients reconnect later. Safe to call twice. */
  readonly close: () => Promise<void>;
};

type RealtimeParts = Keys & {
  readonly server: Server;
  readonly pg: Engine;
  readonly options?: Partial<RealtimeOptions>;
  /** Returns false after refusing the upgrade. */
  readonly admits?: (request: IncomingMessage, connection: Duplex) => boolean;
};

export function mountRealtime(input: RealtimeParts): RealtimeMount {
  const { server, pg } = input;
  const options: RealtimeOptions = { ...DEFAULT_OPTIONS, ...input.options };
  const services: ChannelServices = {
    hub: new TopicHub(options),
    authorization: createAuthorization(pg, options.log),
    verifyToken: createTokenVerifier(input),
    quotas: new Quotas(options),
    options,
  };
  const feed = openDatabaseFeed(pg, services.hub, options);
  feed.ready.catch((error: unknown) => options.log(`the database cannot be listened to: ${String(error)}`));
  const stopRetention = startMessageRetention(pg, options);
  // ws would answer a frame above its own limit with 1009; Supabase Realtime just closes the socket, and so does
  // RealtimeSocket.
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: 4 * options.maxFrameBytes,
    clientTracking: false,
  });
  const sockets = new OpenSockets();
  const ending = new AbortController();

  const handleUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const recipient = recipientOf(request);
    if (recipient === 'realtime') {
      if (input.admits?.(request, connection) ?? true) void open(request, connection, head);
    }
    // Without another listener for upgrades, no one else would close this connection.
    else if (recipient === 'none' || server.listenerCount('upgrade') === 1) connection.destroy();
  };

  async function open(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const giveUp = () => connection.destroy();
    connection.on('error', giveUp);
    ending.signal.addEventListener('abort', giveUp);
    try {
      const token = await parseHandshake(request, services);
      if (token.ok) await feed.ready;
      else await delay(options.connectErrorDelayMs, null, { signal: ending.signal });
      if (connection.destroyed) return;
      // Keep the error listener on a refused connection: when the client hangs up first, the process must not end.
      if (!token.ok) return refuseHandshake(connection, token.error);
      connection.off('error', giveUp);
      upgrades.handleUpgrade(request, connection, head, (ws) =>
        sockets.add(new RealtimeSocket(ws, token.value, services), ws),
      );
    } catch {
      // The server cannot listen to the database, which is logged above, or it is closing.
      giveUp();
    } finally {
      ending.signal.removeEventListener('abort', giveUp);
    }
  }

  async function close(): Promise<void> {
    server.off('upgrade', handleUpgrade);
    clearInterval(sweep);
    services.quotas.stop();
    ending.abort();
    await sockets.endAll();
    stopGapWatch();
    await Promise.all([feed.stop(), stopRetention()]);
  }

  // Messages sent during a gap in the database connection are lost: close the sockets, so that clients rejoin and ask
  // for what they missed.
  const stopGapWatch = pg.onGap(() => sockets.closeAll());
  const sweep = setInterval(() => sockets.sweepEmpty(), options.emptySocketSweepMs);
  sweep.unref();
  server.on('upgrade', handleUpgrade);
  let closing: Promise<void> | null = null;
  return { close: () => (closing ??= close()) };
}
