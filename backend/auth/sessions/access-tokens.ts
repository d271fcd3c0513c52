// Access tokens: JWTs signed with HS256, with the claims of the hosted service.
import { SignJWT, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { type ApiRole, isApiRole } from '../../keys/api-roles.ts';
import type { User } from '../accounts/users.ts';
import { AuthError } from '../auth-error.ts';

const amrSchema = v.array(v.object({ method: v.string(), timestamp: v.number() }));

const claimsSchema = v.looseObject({
  sub: v.optional(v.pipe(v.string(), v.uuid())),
  role: v.optional(v.custom<ApiRole>(isApiRole)),
  session_id: v.optional(v.pipe(v.string(), v.uuid())),
});
export type Claims = v.InferOutput<typeof claimsSchema>;

type Options = {
  readonly secret: string;
  /** "https://host/auth/v1"; a function, because the port is known only after listening. */
  readonly issuer: () => string;
  readonly tokenSeconds: number;
  readonly now: () => number;
};

export class AccessTokens {
  readonly #options: Options;
  readonly #key: Uint8Array;

  constructor(options: Options) {
    this.#options = options;
    this.#key = new TextEncoder().encode(options.secret);
  }

  /** A token of this session, and its expiry in Unix seconds. */
  async sign(
    db: Queries,
    user: User,
    sessionId: string,
  ): Promise<{ readonly token: string; readonly expiresAt: number }> {
    const { issuer, now, tokenSeconds } = this.#options;
    const issuedAt = Math.floor(now() / 1000);
    const expiresAt = issuedAt + tokenSeconds;
    const token = await new SignJWT({
      email: user.email,
      phone: user.phone,
      app_metadata: user.raw_app_meta_data,
      user_metadata: user.raw_user_meta_data,
      role: user.role,
      aal: 'aal1',
      amr: await readAmr(db, sessionId),
      session_id: sessionId,
      is_anonymous: user.is_anonymous,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer())
      .setSubject(user.id)
      .setAudience('authenticated')
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    return { token, expiresAt };
  }

  /** Throws an `AuthError` if the token is forged or expired. */
  async verify(token: string): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        currentDate: new Date(this.#options.now()),
      });
      return v.parse(claimsSchema, payload);
    } catch (error) {
      const reason = error instanceof errors.JWTExpired ? 'token is expired' : 'signature is invalid';
      throw new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${reason}`);
    }
  }
}

/** The methods by which this session was signed in, newest first. */
async function readAmr(db: Queries, sessionId: string) {
  const { rows } = await db.query(
    `select authentication_method as method, floor(extract(epoch from created_at))::int as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by created_at desc`,
    [sessionId],
  );
  return v.parse(amrSchema, rows);
}
