// Serves the built app. Hashed files never change, everything else is asked for again each time; an address that is no
// file is the app's business (its routes), except where only a file can be meant.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { systemCode } from '../start-error.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/;
/** Vite names these by their content: `assets/index-D4x1bZ2k.js`. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/;
const FEWEST_COMPRESSED_BYTES = 1024;
const compress = promisify(brotliCompress);

type File = { readonly bytes: Buffer<ArrayBuffer>; readonly tag: string; readonly type: string };

export class StaticFiles {
  readonly #root: string;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** Of a GET or HEAD. */
  async serve(request: Request): Promise<Response> {
    const path = decodePath(request);
    if (path === null) return new Response('Bad request', { status: 400 });
    const file = await this.#read(path);
    if (file !== null) return this.#answer(request, file, HASHED.test(path));
    if (path.startsWith('/assets/') || extname(path) in TYPES) return new Response('Not found', { status: 404 });
    const app = await this.#read('/index.html');
    return app === null
      ? new Response('The app has not been built.', { status: 404 })
      : this.#answer(request, app, false);
  }

  async #read(path: string): Promise<File | null> {
    const file = resolve(this.#root, `.${path === '/' ? '/index.html' : path}`);
    if (!file.startsWith(this.#root + sep)) return null;
    const type = TYPES[extname(file)];
    if (type === undefined) return null;
    try {
      if (!(await stat(file)).isFile()) return null;
      const bytes = await readFile(file);
      return { bytes, type, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
      throw error;
    }
  }

  async #answer(request: Request, file: File, immutable: boolean): Promise<Response> {
    const headers = new Headers({
      'content-type': file.type,
      'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: `"${file.tag}"`,
      vary: 'accept-encoding',
    });
    if (request.headers.get('if-none-match')?.includes(`"${file.tag}"`))
      return new Response(null, { status: 304, headers });
    const body = await this.#encode(request, file, headers);
    headers.set('content-length', String(body.length));
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), { headers });
  }

  async #encode(request: Request, { bytes, tag, type }: File, headers: Headers): Promise<Buffer> {
    const accepted = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '');
    if (!accepted || !COMPRESSIBLE.test(type) || bytes.length < FEWEST_COMPRESSED_BYTES) return bytes;
    headers.set('content-encoding', 'br');
    // Kept by content: a new build is a new entry, and a build has few files.
    const known = this.#compressed.get(tag);
    if (known !== undefined) return known;
    const compressed = compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    this.#compressed.set(tag, compressed);
    return compressed;
  }
}

function decodePath(request: Request): string | null {
  try {
    const path = decodeURIComponent(new URL(request.url).pathname);
    return path.includes('\0') ? null : path;
  } catch {
    return null;
  }
}
