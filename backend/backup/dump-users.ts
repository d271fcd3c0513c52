// Dumps accounts in the form of a hosted Supabase project: only columns that it has, empty strings where its Auth
// expects text, and the identity that belongs to an email address. Passwords stay valid: both use bcrypt.
import type { Queries } from '../engine.ts';
import { type Line, quoteValue } from './dump.ts';

/** Columns of auth.users; for all others the project's defaults apply. */
const COLUMNS = [
  'id',
  'aud',
  'role',
  'email',
  'encrypted_password',
  'email_confirmed_at',
  'invited_at',
  'last_sign_in_at',
  'raw_app_meta_data',
  'raw_user_meta_data',
  'created_at',
  'updated_at',
  'banned_until',
  'is_anonymous',
];
/** Supabase Auth reads these columns into strings and fails on null. */
const TEXTS = [
  'confirmation_token',
  'recovery_token',
  'email_change_token_new',
  'email_change',
  'email_change_token_current',
  'phone_change',
  'phone_change_token',
  'reauthentication_token',
];
const NO_INSTANCE = '00000000-0000-0000-0000-000000000000';

type User = Readonly<Record<string, string | null>> & { readonly id: string };

export async function* dumpUsers(tx: Queries): AsyncGenerator<Line> {
  const { rows: found } = await tx.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'auth.users'::regclass and attname = any($1::text[]) and not attisdropped`,
    [COLUMNS],
  );
  const columns = COLUMNS.filter((column) => found.some(({ name }) => name === column));
  const { rows: users } = await tx.query<User>(
    `select ${columns.map((name) => `${name}::text`).join(', ')} from auth.users order by created_at, id`,
  );
  for (const user of users) {
    const named = [...columns, 'instance_id', ...TEXTS].join(', ');
    const values = [...columns.map((name) => user[name] ?? null), NO_INSTANCE, ...TEXTS.map(() => '')];
    yield `insert into auth.users (${named}) values (${values.map(quoteValue).join(', ')});`;
    const email = user['email'] ?? '';
    if (email !== '') yield identityOf(user, email);
  }
}

function identityOf({ id, ...user }: User, email: string): Line {
  const data = { sub: id, email, email_verified: (user['email_confirmed_at'] ?? null) !== null, phone_verified: false };
  const times = [user['last_sign_in_at'] ?? null, user['created_at'] ?? null, user['updated_at'] ?? null];
  const values = [id, id, JSON.stringify(data), 'email', ...times];
  return `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at) values (${values.map(quoteValue).join(', ')});`;
}
