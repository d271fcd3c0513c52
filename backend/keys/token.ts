// Verifies access tokens and API keys and returns the identity that policies see. The texts of refusals are, but for
// one, those of Supabase Realtime, word for word.
import { errors, jwtVerify } from 'jose';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { type ApiRole, isApiRole } from './api-roles.ts';
import type { Keys } from './keys.ts';

export type TokenIdentity = {
  readonly role: ApiRole;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970; null for `sb_…` keys, which do not expire. */
  readonly expiresAt: number | null;
};

export type TokenProblem = {
  /** The body of the answer to a refused handshake. */
  readonly atHandshake: string;
  /** The reason of a refused join. */
  readonly atJoin: string;
  /** The system message that closes a channel. */
  readonly onChannel: string;
};

export type VerifyToken = (token: string) => Promise<Result<TokenIdentity, TokenProblem>>;

export function createTokenVerifier(keys: Keys): VerifyToken {
  const secret = new TextEncoder().encode(keys.jwtSecret);
  return async (token) => {
    if (isApiKey(token)) return apiKeyIdentity(token, keys);
    try {
      const { payload } = await jwtVerify(token.replaceAll(/\s/g, ''), secret, {
        algorithms: ['HS256', 'HS384', 'HS512'],
      });
      const role = payload['role'];
      if (typeof role !== 'string' || payload.exp === undefined) return err(MISSING_CLAIMS);
      if (!isApiRole(role)) return err(WRONG_ROLE);
      return ok({ role, claims: payload, expiresAt: payload.exp });
    } catch (error) {
      if (error instanceof errors.JWTExpired) return err(expired(error.payload.exp ?? 0));
      if (error instanceof errors.JWSSignatureVerificationFailed) return err(WRONG_SIGNATURE);
      return err(MALFORMED);
    }
  };
}

/** An `sb_…` key is not a token: on a channel it stands for the key with which the socket was opened. */
export const isApiKey = (token: string) => token.startsWith('sb_');

export function expired(expiresAt: number): TokenProblem {
  const onChannel = `Token has expired ${Math.max(0, Math.floor(Date.now() / 1000) - expiresAt)} seconds ago`;
  return { atHandshake: 'Token has expired', atJoin: `InvalidJWTToken: ${onChannel}`, onChannel };
}

function apiKeyIdentity(key: string, keys: Keys): Result<TokenIdentity, TokenProblem> {
  const role = key === keys.anonKey ? 'anon' : key === keys.serviceRoleKey ? 'service_role' : null;
  return role === null ? err(MALFORMED) : ok({ role, claims: { role }, expiresAt: null });
}

const MALFORMED: TokenProblem = {
  atHandshake: 'The token provided is not a valid JWT',
  atJoin: 'MalformedJWT: The token provided is not a valid JWT',
  onChannel: 'The token provided is not a valid JWT',
};

const WRONG_SIGNATURE: TokenProblem = {
  atHandshake: 'Failed to validate JWT signature',
  atJoin: 'JwtSignatureError: Failed to validate JWT signature',
  onChannel: ':signature_error',
};

/** Our own words: Supabase Realtime asks the database for the role, which it may not become. */
const WRONG_ROLE: TokenProblem = {
  atHandshake: 'The role in the JWT is not a role of the API',
  atJoin: 'InvalidJWTToken: The role in the JWT is not a role of the API',
  onChannel: 'The role in the JWT is not a role of the API',
};

const MISSING_CLAIMS: TokenProblem = {
  atHandshake: 'Fields `role` and `exp` are required in JWT',
  atJoin: 'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
  onChannel: 'Fields `role` and `exp` are required in JWT',
};
