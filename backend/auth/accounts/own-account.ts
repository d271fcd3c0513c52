// /user: who is signed in, and what they change of themselves. /logout: where they are signed in no longer.
import * as v from 'valibot';
import { adoptEmail } from './create-account.ts';
import type { Auth } from '../auth.ts';
import { AuthError, emailExists, validationFailed } from '../auth-error.ts';
import { type Call, metadataField, parseBody, textField } from '../call.ts';
import { sendEmailChange } from '../confirmations.ts';
import { parseEmail } from './email-address.ts';
import { parseChallenge } from '../mail/pkce.ts';
import { checkPassword } from '../passwords/passwords.ts';
import { endSessions } from '../sessions/sessions.ts';
import { type User, describeUser, findUser, lockUser, mergeMetadata, updateUser } from './users.ts';

export async function readSelf(auth: Auth, call: Call): Promise<Response> {
  const { user } = await auth.caller(call);
  return Response.json(await describeUser(auth.pg, user));
}

const schema = v.object({
  email: textField,
  phone: textField,
  password: v.nullish(v.string(), null),
  data: metadataField,
  app_metadata: metadataField,
  code_challenge: textField,
  code_challenge_method: textField,
});

export async function changeSelf(auth: Auth, call: Call): Promise<Response> {
  const { user: caller, sessionId } = await auth.caller(call);
  const body = parseBody(schema, call);
  const challenge = parseChallenge(body.code_challenge, body.code_challenge_method);
  const email = body.email === '' ? '' : parseEmail(body.email);
  const newEmail = email === caller.email ? '' : email;
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  if (body.app_metadata != null)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const passwordHash = body.password === null ? null : await newPasswordHash(auth, caller, body.password, newEmail);
  // A guest's first address counts like a new account's: at once, where accounts do.
  const isAdopted = caller.is_anonymous && !auth.settings.confirmEmails;
  if (newEmail !== '') {
    if ((await findUser(auth.pg, 'email', newEmail)) !== null) throw emailExists();
    if (!isAdopted) {
      auth.limits.take('mails', call.peer);
      auth.limits.mail('change', newEmail);
    }
  }
  return auth.pg.transaction(async (tx) => {
    const now = auth.now();
    let user = await lockUser(tx, 'id', caller.id);
    if (user === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    if (passwordHash !== null) {
      user = await updateUser(tx, user.id, { encrypted_password: passwordHash }, now);
      // Who knows the old password may be signed in somewhere.
      await endSessions(tx, sessionId === null ? 'global' : 'others', user.id, sessionId);
    }
    if (body.data != null) {
      const raw_user_meta_data = mergeMetadata(user.raw_user_meta_data, body.data);
      user = await updateUser(tx, user.id, { raw_user_meta_data }, now);
    }
    if (newEmail !== '')
      user = isAdopted
        ? await adoptEmail(tx, user, newEmail, now)
        : await sendEmailChange(auth, tx, user, newEmail, challenge, call);
    return Response.json(await describeUser(tx, user));
  });
}

async function newPasswordHash(auth: Auth, user: User, password: string, newEmail: string): Promise<string> {
  checkPassword(password, auth.settings.minPasswordLength);
  if (user.is_anonymous && newEmail === '')
    throw validationFailed('Updating password of an anonymous user without an email or phone is not allowed', 422);
  // Guessing the own password is guessing all the same.
  const forgive = auth.limits.attempt('password', user.email || user.id);
  if (await auth.passwords.matches(password, user.encrypted_password))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  forgive();
  return auth.passwords.hash(password);
}

const scopeSchema = v.picklist(['local', 'global', 'others']);

export async function signOut(auth: Auth, call: Call): Promise<Response> {
  const scope = v.safeParse(scopeSchema, call.url.searchParams.get('scope') ?? 'global');
  if (!scope.success) throw validationFailed(`Unsupported logout scope "${call.url.searchParams.get('scope')}"`);
  const { user, sessionId } = await auth.caller(call);
  await endSessions(auth.pg, scope.output, user.id, sessionId);
  return new Response(null, { status: 204 });
}
