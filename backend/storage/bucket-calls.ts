// The API calls for buckets.
import { type Answer, asCaller, withBody } from './call.ts';
import { parseBucketName } from './object-key.ts';

export const listBuckets: Answer = asCaller(({ buckets }, { url }, caller) => buckets.list(caller, url.searchParams));

export const createBucket: Answer = withBody(({ buckets }, _call, caller, body) => buckets.create(caller, body));

export const getBucket: Answer = asCaller(({ buckets }, { rest }, caller) =>
  buckets.get(caller, parseBucketName(rest)),
);

export const updateBucket: Answer = withBody(({ buckets }, { rest }, caller, body) =>
  buckets.update(caller, parseBucketName(rest), body),
);

export const emptyBucket: Answer = asCaller(async ({ buckets, objects, files }, { rest }, caller) => {
  const bucket = parseBucketName(rest);
  await buckets.get(caller, bucket);
  const removed = await objects.empty(bucket, caller);
  await files.remove(removed.flatMap(({ version }) => version ?? []));
  return { message: 'Successfully emptied' };
});

export const deleteBucket: Answer = asCaller(({ buckets }, { rest }, caller) =>
  buckets.delete(caller, parseBucketName(rest)),
);
