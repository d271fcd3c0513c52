// Sessions and their refresh tokens. A sign-in opens a session; each renewal replaces its refresh token; a sign-out, a
// new password or the reuse of an old token ends it, and so may the database (`weft.end_other_access`). Each token
// names the one that it replaced, its parent; the first has none.
import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import * as v from 'valibot';
import type { Engine, Queries } from '../../engine.ts';
import { type User, updateUser } from '../accounts/users.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthCall } from '../call.ts';

export type OpenedAuthSession = { readonly sessionId: string; readonly refreshToken: string };

/** `method` says how the person signed in, for the token's `amr`. */
export async function openAuthSession(
  tx: Queries,
  user: User,
  method: string,
  { headers, peer }: AuthCall,
  now: string,
): Promise<{ readonly user: User; readonly session: OpenedAuthSession }> {
  const sessionId = randomUUID();
  await tx.query(
    `insert into auth.sessions (id, user_id, aal, created_at, updated_at, user_agent, ip)
     values ($1, $2, 'aal1', $3, $3, $4, $5::text::inet)`,
    [sessionId, user.id, now, headers.get('user-agent'), peer !== null && isIP(peer) > 0 ? peer.split('%')[0] : null],
  );
  await tx.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at) values ($1, $2, $3, $3)`,
    [sessionId, method, now],
  );
  const refreshToken = await insertToken(tx, user.id, sessionId, null, now);
  return { user: await updateUser(tx, user.id, { last_sign_in_at: now }, now), session: { sessionId, refreshToken } };
}

const tokenSchema = v.object({
  token: v.string(),
  user_id: v.string(),
  session_id: v.nullable(v.string()),
  revoked: v.nullable(v.boolean(), false),
  updated_at: v.string(),
});
type TokenRow = v.InferOutput<typeof tokenSchema>;

const activeSchema = v.object({ token: v.string(), parent: v.nullable(v.string()) });

/**
 * The session with its next refresh token. A replaced token is accepted again while it is the parent of the newest one (the
 * answer may have been lost), and within `reuseSeconds`. Any other reuse means that it was stolen, and ends the session.
 * Throws an `AuthError`.
 */
export async function renewSession(
  db: Engine,
  refreshToken: string,
  reuseSeconds: number,
  now: string,
): Promise<OpenedAuthSession & { readonly userId: string }> {
  const renewed = await db.transaction(async (tx) => {
    const row = await lockToken(tx, refreshToken);
    if (row === null || row.session_id === null) return refreshTokenNotFound();
    const common = { userId: row.user_id, sessionId: row.session_id };
    if (!row.revoked) return { ...common, refreshToken: await replaceToken(tx, row, row.session_id, now) };

    const active = await activeToken(tx, row.session_id);
    if (active?.parent === row.token) return { ...common, refreshToken: active.token };
    const age = Date.parse(now) - Date.parse(row.updated_at);
    // Without an active token the session has ended already; the interval does not open it again.
    if (active !== null && age <= reuseSeconds * 1000)
      return { ...common, refreshToken: await insertToken(tx, row.user_id, row.session_id, row.token, now) };
    await tx.query(
      `update auth.refresh_tokens set revoked = true, updated_at = $2 where session_id = $1 and not revoked`,
      [row.session_id, now],
    );
    return new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
  });
  // Thrown outside the transaction, so that the end of the session is committed.
  if (renewed instanceof AuthError) throw renewed;
  return renewed;
}

export const refreshTokenNotFound = (): AuthError =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');

/** Locks the session first, as everything that ends a session does: two transactions then cannot deadlock. */
async function lockToken(tx: Queries, token: string): Promise<TokenRow | null> {
  await tx.query(
    `select from auth.sessions where id = (select session_id from auth.refresh_tokens where token = $1) for update`,
    [token],
  );
  const { rows } = await tx.query(
    'select token, user_id, session_id, revoked, updated_at from auth.refresh_tokens where token = $1',
    [token],
  );
  return rows[0] === undefined ? null : v.parse(tokenSchema, rows[0]);
}

async function activeToken(tx: Queries, sessionId: string) {
  const { rows } = await tx.query(
    `select token, parent from auth.refresh_tokens where session_id = $1 and not revoked
     order by created_at desc, id desc limit 1`,
    [sessionId],
  );
  return rows[0] === undefined ? null : v.parse(activeSchema, rows[0]);
}

async function replaceToken(
  tx: Queries,
  { token, user_id }: TokenRow,
  sessionId: string,
  now: string,
): Promise<string> {
  await tx.query('update auth.refresh_tokens set revoked = true, updated_at = $2 where token = $1', [token, now]);
  await tx.query(
    'update auth.sessions set refreshed_at = $2::timestamptz at time zone $3, updated_at = $2 where id = $1',
    [sessionId, now, 'utc'],
  );
  // A session that lives for years would otherwise store one old token for every hour.
  await tx.query(
    `delete from auth.refresh_tokens
     where session_id = $1 and revoked and updated_at < $2::timestamptz - interval '1 day'`,
    [sessionId, now],
  );
  return insertToken(tx, user_id, sessionId, token, now);
}

async function insertToken(
  tx: Queries,
  userId: string,
  sessionId: string,
  parent: string | null,
  now: string,
): Promise<string> {
  const token = randomBytes(18).toString('base64url');
  await tx.query(
    `insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, parent, created_at, updated_at)
     values ($1, $2, $3, $4, false, $5, $6, $6)`,
    [randomUUID(), token, userId, sessionId, parent, now],
  );
  return token;
}

/** The sessions that a sign-out ends: this one, all of the account, or all but this one. */
export type SignOutScope = 'local' | 'global' | 'others';

/** With a null `sessionId` (a token without a session), 'local' ends nothing and 'others' ends all. */
export async function endSessions(
  db: Queries,
  scope: SignOutScope,
  userId: string,
  sessionId: string | null,
): Promise<void> {
  const which = { global: '', local: 'and id = $2::uuid', others: 'and id is distinct from $2::uuid' }[scope];
  // The database deletes their tokens too.
  await db.query(
    `delete from auth.sessions where user_id = $1 ${which}`,
    scope === 'global' ? [userId] : [userId, sessionId],
  );
}
