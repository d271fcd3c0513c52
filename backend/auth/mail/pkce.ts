// PKCE (RFC 7636): the client that asks for a mail sends a challenge along. The mail's link leads to a code that only this
// client, which has the challenge's secret, can exchange for a session.
import { createHash, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { AuthError, validationFailed } from '../auth-error.ts';

/** Between following the link and exchanging its code. */
const CODE_SECONDS = 300;

/** The purpose of the mail; the session's `amr` names it. */
export type FlowMethod = 'magiclink' | 'recovery' | 'email/signup';

export type Challenge = { readonly challenge: string; readonly method: 's256' | 'plain' };

/** Null: no PKCE. Throws an `AuthError` if half of it is missing or wrong. */
export function parseChallenge(challenge: string, method: string): Challenge | null {
  if (challenge === '' && method === '') return null;
  if (challenge === '' || method === '')
    throw validationFailed('PKCE flow requires code_challenge_method and code_challenge');
  const known = method.toLowerCase();
  if (known !== 's256' && known !== 'plain')
    throw validationFailed(`unsupported code_challenge method "${method.slice(0, 20)}"`);
  // RFC 7636, section 4.2.
  if (!/^[\w.~-]{43,128}$/.test(challenge))
    throw validationFailed('code challenge has to be between 43 and 128 characters of A-Z a-z 0-9 - . _ ~');
  return { challenge, method: known };
}

/** A code for the client that asked for the mail with this challenge. */
export async function issueCode(
  db: Queries,
  userId: string,
  flow: FlowMethod,
  { challenge, method }: Challenge,
  now: string,
): Promise<string> {
  // Codes that no one exchanged.
  await db.query(`delete from auth.flow_state where user_id = $1 and created_at < $2::timestamptz - interval '1 day'`, [
    userId,
    now,
  ]);
  const code = randomUUID();
  await db.query(
    `insert into auth.flow_state
       (id, user_id, authentication_method, code_challenge_method, code_challenge, provider_type,
        auth_code, auth_code_issued_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $3, $6, $7, $7, $7)`,
    [randomUUID(), userId, flow, method, challenge, code, now],
  );
  return code;
}

const flowSchema = v.object({
  id: v.string(),
  user_id: v.string(),
  authentication_method: v.string(),
  code_challenge: v.string(),
  code_challenge_method: v.string(),
  auth_code_issued_at: v.string(),
});

/**
 * Uses the code up. Returns the account that it signs in to, and the method for the session's `amr`. Throws an
 * `AuthError`.
 */
export async function redeemCode(
  db: Queries,
  code: string,
  verifier: string,
  now: string,
): Promise<{ readonly userId: string; readonly method: string }> {
  const { rows } = await db.query('select * from auth.flow_state where auth_code = $1 for update', [code]);
  if (rows[0] === undefined) throw notFound();
  const flow = v.parse(flowSchema, rows[0]);
  if (Date.parse(flow.auth_code_issued_at) + CODE_SECONDS * 1000 < Date.parse(now))
    throw new AuthError(404, 'flow_state_expired', 'invalid flow state, flow state has expired');
  const answer =
    flow.code_challenge_method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  if (answer !== flow.code_challenge)
    throw new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
  await db.query('delete from auth.flow_state where id = $1', [flow.id]);
  return { userId: flow.user_id, method: flow.authentication_method };
}

const notFound = (): AuthError =>
  new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
