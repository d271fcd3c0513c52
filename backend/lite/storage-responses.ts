// Gap: @supabase/lite 0.10.0 answers Storage's signing calls in another form than storage-js reads (`signedUrl` with the
// /storage/v1 prefix instead of `signedURL` and `url` without), lacks the call that signs several paths at once, and
// lists whole paths where storage-js expects names below the prefix.
import * as v from 'valibot';
import { type Fetch, type Repair, jsonOf, withBody, withJson } from './fetch.ts';

const CALL = /^\/storage\/v1\/object\/(upload\/sign|sign|list)\/([^/]+)(?:\/(.+))?$/;

const signedSchema = v.looseObject({ signedUrl: v.string() });
const refusedSchema = v.looseObject({ message: v.string() });
const batchSchema = v.object({ expiresIn: v.number(), paths: v.array(v.string()) });
const listSchema = v.looseObject({ prefix: v.optional(v.nullable(v.string())) });
const objectsSchema = v.array(v.looseObject({ name: v.string() }));

export const storageResponses: Repair = (next) => async (request, peerAddress) => {
  const [, call, bucket, path] = request.method === 'POST' ? (CALL.exec(new URL(request.url).pathname) ?? []) : [];
  if (call === undefined || bucket === undefined) return next(request, peerAddress);
  if (call === 'sign' && path === undefined) return signSeveral(next, request, peerAddress, bucket);
  const asked = await jsonOf(request);
  const response = await next(request, peerAddress);
  if (!response.ok) return response;
  return call === 'list' ? withNamesBelowPrefix(response, asked) : withSignedPath(response);
};

const relative = (signedUrl: string): string => signedUrl.replace(/^\/storage\/v1/, '');

async function withSignedPath(response: Response): Promise<Response> {
  const signed = v.safeParse(signedSchema, await jsonOf(response));
  if (!signed.success) return response;
  const path = relative(signed.output.signedUrl);
  return withJson(response, { ...signed.output, signedURL: path, url: path });
}

async function signSeveral(
  next: Fetch,
  request: Request,
  peerAddress: string | null,
  bucket: string,
): Promise<Response> {
  const batch = v.safeParse(batchSchema, await jsonOf(request));
  if (!batch.success) return next(request, peerAddress);
  const { paths, expiresIn } = batch.output;
  const signed = await Promise.all(
    paths.map(async (path) => {
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      const url = new URL(`/storage/v1/object/sign/${bucket}/${encoded}`, request.url);
      const response = await next(withBody(new Request(url, request.clone()), { expiresIn }), peerAddress);
      const answer = await jsonOf(response);
      const good = v.safeParse(signedSchema, answer);
      if (good.success) return { path, signedURL: relative(good.output.signedUrl), error: null };
      const bad = v.safeParse(refusedSchema, answer);
      return {
        path,
        signedURL: null,
        error: bad.success ? bad.output.message : 'Either the object does not exist or you do not have access to it',
      };
    }),
  );
  return Response.json(signed);
}

async function withNamesBelowPrefix(response: Response, query: unknown): Promise<Response> {
  const asked = v.safeParse(listSchema, query);
  const objects = v.safeParse(objectsSchema, await jsonOf(response));
  const prefix = (asked.success && asked.output.prefix) || '';
  if (!objects.success || prefix === '') return response;
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`;
  const named = objects.output.map((object) => ({
    ...object,
    name: object.name.startsWith(folder) ? object.name.slice(folder.length) : object.name,
  }));
  return withJson(response, named);
}
