// The API of the embedded backend: Storage is ours; the rest is lite behind all the repairs that work on requests and answers.
import type { App } from '@supabase/lite';
import type { Engine } from './engine.ts';
import { anonymousSignIn } from './lite/anonymous-sign-in.ts';
import { attemptLimit } from './lite/attempt-limit.ts';
import { type Fetch, type Repair, pathOf } from './lite/fetch.ts';
import { jwtClaims } from './lite/jwt-claims.ts';
import { emailOtpType } from './lite/otp-type.ts';

export type ApiParts = {
  readonly app: App;
  readonly pg: Engine;
  readonly jwtSecret: string;
  readonly redirectLinks: Repair;
  readonly storage: (request: Request) => Promise<Response>;
  /** Where people reach this backend, "http://127.0.0.1:4400". */
  readonly origin: () => string;
};

const STORAGE_PATH = /^\/storage\/v1(?:\/|$)/;

export function createApi({ app, pg, jwtSecret, redirectLinks, storage, origin }: ApiParts): Fetch {
  const claims = jwtClaims({ pg, jwtSecret, issuer: () => `${origin()}/auth/v1` });
  const guests = anonymousSignIn({ pg, jwtSecret });
  const lite: Fetch = (request, peerAddress) => app.fetch(request, { peerAddress });
  const repairs = [attemptLimit(), claims, guests, emailOtpType, redirectLinks];
  // The first one sees a request first and its answer last.
  const rest = repairs.reduceRight((next, repair) => repair(next), lite);
  return (request, peerAddress) => (STORAGE_PATH.test(pathOf(request)) ? storage(request) : rest(request, peerAddress));
}
