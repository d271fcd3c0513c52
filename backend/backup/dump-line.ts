// Parses the lines of `data.sql` and `auth.sql`, and checks those of `users.sql`. A backup can come from someone else,
// so Weft runs none of its SQL: it takes the rows out as plain values, and every other line must be one that a dump
// has. The load does by itself what those lines say.
import { POSTAMBLE, PREAMBLE, type Table } from './dump.ts';

export type Insert = {
  readonly table: Table;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
};

const NAME = '"[a-z0-9_]+"';
const TABLE = `${NAME}\\.${NAME}`;
const INSERT = new RegExp(
  `^insert into "([a-z0-9_]+)"\\."([a-z0-9_]+)" \\((${NAME}(?:, ${NAME})*)\\) overriding system value values `,
);
const USERS_INSERT = /^insert into auth\.(?:users|identities) \([a-z0-9_]+(?:, [a-z0-9_]+)*\) values /;
const END = new RegExp(
  `^(?: on conflict \\("(?:id|is_only_row)"\\) do update set ${NAME} = excluded\\.${NAME}(?:, ${NAME} = excluded\\.${NAME})*)?;$`,
);
/** They hold no rows. */
const OTHERS = [
  new RegExp(
    `^do \\$\\$ begin if (?:false|exists \\(select from ${TABLE}\\)(?: or exists \\(select from ${TABLE}\\))*) then raise exception '[^']*'; end if; end \\$\\$;$`,
  ),
  new RegExp(`^delete from ${TABLE};$`),
  new RegExp(
    `^select setval\\('[\\w."]+', coalesce\\(\\(select max\\(${NAME}\\) from ${TABLE}\\), 0\\) \\+ 1, false\\);$`,
  ),
];
const FIXED: ReadonlySet<string> = new Set([...PREAMBLE, ...POSTAMBLE]);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

/** Null if the line holds no rows. Throws an error that does not repeat the line, which can hold secrets. */
export function parseDumpLine(line: string): Insert | null {
  const head = INSERT.exec(line);
  if (head === null) {
    if (FIXED.has(line) || OTHERS.some((pattern) => pattern.test(line))) return null;
    throw new Error('it is not a line of a backup');
  }
  const [start, schema = '', name = '', columns = ''] = head;
  const values = new Values(line, start.length);
  const rows = values.rows();
  if (!END.test(line.slice(values.at))) throw new Error('there is something behind its rows');
  return { table: { schema, name }, columns: columns.slice(1, -1).split('", "'), rows };
}

/** Throws unless it is a line of `users.sql`: `psql` runs that file, and would run everything in it. */
export function checkUsersLine(line: string): void {
  if (FIXED.has(line)) return;
  const [start] = USERS_INSERT.exec(line) ?? [];
  if (start === undefined) throw new Error('it is not a line of a backup');
  const values = new Values(line, start.length);
  values.rows();
  if (line.slice(values.at) !== ';') throw new Error('there is something behind its rows');
}

/** Reads `('a',null),(E'b\\n','c')`. Without patterns for whole values: those fail on values of some megabytes. */
class Values {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  rows(): (string | null)[][] {
    const rows: (string | null)[][] = [];
    do rows.push(this.#row());
    while (this.#take(','));
    return rows;
  }

  #row(): (string | null)[] {
    const row: (string | null)[] = [];
    this.#expect('(');
    do row.push(this.#value());
    while (this.#take(', ') || this.#take(','));
    this.#expect(')');
    return row;
  }

  #value(): string | null {
    if (this.#take('null')) return null;
    if (this.#take("E'")) return this.#quoted().replaceAll(/\\(.?)/g, (_, escaped: string) => unescaped(escaped));
    this.#expect("'");
    return this.#quoted();
  }

  /** Up to the closing quote. No escape that a backup has ends with a quote. */
  #quoted(): string {
    const parts: string[] = [];
    for (;;) {
      const end = this.#text.indexOf("'", this.at);
      if (end === -1) throw new Error('a value has no end');
      parts.push(this.#text.slice(this.at, end));
      this.at = end + 1;
      if (!this.#take("'")) return parts.join("'");
    }
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Error('its rows are not plain values');
  }
}

function unescaped(escaped: string): string {
  const character = ESCAPES[escaped];
  if (character === undefined) throw new Error('a value has an unknown escape');
  return character;
}
