// A host in front of the real server that can publish a new version of the app: the same files, with one changed.
import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';

export class NextVersionHost {
  readonly url: string;
  readonly #server: Server;
  /** From now on the host serves the new version. */
  isOut = false;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async before(behind: string): Promise<NextVersionHost> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the host listens on no port');
    const host = new NextVersionHost(server, `http://127.0.0.1:${address.port}`);
    // These tests need no live messages; rows arrive with answers.
    server.on('upgrade', (_, socket) => socket.destroy());
    server.on('request', (request, response) => {
      void host.#pass(behind, request).then(async ({ status, headers, body }) => {
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

  async #pass(behind: string, request: IncomingMessage) {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    // Never answer "not modified": clients must compare what this host serves, not the server behind it.
    const answer = await fetch(behind + path, {
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
    return { status: answer.status, headers, body: this.isOut ? marked(path, bytes) : bytes };
  }
}

/** The service worker's precache list names the page by its hash; both change with a version. */
function marked(path: string, bytes: Buffer): Buffer {
  if (path === '/sw.js') {
    return Buffer.from(bytes.toString().replace(/(url:"index\.html",revision:")[^"]*/, '$1next'));
  }
  if (path.startsWith('/index.html')) {
    return Buffer.from(bytes.toString().replace('<head>', '<head><meta name="version" content="next">'));
  }
  return bytes;
}
