// /storage/v1 as the hosted service answers it: which call an address and a method are, and what comes back. Policies decide
// in the database; this decides nothing.
import { inspect } from 'node:util';
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import type { Keys } from '../realtime/token.ts';
import { Buckets, parse } from './buckets.ts';
import { type Caller, type FindCaller, Unauthenticated, createCallerFinder } from './caller.ts';
import { answerObject } from './download.ts';
import type { FileStore } from './file-store.ts';
import { listFolder, listPage } from './listing.ts';
import { type ObjectKey, checkBucketName, checkName, parseBucketName, parseObjectKey } from './object-key.ts';
import { type ObjectRow, Objects, type UploadMode } from './objects.ts';
import { Signer } from './signing.ts';
import { StorageError, asStorageError, invalidRequest } from './storage-error.ts';
import { Uploads } from './uploads.ts';

export type StorageParts = { readonly engine: Engine; readonly files: FileStore; readonly keys: Keys };

/** JSON bodies: a thousand names of a thousand characters, and then some. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;
/** One statement's worth; storage-js says so too. */
const MAX_NAMES = 1000;

const names = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_NAMES));
const signSchema = v.object({ expiresIn: v.number() });
const signSeveralSchema = v.object({ expiresIn: v.number(), paths: names });
const removeSchema = v.object({
  prefixes: v.pipe(
    v.array(v.union([v.string(), v.object({ path: v.string() })])),
    v.minLength(1),
    v.maxLength(MAX_NAMES),
  ),
});
const moveSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.nullish(v.string()),
});
const headerText = v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,200}$/));
const copySchema = v.object({
  ...moveSchema.entries,
  copyMetadata: v.optional(v.boolean(), true),
  metadata: v.optional(
    v.object({
      cacheControl: v.exactOptional(headerText),
      mimetype: v.exactOptional(headerText),
      contentEncoding: v.exactOptional(headerText),
    }),
  ),
});

type Call = {
  readonly request: Request;
  readonly url: URL;
  /** What follows the route, still percent-encoded. */
  readonly rest: string;
};
type Answer = (call: Call) => Promise<Response>;

export class StorageApi {
  readonly #engine: Engine;
  readonly #files: FileStore;
  readonly #buckets: Buckets;
  readonly #objects: Objects;
  readonly #uploads: Uploads;
  readonly #signer: Signer;
  readonly #callerOf: FindCaller;
  /** First match counts. */
  readonly #routes: readonly (readonly [methods: string, path: RegExp, answer: Answer])[] = [
    ['GET HEAD', /^object\/info\/public\/(.+)$/, (call) => this.#publicInfo(call)],
    ['GET HEAD', /^object\/info\/(?:authenticated\/)?(.+)$/, (call) => this.#info(call)],
    ['GET HEAD', /^object\/public\/(.+)$/, (call) => this.#openPublic(call)],
    ['PUT', /^object\/upload\/sign\/(.+)$/, (call) => this.#uploadGranted(call)],
    ['POST', /^object\/upload\/sign\/(.+)$/, (call) => this.#grantUpload(call)],
    ['GET HEAD', /^object\/sign\/(.+)$/, (call) => this.#openSigned(call)],
    ['POST', /^object\/sign\/([^/]+)$/, (call) => this.#signSeveral(call)],
    ['POST', /^object\/sign\/(.+)$/, (call) => this.#sign(call)],
    ['POST', /^object\/list\/([^/]+)$/, (call) => this.#list(call)],
    ['POST', /^object\/list-v2\/([^/]+)$/, (call) => this.#listPage(call)],
    ['POST', /^object\/(move)$/, (call) => this.#move(call)],
    ['POST', /^object\/(copy)$/, (call) => this.#copy(call)],
    ['DELETE', /^object\/([^/]+)$/, (call) => this.#removeSeveral(call)],
    ['DELETE', /^object\/(.+\/.+)$/, (call) => this.#remove(call)],
    ['GET HEAD', /^object\/(?:authenticated\/)?(.+)$/, (call) => this.#open(call)],
    ['POST', /^object\/(.+)$/, (call) => this.#upload(call)],
    ['PUT', /^object\/(.+)$/, (call) => this.#update(call)],
    ['GET', /^bucket\/?()$/, (call) => this.#asCaller(call, (who) => this.#buckets.list(who, call.url.searchParams))],
    ['POST', /^bucket\/?()$/, (call) => this.#withBody(call, (who, body) => this.#buckets.create(who, body))],
    [
      'GET',
      /^bucket\/([^/]+)$/,
      (call) => this.#asCaller(call, (who) => this.#buckets.get(who, parseBucketName(call.rest))),
    ],
    ['PUT', /^bucket\/([^/]+)$/, (call) => this.#updateBucket(call)],
    ['POST', /^bucket\/([^/]+)\/empty$/, (call) => this.#emptyBucket(call)],
    [
      'DELETE',
      /^bucket\/([^/]+)$/,
      (call) => this.#asCaller(call, (who) => this.#buckets.drop(who, parseBucketName(call.rest))),
    ],
    ['DELETE', /^cdn\/(.+)$/, (call) => this.#asCaller(call, async () => ({ message: 'success' }))],
    ['GET', /^(?:render|bucket\/[^/]+\/lifecycle)()/, () => Promise.reject(notEnabled())],
    ['GET', /^(?:status|health)()$/, async () => Response.json({ healthy: true })],
  ];

  constructor({ engine, files, keys }: StorageParts) {
    this.#engine = engine;
    this.#files = files;
    this.#buckets = new Buckets(engine);
    this.#objects = new Objects(engine);
    this.#uploads = new Uploads({ buckets: this.#buckets, objects: this.#objects, files });
    this.#signer = new Signer(keys.jwtSecret);
    this.#callerOf = createCallerFinder(keys);
  }

  /** The path begins with /storage/v1. */
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/storage\/v1\/?/, '');
    try {
      for (const [methods, form, answer] of this.#routes) {
        const match = methods.split(' ').includes(request.method) ? form.exec(path) : null;
        if (match !== null) return await answer({ request, url, rest: match[1] ?? '' });
      }
      throw new StorageError('NoSuchRoute', `Route ${request.method}:${url.pathname.slice(0, 200)} not found`);
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  #refuse(request: Request, error: unknown): Response {
    const known = asStorageError(error);
    if (known instanceof Unauthenticated) return known.toResponse();
    if (known instanceof StorageError) {
      if (known.code === 'StorageFull') process.stderr.write(`${request.method} storage: ${known.message}\n`);
      const response = known.toResponse();
      return request.method === 'HEAD' ? new Response(null, response) : response;
    }
    // Who was sending has left; nobody reads the answer.
    if (request.signal.aborted) return new Response(null, { status: 400 });
    process.stderr.write(`${request.method} ${new URL(request.url).pathname}: ${inspect(error)}\n`);
    return new StorageError('DatabaseError', 'Internal server error').toResponse();
  }

  async #asCaller(call: Call, answer: (caller: Caller) => Promise<unknown>): Promise<Response> {
    return Response.json(await answer(await this.#callerOf(call.request)));
  }

  async #withBody(call: Call, answer: (caller: Caller, body: unknown) => Promise<unknown>): Promise<Response> {
    const caller = await this.#callerOf(call.request);
    return Response.json(await answer(caller, await readJson(call.request)));
  }

  async #upload(call: Call): Promise<Response> {
    const mode = call.request.headers.get('x-upsert') === 'true' ? 'upsert' : 'insert';
    return this.#store(call, mode);
  }

  async #update(call: Call): Promise<Response> {
    return this.#store(call, 'update');
  }

  async #store({ request, rest }: Call, mode: UploadMode): Promise<Response> {
    const key = parseObjectKey(rest);
    return Response.json(await this.#uploads.store(request, key, mode, await this.#callerOf(request)));
  }

  async #grantUpload({ request, rest }: Call): Promise<Response> {
    const caller = await this.#callerOf(request);
    const key = parseObjectKey(rest);
    const upsert = request.headers.get('x-upsert') === 'true';
    await this.#buckets.rulesOf(key.bucket);
    await this.#objects.probeWrite(key, upsert ? 'upsert' : 'insert', caller, 'storage.object.sign_upload_url');
    return Response.json(await this.#signer.uploadPath(key, { upsert, owner: caller.userId }));
  }

  async #uploadGranted({ request, url, rest }: Call): Promise<Response> {
    const key = parseObjectKey(rest);
    const grant = await this.#signer.checkUpload(key, url.searchParams.get('token'));
    return Response.json(await this.#uploads.storeGranted(request, key, grant));
  }

  /** In a public bucket whoever has a key may read; elsewhere the policies say. */
  async #open({ request, url, rest }: Call): Promise<Response> {
    const caller = await this.#callerOf(request);
    const object = await this.#found(parseObjectKey(rest), caller, 'storage.object.get_authenticated');
    return answerObject(request, object, this.#files, url.searchParams.get('download'));
  }

  async #openPublic({ request, url, rest }: Call): Promise<Response> {
    const object = await this.#foundPublic(parseObjectKey(rest));
    return answerObject(request, object, this.#files, url.searchParams.get('download'));
  }

  async #openSigned({ request, url, rest }: Call): Promise<Response> {
    const key = parseObjectKey(rest);
    await this.#signer.checkDownload(key, url.searchParams.get('token'));
    const object = await this.#objects.find(key, null, 'storage.object.get_signed');
    return answerObject(request, object, this.#files, url.searchParams.get('download'));
  }

  async #info({ request, rest }: Call): Promise<Response> {
    const caller = await this.#callerOf(request);
    return answerInfo(request, await this.#found(parseObjectKey(rest), caller, 'storage.object.info'));
  }

  async #publicInfo({ request, rest }: Call): Promise<Response> {
    return answerInfo(request, await this.#foundPublic(parseObjectKey(rest)));
  }

  async #found(key: ObjectKey, caller: Caller, operation: string): Promise<ObjectRow> {
    const { public: isPublic } = await this.#buckets.rulesOf(key.bucket);
    return this.#objects.find(key, isPublic ? null : caller, operation);
  }

  async #foundPublic(key: ObjectKey): Promise<ObjectRow> {
    const { public: isPublic } = await this.#buckets.rulesOf(key.bucket);
    // As for one that does not exist.
    if (!isPublic) throw new StorageError('NoSuchBucket', 'Bucket not found');
    return this.#objects.find(key, null, 'storage.object.get_public');
  }

  async #sign(call: Call): Promise<Response> {
    return this.#withBody(call, async (caller, body) => {
      const key = parseObjectKey(call.rest);
      const { expiresIn } = parse(signSchema, body);
      await this.#objects.find(key, caller, 'storage.object.sign');
      return { signedURL: await this.#signer.downloadPath(key, expiresIn) };
    });
  }

  async #signSeveral(call: Call): Promise<Response> {
    return this.#withBody(call, async (caller, body) => {
      const bucket = parseBucketName(call.rest);
      const { expiresIn, paths } = parse(signSeveralSchema, body);
      const visible = await this.#objects.visible(bucket, paths, caller);
      return Promise.all(
        paths.map(async (path) =>
          visible.has(path)
            ? { path, signedURL: await this.#signer.downloadPath({ bucket, name: path }, expiresIn), error: null }
            : { path, signedURL: null, error: 'Either the object does not exist or you do not have access to it' },
        ),
      );
    });
  }

  #list(call: Call): Promise<Response> {
    return this.#withBody(call, (caller, body) => listFolder(this.#engine, parseBucketName(call.rest), caller, body));
  }

  #listPage(call: Call): Promise<Response> {
    return this.#withBody(call, (caller, body) => listPage(this.#engine, parseBucketName(call.rest), caller, body));
  }

  #move(call: Call): Promise<Response> {
    return this.#withBody(call, async (caller, body) => {
      const asked = parse(moveSchema, body);
      await this.#objects.move(...endsOf(asked), caller);
      return { message: 'Successfully moved' };
    });
  }

  #copy(call: Call): Promise<Response> {
    return this.#withBody(call, async (caller, body) => {
      const asked = parse(copySchema, body);
      const mode = call.request.headers.get('x-upsert') === 'true' ? 'upsert' : 'insert';
      const changes = asked.copyMetadata ? null : (asked.metadata ?? null);
      return this.#uploads.copy(...endsOf(asked), mode, caller, changes);
    });
  }

  #remove(call: Call): Promise<Response> {
    return this.#asCaller(call, async (caller) => {
      const { bucket, name } = parseObjectKey(call.rest);
      const removed = await this.#objects.remove(bucket, [name], caller);
      if (removed.length === 0) throw new StorageError('NoSuchKey', 'Object not found');
      await this.#removeFiles(removed);
      return { message: 'Successfully deleted' };
    });
  }

  #removeSeveral(call: Call): Promise<Response> {
    return this.#withBody(call, async (caller, body) => {
      const { prefixes } = parse(removeSchema, body);
      const wanted = prefixes.map((one) => (typeof one === 'string' ? one : one.path));
      const removed = await this.#objects.remove(parseBucketName(call.rest), wanted, caller);
      await this.#removeFiles(removed);
      return removed;
    });
  }

  #updateBucket(call: Call): Promise<Response> {
    return this.#withBody(call, (caller, body) => this.#buckets.update(caller, parseBucketName(call.rest), body));
  }

  #emptyBucket(call: Call): Promise<Response> {
    return this.#asCaller(call, async (caller) => {
      const bucket = parseBucketName(call.rest);
      await this.#buckets.get(caller, bucket);
      await this.#removeFiles(await this.#objects.empty(bucket, caller));
      return { message: 'Successfully emptied' };
    });
  }

  #removeFiles(rows: readonly ObjectRow[]): Promise<void> {
    return this.#files.remove(rows.flatMap(({ version }) => version ?? []));
  }
}

function answerInfo(request: Request, object: ObjectRow): Response {
  const { id, name, version, bucket_id, metadata, user_metadata, created_at, updated_at } = object;
  const info = {
    id,
    name,
    version,
    bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    content_encoding: metadata?.contentEncoding ?? null,
    etag: metadata?.eTag ?? null,
    metadata: user_metadata,
    last_modified: metadata?.lastModified ?? updated_at,
    created_at,
  };
  const response = Response.json(info, { headers: { 'cache-control': 'no-store' } });
  return request.method === 'HEAD' ? new Response(null, response) : response;
}

function endsOf(asked: v.InferOutput<typeof moveSchema>): [from: ObjectKey, to: ObjectKey] {
  const { bucketId, sourceKey, destinationKey, destinationBucket } = asked;
  return [
    { bucket: bucketId, name: sourceKey },
    { bucket: checkBucketName(destinationBucket ?? bucketId), name: checkName(destinationKey) },
  ];
}

const notEnabled = () => new StorageError('FeatureNotEnabled', 'The feature is not enabled for this resource');

async function readJson(request: Request): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_JSON_BYTES)
      throw new StorageError('EntityTooLarge', 'The request exceeded the maximum allowed size');
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return body;
  } catch {
    throw invalidRequest('The body is no JSON.');
  }
}
