// Full-text search by the database.
import type { SupabaseClient } from '@supabase/supabase-js';
import { call } from 'weft-sync/supabase/call.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { ok } from '../../lib/result.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { PageSearch } from '../../ports/workspace.ts';
import { searchAnswer } from '../../protocol/search-answers.ts';

/** The database reads no more characters of a query. */
const MAX_QUERY_CHARACTERS = 500;

export function supabaseSearch(client: SupabaseClient, serverClock: ServerClock): PageSearch {
  return {
    async search(workspace, query, filters = {}) {
      const args = {
        workspace,
        // Postgres refuses a NUL and half of a surrogate pair.
        query: cutText(query, MAX_QUERY_CHARACTERS).toWellFormed().replaceAll('\0', ' '),
        author: filters.author ?? null,
        since: toTime(filters.since),
        until: toTime(filters.until),
        below: filters.below ?? null,
        row_limit: filters.limit ?? null,
        skip: filters.skip ?? null,
        newest_first: filters.newestFirst ?? false,
      };
      const answer = await call(client.rpc('search_documents', args), searchAnswer);
      if (!answer.ok) return answer;
      const results = answer.value.results.map((one) => ({ ...one, at: serverClock.toDevice(one.at) }));
      return ok({ ...answer.value, results });
    },
  };
}

const toTime = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
