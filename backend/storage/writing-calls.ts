// The API calls that change objects: upload, copy, remove.
import * as v from 'valibot';
import { parseStorageBody } from './buckets.ts';
import { type Handler, withJsonBody } from './call.ts';
import { MAX_NAMES, checkBucketName, checkName, parseBucketName, parseObjectKey } from './object-key.ts';
import type { UploadMode } from './objects.ts';
import { storageNotImplemented } from './storage-error.ts';

const modeOf = ({ headers }: Request): UploadMode => (headers.get('x-upsert') === 'true' ? 'upsert' : 'insert');

export const upload: Handler = async ({ uploads, callerOf }, { request, rest }) => {
  const key = parseObjectKey(rest);
  return Response.json(await uploads.store(request, key, modeOf(request), await callerOf(request)));
};

const copySchema = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.nullish(v.string()),
  metadata: v.optional(v.unknown()),
  copyMetadata: v.optional(v.unknown()),
});

export const copy: Handler = withJsonBody(async ({ uploads }, { request }, caller, body) => {
  const { bucketId, sourceKey, destinationKey, destinationBucket, ...changes } = parseStorageBody(copySchema, body);
  if (Object.keys(changes).length > 0) throw storageNotImplemented('POST object/copy with metadata');
  const from = { bucket: bucketId, name: sourceKey };
  const to = { bucket: checkBucketName(destinationBucket ?? bucketId), name: checkName(destinationKey) };
  return uploads.copy(from, to, modeOf(request), caller);
});

const removeSchema = v.object({
  prefixes: v.pipe(
    v.array(v.union([v.string(), v.object({ path: v.string() })])),
    v.minLength(1),
    v.maxLength(MAX_NAMES),
  ),
});

export const removeSeveral: Handler = withJsonBody(async ({ objects, files }, { rest }, caller, body) => {
  const { prefixes } = parseStorageBody(removeSchema, body);
  const wanted = prefixes.map((one) => (typeof one === 'string' ? one : one.path));
  const removed = await objects.remove(parseBucketName(rest), wanted, caller);
  await files.remove(removed.flatMap(({ version }) => version ?? []));
  return removed;
});
