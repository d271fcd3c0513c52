// Parses an upload, raw or as a form (storage-js sends Blobs and Files as forms whose file has no name). Raw bodies are
// streamed; a form is read completely, up to the bucket's limit.
import * as v from 'valibot';
import { parseJsonOrNull } from '../../src/lib/parse-or-null.ts';
import type { BucketRules } from './buckets.ts';
import { StorageError, invalidRequest, tooLarge } from './storage-error.ts';

export type Upload = {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly mimetype: string;
  readonly cacheControl: string;
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
};

/** Room for a form's fields and boundaries. */
const FORM_OVERHEAD_BYTES = 64 * 1024;
const MAX_METADATA_LENGTH = 16 * 1024;
export const DEFAULT_TYPE = 'application/octet-stream';
/** A single MIME type that a header can hold; with anything else, downloading the object would fail later. */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\r\n]*"))*$/;
const HEADER_VALUE = /^[\x20-\x7e]{1,200}$/;
const metadataSchema = v.record(v.string(), v.unknown());

/**
 * Throws a `StorageError` for an upload that the bucket does not accept; where possible, before reading the body. A raw body
 * without a Content-Length is measured only when it is stored.
 */
export async function readUpload(request: Request, rules: BucketRules): Promise<Upload> {
  const type = request.headers.get('content-type') ?? DEFAULT_TYPE;
  refuseEncoding(request.headers.get('content-encoding'));
  const isForm = /^multipart\/form-data\b/i.test(type);
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > rules.maxBytes + (isForm ? FORM_OVERHEAD_BYTES : 0)) throw tooLarge();
  const upload = isForm ? await readForm(request, rules.maxBytes) : readRaw(request, type);
  checkType(upload.mimetype, rules.mimeTypes);
  return upload;
}

function readRaw(request: Request, type: string): Upload {
  return {
    bytes: request.body ?? noBytes(),
    mimetype: type,
    cacheControl: headerValue(request.headers.get('cache-control')) ?? 'no-cache',
    userMetadata: parseMetadata(fromBase64(request.headers.get('x-metadata'))),
  };
}

async function readForm(request: Request, maxBytes: number): Promise<Upload> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? noBytes()) {
    size += part.length;
    if (size > maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge();
    parts.push(part);
  }
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const form = await new Response(new Uint8Array(Buffer.concat(parts)), { headers }).formData().catch(() => null);
  if (form === null) throw invalidRequest('The form could not be read.');
  const file = [...form.values()].find((value) => value instanceof Blob);
  if (file === undefined) throw invalidRequest('No file provided');
  if (file.size > maxBytes) throw tooLarge();
  const field = (name: string): string | null => {
    const value = form.get(name);
    return typeof value === 'string' ? value : null;
  };
  refuseEncoding(field('contentEncoding'));
  const seconds = field('cacheControl');
  return {
    bytes: file.stream(),
    mimetype: file.type === '' ? DEFAULT_TYPE : file.type,
    cacheControl: seconds !== null && /^\d{1,12}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
    userMetadata: parseMetadata(field('metadata')),
  };
}

/** A compressed object would unfold in the browsers of its readers: 3 MB can become 2 GB. */
function refuseEncoding(encoding: string | null): void {
  if (encoding === null || encoding === '' || encoding === 'identity') return;
  throw invalidRequest('Objects with a Content-Encoding are not supported.');
}

/** Throws a `StorageError` if the bucket does not accept objects of this type. */
export function checkType(mimetype: string, allowed: readonly string[] | null): void {
  const [type = ''] = mimetype.toLowerCase().split(';', 1);
  const isAllowed =
    MIME_TYPE.test(mimetype) &&
    (allowed === null ||
      allowed.some((one) =>
        one.endsWith('/*') ? one === '*/*' || type.startsWith(one.slice(0, -1)) : one === type.trim(),
      ));
  if (!isAllowed) throw new StorageError('InvalidMimeType', `mime type ${mimetype.slice(0, 100)} is not supported`);
}

/** Ignores invalid metadata, like Supabase; throws if it is too long. */
function parseMetadata(text: string | null): Upload['userMetadata'] {
  if (text === null || text === '') return null;
  if (text.length > MAX_METADATA_LENGTH) throw new StorageError('EntityTooLarge', 'The metadata is too large');
  return parseJsonOrNull(metadataSchema, text);
}

const fromBase64 = (text: string | null): string | null =>
  text === null ? null : Buffer.from(text, 'base64').toString('utf8');

async function* noBytes(): AsyncIterable<Uint8Array> {}

const headerValue = (text: string | null): string | null => (text !== null && HEADER_VALUE.test(text) ? text : null);
