// The API of the embedded backend: lite behind all the repairs that work on requests and answers.
import type { App } from '@supabase/lite';
import type { Engine } from './engine.ts';
import { anonymousSignIn } from './lite/anonymous-sign-in.ts';
import { attemptLimit } from './lite/attempt-limit.ts';
import type { Fetch, Repair } from './lite/fetch.ts';
import { jwtClaims } from './lite/jwt-claims.ts';
import { emailOtpType } from './lite/otp-type.ts';
import { storageResponses } from './lite/storage-responses.ts';
import { storageTokens } from './lite/storage-tokens.ts';
import { storageUploads } from './lite/storage-uploads.ts';

export type ApiParts = {
  readonly app: App;
  readonly pg: Engine;
  readonly jwtSecret: string;
  readonly redirectLinks: Repair;
  /** Where people reach this backend, "http://127.0.0.1:4400". */
  readonly origin: () => string;
};

export function createApi({ app, pg, jwtSecret, redirectLinks, origin }: ApiParts): Fetch {
  const claims = jwtClaims({ pg, jwtSecret, issuer: () => `${origin()}/auth/v1` });
  const guests = anonymousSignIn({ pg, jwtSecret });
  const lite: Fetch = (request, peerAddress) => app.fetch(request, { peerAddress });
  const signedFiles = storageTokens(jwtSecret);
  const repairs = [
    attemptLimit(),
    claims,
    guests,
    emailOtpType,
    redirectLinks,
    signedFiles,
    storageResponses,
    storageUploads,
  ];
  // The first one sees a request first and its answer last.
  return repairs.reduceRight((next, repair) => repair(next), lite);
}
