// Reads a page as it was: the log up to any row.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type LogAnswer, logAnswer } from 'weft-sync/protocol/log-answers.ts';
import { ROW_VERSION } from 'weft-sync/protocol/row.ts';
import { limitedCall } from 'weft-sync/supabase/call.ts';
import type { Result } from '../../lib/result.ts';

export interface LogHistory {
  /** With `after` 0 a snapshot may come first, then the rows after it. */
  rowsUntil(document: DocumentId, after: number, until: number): Promise<Result<LogAnswer, WeftError>>;
}

export const supabaseLogHistory = (client: SupabaseClient): LogHistory => ({
  rowsUntil: (document, after, until) =>
    limitedCall(client.rpc('rows_until', { document, after, until, row_version: ROW_VERSION }), logAnswer),
});
