// Stores an upload: asks the policies, writes the file, then the row that names it. A crash in between leaves an orphan
// file, which the sweep removes.
import type { BucketRules, Buckets } from './buckets.ts';
import type { Caller } from './caller.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import type { ObjectKey } from './object-key.ts';
import type { ObjectMetadata, Objects, UploadMode } from './objects.ts';
import { noSuchKey } from './storage-error.ts';
import { type Upload, readUpload } from './upload-body.ts';

type Parts = { readonly buckets: Buckets; readonly objects: Objects; readonly files: FileStore };

export type Uploaded = { readonly Id: string; readonly Key: string };

/** The value of `storage.operation()` that policies see. */
const UPLOAD = 'storage.object.upload';

export class Uploads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async store(request: Request, key: ObjectKey, mode: UploadMode, caller: Caller): Promise<Uploaded> {
    const { buckets, objects } = this.#parts;
    const rules = await buckets.rulesOf(key.bucket);
    await objects.probeWrite(key, mode, caller, UPLOAD);
    return this.#store(request, key, rules, (object) => objects.write(object, mode, caller, UPLOAD));
  }

  async copy(
    from: ObjectKey,
    to: ObjectKey,
    mode: UploadMode,
    caller: Caller,
  ): Promise<Uploaded & { readonly name: string }> {
    const { buckets, objects, files } = this.#parts;
    await buckets.rulesOf(to.bucket);
    const source = await objects.find(from, caller, 'storage.object.copy');
    await objects.probeWrite(to, mode, caller, 'storage.object.copy');
    const version = source.version === null ? null : await files.copy(source.version);
    if (version === null) throw noSuchKey();
    const { eTag = '""', size = 0, mimetype = DEFAULT_TYPE, cacheControl = 'no-cache' } = source.metadata ?? {};
    const stored = { version, size, eTag };
    const about = {
      mimetype,
      cacheControl,
      contentEncoding: source.metadata?.contentEncoding ?? null,
      userMetadata: source.user_metadata,
    };
    const uploaded = await this.#name(to, stored, about, (object) =>
      objects.write(object, mode, caller, 'storage.object.copy'),
    );
    return { ...uploaded, name: to.name };
  }

  async #store(request: Request, key: ObjectKey, rules: BucketRules, write: Write): Promise<Uploaded> {
    const upload = await readUpload(request, rules);
    const stored = await this.#parts.files.write(upload.bytes, rules.maxBytes);
    return this.#name(key, stored, upload, write);
  }

  async #name(key: ObjectKey, stored: StoredFile, about: Omit<Upload, 'bytes'>, write: Write): Promise<Uploaded> {
    const { version, size, eTag } = stored;
    const metadata: ObjectMetadata = {
      eTag,
      size,
      mimetype: about.mimetype,
      cacheControl: about.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: size,
      httpStatusCode: 200,
      ...(about.contentEncoding === null ? {} : { contentEncoding: about.contentEncoding }),
    };
    try {
      const { id, replaced } = await write({ key, version, metadata, userMetadata: about.userMetadata });
      if (replaced !== null) await this.#parts.files.remove([replaced]);
      return { Id: id, Key: `${key.bucket}/${key.name}` };
    } catch (error) {
      // Remove the file only after a definite refusal: when the connection breaks during the commit, the row may exist.
      if (isRefusal(error)) await this.#parts.files.remove([version]);
      throw error;
    }
  }
}

type Write = (object: Parameters<Objects['write']>[0]) => ReturnType<Objects['write']>;

const DEFAULT_TYPE = 'application/octet-stream';

const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:22|23|25|42|53)...$/.test(error.code);
