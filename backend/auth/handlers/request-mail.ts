// POST /otp and /recover: send a mail with a link and a code to the owner of an account, or to a person who gets one by
// using it. Neither the answer nor the work before it shows whether there is an account: only whether `requestMail`
// sends the mail at its end depends on that.
import * as v from 'valibot';
import { parseEmail } from '../accounts/email-address.ts';
import { findUser } from '../accounts/users.ts';
import { AuthError, authNotImplemented } from '../auth-error.ts';
import type { Auth } from '../auth.ts';
import { type AuthCall, metadataField, parseAuthBody, textField } from '../call.ts';
import { makeToken } from '../mail/one-time-tokens.ts';
import { parseChallenge } from '../mail/pkce.ts';
import { type MailKind, storeMail } from '../mail/sent-mails.ts';

const challengeFields = { code_challenge: textField, code_challenge_method: textField };

const otpSchema = v.object({
  email: textField,
  phone: textField,
  create_user: v.nullish(v.boolean(), true),
  data: metadataField,
  ...challengeFields,
});

const recoverSchema = v.object({ email: textField, ...challengeFields });

type Body = v.InferOutput<typeof recoverSchema>;

/** Sends a mail that signs in. */
export async function sendSignInMail(auth: Auth, call: AuthCall): Promise<Response> {
  const body = parseAuthBody(otpSchema, call);
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  // Creating an account is other work than sending a mail, so the time would reveal which addresses have one: it is created when
  // the mail is used (`verify.ts`).
  if (body.create_user && Object.keys(body.data ?? {}).length > 0)
    throw authNotImplemented('"data" of an account by an emailed link');
  return requestMail(auth, call, body, body.create_user && auth.settings.allowsSignUps ? 'signup' : 'magiclink');
}

/** Sends a mail that signs in to choose a new password. */
export const sendResetMail = (auth: Auth, call: AuthCall): Promise<Response> =>
  requestMail(auth, call, parseAuthBody(recoverSchema, call), 'recovery');

async function requestMail(auth: Auth, call: AuthCall, body: Body, purpose: MailKind): Promise<Response> {
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = parseEmail(body.email);
  auth.limits.take('mails', call.peer);
  const { mailIntervalSeconds: intervalSeconds, otpSeconds: lifetimeSeconds } = auth.settings;
  const token = makeToken(challenge !== null);
  const { hasAccount, mail, wait } = await auth.pg.transaction(async (tx) => {
    const found = await findUser(tx, 'email', email);
    // An admin can create accounts whose address is not confirmed.
    const isUnconfirmed = found !== null && found.email_confirmed_at === null;
    const known = isUnconfirmed ? 'signup' : 'magiclink';
    const kind = purpose === 'recovery' || found === null ? purpose : known;
    const stored = await storeMail(
      tx,
      { email, kind, token, challenge },
      { intervalSeconds, lifetimeSeconds, now: auth.now() },
    );
    return { hasAccount: found !== null, mail: auth.mails.compose(kind, email, token, call), wait: stored };
  });
  if (wait > 0) {
    const message = `For security purposes, you can only request this after ${wait} seconds.`;
    throw new AuthError(429, 'over_email_send_rate_limit', message);
  }
  if (hasAccount || purpose === 'signup') auth.mails.send(mail);
  return Response.json({});
}
