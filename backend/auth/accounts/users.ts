// Accounts as they are kept (auth.users, auth.identities) and as they are told.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { assert } from '../../../src/lib/assert.ts';
import type { Queries } from '../../engine.ts';

/** Told with milliseconds and Z, however the database prints it. */
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
/** NULL and '' are one: the hosted service writes either. */
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
  confirmation_sent_at: time,
  recovery_sent_at: time,
  email_change: text,
  email_change_token_current: text,
  email_change_token_new: text,
  email_change_sent_at: time,
  email_change_confirm_status: v.nullable(v.number(), 0),
  banned_until: time,
  deleted_at: time,
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

export type Metadata = Readonly<Record<string, unknown>>;

/** Columns that change after a row was made. */
type Changes = Partial<{
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: string | null;
  confirmation_token: string | null;
  confirmation_sent_at: string | null;
  invited_at: string;
  recovery_token: string | null;
  recovery_sent_at: string | null;
  email_change: string | null;
  email_change_token_new: string | null;
  email_change_token_current: string | null;
  email_change_sent_at: string | null;
  email_change_confirm_status: number;
  banned_until: string | null;
  deleted_at: string | null;
  raw_app_meta_data: Metadata;
  raw_user_meta_data: Metadata;
  role: string;
  is_anonymous: boolean;
  last_sign_in_at: string;
}>;

type Findable =
  | 'id'
  | 'email'
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current';

/** An `id` must be a UUID. */
export const findUser = (db: Queries, column: Findable, value: string): Promise<User | null> =>
  selectUser(db, column, value, '');

/** Waits for whoever changes the account just now, and makes others wait until the transaction ends. */
export const lockUser = (tx: Queries, column: Findable, value: string): Promise<User | null> =>
  selectUser(tx, column, value, 'for update');

async function selectUser(db: Queries, column: Findable, value: string, lock: string): Promise<User | null> {
  const { rows } = await db.query(`select * from auth.users where ${column} = $1 and not is_sso_user ${lock}`, [value]);
  return rows[0] === undefined ? null : v.parse(userSchema, rows[0]);
}

export type NewUser = {
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly appMetadata: Metadata;
  readonly userMetadata: Metadata;
  readonly isAnonymous: boolean;
  readonly role?: string;
};

/** Triggers of the project run now, and may change or refuse it. */
export async function insertUser(db: Queries, user: NewUser, now: string): Promise<User> {
  const { rows } = await db.query(
    `insert into auth.users
       (id, aud, role, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at)
     values ($1, 'authenticated', $2, $3, $4, $5::text::jsonb, $6::text::jsonb, $7, $8, $8)
     returning *`,
    [
      randomUUID(),
      user.role ?? 'authenticated',
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
  const assignments = entries.map(([column, value], at) =>
    typeof value === 'object' && value !== null ? `${column} = $${at + 2}::text::jsonb` : `${column} = $${at + 2}`,
  );
  const values = entries.map(([, value]) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  );
  const { rows } = await db.query(`update auth.users set ${assignments.join(', ')} where id = $1 returning *`, [
    id,
    ...values,
  ]);
  assert(rows[0] !== undefined, 'an account that was found is changed in the same transaction');
  return v.parse(userSchema, rows[0]);
}

/** Fields set to null are taken away. */
export const mergeMetadata = (known: Metadata, changes: Metadata): Metadata =>
  Object.fromEntries(Object.entries({ ...known, ...changes }).filter(([, value]) => value !== null));

/** Makes or changes the identity that signs in by mail and password. */
export async function putEmailIdentity(db: Queries, user: User, data: Metadata, now: string): Promise<void> {
  // Its column `email` is generated from the data.
  await db.query(
    `insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
     values ($1, 'email', $2::text, $2::text::uuid, $3::text::jsonb, $4, $4, $4)
     on conflict (provider, provider_id) do update
     set identity_data = excluded.identity_data, updated_at = excluded.updated_at`,
    [randomUUID(), user.id, JSON.stringify(data), now],
  );
}

/** The account as clients are told of it. What is not so is left out, as the hosted service does. */
export async function describeUser(db: Queries, user: User): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await db.query('select * from auth.identities where user_id = $1 order by created_at', [user.id]);
  const identities = v.parse(v.array(identitySchema), rows).map(({ id, provider_id, ...identity }) => ({
    identity_id: id,
    id: provider_id,
    ...identity,
  }));
  const known = {
    email_confirmed_at: user.email_confirmed_at,
    invited_at: user.invited_at,
    confirmation_sent_at: user.confirmation_sent_at,
    confirmed_at: user.email_confirmed_at,
    recovery_sent_at: user.recovery_sent_at,
    new_email: user.email_change || null,
    email_change_sent_at: user.email_change_sent_at,
    last_sign_in_at: user.last_sign_in_at,
    banned_until: user.banned_until,
    deleted_at: user.deleted_at,
  };
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    phone: user.phone,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities,
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: user.is_anonymous,
  };
}
