// Creates accounts, gives guests an email address, and confirms addresses: for sign-up, sign-in by mail, the person's
// own changes and the admin calls.
import type { Queries } from '../../engine.ts';
import { systemCode } from '../../start-error.ts';
import { AuthError, emailExists } from '../auth-error.ts';
import { type Metadata, checkMetadata, mergeMetadata } from './metadata.ts';
import { type User, insertEmailIdentity, insertUser, updateUser } from './users.ts';

const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] } as const;

export type NewAccount = {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly data: Metadata;
};

/** An account that signs in by email; its address is not confirmed yet. Throws an `AuthError`. */
export async function createAccount(tx: Queries, account: NewAccount, now: string): Promise<User> {
  const { email, passwordHash, data } = account;
  const user = { email, passwordHash, appMetadata: EMAIL_PROVIDER, userMetadata: data, isAnonymous: false };
  const inserted = await insertOrRefuse(tx, user, now);
  const identity: Metadata = { ...data, sub: inserted.id, email, email_verified: false, phone_verified: false };
  checkMetadata(identity);
  await insertEmailIdentity(tx, inserted, identity, now);
  // Merged into the stored metadata, not into `data`: a trigger may have changed what is stored.
  return updateUser(tx, inserted.id, { raw_user_meta_data: { ...inserted.raw_user_meta_data, ...identity } }, now);
}

/** An account without an email address. Throws an `AuthError`. */
export function createGuest(tx: Queries, data: Metadata, now: string): Promise<User> {
  checkMetadata(data);
  const user = { email: null, passwordHash: null, appMetadata: {}, userMetadata: data, isAnonymous: true };
  return insertOrRefuse(tx, user, now);
}

/** Makes a guest an account that signs in by email, with the same id. Throws an `AuthError`. */
export async function giveEmail(tx: Queries, guest: User, email: string, now: string): Promise<User> {
  const identity: Metadata = { sub: guest.id, email, email_verified: true, phone_verified: false };
  const raw_user_meta_data = mergeMetadata(guest.raw_user_meta_data, { email_verified: true });
  checkMetadata(raw_user_meta_data);
  try {
    await insertEmailIdentity(tx, guest, identity, now);
    return await updateUser(
      tx,
      guest.id,
      { email, email_confirmed_at: now, is_anonymous: false, raw_user_meta_data },
      now,
    );
  } catch (error) {
    // Two calls at the same time: the unique index lets only the first one have the address.
    throw codeOf(error) === '23505' ? emailExists() : error;
  }
}

/** Marks the email address as confirmed. */
export async function confirmAccount(tx: Queries, user: User, now: string): Promise<User> {
  const changes = {
    email_confirmed_at: user.email_confirmed_at ?? now,
    raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { email_verified: true }),
  };
  return updateUser(tx, user.id, changes, now);
}

async function insertOrRefuse(...insert: Parameters<typeof insertUser>): Promise<User> {
  try {
    return await insertUser(...insert);
  } catch (error) {
    // Two sign-ups at the same time: the unique index lets only the first one in.
    if (codeOf(error) === '23505') throw new AuthError(422, 'user_already_exists', 'User already registered');
    // A trigger or a constraint of the project refused the row.
    if (/^(?:P0|23|42)/.test(codeOf(error)))
      throw new AuthError(500, 'unexpected_failure', 'Database error saving new user');
    throw error;
  }
}

/** The SQLSTATE of an error of the database; '' if the error has no code. */
export const codeOf = (error: unknown): string => systemCode(error) ?? '';
