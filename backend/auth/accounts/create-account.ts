// Making accounts and proving their addresses: what sign-up, mails and the admin calls have in common.
import type { Queries } from '../../engine.ts';
import { AuthError, emailExists } from '../auth-error.ts';
import { type Metadata, type User, insertUser, mergeMetadata, putEmailIdentity, updateUser } from './users.ts';

const EMAIL_PROVIDER = { provider: 'email', providers: ['email'] } as const;

export type NewAccount = {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly data: Metadata;
};

/** An account that signs in by mail; its address is not proved yet. Throws an `AuthError`. */
export async function createAccount(
  tx: Queries,
  { email, passwordHash, data }: NewAccount,
  now: string,
): Promise<User> {
  const made = await insertOrRefuse(
    tx,
    {
      email,
      passwordHash,
      appMetadata: EMAIL_PROVIDER,
      userMetadata: data,
      isAnonymous: false,
    },
    now,
  );
  const identity = { ...data, sub: made.id, email, email_verified: false, phone_verified: false };
  await putEmailIdentity(tx, made, identity, now);
  // Read back, not taken from `data`: a trigger may have changed it.
  return updateUser(tx, made.id, { raw_user_meta_data: { ...made.raw_user_meta_data, ...identity } }, now);
}

export const createGuest = (tx: Queries, data: Metadata, now: string): Promise<User> =>
  insertOrRefuse(tx, { email: null, passwordHash: null, appMetadata: {}, userMetadata: data, isAnonymous: true }, now);

/** Its address is proved. */
export async function confirmAccount(tx: Queries, user: User, now: string): Promise<User> {
  return updateUser(
    tx,
    user.id,
    {
      email_confirmed_at: user.email_confirmed_at ?? now,
      confirmation_token: null,
      raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { email_verified: true }),
    },
    now,
  );
}

/** Gives the account this proved address; a guest becomes a member with it. Throws an `AuthError` when it is taken. */
export async function adoptEmail(tx: Queries, user: User, email: string, now: string): Promise<User> {
  const changed = await unlessTaken(
    updateUser(
      tx,
      user.id,
      {
        email,
        email_change: null,
        email_change_token_new: null,
        email_change_token_current: null,
        email_change_confirm_status: 0,
        is_anonymous: false,
        email_confirmed_at: user.email_confirmed_at ?? now,
        raw_app_meta_data: mergeMetadata(EMAIL_PROVIDER, user.raw_app_meta_data),
        raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, { sub: user.id, email, email_verified: true }),
      },
      now,
    ),
  );
  await putEmailIdentity(tx, changed, { sub: user.id, email, email_verified: true, phone_verified: false }, now);
  return changed;
}

const insertOrRefuse = async (...insert: Parameters<typeof insertUser>): Promise<User> => {
  try {
    return await insertUser(...insert);
  } catch (error) {
    // Two at once: the index lets only the first one in.
    if (codeOf(error) === '23505') throw new AuthError(422, 'user_already_exists', 'User already registered');
    // Not by anything of ours: a trigger of the project said no.
    if (/^(?:P0|23|42)/.test(codeOf(error)))
      throw new AuthError(500, 'unexpected_failure', 'Database error saving new user');
    throw error;
  }
};

async function unlessTaken(change: Promise<User>): Promise<User> {
  try {
    return await change;
  } catch (error) {
    throw codeOf(error) === '23505' ? emailExists() : error;
  }
}

/** The SQLSTATE; '' when it is no error of the database. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
