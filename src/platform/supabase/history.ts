// The rows, editing sessions and versions of a page's history, and its erasing.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DocumentId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import { ROW_VERSION } from 'weft-sync/protocol/row.ts';
import { call, callWithoutAnswer, limitedCall } from 'weft-sync/supabase/call.ts';
import type { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { type Bytes, toBase64 } from '../../lib/bytes.ts';
import { mapped } from '../../lib/result.ts';
import type { Answer } from '../../ports/answer.ts';
import type { NewVersion } from '../../ports/history.ts';
import {
  type EditingSession,
  type HistoryRows,
  type LinkHistory,
  type Version,
  editingSessions,
  erasure,
  historyRows,
  linkHistory,
  preparedErasing,
  version,
  versions,
} from '../../protocol/history-answers.ts';
import type { VersionId } from '../../protocol/ids.ts';

/** The page as of its newest row `seq`, written at `at`, without the erased words: one update of Yjs, and its title. */
export type ErasedPage = {
  readonly seq: number;
  readonly at: number | null;
  readonly update: Bytes;
  readonly title: string;
};

export function supabaseHistory(client: SupabaseClient, { toDevice }: Pick<ServerClock, 'toDevice'>) {
  const onDevice = (one: Version): Version => ({
    ...one,
    createdAt: toDevice(one.createdAt),
    at: one.at === null ? null : toDevice(one.at),
  });
  const timed = async (answer: Answer<Version>): Answer<Version> => mapped(await answer, onDevice);
  return {
    rows: (document: DocumentId, after: number): Answer<HistoryRows> =>
      limitedCall(client.rpc('history_rows', { document, after, row_version: ROW_VERSION }), historyRows),
    linkRows: (secret: LinkSecret, after: number, until: number | null): Answer<LinkHistory> =>
      limitedCall(client.rpc('link_history', { secret, after, until, row_version: ROW_VERSION }), linkHistory),
    async editingSessions(
      document: DocumentId,
      before: number | null,
      person: UserId | null,
    ): Answer<readonly EditingSession[]> {
      // The database keeps the former name of editing sessions: open tabs of older versions call it.
      const answer = await call(client.rpc('list_sittings', { document, before, person }), editingSessions);
      return mapped(answer, (all) => all.map((one) => ({ ...one, from: toDevice(one.from), to: toDevice(one.to) })));
    },
    async versions(document: DocumentId): Answer<readonly Version[]> {
      return mapped(await call(client.rpc('list_versions', { document }), versions), (all) => all.map(onDevice));
    },
    nameVersion: ({ id, document, seq, name, kind }: NewVersion) =>
      timed(call(client.rpc('name_version', { id, document, seq, name, kind }), version)),
    renameVersion: (one: VersionId, name: string) =>
      timed(call(client.rpc('rename_version', { version: one, name }), version)),
    prepareErasing: (document: DocumentId) => call(client.rpc('prepare_erasing', { document }), preparedErasing),
    eraseHistory: (document: DocumentId, { seq, at, update, title }: ErasedPage) =>
      limitedCall(
        client.rpc('erase_history', { document, known_seq: seq, known_at: at, update: toBase64(update), title }),
        erasure,
      ),
    removeVersion: (one: VersionId) => callWithoutAnswer(client.rpc('remove_version', { version: one })),
  };
}
