// A proxy in front of a PostgreSQL server that can cut its connections and accept them again, like a network failure.
import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';

export class CutProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** The URL of the same database through this proxy. */
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async to(databaseUrl: string): Promise<CutProxy> {
    const target = new URL(databaseUrl);
    const folder = target.searchParams.get('host');
    const port = target.port === '' ? 5432 : Number(target.port);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = new URL(databaseUrl);
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(address.port);
    const proxy = new CutProxy(server, url.href);
    server.on('connection', (near) => {
      if (proxy.#isCut) {
        near.destroy();
        return;
      }
      const far = folder === null ? connect(port, target.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
      for (const socket of [near, far]) {
        proxy.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          proxy.#sockets.delete(socket);
          (socket === near ? far : near).destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
    return proxy;
  }

  /** Ends all connections and refuses new ones, until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Resets the connections of now, so that the next write on one of them fails with EPIPE or ECONNRESET. */
  reset(): void {
    // A Unix socket cannot be reset; it is closed with the connection that it belongs to.
    for (const socket of this.#sockets) if (socket.localPort !== undefined) socket.resetAndDestroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
