// The API calls that read objects: download, info, lists, and signed URLs, which work without a key.
import * as v from 'valibot';
import { parse } from './buckets.ts';
import { type Answer, type StorageServices, withBody } from './call.ts';
import type { Caller } from './caller.ts';
import { answerObject } from './download.ts';
import { listFolder, listPage } from './listing.ts';
import { MAX_NAMES, type ObjectKey, parseBucketName, parseObjectKey } from './object-key.ts';
import type { ObjectRow } from './objects.ts';
import { noSuchBucket } from './storage-error.ts';

/** In a public bucket everybody with a key may read; elsewhere the policies decide. */
export const open: Answer = async (storage, { request, url, rest }) => {
  const caller = await storage.callerOf(request);
  const object = await findFor(storage, parseObjectKey(rest), caller, 'storage.object.get_authenticated');
  return answerObject(request, object, storage.files, url.searchParams.get('download'));
};

export const openPublic: Answer = async (storage, { request, url, rest }) => {
  const object = await findPublic(storage, parseObjectKey(rest));
  return answerObject(request, object, storage.files, url.searchParams.get('download'));
};

export const openSigned: Answer = async ({ signer, objects, files }, { request, url, rest }) => {
  const key = parseObjectKey(rest);
  await signer.checkDownload(key, url.searchParams.get('token'));
  const object = await objects.find(key, null, 'storage.object.get_signed');
  return answerObject(request, object, files, url.searchParams.get('download'));
};

export const info: Answer = async (storage, { request, rest }) => {
  const caller = await storage.callerOf(request);
  return answerInfo(request, await findFor(storage, parseObjectKey(rest), caller, 'storage.object.info'));
};

export const publicInfo: Answer = async (storage, { request, rest }) =>
  answerInfo(request, await findPublic(storage, parseObjectKey(rest)));

export const list: Answer = withBody(({ engine }, { rest }, caller, body) =>
  listFolder(engine, parseBucketName(rest), caller, body),
);

export const listByPage: Answer = withBody(({ engine }, { rest }, caller, body) =>
  listPage(engine, parseBucketName(rest), caller, body),
);

const signSchema = v.object({ expiresIn: v.number() });

export const sign: Answer = withBody(async ({ objects, signer }, { rest }, caller, body) => {
  const key = parseObjectKey(rest);
  const { expiresIn } = parse(signSchema, body);
  await objects.find(key, caller, 'storage.object.sign');
  return { signedURL: await signer.downloadPath(key, expiresIn) };
});

const signSeveralSchema = v.object({
  expiresIn: v.number(),
  paths: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_NAMES)),
});

export const signSeveral: Answer = withBody(async ({ objects, signer }, { rest }, caller, body) => {
  const bucket = parseBucketName(rest);
  const { expiresIn, paths } = parse(signSeveralSchema, body);
  const visible = await objects.visible(bucket, paths, caller);
  return Promise.all(
    paths.map(async (path) =>
      visible.has(path)
        ? { path, signedURL: await signer.downloadPath({ bucket, name: path }, expiresIn), error: null }
        : { path, signedURL: null, error: 'Either the object does not exist or you do not have access to it' },
    ),
  );
});

async function findFor(
  { buckets, objects }: StorageServices,
  key: ObjectKey,
  caller: Caller,
  operation: string,
): Promise<ObjectRow> {
  const { public: isPublic } = await buckets.rulesOf(key.bucket);
  return objects.find(key, isPublic ? null : caller, operation);
}

async function findPublic({ buckets, objects }: StorageServices, key: ObjectKey): Promise<ObjectRow> {
  const { public: isPublic } = await buckets.rulesOf(key.bucket);
  // The same answer as for a bucket that does not exist.
  if (!isPublic) throw noSuchBucket();
  return objects.find(key, null, 'storage.object.get_public');
}

function answerInfo(request: Request, object: ObjectRow): Response {
  const { id, name, version, bucket_id, metadata, user_metadata, created_at, updated_at } = object;
  const body = {
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
  const response = Response.json(body, { headers: { 'cache-control': 'no-store' } });
  return request.method === 'HEAD' ? new Response(null, response) : response;
}
