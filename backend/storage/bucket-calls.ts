// The API calls for buckets.
import { type Answer, asCaller, withBody } from './call.ts';
import { parseBucketName } from './object-key.ts';

export const listBuckets: Answer = asCaller(({ buckets }, { url }, caller) => buckets.list(caller, url.searchParams));

export const createBucket: Answer = withBody(({ buckets }, _call, caller, body) => buckets.create(caller, body));

export const getBucket: Answer = asCaller(({ buckets }, { rest }, caller) =>
  buckets.get(caller, parseBucketName(rest)),
);
