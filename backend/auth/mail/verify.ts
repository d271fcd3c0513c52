// /verify: what a mail's code (POST) or link (GET) is good for. The code signs in at once; the link leads back to the app,
// with a session behind `#`, or with a code for the client that asked (PKCE).
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { adoptEmail, confirmAccount } from '../accounts/create-account.ts';
import type { Auth } from '../auth.ts';
import { AuthError, expiredOtp, validationFailed } from '../auth-error.ts';
import { type Call, parseBody, textField } from '../call.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { type FlowMethod, issueCode } from './pkce.ts';
import { hashesOf, isExpired, isPkceToken } from './one-time-tokens.ts';
import { openSession } from '../sessions/sessions.ts';
import { type User, lockUser, updateUser } from '../accounts/users.ts';

type Column = 'confirmation_token' | 'recovery_token' | 'email_change_token_new' | 'email_change_token_current';

/** Where the token of a mail of this type may be kept. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['recovery_token', 'confirmation_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
};

const HALF_CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

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
    return auth.pg.transaction((tx) => answerCode(auth, tx, call, body.type, [body.token_hash]));
  }
  if (body.token === '') throw validationFailed('Verify requires a token or a token hash');
  if (body.email === '') throw validationFailed('Only an email address or phone number should be provided on verify');
  const email = parseEmail(body.email);
  const forgive = auth.limits.attempt('code', email);
  const hashes = hashesOf(email, body.token);
  const response = await auth.pg.transaction((tx) => answerCode(auth, tx, call, body.type, hashes));
  forgive();
  return response;
}

async function answerCode(auth: Auth, tx: Queries, call: Call, type: string, hashes: readonly string[]) {
  const { user } = await accept(auth, tx, type, hashes, 'Token has expired or is invalid');
  return user === null ? Response.json({ code: '200', msg: HALF_CONFIRMED }) : auth.signIn(tx, user, 'otp', call);
}

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
    const added = await auth.pg.transaction((tx) => answerLink(auth, tx, call, type, token));
    if (isPkce) for (const [name, value] of added) target.searchParams.set(name, value);
    // A message is for whoever reads, wherever they look; a session must not be where servers log it.
    if (!isPkce || added.has('message')) target.hash = added.toString();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const told = new URLSearchParams({
      error: error.status === 403 ? 'access_denied' : 'invalid_request',
      error_code: error.code,
      error_description: error.message,
    });
    target.hash = told.toString();
    if (isPkce) target.search = told.toString();
  }
  return new Response(null, { status: 303, headers: { location: target.href, 'cache-control': 'no-store' } });
}

/** What the app learns behind the address it asked for. */
async function answerLink(auth: Auth, tx: Queries, call: Call, type: string, token: string): Promise<URLSearchParams> {
  const { user, flow } = await accept(auth, tx, type, [token], 'Email link is invalid or has expired');
  if (user === null) return new URLSearchParams({ message: HALF_CONFIRMED });
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

/** Uses the token up and does what it stands for. `user` is null when a change of address waits for its other half. */
async function accept(
  auth: Auth,
  tx: Queries,
  type: string,
  hashes: readonly string[],
  refusal: string,
): Promise<{ readonly user: User | null; readonly flow: FlowMethod }> {
  const columns = COLUMNS[type];
  if (columns === undefined) throw validationFailed('Invalid email verification type');
  const found = await findByToken(tx, columns, hashes);
  if (found === null) throw expiredOtp(refusal);
  const { user, column } = found;
  if (auth.isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
  const now = auth.now();
  const isLate = (sentAt: string | null) => isExpired(sentAt, auth.settings.otpSeconds, auth.settings.now());
  switch (column) {
    case 'confirmation_token':
      if (isLate(user.confirmation_sent_at)) throw expiredOtp(refusal);
      return { user: await confirmAccount(tx, user, now), flow: 'email/signup' };
    case 'recovery_token': {
      if (isLate(user.recovery_sent_at)) throw expiredOtp(refusal);
      const recovered = await updateUser(tx, user.id, { recovery_token: null }, now);
      return {
        user: recovered.email_confirmed_at === null ? await confirmAccount(tx, recovered, now) : recovered,
        flow: type === 'recovery' ? 'recovery' : 'magiclink',
      };
    }
    case 'email_change_token_new':
    case 'email_change_token_current':
      if (isLate(user.email_change_sent_at)) throw expiredOtp(refusal);
      return { user: await confirmChange(auth, tx, user, column), flow: 'email_change' };
  }
}

/** The second of two mails makes the change; who has no old address, or no say for it, needs one. */
async function confirmChange(auth: Auth, tx: Queries, user: User, answered: Column): Promise<User | null> {
  const needsBoth = auth.settings.secureEmailChange && user.email !== '' && user.email_change_confirm_status === 0;
  if (!needsBoth) return adoptEmail(tx, user, user.email_change, auth.now());
  await updateUser(tx, user.id, { email_change_confirm_status: 1, [answered]: null }, auth.now());
  return null;
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
