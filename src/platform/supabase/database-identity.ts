// Asks which database is behind the project's address: by its id `device-name.ts` finds the name under which this
// device files what it holds.
import type { SupabaseClient } from '@supabase/supabase-js';
import { call } from 'weft-sync/supabase/call.ts';
import { databaseIdentity } from '../../protocol/answers.ts';
import type { DatabaseId } from '../../protocol/ids.ts';

const TRIES = 3;
const RETRY_MS = 500;

/** For someone who has just signed in. Null if there is no answer, or the project has not applied the newest migrations. */
export async function askDatabaseIdentity(
  client: SupabaseClient,
  after: (ms: number, run: () => void) => unknown,
): Promise<DatabaseId | null> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call(client.rpc('database_identity'), databaseIdentity);
    if (answer.ok) return answer.value.database;
    if (tries === TRIES || answer.error.code !== 'WF011') return null;
    await new Promise<void>((resolve) => after(RETRY_MS, resolve));
  }
}
