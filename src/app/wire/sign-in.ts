// Signing in: the account, and the name under which this device files what it holds.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { supabaseAccount } from '../../platform/supabase/account.ts';
import { askDatabaseIdentity } from '../../platform/supabase/database-identity.ts';
import type { Account, ProviderSignIn } from '../../ports/account.ts';
import { type Project, timing } from './project.ts';

export function signInPorts({ client, config, filedUnder, remembered }: Project): {
  readonly account: Account;
  readonly providerSignIn: () => Promise<ProviderSignIn>;
} {
  const home = location.origin;
  let naming: Promise<void> | null = null;
  /** Asks each time someone signs in, until the database has answered. */
  const nameDevice = async (user: UserId) => {
    const database = await askDatabaseIdentity(client, timing.after);
    if (database !== null) await filedUnder.learn(database, user);
    naming = null;
  };
  return {
    account: supabaseAccount(client, remembered, {
      ...config,
      home,
      inbox: config.isEmbedded ? '/__mail' : null,
      beforeSignIn: (user) => (filedUnder.isKnown() ? null : (naming ??= nameDevice(user))),
    }),
    providerSignIn: async () =>
      (await import('../../platform/supabase/provider-sign-in.ts')).supabaseProviderSignIn(client, config, home),
  };
}
