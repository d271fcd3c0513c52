// A proxy in front of a Weft server that can publish a new version of the app: the same files, with the start page changed.
import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';

export class NextVersionHost {
  readonly url: string;
  readonly #server: Server;
  /** When set, the host serves the new version. */
  isPublished = false;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async inFrontOf(serverUrl: string): Promise<NextVersionHost> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the host listens on no port');
    const host = new NextVersionHost(server, `http://127.0.0.1:${address.port}`);
    // Realtime does not pass: its users need no live messages, because rows also arrive with answers.
    server.on('upgrade', (_, socket) => socket.destroy());
    server.on('request', (request, response) => {
      void host.#forward(serverUrl, request).then(async ({ status, headers, body }) => {
        response.writeHead(status, headers);
        response.end(body);
      });
    });
    return host;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #forward(serverUrl: string, request: IncomingMessage) {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    // Never answers "not modified": clients must compare the files of this host, not those of the server behind it.
    const answer = await fetch(serverUrl + path, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === 'string' &&
          !/^(?:host|connection|content-length|accept-encoding|if-none-match|if-modified-since)$/.test(name)
            ? [[name, value]]
            : [],
        ),
      ),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const headers = Object.fromEntries(
      Array.from(answer.headers).filter(
        ([name]) => !/^(?:content-(?:length|encoding)|connection|etag|last-modified)$/.test(name),
      ),
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers, body: this.isPublished ? asNextVersion(path, bytes) : bytes };
  }
}

/** The start page, and its hash in the service worker's precache list: both change with a version. */
function asNextVersion(path: string, bytes: Buffer): Buffer {
  if (path === '/sw.js') {
    return Buffer.from(bytes.toString().replace(/(url:"index\.html",revision:")[^"]*/, '$1next'));
  }
  if (path.startsWith('/index.html')) {
    return Buffer.from(bytes.toString().replace('<head>', '<head><meta name="version" content="next">'));
  }
  return bytes;
}
