// /invite and /admin/generate_link, for whoever holds the secret key: a mail that invites somebody, and the link of any mail
// for who sends mails of their own.
import * as v from 'valibot';
import type { Queries } from '../engine.ts';
import { createAccount } from './accounts.ts';
import type { Auth } from './auth.ts';
import { AuthError, emailExists, validationFailed } from './auth-error.ts';
import { type Call, metadataField, parseBody, textField } from './call.ts';
import { sendInvite } from './confirmations.ts';
import { parseEmail } from './email-address.ts';
import type { MailKind } from './mails.ts';
import { type OneTimeToken, makeToken } from './one-time-tokens.ts';
import { checkPassword } from './passwords.ts';
import { type Metadata, type User, describeUser, findUser, lockUser, mergeMetadata, updateUser } from './users.ts';

const inviteSchema = v.object({ email: textField, data: metadataField });

export async function invite(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(inviteSchema, call);
  const email = parseEmail(body.email);
  return auth.pg.transaction(async (tx) => {
    const user = await unprovedUser(auth, tx, email, null, body.data ?? {});
    return Response.json(await describeUser(tx, await sendInvite(auth, tx, user, call)));
  });
}

const linkSchema = v.object({
  type: textField,
  email: textField,
  new_email: textField,
  password: textField,
  data: metadataField,
  redirect_to: textField,
});
type Body = v.InferOutput<typeof linkSchema>;

/** The account as it is now, and what its link is made of. */
type Made = { readonly user: User; readonly kind: MailKind; readonly token: OneTimeToken };

export async function generateLink(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(linkSchema, call);
  const email = parseEmail(body.email);
  const isNew = (await findUser(auth.pg, 'email', email)) === null;
  // Who has no account signs up by the link that would have signed them in.
  const type = body.type === 'magiclink' && isNew ? 'signup' : body.type;
  const passwordHash =
    type === 'signup' && isNew && body.type !== 'magiclink' ? await hashOf(auth, body.password) : null;
  return auth.pg.transaction(async (tx) => {
    const { user, kind, token } = await prepare(auth, tx, type, email, passwordHash, body);
    const redirectTo = auth.mails.redirectOf(call, body.redirect_to);
    return Response.json({
      ...(await describeUser(tx, user)),
      action_link: auth.mails.linkOf(kind, token.hash, call, redirectTo),
      email_otp: token.code,
      hashed_token: token.hash,
      verification_type: type,
      redirect_to: redirectTo,
    });
  });
}

async function prepare(
  auth: Auth,
  tx: Queries,
  type: string,
  email: string,
  passwordHash: string | null,
  body: Body,
): Promise<Made> {
  const now = auth.now();
  switch (type) {
    case 'signup':
    case 'invite': {
      const user = await unprovedUser(auth, tx, email, passwordHash, body.data ?? {});
      const token = makeToken(email, false);
      const changes = { confirmation_token: token.hash, confirmation_sent_at: now };
      const invited = type === 'invite' ? { invited_at: now } : {};
      return { user: await updateUser(tx, user.id, { ...changes, ...invited }, now), kind: type, token };
    }
    case 'magiclink':
    case 'recovery': {
      const user = await requireUser(tx, email);
      const token = makeToken(email, false);
      const changes = { recovery_token: token.hash, recovery_sent_at: now };
      return { user: await updateUser(tx, user.id, changes, now), kind: type, token };
    }
    case 'email_change_current':
    case 'email_change_new':
      return prepareChange(auth, tx, type, email, body.new_email);
    default:
      throw validationFailed(`Invalid email action link type requested: ${type.slice(0, 40)}`);
  }
}

async function prepareChange(
  auth: Auth,
  tx: Queries,
  type: 'email_change_current' | 'email_change_new',
  email: string,
  newText: string,
): Promise<Made> {
  const isOfOld = type === 'email_change_current';
  if (isOfOld && !auth.settings.secureEmailChange)
    throw validationFailed('Enable secure email change to generate link for current email');
  const user = await requireUser(tx, email);
  const newEmail = parseEmail(newText);
  const taken = await lockUser(tx, 'email', newEmail);
  if (taken !== null && taken.id !== user.id) throw emailExists();
  const token = makeToken(isOfOld ? email : newEmail, false);
  const changes = {
    email_change: newEmail,
    email_change_sent_at: auth.now(),
    email_change_confirm_status: 0,
    [isOfOld ? 'email_change_token_current' : 'email_change_token_new']: token.hash,
  };
  const changed = await updateUser(tx, user.id, changes, auth.now());
  return { user: changed, kind: isOfOld ? 'email_change_current' : 'email_change', token };
}

/** An account whose address nobody has proved yet; made when there is none. Throws an `AuthError` for any other. */
async function unprovedUser(
  auth: Auth,
  tx: Queries,
  email: string,
  passwordHash: string | null,
  data: Metadata,
): Promise<User> {
  const known = await lockUser(tx, 'email', email);
  if (known === null) return createAccount(tx, { email, passwordHash, data }, auth.now());
  if (known.email_confirmed_at !== null) throw emailExists();
  const raw_user_meta_data = mergeMetadata(known.raw_user_meta_data, data);
  return updateUser(tx, known.id, { raw_user_meta_data }, auth.now());
}

async function requireUser(tx: Queries, email: string): Promise<User> {
  const user = await lockUser(tx, 'email', email);
  if (user === null) throw new AuthError(404, 'user_not_found', 'User with this email not found');
  return user;
}

async function hashOf(auth: Auth, password: string): Promise<string> {
  if (password === '') throw validationFailed('Signup requires a valid password', 422);
  checkPassword(password, auth.settings.minPasswordLength);
  return auth.passwords.hash(password);
}
