// /verify: redeems the code (POST) or the link (GET) of a mail. The code signs in at once; the link leads back to the app,
// with a session behind `#`, or with a code for the client that asked for the mail (PKCE).
import * as v from 'valibot';
import { confirmAccount } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { type User, lockUser, updateUser } from '../accounts/users.ts';
import type { Auth } from '../auth.ts';
import { AuthError, expiredOtp, validationFailed } from '../auth-error.ts';
import { type Call, parseBody, textField } from '../call.ts';
import type { Queries } from '../../engine.ts';
import { openSession } from '../sessions/sessions.ts';
import { hashesOf, isExpired, isPkceToken } from '../mail/one-time-tokens.ts';
import { type FlowMethod, issueCode } from '../mail/pkce.ts';

type Column = 'confirmation_token' | 'recovery_token';

/** The columns in which a token of this type may be stored. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  signup: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['recovery_token', 'confirmation_token'],
};

const schema = v.object({
  type: textField,
  token: textField,
  token_hash: textField,
  email: textField,
  phone: textField,
});

export async function verifyCode(auth: Auth, call: Call): Promise<Response> {
  auth.limits.take('verifications', call.peer);
  const body = parseBody(schema, call);
  if (body.type === '') throw validationFailed('Verify requires a verification type');
  if (body.token_hash !== '') {
    if (body.token !== '' || body.email !== '' || body.phone !== '')
      throw validationFailed('Only the token_hash and type should be provided');
    return signInWithCode(auth, call, body.type, [body.token_hash]);
  }
  if (body.token === '') throw validationFailed('Verify requires a token or a token hash');
  if (body.email === '') throw validationFailed('Only an email address or phone number should be provided on verify');
  const email = parseEmail(body.email);
  const undoAttempt = auth.limits.attempt('code', email);
  const response = await signInWithCode(auth, call, body.type, hashesOf(email, body.token));
  undoAttempt();
  return response;
}

const signInWithCode = (auth: Auth, call: Call, type: string, hashes: readonly string[]): Promise<Response> =>
  auth.pg.transaction(async (tx) => {
    const { user } = await redeemToken(auth, tx, type, hashes, 'Token has expired or is invalid');
    return auth.signIn(tx, user, 'otp', call);
  });

export async function followLink(auth: Auth, call: Call): Promise<Response> {
  const { searchParams } = call.url;
  const token = searchParams.get('token') ?? searchParams.get('token_hash') ?? '';
  const type = searchParams.get('type') ?? '';
  if (token === '') throw validationFailed('Verify requires a token or a token hash');
  if (type === '') throw validationFailed('Verify requires a verification type');
  const target = new URL(auth.redirects.allow(searchParams.get('redirect_to')));
  const isPkce = isPkceToken(token);
  try {
    auth.limits.take('verifications', call.peer);
    const added = await auth.pg.transaction((tx) => redeemLink(auth, tx, call, type, token));
    if (isPkce) for (const [name, value] of added) target.searchParams.set(name, value);
    // Behind `#`, because a session must not appear in the logs of servers.
    else target.hash = added.toString();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const failure = new URLSearchParams({
      error: error.status === 403 ? 'access_denied' : 'invalid_request',
      error_code: error.code,
      error_description: error.message,
    });
    target.hash = failure.toString();
    if (isPkce) target.search = failure.toString();
  }
  return new Response(null, { status: 303, headers: { location: target.href, 'cache-control': 'no-store' } });
}

/** The parameters to add to the address that the link leads to. */
async function redeemLink(auth: Auth, tx: Queries, call: Call, type: string, token: string): Promise<URLSearchParams> {
  const { user, flow } = await redeemToken(auth, tx, type, [token], 'Email link is invalid or has expired');
  if (isPkceToken(token)) return new URLSearchParams({ code: await issueCode(tx, user.id, flow, auth.now()) });
  const opened = await openSession(tx, user, 'otp', call, auth.now());
  const session = await auth.describeSession(tx, opened.user, opened.session);
  return new URLSearchParams({
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    type,
  });
}

/** Uses the token up and confirms the address that it was sent to. Throws an `AuthError` with `refusal`. */
async function redeemToken(
  auth: Auth,
  tx: Queries,
  type: string,
  hashes: readonly string[],
  refusal: string,
): Promise<{ readonly user: User; readonly flow: FlowMethod }> {
  const columns = COLUMNS[type];
  if (columns === undefined) throw validationFailed('Invalid email verification type');
  const found = await findByToken(tx, columns, hashes);
  if (found === null) throw expiredOtp(refusal);
  const { user, column } = found;
  if (auth.isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
  const sentAt = column === 'confirmation_token' ? user.confirmation_sent_at : user.recovery_sent_at;
  if (isExpired(sentAt, auth.settings.otpSeconds, auth.settings.now())) throw expiredOtp(refusal);
  const redeemed = await updateUser(tx, user.id, { [column]: null }, auth.now());
  return {
    user: redeemed.email_confirmed_at === null ? await confirmAccount(tx, redeemed, auth.now()) : redeemed,
    flow: column === 'confirmation_token' ? 'email/signup' : type === 'recovery' ? 'recovery' : 'magiclink',
  };
}

async function findByToken(tx: Queries, columns: readonly Column[], hashes: readonly string[]) {
  for (const column of columns) {
    for (const hash of hashes) {
      const user = await lockUser(tx, column, hash);
      if (user !== null) return { user, column };
    }
  }
  return null;
}
