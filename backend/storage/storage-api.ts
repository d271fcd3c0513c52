// Routes requests below /storage/v1 like the hosted service and turns errors into its answers. Decides no permissions;
// policies in the database do.
import { inspect } from 'node:util';
import * as buckets from './bucket-calls.ts';
import { type Answer, type StorageParts, StorageServices, asCaller } from './call.ts';
import { Unauthenticated } from './caller.ts';
import * as reading from './reading-calls.ts';
import { StorageError, asStorageError } from './storage-error.ts';
import * as writing from './writing-calls.ts';

const notEnabled: Answer = () =>
  Promise.reject(new StorageError('FeatureNotEnabled', 'The feature is not enabled for this resource'));

/** The first match counts; the group in brackets becomes `rest` of the call. */
const ROUTES: readonly (readonly [methods: string, path: RegExp, answer: Answer])[] = [
  ['GET HEAD', /^object\/info\/public\/(.+)$/, reading.publicInfo],
  ['GET HEAD', /^object\/info\/(?:authenticated\/)?(.+)$/, reading.info],
  ['GET HEAD', /^object\/public\/(.+)$/, reading.openPublic],
  ['PUT', /^object\/upload\/sign\/(.+)$/, writing.uploadSigned],
  ['POST', /^object\/upload\/sign\/(.+)$/, writing.signUpload],
  ['GET HEAD', /^object\/sign\/(.+)$/, reading.openSigned],
  ['POST', /^object\/sign\/([^/]+)$/, reading.signSeveral],
  ['POST', /^object\/sign\/(.+)$/, reading.sign],
  ['POST', /^object\/list\/([^/]+)$/, reading.list],
  ['POST', /^object\/list-v2\/([^/]+)$/, reading.listByPage],
  ['POST', /^object\/move$/, writing.move],
  ['POST', /^object\/copy$/, writing.copy],
  ['DELETE', /^object\/([^/]+)$/, writing.removeSeveral],
  ['DELETE', /^object\/(.+\/.+)$/, writing.remove],
  ['GET HEAD', /^object\/(?:authenticated\/)?(.+)$/, reading.open],
  ['POST', /^object\/(.+)$/, writing.upload],
  ['PUT', /^object\/(.+)$/, writing.update],
  ['GET', /^bucket\/?$/, buckets.listBuckets],
  ['POST', /^bucket\/?$/, buckets.createBucket],
  ['GET', /^bucket\/([^/]+)$/, buckets.getBucket],
  ['PUT', /^bucket\/([^/]+)$/, buckets.updateBucket],
  ['POST', /^bucket\/([^/]+)\/empty$/, buckets.emptyBucket],
  ['DELETE', /^bucket\/([^/]+)$/, buckets.deleteBucket],
  ['DELETE', /^cdn\/.+$/, asCaller(async () => ({ message: 'success' }))],
  ['GET', /^(?:render|bucket\/[^/]+\/lifecycle)/, notEnabled],
  ['GET', /^(?:status|health)$/, async () => Response.json({ healthy: true })],
];

export class StorageApi {
  readonly #services: StorageServices;

  constructor(parts: StorageParts) {
    this.#services = new StorageServices(parts);
  }

  /** The path must begin with /storage/v1. */
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/storage\/v1\/?/, '');
    try {
      for (const [methods, form, answer] of ROUTES) {
        const match = methods.split(' ').includes(request.method) ? form.exec(path) : null;
        if (match !== null) return await answer(this.#services, { request, url, rest: match[1] ?? '' });
      }
      throw new StorageError('NoSuchRoute', `Route ${request.method}:${url.pathname.slice(0, 200)} not found`);
    } catch (error) {
      return refuse(request, error);
    }
  }
}

function refuse(request: Request, error: unknown): Response {
  const known = asStorageError(error);
  if (known instanceof Unauthenticated) return known.toResponse();
  if (known instanceof StorageError) {
    if (known.code === 'StorageFull') process.stderr.write(`${request.method} storage: ${known.message}\n`);
    const response = known.toResponse();
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }
  // The client has hung up while sending; nobody reads the answer.
  if (request.signal.aborted) return new Response(null, { status: 400 });
  process.stderr.write(`${request.method} ${new URL(request.url).pathname}: ${inspect(error)}\n`);
  return new StorageError('DatabaseError', 'Internal server error').toResponse();
}
