// Routes requests below /storage/v1 like the hosted service and turns errors into its answers. Decides no permissions;
// policies in the database do.
import { inspect } from 'node:util';
import { type Handler, type StorageParts, StorageServices, asCaller, withJsonBody } from './call.ts';
import { Unauthenticated } from './caller.ts';
import { parseBucketName } from './object-key.ts';
import * as reading from './reading-calls.ts';
import { StorageError, asStorageError, storageNotImplemented } from './storage-error.ts';
import * as writing from './writing-calls.ts';

type Route = readonly [methods: string, path: RegExp, handler: Handler];

/**
 * The calls that Weft's app, tests and tools make. The first match counts; its capture group is the call's `rest`. Calls that
 * a lookahead leaves out answer 501.
 */
const ROUTES: readonly Route[] = [
  ['POST', /^object\/list\/([^/]+)$/, reading.list],
  ['POST', /^object\/copy$/, writing.copy],
  ['DELETE', /^object\/([^/]+)$/, writing.removeSeveral],
  ['GET HEAD', /^object\/authenticated\/(.+)$/, reading.download],
  ['GET HEAD', /^object\/(?!(?:info|public|sign)\/)(.+)$/, reading.download],
  ['POST', /^object\/(?!(?:list-v2|sign|upload\/sign)\/|move$)(.+)$/, writing.upload],
  ['GET', /^bucket\/?$/, asCaller(({ buckets }, { url }, caller) => buckets.list(caller, url.searchParams))],
  ['POST', /^bucket\/?$/, withJsonBody(({ buckets }, _call, caller, body) => buckets.create(caller, body))],
  ['GET', /^bucket\/([^/]+)$/, asCaller(({ buckets }, { rest }, caller) => buckets.get(caller, parseBucketName(rest)))],
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
      for (const [methods, pattern, handler] of ROUTES) {
        const match = methods.split(' ').includes(request.method) ? pattern.exec(path) : null;
        if (match !== null) return await handler(this.#services, { request, url, rest: match[1] ?? '' });
      }
      throw storageNotImplemented(`${request.method} ${url.pathname.slice(0, 200)}`);
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
  // The client has hung up while sending; no one reads the answer.
  if (request.signal.aborted) return new Response(null, { status: 400 });
  process.stderr.write(`${request.method} ${new URL(request.url).pathname}: ${inspect(error)}\n`);
  return new StorageError('DatabaseError', 'Internal server error').toResponse();
}
