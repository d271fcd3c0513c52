// Dumps rows as plain SQL for `psql`: one INSERT per line, so that the restore can read line by line (dump-line.ts). Finds
// the tables of Weft and Auth in the catalogue and leaves out generated columns. Runs inside the caller's transaction.
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

const OWN_SCHEMAS = ['public', 'weft'];
/**
 * Each project has its own row from the migrations. The limits of the project's plan stay out of the backup; whether an earlier
 * restore was final does not, nor the identity of the database, by which devices find what they hold of it.
 */
const SETTINGS = { schema: 'weft', name: 'settings' };
const KEPT_SETTINGS = ['is_only_row', 'final_restore_at', 'database_id'];
const STORAGE_TABLES: readonly Table[] = ['buckets', 'objects'].map((name) => ({ schema: 'storage', name }));

/** The tables of `auth.sql`. */
export const authTables = (tx: Queries): Promise<Table[]> => tablesOf(tx, ['auth']);

/**
 * The tables of `data.sql`: those of Weft, which are empty before a restore, those of Storage, and the settings, which a database
 * of an older Weft does not have.
 */
export async function dataTables(
  tx: Queries,
): Promise<Readonly<Record<'own' | 'storage' | 'settings', readonly Table[]>>> {
  const all = await tablesOf(tx, OWN_SCHEMAS);
  return {
    own: all.filter((table) => !isSettings(table)),
    storage: STORAGE_TABLES,
    settings: all.filter(isSettings),
  };
}

/** The tables of `schemas`, sorted by name within each schema. */
async function tablesOf(tx: Queries, schemas: readonly string[]): Promise<Table[]> {
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

export type DumpedColumn = { readonly name: string; readonly type: string; readonly sequence: string | null };

/** The rows of a table, then the next values of its sequences. */
export async function* dumpTable(tx: Queries, table: Table): AsyncGenerator<Line> {
  const columns = await dumpedColumns(tx, table);
  if (columns.length === 0) return;
  const values = columns.map(({ name }, at) => `${quoteName(name)}::text as c${at}`).join(', ');
  const names = columns.map(({ name }) => name);
  const [into, end] = [insertInto(table, names), endOfInsert(table, names)];
  const maxRows = columns.some(({ type }) => type === 'bytea') ? MAX_BINARY_ROWS : MAX_ROWS;
  for await (const rows of batchesOf(tx, `select ${values} from ${nameOf(table)}`, maxRows)) {
    let line = '';
    for (const row of rows) {
      const tuple = quoteRow(columns.map((_, at) => row[`c${at}`] ?? null));
      line = line === '' ? into + tuple : `${line},${tuple}`;
      if (line.length < MAX_LINE_LENGTH) continue;
      yield line + end;
      line = '';
    }
    if (line !== '') yield line + end;
  }
  yield* sequenceLines(table, columns);
}

/** Sets the next values of the sequences of `table`. */
export function sequenceLines(table: Table, columns: readonly DumpedColumn[]): readonly Line[] {
  return columns.flatMap(({ name, sequence }) =>
    sequence === null
      ? []
      : [
          `select setval(${quoteValue(sequence)}, coalesce((select max(${quoteName(name)}) from ${nameOf(table)}), 0) + 1, false);`,
        ],
  );
}

/** The start of a line with rows; tuples, separated by commas, and `endOfInsert` follow. */
export const insertInto = (table: Table, columns: readonly string[]): string =>
  `insert into ${nameOf(table)} (${columns.map(quoteName).join(', ')}) overriding system value values `;

export const endOfInsert = (table: Table, columns: readonly string[]): string =>
  isBuckets(table)
    ? `${asBackedUp('id', columns)};`
    : isSettings(table)
      ? `${asBackedUp('is_only_row', columns)};`
      : ';';

export const quoteRow = (values: readonly (string | null)[]): string => `(${values.map(quoteValue).join(',')})`;

const isSettings = ({ schema, name }: Table): boolean => schema === SETTINGS.schema && name === SETTINGS.name;

const isBuckets = ({ schema, name }: Table): boolean => schema === 'storage' && name === 'buckets';

/** A migration may already have created the row: then the load updates it. */
function asBackedUp(key: string, columns: readonly string[]): string {
  const others = columns.filter((name) => name !== key).map(quoteName);
  return ` on conflict (${quoteName(key)}) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`;
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

/** Without generated columns, and without settings that stay out of the backup. */
export async function dumpedColumns(tx: Queries, table: Table): Promise<readonly DumpedColumn[]> {
  const { schema, name } = table;
  const { rows } = await tx.query<DumpedColumn>(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       pg_get_serial_sequence(format('%I.%I', $1::text, $2::text), a.attname) as sequence
     from pg_attribute a where a.attrelid = format('%I.%I', $1::text, $2::text)::regclass
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [schema, name],
  );
  if (!isSettings(table)) return rows;
  const kept = rows.filter((column) => KEPT_SETTINGS.includes(column.name));
  // A database of an older Weft has the key alone.
  return kept.length > 1 ? kept : [];
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
