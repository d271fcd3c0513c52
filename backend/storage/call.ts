// A request to Storage, the services that handle it, and two wrappers for handlers: one that identifies the caller, one
// that also reads a JSON body.
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import { Buckets } from './buckets.ts';
import { type FindCaller, type StorageCaller, createCallerFinder } from './caller.ts';
import type { FileStore } from './file-store.ts';
import { Objects } from './objects.ts';
import { StorageError, invalidRequest } from './storage-error.ts';
import { ObjectUploads } from './uploads.ts';

export type StorageParts = { readonly engine: Engine; readonly files: FileStore; readonly keys: Keys };

export class StorageServices {
  readonly engine: Engine;
  readonly files: FileStore;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly uploads: ObjectUploads;
  readonly callerOf: FindCaller;

  constructor({ engine, files, keys }: StorageParts) {
    this.engine = engine;
    this.files = files;
    this.buckets = new Buckets(engine);
    this.objects = new Objects(engine);
    this.uploads = new ObjectUploads({ buckets: this.buckets, objects: this.objects, files });
    this.callerOf = createCallerFinder(keys);
  }
}

export type StorageCall = {
  readonly request: Request;
  readonly url: URL;
  /** The rest of the path after the route, still percent-encoded. */
  readonly rest: string;
};

export type Handler = (storage: StorageServices, call: StorageCall) => Promise<Response>;

export const asCaller =
  (handle: (storage: StorageServices, call: StorageCall, caller: StorageCaller) => Promise<unknown>): Handler =>
  async (storage, call) =>
    Response.json(await handle(storage, call, await storage.callerOf(call.request)));

export const withJsonBody =
  (
    handle: (storage: StorageServices, call: StorageCall, caller: StorageCaller, body: unknown) => Promise<unknown>,
  ): Handler =>
  async (storage, call) => {
    const caller = await storage.callerOf(call.request);
    return Response.json(await handle(storage, call, caller, await readJson(call.request)));
  };

/** Enough for a thousand names of a thousand characters. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;

async function readJson(request: Request): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > MAX_JSON_BYTES)
      throw new StorageError('EntityTooLarge', 'The request exceeded the maximum allowed size');
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return body;
  } catch {
    throw invalidRequest('The body is not JSON.');
  }
}
