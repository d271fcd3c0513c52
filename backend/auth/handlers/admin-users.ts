// /admin/users: creates, reads and deletes accounts for the holder of the secret key.
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { bearerOf } from '../../keys/bearer.ts';
import { codeOf, confirmAccount, createAccount } from '../accounts/create-account.ts';
import { parseEmail } from '../accounts/email-address.ts';
import { type User, describeUser, lockUser } from '../accounts/users.ts';
import { AuthError, authNotImplemented, emailExists, validationFailed } from '../auth-error.ts';
import { type Auth, noAuthorization } from '../auth.ts';
import { type AuthCall, metadataField, parseAuthBody, textField } from '../call.ts';
import { checkPassword } from '../passwords/passwords.ts';

/** Throws an `AuthError` unless the caller has the secret key or a token of its role. */
export async function requireAdmin(auth: Auth, { headers }: AuthCall): Promise<void> {
  const bearer = bearerOf(headers.get('authorization')) ?? headers.get('apikey');
  if (bearer === null) throw noAuthorization();
  const holder = await auth.verifyKey(bearer);
  if (!holder.ok) throw new AuthError(403, 'bad_jwt', `invalid JWT: ${holder.error.atHandshake}`);
  if (holder.value.role !== 'service_role') throw new AuthError(403, 'not_admin', 'User not allowed');
}

/** Fields of a hosted project's API that this backend lacks. */
const UNSUPPORTED_FIELDS = ['app_metadata', 'ban_duration', 'id', 'password_hash', 'phone', 'role'];

const createSchema = v.looseObject({
  email: textField,
  password: textField,
  email_confirm: v.nullish(v.boolean(), false),
  user_metadata: metadataField,
});

export async function adminCreate(auth: Auth, call: AuthCall): Promise<Response> {
  const body = parseAuthBody(createSchema, call);
  const field = UNSUPPORTED_FIELDS.find((name) => name in body);
  if (field !== undefined) throw authNotImplemented(`the field "${field}" of a new account`);
  if (body.email === '') throw validationFailed('Cannot create a user without either an email or phone');
  const email = parseEmail(body.email);
  const passwordHash = body.password === '' ? null : await hashOf(auth, body.password);
  return auth.pg.transaction(async (tx) => {
    if ((await lockUser(tx, 'email', email)) !== null) throw emailExists();
    const made = await createAccount(tx, { email, passwordHash, data: body.user_metadata ?? {} }, auth.now());
    const user = body.email_confirm ? await confirmAccount(tx, made, auth.now()) : made;
    return Response.json(await describeUser(tx, user));
  });
}

/** supabase-js reads an account before it deletes it. */
export async function adminRead(auth: Auth, _call: AuthCall, id: string): Promise<Response> {
  return auth.pg.transaction(async (tx) => Response.json(await describeUser(tx, await requireUser(tx, id))));
}

const deleteSchema = v.object({ should_soft_delete: v.nullish(v.boolean(), false) });

export async function adminDelete(auth: Auth, call: AuthCall, id: string): Promise<Response> {
  if (call.text !== '' && parseAuthBody(deleteSchema, call).should_soft_delete)
    throw authNotImplemented('the soft deletion of an account');
  await auth.pg.transaction(async (tx) => {
    await requireUser(tx, id);
    try {
      await tx.query('delete from auth.users where id = $1', [id]);
    } catch (error) {
      // A table of the project still references the account.
      throw codeOf(error) === '23503'
        ? new AuthError(500, 'unexpected_failure', 'Database error deleting user')
        : error;
    }
  });
  return Response.json({});
}

async function requireUser(tx: Queries, id: string): Promise<User> {
  if (!v.is(v.pipe(v.string(), v.uuid()), id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
  const user = await lockUser(tx, 'id', id);
  if (user === null) throw new AuthError(404, 'user_not_found', 'User not found');
  return user;
}

async function hashOf(auth: Auth, password: string): Promise<string> {
  checkPassword(password, auth.settings.minPasswordLength);
  return auth.passwords.hash(password);
}
