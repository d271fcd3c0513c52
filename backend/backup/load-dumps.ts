// Loads the rows of `auth.sql` and `data.sql` in one transaction, with statements of our own and by a role that is no superuser.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Engine, Queries, Transaction } from '../engine.ts';
import { type Insert, checkUsersLine, parseDumpLine } from './dump-line.ts';
import {
  type DumpedColumn,
  PREAMBLE,
  type Table,
  authTables,
  dataTables,
  dumpedColumns,
  endOfInsert,
  insertInto,
  nameOf,
  quoteRow,
  sequenceLines,
} from './dump.ts';

/** The paths of three files of a backup. */
export type Dumps = { readonly users: string; readonly auth: string; readonly data: string };

type KnownTables = ReadonlyMap<string, { readonly table: Table; readonly columns: readonly DumpedColumn[] }>;

/** A row with a snapshot of a page can take 40 MB. */
const MAX_LINE_LENGTH = 256 * 1024 * 1024;

/**
 * May read and write rows, and nothing else: it runs no program and reads no file of the server. It exists inside the
 * transaction only.
 */
const LOADER = 'weft_loader';
const CREATE_LOADER = `
  create role ${LOADER} nologin bypassrls in role pg_read_all_data, pg_write_all_data;
  -- Checks, generated columns and indexes call functions as the role that inserts the row.
  do $$
  declare
    called regprocedure;
  begin
    for called in
      select distinct refobjid from pg_depend
      where refclassid = 'pg_proc'::regclass
        and classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass)
    loop
      execute format('grant execute on function %s to ${LOADER}', called);
    end loop;
  end $$;
`;
const DROP_LOADER = `reset role; drop owned by ${LOADER}; drop role ${LOADER};`;

/** Before a database is made for them: throws an error that names the first line which no backup has. */
export async function checkDumps({ users, auth, data }: Dumps, signal: AbortSignal): Promise<void> {
  await eachLine(users, signal, async (line) => checkUsersLine(line));
  for (const file of [auth, data]) await eachLine(file, signal, async (line) => void parseDumpLine(line));
}

/**
 * Into a database that only this backend has filled. `users.sql` is left out: it is for a hosted project. Throws an error that
 * names the line.
 */
export async function loadDumps(
  engine: Engine,
  { auth, data }: Pick<Dumps, 'auth' | 'data'>,
  signal: AbortSignal,
): Promise<void> {
  await engine.transaction(async (tx) => {
    const accounts = await authTables(tx);
    const { own, storage, settings } = await dataTables(tx);
    for (const line of PREAMBLE) await tx.exec(line.replace(/^set /, 'set local '));
    await tx.exec(CREATE_LOADER);
    await tx.exec(`set local role ${LOADER}`);
    // The backend's start has put rows of its own into some of these tables.
    for (const table of accounts) await tx.exec(`delete from ${nameOf(table)}`);
    await loadFile(tx, auth, await knownTables(tx, accounts), signal);
    await loadFile(tx, data, await knownTables(tx, [...own, ...storage, ...settings]), signal);
    await tx.exec(DROP_LOADER);
  });
  await engine.exec('analyze');
}

async function knownTables(tx: Queries, tables: readonly Table[]): Promise<KnownTables> {
  const found = new Map<string, { readonly table: Table; readonly columns: readonly DumpedColumn[] }>();
  for (const table of tables) found.set(nameOf(table), { table, columns: await dumpedColumns(tx, table) });
  return found;
}

async function loadFile(tx: Transaction, file: string, tables: KnownTables, signal: AbortSignal): Promise<void> {
  await eachLine(file, signal, async (line) => {
    const insert = parseDumpLine(line);
    if (insert !== null) await tx.exec(statementOf(insert, tables));
  });
  for (const { table, columns } of tables.values()) {
    for (const line of sequenceLines(table, columns)) await tx.exec(line);
  }
}

async function eachLine(file: string, signal: AbortSignal, onLine: (line: string) => Promise<void>): Promise<void> {
  let number = 0;
  for await (const line of linesOf(file)) {
    signal.throwIfAborted();
    number += 1;
    try {
      await onLine(line);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`line ${number} of ${basename(file)}: ${reason}`, { cause });
    }
  }
}

function statementOf({ table, columns, rows }: Insert, tables: KnownTables): string {
  const names = tables.get(nameOf(table))?.columns.map(({ name }) => name);
  if (names === undefined) throw new Error(`${nameOf(table)} is not a table of a backup`);
  const unknown = columns.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${nameOf(table)} has no column ${unknown} of its own`);
  if (rows.some((row) => row.length !== columns.length)) throw new Error('a row has too many or too few values');
  return insertInto(table, columns) + rows.map(quoteRow).join(',') + endOfInsert(table, columns);
}

/** Not `node:readline`, which also ends lines at characters that a page can hold (U+2028), and has no limit. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file, 'utf8')) {
    const [first = '', ...others] = String(chunk).split('\n');
    parts.push(first);
    length += first.length;
    if (length > MAX_LINE_LENGTH) throw new Error('a line is longer than a backup has any');
    for (const other of others) {
      yield parts.join('');
      parts = [other];
      length = other.length;
    }
  }
  if (length > 0) yield parts.join('');
}
