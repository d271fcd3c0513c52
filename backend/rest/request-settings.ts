// The settings under which a request's statement runs: the caller's role and claims, for policies and `auth.uid()`, and
// the request itself, which PostgREST offers to functions.
import type { Settings } from '../engine.ts';
import type { RestCaller } from './caller.ts';

/**
 * `path` as PostgREST sees it: "/rpc/name", "/table". A setting that `role` may not change would have to stand before
 * it.
 */
export const settingsFor = (request: Request, { role, subject, claims }: RestCaller, path: string): Settings => ({
  role,
  'request.jwt.claims': claims,
  // Older functions read these two.
  'request.jwt.claim.sub': subject,
  'request.jwt.claim.role': role,
  'request.method': request.method,
  'request.path': path,
  'request.headers': JSON.stringify(Object.fromEntries(request.headers)),
});
