// Gap: @supabase/lite 0.10.0 documents a file system adapter for Storage but does not export it. This one keeps each object
// in a file named by the hash of its bucket and key (keys may hold anything a path may not), its metadata beside it.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { App } from '@supabase/lite';
import * as v from 'valibot';

type StorageAdapter = NonNullable<App['_storageAdapter']>;
type Uploaded = Parameters<StorageAdapter['uploadObject']>[3];
type ObjectMetadata = Awaited<ReturnType<StorageAdapter['headObject']>>;
type ObjectResponse = Awaited<ReturnType<StorageAdapter['getObject']>>;

const metadataSchema = v.object({ mimetype: v.string(), cacheControl: v.string(), eTag: v.string() });

const BYTE_RANGE = /^bytes=(\d+)-(\d*)$/;

export class FileStorage implements StorageAdapter {
  readonly driver = null;
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async getObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    headers?: Parameters<StorageAdapter['getObject']>[3],
  ): Promise<ObjectResponse> {
    const file = this.#fileOf(bucket, key);
    const metadata = await readMetadata(file);
    if (headers?.ifNoneMatch === metadata.eTag) return { httpStatusCode: 304, metadata };
    const range = BYTE_RANGE.exec(headers?.range ?? '');
    const start = Number(range?.[1]);
    if (range === null || start >= metadata.size) {
      return { httpStatusCode: 200, metadata, body: Readable.toWeb(createReadStream(file)) };
    }
    const last = metadata.size - 1;
    const end = range[2] === '' ? last : Math.min(Number(range[2]), last);
    return {
      httpStatusCode: 206,
      metadata: { ...metadata, contentLength: end - start + 1, contentRange: `bytes ${start}-${end}/${metadata.size}` },
      body: Readable.toWeb(createReadStream(file, { start, end })),
    };
  }

  async uploadObject(
    bucket: string,
    key: string,
    _version: string | undefined,
    body: Uploaded,
    mimetype: string,
    cacheControl: string,
  ): Promise<ObjectMetadata> {
    const file = this.#fileOf(bucket, key);
    const bytes = body instanceof Uint8Array ? body : await collect(body);
    const eTag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    await mkdir(dirname(file), { recursive: true });
    // Renamed into place, metadata first: a reader never sees half an object, nor an object without metadata.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, bytes);
    await writeFile(`${draft}.json`, JSON.stringify({ mimetype, cacheControl, eTag }));
    await rename(`${draft}.json`, `${file}.json`);
    await rename(draft, file);
    return readMetadata(file);
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    const file = this.#fileOf(bucket, key);
    await rm(file, { force: true });
    await rm(`${file}.json`, { force: true });
  }

  async deleteObjects(bucket: string, keys: string[]): Promise<void> {
    await Promise.all(keys.map((key) => this.deleteObject(bucket, key)));
  }

  async copyObject(
    sourceBucket: string,
    source: string,
    _version: string | undefined,
    destinationBucket: string,
    destination: string,
  ): ReturnType<StorageAdapter['copyObject']> {
    const [from, to] = [this.#fileOf(sourceBucket, source), this.#fileOf(destinationBucket, destination)];
    await mkdir(dirname(to), { recursive: true });
    await copyFile(`${from}.json`, `${to}.json`);
    await copyFile(from, to);
    const { eTag, lastModified } = await readMetadata(to);
    return { httpStatusCode: 200, eTag, lastModified };
  }

  async headObject(bucket: string, key: string): Promise<ObjectMetadata> {
    return readMetadata(this.#fileOf(bucket, key));
  }

  async privateAssetUrl(bucket: string, key: string): Promise<string> {
    return `file://${this.#fileOf(bucket, key)}`;
  }

  #fileOf(bucket: string, key: string): string {
    const name = createHash('sha256').update(`${bucket}/${key}`).digest('hex');
    return join(this.#dir, name.slice(0, 2), name);
  }
}

async function readMetadata(file: string): Promise<ObjectMetadata & { readonly lastModified: Date }> {
  const [{ size, mtime }, text] = await Promise.all([stat(file), readFile(`${file}.json`, 'utf8')]);
  const kept = v.parse(metadataSchema, JSON.parse(text));
  return { ...kept, size, contentLength: size, lastModified: mtime, httpStatusCode: 200 };
}

async function collect(stream: Exclude<Uploaded, Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
