// Stores an upload: checks the policies, writes the file, then the row that names it. A crash in between leaves an orphan
// file, which the sweep removes.
import { systemCode } from '../start-error.ts';
import type { Buckets } from './buckets.ts';
import type { StorageCaller } from './caller.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import type { ObjectKey } from './object-key.ts';
import type { ObjectMetadata, Objects, UploadMode } from './objects.ts';
import { noSuchKey, tooLarge } from './storage-error.ts';
import { DEFAULT_TYPE, type Upload, checkType, readUpload } from './upload-body.ts';

type Parts = { readonly buckets: Buckets; readonly objects: Objects; readonly files: FileStore };

export type Uploaded = { readonly Id: string; readonly Key: string };

/** The values of `storage.operation()` that policies see. */
const UPLOAD = 'storage.object.upload';
const COPY = 'storage.object.copy';

type WriteRow = (object: Parameters<Objects['write']>[0]) => ReturnType<Objects['write']>;

export class ObjectUploads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async store(request: Request, key: ObjectKey, mode: UploadMode, caller: StorageCaller): Promise<Uploaded> {
    const { buckets, objects, files } = this.#parts;
    const rules = await buckets.rulesOf(key.bucket);
    await objects.probeWrite(key, mode, caller, UPLOAD);
    const upload = await readUpload(request, rules);
    const stored = await files.write(upload.bytes, rules.maxBytes);
    return this.#writeRow(key, stored, upload, (object) => objects.write(object, mode, caller, UPLOAD));
  }

  async copy(
    from: ObjectKey,
    to: ObjectKey,
    mode: UploadMode,
    caller: StorageCaller,
  ): Promise<Uploaded & { readonly name: string }> {
    const { buckets, objects, files } = this.#parts;
    const rules = await buckets.rulesOf(to.bucket);
    const source = await objects.find(from, caller, COPY);
    const { eTag = '""', size = 0, mimetype = DEFAULT_TYPE, cacheControl = 'no-cache' } = source.metadata ?? {};
    // The bucket's rules hold for copies from another bucket as well.
    checkType(mimetype, rules.mimeTypes);
    if (size > rules.maxBytes) throw tooLarge();
    await objects.probeWrite(to, mode, caller, COPY);
    const version = source.version === null ? null : await files.copy(source.version);
    if (version === null) throw noSuchKey();
    const stored = { version, size, eTag };
    const details = { mimetype, cacheControl, userMetadata: source.user_metadata };
    const uploaded = await this.#writeRow(to, stored, details, (object) => objects.write(object, mode, caller, COPY));
    return { ...uploaded, name: to.name };
  }

  /** Writes the row of a stored file, and removes the file that the row named before. */
  async #writeRow(
    key: ObjectKey,
    { version, size, eTag }: StoredFile,
    details: Omit<Upload, 'bytes'>,
    write: WriteRow,
  ): Promise<Uploaded> {
    const metadata: ObjectMetadata = {
      eTag,
      size,
      mimetype: details.mimetype,
      cacheControl: details.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: size,
      httpStatusCode: 200,
    };
    try {
      const { id, replaced } = await write({ key, version, metadata, userMetadata: details.userMetadata });
      if (replaced !== null) await this.#parts.files.remove([replaced]);
      return { Id: id, Key: `${key.bucket}/${key.name}` };
    } catch (error) {
      // Remove the file only after a definite refusal: when the connection breaks during the commit, the row may exist.
      if (isRefusal(error)) await this.#parts.files.remove([version]);
      throw error;
    }
  }
}

/** Whether PostgreSQL refused the statement, by the class of its SQLSTATE. */
const isRefusal = (error: unknown): boolean => /^(?:22|23|25|42|53)...$/.test(systemCode(error) ?? '');
