// /admin/users: accounts in the hands of whoever holds the secret key.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Queries } from '../../engine.ts';
import { codeOf, confirmAccount, createAccount } from './create-account.ts';
import { type Auth, bearerOf, noAuthorization } from '../auth.ts';
import { AuthError, emailExists, validationFailed } from '../auth-error.ts';
import { type Call, metadataField, parseBody, textField } from '../call.ts';
import { parseEmail } from './email-address.ts';
import { checkPassword } from '../passwords/passwords.ts';
import { endSessions } from '../sessions/sessions.ts';
import { type User, describeUser, lockUser, mergeMetadata, updateUser } from './users.ts';

/** "for ever" of a ban is written as a very long time; Postgres' years end at 294276, JavaScript's a little earlier. */
const MAX_BAN_MS = 1000 * 365 * 24 * 3_600_000;

const schema = v.object({
  email: textField,
  phone: textField,
  password: textField,
  email_confirm: v.nullish(v.boolean(), false),
  user_metadata: metadataField,
  app_metadata: metadataField,
  role: textField,
  ban_duration: textField,
});
type Body = v.InferOutput<typeof schema>;

/** Throws an `AuthError` unless the secret key, or a token of its role, asks. */
export async function requireAdmin(auth: Auth, { headers }: Call): Promise<void> {
  const bearer = bearerOf(headers) ?? headers.get('apikey');
  if (bearer === null) throw noAuthorization();
  const holder = await auth.verifyKey(bearer);
  if (!holder.ok) throw new AuthError(403, 'bad_jwt', `invalid JWT: ${holder.error.atHandshake}`);
  if (holder.value.role !== 'service_role' && holder.value.role !== 'supabase_admin')
    throw new AuthError(403, 'not_admin', 'User not allowed');
}

export async function adminCreate(auth: Auth, call: Call): Promise<Response> {
  const body = parseBody(schema, call);
  if (body.email === '') throw validationFailed('Cannot create a user without either an email or phone');
  const email = parseEmail(body.email);
  const passwordHash = body.password === '' ? null : await hashOf(auth, body.password);
  return auth.pg.transaction(async (tx) => {
    if ((await lockUser(tx, 'email', email)) !== null) throw emailExists();
    const made = await createAccount(tx, { email, passwordHash, data: body.user_metadata ?? {} }, auth.now());
    return Response.json(await describeUser(tx, await applyChanges(auth, tx, made, body)));
  });
}

export async function adminRead(auth: Auth, _call: Call, id: string): Promise<Response> {
  return auth.pg.transaction(async (tx) => Response.json(await describeUser(tx, await requireUser(tx, id))));
}

const deleteSchema = v.object({ should_soft_delete: v.nullish(v.boolean(), false) });

export async function adminDelete(auth: Auth, call: Call, id: string): Promise<Response> {
  const isSoft = call.text !== '' && parseBody(deleteSchema, call).should_soft_delete;
  await auth.pg.transaction(async (tx) => {
    const user = await requireUser(tx, id);
    if (isSoft) return deleteSoftly(auth, tx, user);
    try {
      await tx.query('delete from auth.users where id = $1', [id]);
    } catch (error) {
      // Something of the project's own still points at the account.
      throw codeOf(error) === '23503'
        ? new AuthError(500, 'unexpected_failure', 'Database error deleting user')
        : error;
    }
  });
  return Response.json({});
}

/** Of both calls: what is set beside address, password and what people say of themselves. */
async function applyChanges(auth: Auth, tx: Queries, made: User, body: Body): Promise<User> {
  const now = auth.now();
  let user = made;
  if (body.email_confirm) user = await confirmAccount(tx, user, now);
  if (body.app_metadata != null) {
    const raw_app_meta_data = mergeMetadata(user.raw_app_meta_data, body.app_metadata);
    user = await updateUser(tx, user.id, { raw_app_meta_data }, now);
  }
  if (body.role !== '') user = await updateUser(tx, user.id, { role: body.role }, now);
  if (body.ban_duration !== '') {
    const ms = durationOf(body.ban_duration);
    const banned_until = ms === null ? null : new Date(auth.settings.now() + ms).toISOString();
    user = await updateUser(tx, user.id, { banned_until }, now);
  }
  return user;
}

/** The row stays for what points at it; nobody can sign in with it, and its address is free again. */
async function deleteSoftly(auth: Auth, tx: Queries, user: User): Promise<void> {
  if (user.deleted_at !== null) return;
  const now = auth.now();
  const email = createHash('sha256').update(user.id).update(user.email).digest('hex');
  await updateUser(
    tx,
    user.id,
    {
      email,
      encrypted_password: null,
      raw_user_meta_data: {},
      raw_app_meta_data: {},
      confirmation_token: null,
      recovery_token: null,
      email_change: null,
      email_change_token_new: null,
      email_change_token_current: null,
      deleted_at: now,
    },
    now,
  );
  await tx.query('delete from auth.identities where user_id = $1', [user.id]);
  await endSessions(tx, 'global', user.id, null);
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

/** Milliseconds of "24h", "1h30m", "300s"; null: none. Throws an `AuthError`. */
function durationOf(text: string): number | null {
  if (text === 'none') return null;
  const unit: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text))
    throw validationFailed(`invalid format for ban duration: time: invalid duration "${text.slice(0, 40)}"`);
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  const sum = parts.reduce((ms, [, count, name]) => ms + Number(count) * (unit[name ?? ''] ?? 0), 0);
  return Math.min(sum, MAX_BAN_MS);
}
