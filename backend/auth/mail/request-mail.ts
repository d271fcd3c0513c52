// POST /otp, /recover: a mail with a code and a link. What is answered says as little as possible of who
// has an account here.
import * as v from 'valibot';
import { confirmAccount, createAccount } from '../accounts/create-account.ts';
import type { Auth } from '../auth.ts';
import { AuthError } from '../auth-error.ts';
import { type Call, metadataField, parseBody, textField } from '../call.ts';
import { sendConfirmation, sendRecovery } from '../confirmations.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { parseChallenge } from './pkce.ts';
import { lockUser } from '../accounts/users.ts';

const otpSchema = v.object({
  email: textField,
  phone: textField,
  create_user: v.nullish(v.boolean(), true),
  data: metadataField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/** A link that signs in; makes the account when it may and there is none. */
export async function sendLink(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(otpSchema, call);
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = parseEmail(body.email);
  auth.limits.take('mails', call.peer);
  auth.limits.mail('recovery', email);
  return auth.pg.transaction(async (tx) => {
    let user = await lockUser(tx, 'email', email);
    if (user === null) {
      if (!body.create_user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
      user = await createAccount(tx, { email, passwordHash: null, data: body.data ?? {} }, auth.now());
      if (!auth.settings.confirmEmails) user = await confirmAccount(tx, user, auth.now());
    }
    if (user.email_confirmed_at === null) await sendConfirmation(auth, tx, user, challenge, call);
    else await sendRecovery(auth, tx, user, 'magiclink', challenge, call);
    return Response.json({});
  });
}

const recoverSchema = v.object({ email: textField, code_challenge: textField, code_challenge_method: textField });

export async function sendReset(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(recoverSchema, call);
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = parseEmail(body.email);
  auth.limits.take('mails', call.peer);
  auth.limits.mail('recovery', email);
  await auth.pg.transaction(async (tx) => {
    const user = await lockUser(tx, 'email', email);
    if (user !== null) await sendRecovery(auth, tx, user, 'recovery', challenge, call);
  });
  return Response.json({});
}
