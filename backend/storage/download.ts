// Answers with an object: all of it, a range, or 304. A type that a browser could run is sent as a type that it does
// not, and nothing in the answer may run or load anything else.
import type { FileStore } from './file-store.ts';
import type { ObjectRow } from './objects.ts';
import { StorageError, noSuchKey } from './storage-error.ts';
import { type ByteRange, streamFile } from './stream-file.ts';

/** Types that browsers run, or split into parts that they run. */
const ACTIVE = /html|xml|svg|script|multipart|message\/|flash|x-shockwave|webassembly|wasm|manifest/i;
const POLICY = "default-src 'none'; sandbox";

/** `download` comes from the query: the name under which to save, or empty for the object's own name. */
export async function answerObject(
  request: Request,
  object: ObjectRow,
  files: FileStore,
  download: string | null,
): Promise<Response> {
  const handle = object.version === null ? null : await files.open(object.version);
  if (handle === null) throw noSuchKey();
  try {
    const { size } = await handle.stat();
    const headers = headersOf(object, download);
    if (isUnchanged(request, headers)) {
      await handle.close();
      return new Response(null, { status: 304, headers });
    }
    const range = isRangeWanted(request, headers) ? parseRange(request.headers.get('range'), size) : null;
    if (range === 'unsatisfiable') {
      await handle.close();
      const refused = new StorageError('InvalidRange', 'The requested range is not satisfiable');
      return refused.toResponse({ 'content-range': `bytes */${size}` });
    }
    headers.set('content-length', String(range === null ? size : range.end - range.start + 1));
    if (range !== null) headers.set('content-range', `bytes ${range.start}-${range.end}/${size}`);
    const status = range === null ? 200 : 206;
    if (request.method === 'HEAD' || size === 0) {
      await handle.close();
      return new Response(null, { status, headers });
    }
    // The stream closes the file at its end, and when the client hangs up.
    return new Response(streamFile(handle, range ?? { start: 0, end: size - 1 }), { status, headers });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function headersOf({ name, metadata, updated_at }: ObjectRow, download: string | null): Headers {
  const type = metadata?.mimetype ?? 'application/octet-stream';
  const isActive = ACTIVE.test(type);
  const headers = new Headers({
    'accept-ranges': 'bytes',
    'cache-control': metadata?.cacheControl ?? 'no-cache',
    'content-security-policy': POLICY,
    'content-type': isActive ? 'application/octet-stream' : type,
    'last-modified': new Date(metadata?.lastModified ?? updated_at).toUTCString(),
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'none',
  });
  if (metadata?.eTag !== undefined) headers.set('etag', metadata.eTag);
  if (isActive || download !== null) {
    const fileName = download === null || download === '' ? (name.split('/').at(-1) ?? '') : download;
    headers.set('content-disposition', `attachment; filename*=UTF-8''${encodeFileName(fileName)}`);
  }
  return headers;
}

/** RFC 8187 allows fewer characters than `encodeURIComponent` leaves unchanged. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function isUnchanged(request: Request, headers: Headers): boolean {
  const tags = request.headers.get('if-none-match');
  const eTag = headers.get('etag');
  if (tags !== null) {
    return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === eTag);
  }
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return since >= Date.parse(headers.get('last-modified') ?? '');
}

/** With If-Range, the client wants a part only if the object is still the same. */
function isRangeWanted(request: Request, headers: Headers): boolean {
  const condition = request.headers.get('if-range');
  return condition === null || condition === headers.get('etag') || condition === headers.get('last-modified');
}

/** Null means the whole file, also when several ranges are requested: a server may ignore those. */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
