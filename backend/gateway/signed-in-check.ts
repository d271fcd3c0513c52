// Tells a signed-in person and the secret key from a caller who has only the public key, which everyone can read in the app.
// It decides how much a body may hold; the services decide what the caller may do.
import type { IncomingMessage } from 'node:http';
import { compactVerify } from 'jose';
import * as v from 'valibot';
import { BoundedMap } from '../../src/lib/lists/bounded-map.ts';
import { parseJsonOrNull } from '../../src/lib/parse-or-null.ts';
import { isApiRole } from '../keys/api-roles.ts';
import { bearerOf } from '../keys/bearer.ts';
import type { Keys } from '../keys/keys.ts';

export type SignedInCheck = (incoming: IncomingMessage) => Promise<boolean>;

const claimsSchema = v.object({ role: v.string() });

/** A token is about 1 kB. */
const MAX_KNOWN_TOKENS = 1_000;

export function signedInCheck(keys: Pick<Keys, 'jwtSecret' | 'serviceRoleKey'>): SignedInCheck {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  /** Verified tokens: of signed-in people, or of the service role. */
  const known = new BoundedMap<string, true>(MAX_KNOWN_TOKENS);

  /** An expired token counts too: the service answers 401, and the client gets a new one and tries again. */
  async function isSignedInToken(token: string): Promise<boolean> {
    if (known.has(token)) return true;
    try {
      const { payload } = await compactVerify(token, secret, { algorithms: ['HS256', 'HS384', 'HS512'] });
      const claims = parseJsonOrNull(claimsSchema, new TextDecoder().decode(payload));
      if (claims === null || !isApiRole(claims.role) || claims.role === 'anon') return false;
    } catch {
      return false;
    }
    known.set(token, true);
    return true;
  }

  return async ({ headers: { apikey, authorization } }) => {
    for (const key of [bearerOf(authorization), apikey]) {
      if (typeof key !== 'string') continue;
      // A key that begins with `sb_` is no token.
      if (key === keys.serviceRoleKey || (!key.startsWith('sb_') && (await isSignedInToken(key)))) return true;
    }
    return false;
  };
}
