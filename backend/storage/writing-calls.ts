// The API calls that change objects: upload, signing an upload URL, move, copy, remove.
import * as v from 'valibot';
import { parse } from './buckets.ts';
import { type Answer, asCaller, withBody } from './call.ts';
import {
  MAX_NAMES,
  type ObjectKey,
  checkBucketName,
  checkName,
  parseBucketName,
  parseObjectKey,
} from './object-key.ts';
import type { UploadMode } from './objects.ts';
import { noSuchKey } from './storage-error.ts';

const store =
  (modeOf: (request: Request) => UploadMode): Answer =>
  async ({ uploads, callerOf }, { request, rest }) => {
    const key = parseObjectKey(rest);
    return Response.json(await uploads.store(request, key, modeOf(request), await callerOf(request)));
  };

const isUpsert = ({ headers }: Request): boolean => headers.get('x-upsert') === 'true';

export const upload: Answer = store((request) => (isUpsert(request) ? 'upsert' : 'insert'));

export const update: Answer = store(() => 'update');

export const signUpload: Answer = asCaller(async ({ buckets, objects, signer }, { request, rest }, caller) => {
  const key = parseObjectKey(rest);
  const upsert = isUpsert(request);
  await buckets.rulesOf(key.bucket);
  await objects.probeWrite(key, upsert ? 'upsert' : 'insert', caller, 'storage.object.sign_upload_url');
  return signer.uploadPath(key, { upsert, owner: caller.userId });
});

export const uploadSigned: Answer = async ({ signer, uploads }, { request, url, rest }) => {
  const key = parseObjectKey(rest);
  const grant = await signer.checkUpload(key, url.searchParams.get('token'));
  return Response.json(await uploads.storeGranted(request, key, grant));
};

const moveSchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.nullish(v.string()),
});

export const move: Answer = withBody(async ({ objects }, _call, caller, body) => {
  await objects.move(...sourceAndTarget(parse(moveSchema, body)), caller);
  return { message: 'Successfully moved' };
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

export const copy: Answer = withBody(async ({ uploads }, { request }, caller, body) => {
  const input = parse(copySchema, body);
  const changes = input.copyMetadata ? null : (input.metadata ?? null);
  return uploads.copy(...sourceAndTarget(input), isUpsert(request) ? 'upsert' : 'insert', caller, changes);
});

function sourceAndTarget(input: v.InferOutput<typeof moveSchema>): [from: ObjectKey, to: ObjectKey] {
  const { bucketId, sourceKey, destinationKey, destinationBucket } = input;
  return [
    { bucket: bucketId, name: sourceKey },
    { bucket: checkBucketName(destinationBucket ?? bucketId), name: checkName(destinationKey) },
  ];
}

export const remove: Answer = asCaller(async ({ objects, files }, { rest }, caller) => {
  const { bucket, name } = parseObjectKey(rest);
  const removed = await objects.remove(bucket, [name], caller);
  if (removed.length === 0) throw noSuchKey();
  await files.remove(removed.flatMap(({ version }) => version ?? []));
  return { message: 'Successfully deleted' };
});

const removeSchema = v.object({
  prefixes: v.pipe(
    v.array(v.union([v.string(), v.object({ path: v.string() })])),
    v.minLength(1),
    v.maxLength(MAX_NAMES),
  ),
});

export const removeSeveral: Answer = withBody(async ({ objects, files }, { rest }, caller, body) => {
  const { prefixes } = parse(removeSchema, body);
  const wanted = prefixes.map((one) => (typeof one === 'string' ? one : one.path));
  const removed = await objects.remove(parseBucketName(rest), wanted, caller);
  await files.remove(removed.flatMap(({ version }) => version ?? []));
  return removed;
});
