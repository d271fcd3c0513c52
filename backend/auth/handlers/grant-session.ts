// POST /token: opens a session for a password or for the code of a link (PKCE), or renews one for a refresh token.
import * as v from 'valibot';
import { findUser, lockUser } from '../accounts/users.ts';
import { AuthError, invalidCredentials, validationFailed } from '../auth-error.ts';
import type { Auth } from '../auth.ts';
import { type AuthCall, parseAuthBody, textField } from '../call.ts';
import { redeemCode } from '../mail/pkce.ts';
import { refreshTokenNotFound, renewSession } from '../sessions/sessions.ts';

export async function grantSession(auth: Auth, call: AuthCall): Promise<Response> {
  auth.limits.take('tokens', call.peer);
  switch (call.url.searchParams.get('grant_type')) {
    case 'password':
      return byPassword(auth, call);
    case 'refresh_token':
      return byRefreshToken(auth, call);
    case 'pkce':
      return byCode(auth, call);
    default:
      throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
  }
}

const passwordSchema = v.object({ email: textField, phone: textField, password: textField });

async function byPassword(auth: Auth, call: AuthCall): Promise<Response> {
  const body = parseAuthBody(passwordSchema, call);
  if (body.phone !== '') throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
  // Not trimmed, as hosted: an address with blanks belongs to no one.
  const email = body.email.toLowerCase();
  if (email === '') throw validationFailed('missing email or phone');
  const found = await findUser(auth.pg, 'email', email);
  // In one step with the start of the comparison, so that a flood which is refused as busy fills no counts.
  auth.passwords.refuseIfBusy();
  const device = auth.devices.idOf(call, found?.id ?? '');
  const undoAttempt = auth.limits.attempt(email, { peer: call.peer, device });
  const isRight = await auth.passwords.matches(body.password, found?.encrypted_password ?? null);
  if (found === null || !isRight) throw invalidCredentials();
  return auth.pg.transaction(async (tx) => {
    const user = await lockUser(tx, 'id', found.id);
    // The password was changed or the account deleted during the comparison.
    if (user === null || user.encrypted_password !== found.encrypted_password) throw invalidCredentials();
    if (auth.isBanned(user)) throw new AuthError(400, 'user_banned', 'User is banned');
    if (user.email_confirmed_at === null) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
    undoAttempt();
    return auth.signIn(tx, user, 'password', call);
  });
}

const refreshSchema = v.object({ refresh_token: textField });

async function byRefreshToken(auth: Auth, call: AuthCall): Promise<Response> {
  const { refresh_token: given } = parseAuthBody(refreshSchema, call);
  if (given === '') throw validationFailed('refresh_token required');
  const { userId, ...session } = await renewSession(auth.pg, given, auth.settings.refreshReuseSeconds, auth.now());
  const user = await findUser(auth.pg, 'id', userId);
  // The account was deleted at this moment.
  if (user === null) throw refreshTokenNotFound();
  if (auth.isBanned(user)) throw new AuthError(400, 'user_banned', 'Invalid Refresh Token: User Banned');
  return auth.answerSession(auth.pg, user, session, call);
}

const codeSchema = v.object({ auth_code: textField, code_verifier: textField });

async function byCode(auth: Auth, call: AuthCall): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = parseAuthBody(codeSchema, call);
  if (code === '' || verifier === '')
    throw validationFailed('invalid request: both auth code and code verifier should be non-empty');
  return auth.pg.transaction(async (tx) => {
    const { userId, method } = await redeemCode(tx, code, verifier, auth.now());
    const user = await lockUser(tx, 'id', userId);
    if (user === null) throw new AuthError(404, 'user_not_found', 'User not found');
    if (auth.isBanned(user)) throw new AuthError(400, 'user_banned', 'User is banned');
    // The link may have been followed from another network.
    auth.forgiveAttempts(user, call);
    return auth.signIn(tx, user, method, call);
  });
}
