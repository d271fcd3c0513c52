// POST /otp and /recover: send a mail with a code and a link. The answers reveal as little as possible about who has an
// account.
import * as v from 'valibot';
import { confirmAccount, createAccount } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { type User, lockUser, updateUser } from '../accounts/users.ts';
import type { Auth } from '../auth.ts';
import { AuthError } from '../auth-error.ts';
import { type Call, metadataField, parseBody, textField } from '../call.ts';
import type { Queries } from '../../engine.ts';
import type { MailKind } from '../mail/mails.ts';
import { makeToken } from '../mail/one-time-tokens.ts';
import { type Challenge, parseChallenge, storeChallenge } from '../mail/pkce.ts';

const otpSchema = v.object({
  email: textField,
  phone: textField,
  create_user: v.nullish(v.boolean(), true),
  data: metadataField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/** A mail that signs in. Creates the account if there is none and the caller allows it. */
export async function sendSignInMail(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(otpSchema, call);
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = parseEmail(body.email);
  limitMails(auth, call, email);
  return auth.pg.transaction(async (tx) => {
    let user = await lockUser(tx, 'email', email);
    if (user === null) {
      if (!body.create_user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
      const account = { email, passwordHash: null, data: body.data ?? {} };
      user = await confirmAccount(tx, await createAccount(tx, account, auth.now()), auth.now());
    }
    // An admin can create accounts whose address is not confirmed.
    const kind = user.email_confirmed_at === null ? 'signup' : 'magiclink';
    await sendMail(auth, tx, user, kind, challenge, call);
    return Response.json({});
  });
}

const recoverSchema = v.object({ email: textField, code_challenge: textField, code_challenge_method: textField });

/** A mail that signs in to choose a new password. */
export async function sendResetMail(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(recoverSchema, call);
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = parseEmail(body.email);
  limitMails(auth, call, email);
  await auth.pg.transaction(async (tx) => {
    const user = await lockUser(tx, 'email', email);
    if (user !== null) await sendMail(auth, tx, user, 'recovery', challenge, call);
  });
  return Response.json({});
}

function limitMails(auth: Auth, call: Call, email: string): void {
  auth.limits.take('mails', call.peer);
  auth.limits.mail(email);
}

async function sendMail(
  auth: Auth,
  tx: Queries,
  user: User,
  kind: MailKind,
  challenge: Challenge | null,
  call: Call,
): Promise<void> {
  const now = auth.now();
  const token = makeToken(user.email, challenge !== null);
  if (challenge !== null) await storeChallenge(tx, user.id, kind === 'signup' ? 'email/signup' : kind, challenge, now);
  const changes =
    kind === 'signup'
      ? { confirmation_token: token.hash, confirmation_sent_at: now }
      : { recovery_token: token.hash, recovery_sent_at: now };
  await updateUser(tx, user.id, changes, now);
  auth.mails.send(kind, user.email, token, call);
}
