// Verifies an access token for REST: its signature, the types of its claims and its role. Refuses it in the words of PostgREST
// 14.
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import * as v from 'valibot';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { API_ROLES, type ApiRole } from '../keys/api-roles.ts';
import { errorResponse, parseJson } from './postgrest-error.ts';

export type AccessToken = {
  readonly role: ApiRole;
  /** '' if it names no one. */
  readonly subject: string;
  /** As JSON. */
  readonly claims: string;
  /** In seconds since 1970. */
  readonly notBefore: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
};

/** Whether the database has a role of this name. */
export type IsRole = (name: string) => Promise<boolean>;

const time = (name: string, missing: number) =>
  v.optional(v.number(`The JWT '${name}' claim must be a number`), missing);
const claimsSchema = v.object(
  {
    role: v.optional(v.unknown(), 'anon'),
    sub: v.optional(v.unknown()),
    aud: v.optional(
      v.union([v.string(), v.array(v.string())], `The JWT 'aud' claim must be a string or an array of strings`),
    ),
    nbf: time('nbf', 0),
    iat: time('iat', 0),
    exp: time('exp', Number.POSITIVE_INFINITY),
  },
  'Parsing claims failed',
);

/** The token, or the answer that refuses it. Does not look at the clock. */
export async function verifyAccessToken(
  token: string,
  secret: Uint8Array,
  isRole: IsRole,
): Promise<Result<AccessToken, Response>> {
  const parts = token.split('.').length;
  if (parts !== 3) return refuseToken('PGRST301', `Expected 3 parts in JWT; got ${parts}`);
  const verified = await compactVerify(token, secret, { algorithms: ['HS256'] }).catch((error: unknown) =>
    refuseToken('PGRST301', ...reasonOf(error, token)),
  );
  if ('ok' in verified) return verified;
  const text = new TextDecoder().decode(verified.payload);
  const parsed = v.safeParse(claimsSchema, parseJson(text), { abortEarly: true });
  if (!parsed.success) return refuseToken('PGRST303', parsed.issues[0].message);
  const { role: name, sub, nbf, iat, exp } = parsed.output;
  const role = API_ROLES.find((one) => one === name);
  if (role === undefined) return err(await refuseRole(name, isRole));
  const subject = typeof sub === 'string' ? sub : '';
  const claims = role === 'anon' ? withRole(text) : text;
  return ok({ role, subject, claims, notBefore: nbf, issuedAt: iat, expiresAt: exp });
}

/** Functions see the role even if the token names none. */
const withRole = (claims: string): string => JSON.stringify({ role: 'anon', ...Object(parseJson(claims)) });

function reasonOf(error: unknown, token: string): readonly [message: string, details: string | null] {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return ['No suitable key or wrong key type', 'None of the keys was able to decode the JWT'];
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return decodeProtectedHeader(token).alg === 'none'
      ? ['Wrong or unsupported encoding algorithm', `JWT is unsecured but expected 'alg' was not 'none'`]
      : ['No suitable key or wrong key type', 'No suitable key was found to decode the JWT'];
  }
  return ['JWT cryptographic operation failed', null];
}

export const refuseToken = (code: string, message: string, details: string | null = null): Result<never, Response> =>
  err(
    errorResponse(
      401,
      { code, message, details, hint: null },
      { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    ),
  );

/** Roles other than the API's are refused, `postgres` too. */
async function refuseRole(name: unknown, isRole: IsRole): Promise<Response> {
  const role = typeof name === 'string' ? name : JSON.stringify(name);
  if (await isRole(role)) {
    const message = `permission denied to set role "${role}"`;
    return errorResponse(403, { code: '42501', message, details: null, hint: null });
  }
  const body = { code: '22023', message: `role "${role}" does not exist`, details: null, hint: null };
  return errorResponse(401, body, { 'www-authenticate': 'Bearer' });
}
