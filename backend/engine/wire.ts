// Statements to PGlite in Postgres' own protocol: everything one statement needs in one call into it, where PGlite's
// `query` makes six. Knows nothing of threads.
import { type PGlite, messages, protocol } from '@electric-sql/pglite';
import { type Settings, settingsQuery } from '../engine.ts';
import { encodeValue, needsType } from './values.ts';
import type { Result } from './worker-messages.ts';

const { serialize } = protocol;
const NOTHING: Result = { columns: [], rows: [], affectedRows: undefined };

export async function runStatement(pg: PGlite, text: string, params: readonly unknown[]): Promise<Result> {
  return run(pg, [...(await statement(pg, text, params)), serialize.sync()]);
}

/**
 * Under these settings, which end with it. Until the Sync both are one transaction without a BEGIN; the Sync commits it, and
 * after an error everything up to there is skipped and rolled back.
 */
export async function runStatementAs(
  pg: PGlite,
  settings: Settings,
  text: string,
  params: readonly unknown[],
): Promise<Result> {
  const set = settingsQuery(settings);
  const asked = await statement(pg, text, params);
  return run(pg, [...(await statement(pg, set.sql, set.params)), ...asked, serialize.sync()]);
}

async function statement(pg: PGlite, text: string, params: readonly unknown[]): Promise<readonly Uint8Array[]> {
  const types = params.some(needsType) ? await describeParameters(pg, text) : [];
  return [
    serialize.parse({ text }),
    serialize.bind({ values: params.map((value, at) => encodeValue(value, types[at])) }),
    serialize.describe({ type: 'P' }),
    serialize.execute({}),
  ];
}

/** Any number of statements, as the simple protocol takes them: one implicit transaction, unless they say otherwise. */
export async function runScript(pg: PGlite, text: string): Promise<void> {
  await pg.execProtocol(serialize.query(text));
}

async function describeParameters(pg: PGlite, text: string): Promise<readonly number[]> {
  const { messages: said } = await pg.execProtocol(
    Buffer.concat([serialize.parse({ text }), serialize.describe({ type: 'S' }), serialize.sync()]),
  );
  const found = said.find((message) => message instanceof messages.ParameterDescriptionMessage);
  return found?.dataTypeIDs ?? [];
}

/** The result of the last statement. */
async function run(pg: PGlite, parts: readonly Uint8Array[]): Promise<Result> {
  const { messages: said } = await pg.execProtocol(Buffer.concat(parts));
  let result = NOTHING;
  let rows: (string | null)[][] = [];
  for (const message of said) {
    if (message.name === 'parseComplete') {
      result = NOTHING;
      rows = [];
    } else if (message instanceof messages.DataRowMessage) rows.push(message.fields);
    else if (message instanceof messages.RowDescriptionMessage) {
      const columns = message.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
      result = { ...result, columns, rows };
    } else if (message instanceof messages.CommandCompleteMessage) {
      result = { ...result, affectedRows: affectedRows(message.text) };
    }
  }
  return result;
}

const WRITTEN = /^(?:INSERT \d+|UPDATE|DELETE|MERGE|COPY) (\d+)$/;

/** From a command's tag, "INSERT 0 3"; undefined of commands that write no rows. */
function affectedRows(tag: string): number | undefined {
  const [, count] = WRITTEN.exec(tag) ?? [];
  return count === undefined ? undefined : Number(count);
}
