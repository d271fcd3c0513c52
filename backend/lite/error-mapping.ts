// Gap: @supabase/lite 0.10.0 answers most SQLSTATEs with 500 `{"code":"SUP"}` and drops detail and hint: every plain
// `raise exception`, every violated CHECK, every code of our own (WF001 …). PostgREST has a table; this is it.
// A status is told to lite the way a Postgres function tells it to PostgREST: as an error of SQLSTATE "PGRST".
import type { PgliteConnection } from '@supabase/lite/pglite';
import * as v from 'valibot';

const errorSchema = v.object({
  code: v.pipe(v.string(), v.regex(/^[0-9A-Z]{5}$/)),
  message: v.string(),
  detail: v.optional(v.nullable(v.string())),
  hint: v.optional(v.nullable(v.string())),
});

/** Codes whose answer depends on the request (who asks, what was asked for) or is a protocol of its own; lite knows them. */
const LEFT_TO_LITE = /^(?:42|22|PT|PGRST|25006$|23503$|23505$)/;

/** PostgREST's table of statuses, without what is left to lite; first match counts. */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/^(?:08|53(?!400)|57P01)/, 503],
  [/^(?:0L|0P|28)/, 403],
  [/^P0001$/, 400],
  [/^54/, 413],
  [/^(?:09|25|2D|38|39|3B|40|53|55|57|58|F0|HV|P0|XX)/, 500],
];

export class MappedError extends Error {
  readonly code = 'PGRST';
  readonly detail: string;
  /** What the database said. */
  readonly sqlState: string;

  constructor({ code, message, detail, hint }: v.InferOutput<typeof errorSchema>) {
    super(JSON.stringify({ code, message, details: detail ?? null, hint: hint ?? null }));
    const status = STATUSES.find(([form]) => form.test(code))?.[1] ?? 400;
    this.sqlState = code;
    this.detail = JSON.stringify({ status, headers: {} });
  }
}

export function mapErrors(connection: PgliteConnection): void {
  connection.normalizeDbError = (error) => {
    const parsed = v.safeParse(errorSchema, error);
    return parsed.success && !LEFT_TO_LITE.test(parsed.output.code) ? new MappedError(parsed.output) : error;
  };
}
