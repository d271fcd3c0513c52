// Accounts as they are stored (auth.users, auth.identities) and as clients see them.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { assert } from '../../../src/lib/assert.ts';
import type { Queries } from '../../engine.ts';
import type { Metadata } from './metadata.ts';

/** With milliseconds and Z, however the database prints it. */
const time = v.nullable(
  v.pipe(
    v.string(),
    v.transform((text) => new Date(text).toISOString()),
  ),
);
const metadata = v.pipe(
  v.nullable(v.record(v.string(), v.unknown())),
  v.transform((value) => value ?? {}),
);
/** NULL counts as '': the hosted service writes either. */
const text = v.pipe(
  v.nullable(v.string()),
  v.transform((value) => value ?? ''),
);

const userSchema = v.object({
  id: v.string(),
  aud: text,
  role: text,
  email: text,
  encrypted_password: v.nullable(v.string()),
  phone: text,
  email_confirmed_at: time,
  invited_at: time,
  banned_until: time,
  raw_app_meta_data: metadata,
  raw_user_meta_data: metadata,
  is_anonymous: v.boolean(),
  last_sign_in_at: time,
  created_at: time,
  updated_at: time,
});
export type User = v.InferOutput<typeof userSchema>;

const identitySchema = v.object({
  id: v.string(),
  provider: v.string(),
  provider_id: v.string(),
  user_id: v.string(),
  identity_data: metadata,
  email: v.nullable(v.string()),
  last_sign_in_at: time,
  created_at: time,
  updated_at: time,
});

type Changes = Partial<{
  email: string;
  is_anonymous: boolean;
  encrypted_password: string | null;
  email_confirmed_at: string | null;
  raw_user_meta_data: Metadata;
  last_sign_in_at: string;
}>;

type SearchColumn = 'id' | 'email';

/** An `id` must be a UUID. */
export const findUser = (db: Queries, column: SearchColumn, value: string): Promise<User | null> =>
  selectUser(db, column, value, '');

/** Waits for transactions that change the account, and makes others wait for this one. */
export const lockUser = (tx: Queries, column: SearchColumn, value: string): Promise<User | null> =>
  selectUser(tx, column, value, 'for update');

async function selectUser(db: Queries, column: SearchColumn, value: string, lock: string): Promise<User | null> {
  const { rows } = await db.query(`select * from auth.users where ${column} = $1 and not is_sso_user ${lock}`, [value]);
  return rows[0] === undefined ? null : v.parse(userSchema, rows[0]);
}

export type NewUser = {
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly appMetadata: Metadata;
  readonly userMetadata: Metadata;
  readonly isAnonymous: boolean;
};

/** The project's triggers run, and may change the row or refuse it. */
export async function insertUser(db: Queries, user: NewUser, now: string): Promise<User> {
  const { rows } = await db.query(
    `insert into auth.users
       (id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', $2, $3, $4::text::jsonb, $5::text::jsonb, $6, $7, $7)
     returning *`,
    [
      randomUUID(),
      user.email,
      user.passwordHash,
      JSON.stringify(user.appMetadata),
      JSON.stringify(user.userMetadata),
      user.isAnonymous,
      now,
    ],
  );
  return v.parse(userSchema, rows[0]);
}

export async function updateUser(db: Queries, id: string, changes: Changes, now: string): Promise<User> {
  const entries = Object.entries({ ...changes, updated_at: now });
  const isJson = (value: unknown) => typeof value === 'object' && value !== null;
  const assignments = entries.map(
    ([column, value], at) => `${column} = $${at + 2}${isJson(value) ? '::text::jsonb' : ''}`,
  );
  const values = entries.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value));
  const { rows } = await db.query(`update auth.users set ${assignments.join(', ')} where id = $1 returning *`, [
    id,
    ...values,
  ]);
  assert(rows[0] !== undefined, 'an account that was found is changed in the same transaction');
  return v.parse(userSchema, rows[0]);
}

/** The identity that signs in with an email address. Its column `email` is generated from the data. */
export async function insertEmailIdentity(db: Queries, user: User, data: Metadata, now: string): Promise<void> {
  await db.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
     values ($1, 'email', $2::text, $2::text::uuid, $3::text::jsonb, $4, $4, $4)`,
    [randomUUID(), user.id, JSON.stringify(data), now],
  );
}

/** The account as clients see it. Like the hosted service, it leaves out times that are not set. */
export async function describeUser(db: Queries, user: User): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await db.query('select * from auth.identities where user_id = $1 order by created_at', [user.id]);
  const identities = v.parse(v.array(identitySchema), rows).map(({ id, provider_id, ...identity }) => ({
    identity_id: id,
    id: provider_id,
    ...identity,
  }));
  const times = {
    email_confirmed_at: user.email_confirmed_at,
    invited_at: user.invited_at,
    confirmed_at: user.email_confirmed_at,
    last_sign_in_at: user.last_sign_in_at,
    banned_until: user.banned_until,
  };
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    phone: user.phone,
    ...Object.fromEntries(Object.entries(times).filter(([, value]) => value !== null)),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities,
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: user.is_anonymous,
  };
}
