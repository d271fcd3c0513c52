// The API of the embedded backend: Storage and Auth are ours; the rest is lite behind all the repairs that work on requests
// and answers.
import type { App } from '@supabase/lite';
import type { Auth } from './auth/auth.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { type Fetch, type Repair, pathOf } from './http/fetch.ts';
import { listening } from './lite/quiet-log.ts';
import { readablePath } from './rest/readable-path.ts';

export type ApiParts = {
  readonly app: App;
  readonly auth: Auth;
  /** Calls of functions, as far as they are plain. */
  readonly rpc: Repair;
  /** What is written to tables. */
  readonly tableBodies: Repair;
  readonly storage: (request: Request) => Promise<Response>;
};

const STORAGE_PATH = /^\/storage\/v1(?:\/|$)/;

export function createApi({ app, auth, rpc, storage, tableBodies }: ApiParts): Fetch {
  const lite: Fetch = listening((request, peerAddress) => app.fetch(request, { peerAddress }));
  const repairs = [rpc, tableBodies, readablePath, authRoutes(auth)];
  // The first one sees a request first and its answer last.
  const rest = repairs.reduceRight((next, repair) => repair(next), lite);
  return (request, peerAddress) => (STORAGE_PATH.test(pathOf(request)) ? storage(request) : rest(request, peerAddress));
}
