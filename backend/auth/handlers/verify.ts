// /verify: redeems a mail. POST takes its code, or the token of its link, and signs in at once. GET is the link itself:
// it leads back to the app, with a session or an error behind `#`, or with a code for the client that asked for the
// mail (PKCE).
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { confirmAccount, createAccount } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { type User, lockUser } from '../accounts/users.ts';
import { AuthError, expiredOtp, validationFailed } from '../auth-error.ts';
import type { Auth } from '../auth.ts';
import { type AuthCall, parseAuthBody, textField } from '../call.ts';
import { isPkceToken } from '../mail/one-time-tokens.ts';
import { type Challenge, type FlowMethod, issueCode } from '../mail/pkce.ts';
import {
  type MailKind,
  type SentMail,
  endMail,
  isExpired,
  lockMailByCode,
  lockMailByLink,
  markMailUsed,
} from '../mail/sent-mails.ts';
import { openAuthSession } from '../sessions/sessions.ts';

/** The kinds of mail that a request of each type may redeem. */
const KINDS: ReadonlyMap<string, readonly MailKind[]> = new Map([
  ['signup', ['signup']],
  ['magiclink', ['magiclink', 'recovery']],
  ['recovery', ['magiclink', 'recovery']],
  ['email', ['signup', 'magiclink', 'recovery']],
]);

const schema = v.object({
  type: textField,
  token: textField,
  token_hash: textField,
  email: textField,
  phone: textField,
});

export async function verifyCode(auth: Auth, call: AuthCall): Promise<Response> {
  auth.limits.take('verifications', call.peer);
  const body = parseAuthBody(schema, call);
  if (body.type === '') throw validationFailed('Verify requires a verification type');
  if (body.token_hash !== '') {
    if (body.token !== '' || body.email !== '' || body.phone !== '')
      throw validationFailed('Only the token_hash and type should be provided');
    return signInWith(auth, call, body.type, (tx) => lockMailByLink(tx, body.token_hash));
  }
  if (body.token === '') throw validationFailed('Verify requires a token or a token hash');
  if (body.email === '') throw validationFailed('Only an email address or phone number should be provided on verify');
  const email = parseEmail(body.email);
  return signInWith(auth, call, body.type, (tx) => lockMailByCode(tx, email, body.token, auth.settings.wrongCodes));
}

type FindMail = (tx: Queries) => Promise<SentMail | null>;

async function signInWith(auth: Auth, call: AuthCall, type: string, findMail: FindMail): Promise<Response> {
  const signedIn = await auth.pg.transaction(async (tx) => {
    const redeemed = await redeemMail(auth, tx, type, await findMail(tx), 'Token has expired or is invalid');
    if (redeemed instanceof AuthError) return redeemed;
    auth.forgiveAttempts(redeemed.user, call);
    return auth.signIn(tx, redeemed.user, 'otp', call);
  });
  // Thrown outside the transaction, so that the wrong code stays counted.
  if (signedIn instanceof AuthError) throw signedIn;
  return signedIn;
}

export async function followMailLink(auth: Auth, call: AuthCall): Promise<Response> {
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
    if (isPkce) for (const [name, value] of failure) target.searchParams.set(name, value);
  }
  return new Response(null, { status: 303, headers: { location: target.href, 'cache-control': 'no-store' } });
}

/** The parameters to add to the address that the link leads to. Throws an `AuthError`. */
async function redeemLink(
  auth: Auth,
  tx: Queries,
  call: AuthCall,
  type: string,
  token: string,
): Promise<URLSearchParams> {
  const mail = await lockMailByLink(tx, token);
  const redeemed = await redeemMail(auth, tx, type, mail, 'Email link is invalid or has expired');
  if (redeemed instanceof AuthError) throw redeemed;
  const { user, flow, challenge } = redeemed;
  auth.forgiveAttempts(user, call);
  if (challenge !== null)
    return new URLSearchParams({ code: await issueCode(tx, user.id, flow, challenge, auth.now()) });
  const opened = await openAuthSession(tx, user, 'otp', call, auth.now());
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

type Redeemed = { readonly user: User; readonly flow: FlowMethod; readonly challenge: Challenge | null };

/**
 * Uses the mail up and confirms the address that it was sent to. Returns an error, rather than throwing it
 * (`signInWith`).
 */
async function redeemMail(
  auth: Auth,
  tx: Queries,
  type: string,
  mail: SentMail | null,
  refusal: string,
): Promise<Redeemed | AuthError> {
  if (mail === null || KINDS.get(type)?.includes(mail.kind) !== true) return expiredOtp(refusal);
  if (isExpired(mail, auth.settings.otpSeconds, auth.settings.now())) return expiredOtp(refusal);
  const user = await ownerOf(auth, tx, mail);
  if (user === null) return expiredOtp(refusal);
  if (auth.isBanned(user)) return new AuthError(403, 'user_banned', 'User is banned');
  await endMail(tx, mail);
  const confirmed = user.email_confirmed_at === null ? await confirmAccount(tx, user, auth.now()) : user;
  await markMailUsed(tx, user.id, mail);
  return {
    user: confirmed,
    flow: mail.kind === 'signup' ? 'email/signup' : type === 'recovery' ? 'recovery' : 'magiclink',
    challenge: mail.challenge,
  };
}

/**
 * The account of the mail's address. A sign-up's mail creates a missing one, if sign-ups are allowed; otherwise null.
 */
async function ownerOf(auth: Auth, tx: Queries, { email, kind }: SentMail): Promise<User | null> {
  const user = await lockUser(tx, 'email', email);
  if (user !== null || kind !== 'signup' || !auth.settings.allowsSignUps) return user;
  return createAccount(tx, { email, passwordHash: null, data: {} }, auth.now());
}
