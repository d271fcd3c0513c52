// Gap: @supabase/lite 0.10.0 answers most SQLSTATEs with 500 `{"code":"SUP"}` and drops detail and hint: every plain
// `raise exception`, every violated CHECK, every code of our own (WF001 …). PostgREST has a table (rest/refusal.ts).
// A status is told to lite the way a Postgres function tells it to PostgREST: as an error of SQLSTATE "PGRST".
import type { PgliteConnection } from '@supabase/lite/pglite';
import { type DatabaseError, parseDatabaseError, statusOf } from '../rest/postgrest-error.ts';

/** Codes whose answer depends on the request (who asks, what was asked for) or is a protocol of its own; lite knows them. */
const LEFT_TO_LITE = /^(?:42(?!P01)|PT|PGRST)/;

export class MappedError extends Error {
  readonly code = 'PGRST';
  readonly detail: string;
  /** What the database said. */
  readonly sqlState: string;

  constructor(error: DatabaseError) {
    const { code, message, detail, hint } = error;
    super(JSON.stringify({ code, message, details: detail ?? null, hint: hint ?? null }));
    this.sqlState = code;
    this.detail = JSON.stringify({ status: statusOf(error), headers: {} });
  }
}

export function mapErrors(connection: PgliteConnection): void {
  connection.normalizeDbError = (error) => {
    const known = parseDatabaseError(error);
    return known === null || LEFT_TO_LITE.test(known.code) ? error : new MappedError(known);
  };
}
