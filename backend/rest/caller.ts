// Identifies the caller of a REST request: the role and the claims that policies see, from the API key and the access
// token.
import { compactVerify, errors } from 'jose';
import * as v from 'valibot';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { checkApiKey } from '../keys/check-api-key.ts';
import type { Keys } from '../keys/keys.ts';
import { errorResponse, parseJson } from './postgrest-error.ts';

export type Caller = {
  readonly role: Role;
  /** `sub` of the token; '' without a token. */
  readonly subject: string;
  /** As JSON. */
  readonly claims: string;
};

/** The caller, or the answer that refuses the request. */
export type IdentifyCaller = (request: Request) => Promise<Result<Caller, Response>>;

const ROLES = ['anon', 'authenticated', 'service_role'] as const;
type Role = (typeof ROLES)[number];

type VerifiedToken = {
  readonly caller: Caller;
  readonly notBefore: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
};

/** Tokens whose signature was verified: each takes some 2 KB, and verifying one again takes half a millisecond. */
const MAX_TOKENS = 1_000;

/** `now` in milliseconds since 1970. */
export function callerIdentifier(keys: Keys, now: () => number = Date.now): IdentifyCaller {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  const verified = new Map<string, VerifiedToken>();

  async function verify(token: string): Promise<Result<Caller, Response>> {
    const known = verified.get(token);
    const found = known === undefined ? await verifyToken(token, secret) : ok(known);
    if (!found.ok) return found;
    const { caller, notBefore, issuedAt, expiresAt } = found.value;
    const seconds = Math.floor(now() / 1000);
    if (seconds >= expiresAt) {
      verified.delete(token);
      return refuseToken('PGRST303', 'JWT expired');
    }
    if (seconds < notBefore) return refuseToken('PGRST303', 'JWT not yet valid');
    if (seconds < issuedAt) return refuseToken('PGRST303', 'JWT issued at future');
    if (known === undefined) {
      // The oldest one expires first.
      const [oldest] = verified.keys();
      if (verified.size >= MAX_TOKENS && oldest !== undefined) verified.delete(oldest);
      verified.set(token, found.value);
    }
    return ok(caller);
  }

  return async ({ headers, url }) => {
    const key = checkApiKey(keys, headers, new URL(url));
    if (!key.ok) return key;
    const token = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trim();
    // supabase-js sends the key as the token too while nobody is signed in.
    if (token === undefined || token.startsWith('sb_')) return ok(withoutToken(key.value));
    return verify(token);
  };
}

const withoutToken = (role: Role): Caller => ({ role, subject: '', claims: JSON.stringify({ role }) });

const claimsSchema = v.object({
  role: v.optional(v.string(), 'anon'),
  sub: v.optional(v.unknown()),
  nbf: v.optional(v.number(), 0),
  iat: v.optional(v.number(), 0),
  exp: v.optional(v.number(), Number.POSITIVE_INFINITY),
});

async function verifyToken(token: string, secret: Uint8Array): Promise<Result<VerifiedToken, Response>> {
  const parts = token.split('.').length;
  if (parts !== 3) return refuseToken('PGRST301', `Expected 3 parts in JWT; got ${parts}`);
  try {
    const { payload } = await compactVerify(token, secret, { algorithms: ['HS256'] });
    const claims = new TextDecoder().decode(payload);
    const parsed = v.safeParse(claimsSchema, parseJson(claims));
    if (!parsed.success) return refuseToken('PGRST303', 'The JWT claims are malformed');
    const { sub, nbf, iat, exp } = parsed.output;
    const role = ROLES.find((one) => one === parsed.output.role);
    if (role === undefined) return err(forbiddenRole(parsed.output.role));
    const subject = typeof sub === 'string' ? sub : '';
    return ok({ caller: { role, subject, claims }, notBefore: nbf, issuedAt: iat, expiresAt: exp });
  } catch (error) {
    return error instanceof errors.JWSSignatureVerificationFailed
      ? refuseToken('PGRST301', 'No suitable key or wrong key type', 'None of the keys was able to decode the JWT')
      : refuseToken('PGRST301', 'JWT cryptographic operation failed');
  }
}

const refuseToken = (code: string, message: string, details: string | null = null): Result<never, Response> =>
  err(
    errorResponse(
      401,
      { code, message, details, hint: null },
      { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    ),
  );

const forbiddenRole = (role: string): Response =>
  errorResponse(403, {
    code: '42501',
    message: `permission denied to set role "${role}"`,
    details: null,
    hint: null,
  });
