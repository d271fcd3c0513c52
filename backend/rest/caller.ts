// Identifies the caller of a REST request: the role and the claims that policies see, from the API key and the access
// token. Remembers tokens that it has verified.
import { BoundedMap } from '../../src/lib/lists/bounded-map.ts';
import { type Result, ok } from '../../src/lib/result.ts';
import type { ApiRole } from '../keys/api-roles.ts';
import { checkApiKey } from '../keys/check-api-key.ts';
import type { Keys } from '../keys/keys.ts';
import { type AccessToken, type IsRole, refuseToken, verifyAccessToken } from './access-token.ts';

export type RestCaller = {
  readonly role: ApiRole;
  /** `sub` of the token; '' without one. */
  readonly subject: string;
  /** As JSON. */
  readonly claims: string;
};

/** The caller, or the answer that refuses the request. */
export type IdentifyCaller = (request: Request) => Promise<Result<RestCaller, Response>>;

/** Clocks may differ by this much, as with PostgREST. */
const SKEW_SECONDS = 30;

/** Tokens whose signature was verified: each takes some 2 KB, and verifying one again takes half a millisecond. */
const MAX_TOKENS = 1_000;

/** `now` in milliseconds since 1970. */
export function callerIdentifier(keys: Keys, isRole: IsRole, now: () => number = Date.now): IdentifyCaller {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const verified = new BoundedMap<string, AccessToken>(MAX_TOKENS);

  async function verify(token: string): Promise<Result<RestCaller, Response>> {
    const known = verified.get(token);
    const found = known === undefined ? await verifyAccessToken(token, secret, isRole) : ok(known);
    if (!found.ok) return found;
    const { role, subject, claims, notBefore, issuedAt, expiresAt } = found.value;
    const seconds = Math.floor(now() / 1000);
    if (seconds > expiresAt + SKEW_SECONDS) {
      verified.delete(token);
      return refuseToken('PGRST303', 'JWT expired');
    }
    if (seconds < notBefore - SKEW_SECONDS) return refuseToken('PGRST303', 'JWT not yet valid');
    if (seconds < issuedAt - SKEW_SECONDS) return refuseToken('PGRST303', 'JWT issued at future');
    // A full map drops its oldest token, which as a rule expires first.
    if (known === undefined) verified.set(token, found.value);
    return ok({ role, subject, claims });
  }

  return async ({ headers, url }) => {
    const key = checkApiKey(keys, headers, new URL(url));
    if (!key.ok) return key;
    const authorization = headers.get('authorization') ?? '';
    if (/^Bearer\s*$/i.test(authorization)) return refuseToken('PGRST301', 'Empty JWT is sent in Authorization header');
    const token = /^Bearer\s+(.+)$/i.exec(authorization)?.[1]?.trim();
    // supabase-js sends the key as the token too while no one is signed in.
    if (token === undefined || token.startsWith('sb_')) return ok(withoutToken(key.value));
    return verify(token);
  };
}

const withoutToken = (role: ApiRole): RestCaller => ({ role, subject: '', claims: JSON.stringify({ role }) });
