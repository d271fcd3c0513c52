// The API calls for buckets.
import { type Handler, asCaller, withJsonBody } from './call.ts';
import { parseBucketName } from './object-key.ts';

export const listBuckets: Handler = asCaller(({ buckets }, { url }, caller) => buckets.list(caller, url.searchParams));

export const createBucket: Handler = withJsonBody(({ buckets }, _call, caller, body) => buckets.create(caller, body));

export const getBucket: Handler = asCaller(({ buckets }, { rest }, caller) =>
  buckets.get(caller, parseBucketName(rest)),
);
