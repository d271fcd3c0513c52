// Serves the files of the built app. Any other address belongs to the app's router, which index.html starts, unless only a
// file can be meant.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { type Readable, finished } from 'node:stream';
import sirv, { type Options, type RequestHandler } from 'sirv';

/** Types of text files, with a charset that sirv leaves out. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};
const BINARY_FILE = /\.(?:avif|gif|ico|jpg|png|wasm|webp|woff2)$/;
/** Vite puts a hash of the content into these names: `assets/index-D4x1bZ2k.js`. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/** The build puts compressed files next to the originals. With `dev`, sirv looks files up again, so a new build is served. */
const OPTIONS: Options = { dev: true, etag: true, brotli: true, gzip: true };

export class StaticFiles {
  readonly #files: RequestHandler;
  readonly #app: RequestHandler;

  constructor(root: string) {
    this.#files = sirv(root, { ...OPTIONS, extensions: [] });
    this.#app = sirv(root, { ...OPTIONS, extensions: ['html'], single: true, ignores: false });
  }

  /** Answers a GET or HEAD with a file and `headers`, and returns null; otherwise returns the answer to send. */
  serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    headers: Readonly<Record<string, string>>,
  ): Response | null {
    const path = decodePath(incoming);
    if (path === null) return new Response('Bad request', { status: 400 });
    const isFile = path.startsWith('/assets/') || extname(path) in TEXT_TYPES || BINARY_FILE.test(path);
    const all: Record<string, string> = {
      ...headers,
      'cache-control': isFile && HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
    };
    const type = isFile ? TEXT_TYPES[extname(path)] : TEXT_TYPES['.html'];
    if (type !== undefined) all['content-type'] = type;
    for (const [name, value] of Object.entries(all)) outgoing.setHeader(name, value);
    // sirv throws at `bytes=5-3` and misreads `bytes=-5`; a server may ignore ranges, and no file here is large.
    delete incoming.headers.range;
    closeFileWith(outgoing);
    let isFound = true;
    (isFile ? this.#files : this.#app)(incoming, outgoing, () => {
      isFound = false;
    });
    if (isFound) return null;
    for (const name of Object.keys(all)) outgoing.removeHeader(name);
    return new Response(isFile ? 'Not found' : 'The app has not been built.', { status: 404 });
  }
}

/**
 * sirv leaves the file open when the client hangs up in the middle, and a file that cannot be opened (removed by a build)
 * would end the process.
 */
function closeFileWith(outgoing: ServerResponse): void {
  outgoing.once('pipe', (file: Readable) => {
    file.on('error', () => outgoing.destroy());
    finished(outgoing, () => file.destroy());
  });
}

function decodePath({ url = '/' }: IncomingMessage): string | null {
  try {
    const path = decodeURIComponent(url.replace(/\?.*$/s, ''));
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
