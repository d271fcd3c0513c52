// The calls with which a program that has the service key compacts histories.
import { createHash } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import type { CompactedRun } from 'weft-sync/log/compact-rows.ts';
import { type Row, decodeRows, encodeRows } from 'weft-sync/protocol/row.ts';
import { fromBase64, toBase64 } from '../../src/lib/bytes.ts';
import { type Result, err, ok } from '../../src/lib/result.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const pagesAnswer = v.array(v.pipe(v.string(), v.uuid()));
const rowsAnswer = v.object({
  rows: v.string(),
  head: count,
  more: v.boolean(),
  textSeq: count,
  versions: v.array(count),
  now: count,
});
const swapAnswer = v.object({ compacted: v.boolean() });

const PAGES_PER_CALL = 100;

export type ReadLog = {
  readonly rows: readonly Row[];
  /** The row that the text copy stands for. */
  readonly textSeq: number;
  /** Rows that versions name. */
  readonly versions: readonly number[];
  /** The database's clock, in ms. */
  readonly now: number;
};

export class CompactCalls {
  readonly #client: SupabaseClient;
  constructor(client: SupabaseClient) {
    this.#client = client;
  }

  /** Pages with rows older than this many days that are not compacted. Ends with an error if a call fails. */
  async *pages(days: number): AsyncGenerator<Result<string, string>> {
    for (let after: string | null = null; ;) {
      const answer: Result<readonly string[], string> = await this.#call(
        'pages_to_compact',
        { older_than_days: days, after, row_limit: PAGES_PER_CALL },
        pagesAnswer,
      );
      if (!answer.ok) return yield answer;
      for (const page of answer.value) yield ok(page);
      after = answer.value.at(-1) ?? null;
      if (after === null || answer.value.length < PAGES_PER_CALL) return;
    }
  }

  async log(document: string): Promise<Result<ReadLog, string>> {
    const rows: Row[] = [];
    for (;;) {
      const answer = await this.#call('rows_to_compact', { document, after: rows.at(-1)?.seq ?? 0 }, rowsAnswer);
      if (!answer.ok) return answer;
      const { textSeq, versions, now, more } = answer.value;
      const message = decodeRows(fromBase64(answer.value.rows) ?? new Uint8Array());
      if (!message.ok || message.value.kind !== 'rows') return err('the answer has no rows');
      rows.push(...message.value.rows);
      if (!more) return ok({ rows, textSeq, versions, now });
      if (message.value.rows.length === 0) return err('the log ends too early');
    }
  }

  /** False: the rows are others by now. */
  async swap(document: string, { replaced, row }: CompactedRun): Promise<Result<boolean, string>> {
    const answer = await this.#call(
      'compact_history',
      {
        document,
        first_seq: row.firstSeq,
        last_seq: row.seq,
        // The database hashes them in version 3 of a row message.
        sha256: createHash('sha256')
          .update(encodeRows({ kind: 'rows', head: row.seq, rows: replaced }, 3))
          .digest('hex'),
        parts: [...row.dependencies, row].map(({ session, nFrom, nTo, update }) => ({
          session,
          nFrom,
          nTo,
          update: toBase64(update),
        })),
      },
      swapAnswer,
    );
    return answer.ok ? ok(answer.value.compacted) : answer;
  }

  async #call<Schema extends v.GenericSchema>(
    name: string,
    args: Readonly<Record<string, unknown>>,
    schema: Schema,
  ): Promise<Result<v.InferOutput<Schema>, string>> {
    const { data, error } = await this.#client.rpc(name, args);
    if (error !== null) return err(`${name}: ${error.message}`);
    const parsed = v.safeParse(schema, data);
    return parsed.success ? ok(parsed.output) : err(`${name}: an answer of another form`);
  }
}
