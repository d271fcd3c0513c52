// Dumps rows as plain SQL for `psql`: one INSERT per line, so that the restore can read line by line. Finds tables in
// the catalogue and leaves out generated columns. Runs inside the caller's transaction.
import type { Queries } from '../engine.ts';

export type Table = { readonly schema: string; readonly name: string };
export type Line = string;

/** Rows per fetch: a snapshot can take 40 MB of text, a member 200 bytes. */
const MAX_ROWS = 500;
const SMALL_BYTES = 256 * 1024;
const LARGE_BYTES = 2 * 1024 * 1024;
const MAX_BINARY_ROWS = 8;
/** The approximate limit of one statement. */
const MAX_LINE_LENGTH = 512 * 1024;

/**
 * The first lines of every dump: they make values read as they were written, and switch off triggers and foreign keys.
 */
export const PREAMBLE: readonly Line[] = [
  'set standard_conforming_strings = on;',
  "set datestyle = 'ISO, YMD';",
  "set timezone = 'UTC';",
  "set client_encoding = 'UTF8';",
  'set session_replication_role = replica;',
];
export const POSTAMBLE: readonly Line[] = ['reset session_replication_role;'];

/** The tables of `schemas`, sorted by name within each schema. */
export async function tablesOf(tx: Queries, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await tx.query<Table>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = any($1::text[]) and not c.relispartition
     order by array_position($1::text[], n.nspname::text), c.relname`,
    [schemas],
  );
  return rows;
}

/** Makes the load fail when a table already holds rows. */
export function guardLine(tables: readonly Table[]): Line {
  const checks = tables.map((table) => `exists (select from ${nameOf(table)})`).join(' or ');
  return `do $$ begin if ${checks === '' ? 'false' : checks} then raise exception 'There is data here already; a backup is restored into an empty project only.'; end if; end $$;`;
}

type Column = { readonly name: string; readonly type: string; readonly sequence: string | null };

/** The rows of a table, then the next values of its sequences. */
export async function* dumpTable(
  tx: Queries,
  table: Table,
  only: ReadonlySet<string> | null = null,
): AsyncGenerator<Line> {
  const columns = (await columnsOf(tx, table)).filter(({ name }) => only === null || only.has(name));
  if (columns.length === 0) return;
  const values = columns.map(({ name }, at) => `${quoteName(name)}::text as c${at}`).join(', ');
  const end = isBuckets(table) ? `${asBackedUp(columns)};` : ';';
  const into = `insert into ${nameOf(table)} (${columns.map(({ name }) => quoteName(name)).join(', ')}) overriding system value values `;
  const maxRows = columns.some(({ type }) => type === 'bytea') ? MAX_BINARY_ROWS : MAX_ROWS;
  for await (const rows of batchesOf(tx, `select ${values} from ${nameOf(table)}`, maxRows)) {
    let line = '';
    for (const row of rows) {
      const tuple = `(${columns.map((_, at) => quoteValue(row[`c${at}`] ?? null)).join(',')})`;
      line = line === '' ? into + tuple : `${line},${tuple}`;
      if (line.length < MAX_LINE_LENGTH) continue;
      yield line + end;
      line = '';
    }
    if (line !== '') yield line + end;
  }
  for (const { name, sequence } of columns) {
    if (sequence === null) continue;
    yield `select setval(${quoteValue(sequence)}, coalesce((select max(${quoteName(name)}) from ${nameOf(table)}), 0) + 1, false);`;
  }
}

const isBuckets = ({ schema, name }: Table): boolean => schema === 'storage' && name === 'buckets';

/** A migration may already have created the bucket: then the load updates it. */
function asBackedUp(columns: readonly Column[]): string {
  const others = columns.map(({ name }) => quoteName(name)).filter((name) => name !== '"id"');
  return ` on conflict ("id") do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

type Row = Readonly<Record<string, string | null>>;

async function* batchesOf(tx: Queries, select: string, maxRows: number): AsyncGenerator<readonly Row[]> {
  await tx.exec(`declare weft_dump no scroll cursor for ${select}`);
  for (let count = 1; ;) {
    const { rows } = await tx.query<Row>(`fetch ${count} from weft_dump`);
    if (rows.length === 0) break;
    yield rows;
    const length = rows.reduce(
      (sum, row) => sum + Object.values(row).reduce((all, one) => all + (one?.length ?? 0), 0),
      0,
    );
    if (length < SMALL_BYTES) count = Math.min(maxRows, count * 2);
    else if (length > LARGE_BYTES) count = Math.max(1, Math.floor(count / 4));
  }
  await tx.exec('close weft_dump');
}

async function columnsOf(tx: Queries, { schema, name }: Table): Promise<readonly Column[]> {
  const { rows } = await tx.query<Column>(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       pg_get_serial_sequence(format('%I.%I', $1::text, $2::text), a.attname) as sequence
     from pg_attribute a where a.attrelid = format('%I.%I', $1::text, $2::text)::regclass
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [schema, name],
  );
  return rows;
}

export const nameOf = ({ schema, name }: Table): string => `${quoteName(schema)}.${quoteName(name)}`;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A SQL literal without line breaks. */
export function quoteValue(value: string | null): string {
  if (value === null) return 'null';
  const text = value.replaceAll("'", "''");
  if (!/[\\\r\n]/.test(text)) return `'${text}'`;
  return `E'${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}
