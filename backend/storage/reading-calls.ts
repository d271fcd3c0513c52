// The API calls that read objects: download and list.
import { type Handler, withJsonBody } from './call.ts';
import { answerObject } from './download.ts';
import { listFolder } from './listing.ts';
import { parseBucketName, parseObjectKey } from './object-key.ts';

/** In a public bucket everyone with a key may read; elsewhere the policies decide. */
export const download: Handler = async ({ buckets, objects, files, callerOf }, { request, url, rest }) => {
  const caller = await callerOf(request);
  const key = parseObjectKey(rest);
  const { public: isPublic } = await buckets.rulesOf(key.bucket);
  const object = await objects.find(key, isPublic ? null : caller, 'storage.object.get_authenticated');
  return answerObject(request, object, files, url.searchParams.get('download'));
};

export const list: Handler = withJsonBody(({ engine }, { rest }, caller, body) =>
  listFolder(engine, parseBucketName(rest), caller, body),
);
