// The parts that the handlers of Auth work with, and the steps that several of them share.
import type { Engine, Queries } from '../engine.ts';
import { bearerOf } from '../keys/bearer.ts';
import type { Keys } from '../keys/keys.ts';
import { type VerifyToken, createTokenVerifier } from '../keys/token.ts';
import { type User, describeUser, findUser } from './accounts/users.ts';
import { AuthError } from './auth-error.ts';
import type { AuthCall } from './call.ts';
import type { Mailbox } from './mail/mailbox.ts';
import { Mails } from './mail/mails.ts';
import { Redirects } from './mail/redirects.ts';
import type { Passwords } from './passwords/passwords.ts';
import { RateLimits } from './rate-limits.ts';
import { AccessTokens } from './sessions/access-tokens.ts';
import { KnownDevices } from './sessions/known-device.ts';
import { type OpenedAuthSession, openAuthSession } from './sessions/sessions.ts';
import type { AuthSettings } from './settings.ts';

export type AuthParts = {
  readonly pg: Engine;
  readonly keys: Keys;
  readonly mailbox: Pick<Mailbox, 'add'>;
  readonly passwords: Passwords;
  /** The address at which people reach this backend, such as "http://127.0.0.1:4400". */
  readonly origin: () => string;
  readonly settings: AuthSettings;
};

export class Auth {
  readonly keys: Keys;
  readonly pg: Engine;
  /** Accepts API keys, and tokens in their place. */
  readonly verifyKey: VerifyToken;
  readonly settings: AuthSettings;
  readonly tokens: AccessTokens;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  readonly devices: KnownDevices;
  readonly redirects: Redirects;
  readonly mails: Mails;

  constructor({ pg, keys, mailbox, passwords, origin, settings }: AuthParts) {
    this.keys = keys;
    this.pg = pg;
    this.verifyKey = createTokenVerifier(keys);
    this.settings = settings;
    this.passwords = passwords;
    const { now, tokenSeconds } = settings;
    this.tokens = new AccessTokens({ secret: keys.jwtSecret, issuer: () => `${origin()}/auth/v1`, tokenSeconds, now });
    this.limits = new RateLimits(settings);
    this.devices = new KnownDevices(keys.jwtSecret);
    this.redirects = new Redirects({ origin, hosts: settings.redirectHosts });
    this.mails = new Mails(mailbox, this.redirects);
  }

  /** ISO 8601. */
  now(): string {
    return new Date(this.settings.now()).toISOString();
  }

  /**
   * Opens a session and answers with it. Before, the handler has checked whose account it is, or has just created it.
   */
  async signIn(tx: Queries, user: User, method: string, call: AuthCall): Promise<Response> {
    const opened = await openAuthSession(tx, user, method, call, this.now());
    return this.answerSession(tx, opened.user, opened.session, call);
  }

  /** Answers with a session. Unless a guest has it, a cookie then marks the device as known. */
  async answerSession(db: Queries, user: User, session: OpenedAuthSession, call: AuthCall): Promise<Response> {
    const headers = user.is_anonymous ? {} : { 'set-cookie': this.devices.cookieFor(user.id, call) };
    return Response.json(await this.describeSession(db, user, session), { headers });
  }

  async describeSession(db: Queries, user: User, { sessionId, refreshToken }: OpenedAuthSession) {
    const { token, expiresAt } = await this.tokens.sign(db, user, sessionId);
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: this.settings.tokenSeconds,
      expires_at: expiresAt,
      refresh_token: refreshToken,
      user: await describeUser(db, user),
    };
  }

  /**
   * Forgets earlier wrong passwords: the owner has proved in another way whose account it is, or has chosen a new
   * password.
   */
  forgiveAttempts({ email }: User, { peer }: AuthCall): void {
    if (email !== null) this.limits.forgive(email, peer);
  }

  isBanned({ banned_until }: User): boolean {
    return banned_until !== null && Date.parse(banned_until) > this.settings.now();
  }

  /** The account and the session of the request's access token. Throws an `AuthError`. */
  async caller(
    { headers }: AuthCall,
    db: Queries = this.pg,
  ): Promise<{ readonly user: User; readonly sessionId: string | null }> {
    const token = bearerOf(headers.get('authorization'));
    if (token === null) throw noAuthorization();
    const claims = await this.tokens.verify(token);
    if (claims.sub === undefined) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim');
    const user = await findUser(db, 'id', claims.sub);
    if (user === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    if (claims.session_id === undefined) return { user, sessionId: null };
    const { rows } = await db.query('select from auth.sessions where id = $1 and user_id = $2', [
      claims.session_id,
      user.id,
    ]);
    if (rows.length === 0)
      throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    return { user, sessionId: claims.session_id };
  }
}

export const noAuthorization = (): AuthError =>
  new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
