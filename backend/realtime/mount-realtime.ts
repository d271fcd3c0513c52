// Our own Supabase Realtime on an HTTP server and a database: takes the upgrades of /realtime/v1/websocket.
// The database must hold bootstrap.sql and the roles anon, authenticated and service_role.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Engine } from '../engine.ts';
import { createAuthorization } from './topic/authorization.ts';
import type { ChannelServices } from './channel/channel.ts';
import { openChangeFeed } from './changes/change-feed.ts';
import { openDatabaseFeed } from './messages/database-feed.ts';
import { ownerOf, parseHandshake, refuseHandshake } from './socket/handshake.ts';
import { keepMessagesShort } from './messages/message-retention.ts';
import { DEFAULT_OPTIONS, type RealtimeOptions } from './limits/options.ts';
import { Quotas } from './limits/quotas.ts';
import { createReplay } from './messages/replay.ts';
import { createBroadcastApi } from './messages/rest-broadcast.ts';
import { type Opening, RealtimeSocket } from './socket/socket.ts';
import { type Keys, createTokenVerifier } from '../keys/token.ts';
import { TopicHub } from './topic/topic-hub.ts';

export type RealtimeMount = {
  /** What is asked below /realtime/v1 over HTTP. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Closes every socket with 1012, so that clients come back later. Safe to call twice. */
  readonly close: () => Promise<void>;
};

const SHUTDOWN_CLOSE = 1012;
/** How long clients may take to answer the closing handshake. */
const SHUTDOWN_MS = 1_000;

export function mountRealtime(
  input: Keys & {
    readonly server: Server;
    readonly pg: Engine;
    readonly options?: Partial<RealtimeOptions>;
    /** False: not let in, and told so. */
    readonly admits?: (request: IncomingMessage, connection: Duplex) => boolean;
  },
): RealtimeMount {
  const { server, pg } = input;
  const options: RealtimeOptions = { ...DEFAULT_OPTIONS, ...input.options };
  const services: ChannelServices = {
    hub: new TopicHub(),
    authorization: createAuthorization(pg, options.log),
    verifyToken: createTokenVerifier(input),
    quotas: new Quotas(options),
    replay: createReplay(pg),
    changes: openChangeFeed(pg, options.log),
    options,
  };
  const feed = openDatabaseFeed(pg, services.hub, options);
  const ready = Promise.all([feed.ready, services.changes.ready]);
  ready.catch((error: unknown) => options.log(`the database cannot be listened to: ${String(error)}`));
  const endRetention = keepMessagesShort(pg, options);
  // ws answers a frame above its own limit with 1009; the original just drops the socket, as RealtimeSocket does.
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: 4 * options.maxFrameBytes,
    clientTracking: false,
  });
  const sockets = new Map<RealtimeSocket, Promise<unknown>>();
  /** Opened since the last sweep: they may be about to join. */
  const fresh = new Set<RealtimeSocket>();
  const ending = new AbortController();

  const handleUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const owner = ownerOf(request);
    if (owner === 'realtime') {
      if (input.admits?.(request, connection) ?? true) void open(request, connection, head);
    }
    // Where nobody else listens, nobody else would ever end this connection.
    else if (owner === 'nobody' || server.listenerCount('upgrade') === 1) connection.destroy();
  };

  async function open(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const giveUp = () => connection.destroy();
    connection.on('error', giveUp);
    ending.signal.addEventListener('abort', giveUp);
    try {
      const opening = await parseHandshake(request, services);
      if (opening.ok) await ready;
      else await delay(options.connectErrorDelayMs, null, { signal: ending.signal });
      if (connection.destroyed) return;
      // The listener for errors stays on a refused connection: a peer that hangs up first must not end the process.
      if (!opening.ok) return refuseHandshake(connection, opening.error);
      connection.off('error', giveUp);
      accept(request, connection, head, opening.value);
    } catch {
      // The database cannot be listened to (said in the log), or the server ends.
      giveUp();
    } finally {
      ending.signal.removeEventListener('abort', giveUp);
    }
  }

  function accept(request: IncomingMessage, connection: Duplex, head: Buffer, opening: Opening): void {
    upgrades.handleUpgrade(request, connection, head, (ws) => {
      const socket = new RealtimeSocket(ws, opening, services);
      sockets.set(socket, new Promise((resolve) => ws.on('close', resolve)));
      fresh.add(socket);
      ws.on('close', () => {
        sockets.delete(socket);
        fresh.delete(socket);
      });
    });
  }

  function sweepEmptySockets(): void {
    for (const socket of sockets.keys()) if (!socket.hasChannels && !fresh.has(socket)) socket.terminate();
    fresh.clear();
  }

  async function close(): Promise<void> {
    server.off('upgrade', handleUpgrade);
    clearInterval(sweep);
    services.quotas.stop();
    ending.abort();
    const ended = [...sockets.values()];
    for (const socket of sockets.keys()) socket.close(SHUTDOWN_CLOSE);
    await Promise.race([Promise.all(ended), delay(SHUTDOWN_MS, null, { ref: false })]);
    for (const socket of sockets.keys()) socket.terminate();
    endGaps();
    await Promise.all([feed.stop(), services.changes.stop(), endRetention()]);
  }

  // Changes of tables are kept and told late. Messages sent meanwhile are lost: whoever joins anew asks for them.
  const endGaps = pg.onGap(() => {
    const deaf = [...sockets.keys()];
    void services.changes.catchUp().then(() => {
      for (const socket of deaf) socket.close(SHUTDOWN_CLOSE);
    });
  });
  const sweep = setInterval(sweepEmptySockets, options.emptySocketSweepMs);
  sweep.unref();
  server.on('upgrade', handleUpgrade);
  let closing: Promise<void> | null = null;
  return { fetch: createBroadcastApi(services), close: () => (closing ??= close()) };
}
