// GET and PUT /user: people read and change their own account. POST /logout: they end one or more of their sessions.
import * as v from 'valibot';
import { giveEmail } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { checkMetadata, mergeMetadata } from '../accounts/metadata.ts';
import { type User, describeUser, findUser, lockUser, updateUser } from '../accounts/users.ts';
import { AuthError, authNotImplemented, emailExists, validationFailed } from '../auth-error.ts';
import type { Auth } from '../auth.ts';
import { type AuthCall, metadataField, parseAuthBody, textField } from '../call.ts';
import { checkPassword } from '../passwords/passwords.ts';
import { endSessions } from '../sessions/sessions.ts';

export async function readOwnAccount(auth: Auth, call: AuthCall): Promise<Response> {
  const { user } = await auth.caller(call);
  return Response.json(await describeUser(auth.pg, user));
}

const schema = v.object({
  email: textField,
  phone: textField,
  password: v.nullish(v.string(), null),
  data: metadataField,
  app_metadata: metadataField,
});

export async function changeOwnAccount(auth: Auth, call: AuthCall): Promise<Response> {
  const { user: caller, sessionId } = await auth.caller(call);
  const body = parseAuthBody(schema, call);
  const email = await newEmail(auth, call, caller, body.email);
  if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  if (body.app_metadata != null)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const passwordHash = body.password === null ? null : await newPasswordHash(auth, caller, body.password, email);
  return auth.pg.transaction(async (tx) => {
    const now = auth.now();
    let user = await lockUser(tx, 'id', caller.id);
    if (user === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    // The session may have ended while the password was hashed, because the account's owner proved the address by a mail.
    await auth.caller(call, tx);
    if (passwordHash !== null) {
      user = await updateUser(tx, user.id, { encrypted_password: passwordHash }, now);
      auth.forgiveAttempts(user, call);
      // Someone who knows the old password may be signed in elsewhere.
      await endSessions(tx, 'others', user.id, sessionId);
    }
    if (body.data != null) {
      const raw_user_meta_data = mergeMetadata(user.raw_user_meta_data, body.data);
      checkMetadata(raw_user_meta_data);
      user = await updateUser(tx, user.id, { raw_user_meta_data }, now);
    }
    // Another call may have given the guest an address meanwhile.
    if (email !== null && user.is_anonymous) user = await giveEmail(tx, user, email, now);
    return Response.json(await describeUser(tx, user));
  });
}

/**
 * The address with which a guest becomes an account; null if the address stays. As at sign-up, it needs no
 * confirmation.
 */
async function newEmail(auth: Auth, call: AuthCall, user: User, text: string): Promise<string | null> {
  if (text === '') return null;
  const email = parseEmail(text);
  if (email === user.email) return null;
  if (!user.is_anonymous) throw authNotImplemented('changing an email address');
  auth.limits.take('signUps', call.peer);
  if ((await findUser(auth.pg, 'email', email)) !== null) throw emailExists();
  return email;
}

async function newPasswordHash(auth: Auth, user: User, password: string, email: string | null): Promise<string> {
  checkPassword(password, auth.settings.minPasswordLength);
  if (user.is_anonymous) {
    if (email === null)
      throw validationFailed('Updating password of an anonymous user without an email or phone is not allowed', 422);
    return auth.passwords.hash(password);
  }
  // The comparison below would otherwise allow unlimited guesses of the current password. They have one count, whatever the
  // network address: 'signed in' takes the place of a device's id.
  auth.passwords.refuseIfBusy();
  const undoAttempt = auth.limits.attempt(user.id, { peer: null, device: 'signed in' });
  if (await auth.passwords.matches(password, user.encrypted_password))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  undoAttempt();
  return auth.passwords.hash(password);
}

const scopeSchema = v.picklist(['local', 'global', 'others']);

export async function signOut(auth: Auth, call: AuthCall): Promise<Response> {
  const scope = v.safeParse(scopeSchema, call.url.searchParams.get('scope') ?? 'global');
  if (!scope.success) throw validationFailed(`Unsupported logout scope "${call.url.searchParams.get('scope')}"`);
  const { user, sessionId } = await auth.caller(call);
  await endSessions(auth.pg, scope.output, user.id, sessionId);
  return new Response(null, { status: 204 });
}
