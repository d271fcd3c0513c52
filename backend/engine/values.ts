// Converts values between JavaScript and PostgreSQL's text format, by type id, as PostgREST reads and prints them: bytea as
// hex text, times as ISO 8601, int8 and numeric as numbers with all their digits.
import { ExactNumber, parseExactJson } from './exact-number.ts';

const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  varchar: 1043,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
} as const;

type Decode = (text: string) => unknown;

/** "2026-11-21 00:09:07.006+00" → "2026-11-21T00:09:07.006+00:00"; "infinity" stays as it is. */
const toIso: Decode = (text) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');

const toInteger: Decode = (text) => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : new ExactNumber(text);
};

/** JSON has no such numbers; PostgreSQL writes them as strings there. */
const NO_NUMBER = /^(?:NaN|-?Infinity)$/;

const toFloat: Decode = (text) => (NO_NUMBER.test(text) ? text : Number(text));

const toNumeric: Decode = (text) => {
  if (NO_NUMBER.test(text)) return text;
  const number = Number(text);
  // JSON has 1.5 for 1.50.
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return String(number) === shortest ? number : new ExactNumber(text);
};

const DECODERS = new Map<number, Decode>([
  [OID.bool, (text) => text === 't'],
  [OID.int8, toInteger],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.float4, toFloat],
  [OID.float8, toFloat],
  [OID.numeric, toNumeric],
  [OID.json, parseExactJson],
  [OID.jsonb, parseExactJson],
  [OID.timestamp, toIso],
  [OID.timestamptz, toIso],
]);

export type ResultColumn = { readonly name: string; readonly type: number };
/** A row as PostgreSQL sent it: text, or null for SQL null. */
export type TextRow = readonly (string | null)[];

/** Asks which types are arrays of which. */
export const ARRAY_TYPES_QUERY = `select oid, typelem from pg_type where typcategory = 'A' and typelem <> 0`;

export class RowDecoder {
  readonly #elements = new Map<number, number>();

  /** Takes the rows of `ARRAY_TYPES_QUERY`, as text. */
  learnArrays(rows: readonly TextRow[]): void {
    for (const [array, element] of rows) this.#elements.set(Number(array), Number(element));
  }

  /** The caller states the type of a row, as in every driver. */
  rows<R>(columns: readonly ResultColumn[], rows: readonly TextRow[]): R[];
  rows(columns: readonly ResultColumn[], rows: readonly TextRow[]): Record<string, unknown>[] {
    const decoders = columns.map(({ type }) => this.#decoderOf(type));
    return rows.map((row) => {
      const object: Record<string, unknown> = {};
      for (const [at, column] of columns.entries()) {
        const text = row[at];
        const decode = decoders[at];
        object[column.name] = text == null ? null : decode === undefined ? text : decode(text);
      }
      return object;
    });
  }

  #decoderOf(type: number): Decode | undefined {
    const element = this.#elements.get(type);
    if (element === undefined) return DECODERS.get(type);
    const decode = this.#decoderOf(element) ?? ((text: string) => text);
    return (text) => parseArray(text, decode);
  }
}

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function parseArray(text: string, decode: Decode): unknown {
  // Arrays that do not begin at 1 have their bounds in front.
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  const list = (): unknown[] => {
    const items: unknown[] = [];
    at++;
    while (text[at] !== '}') {
      if (text[at] === ',') at++;
      if (text[at] === '{') items.push(list());
      else if (text[at] === '"') items.push(decode(quoted()));
      else {
        const from = at;
        while (text[at] !== ',' && text[at] !== '}') at++;
        const word = text.slice(from, at);
        items.push(word === 'NULL' ? null : decode(word));
      }
    }
    at++;
    return items;
  };
  const quoted = (): string => {
    let word = '';
    for (at++; text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      word += text[at];
    }
    at++;
    return word;
  };
  return list();
}

/** True if the encoding of a value depends on the type that the statement expects. */
export const needsType = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !(value instanceof Date);

/** `type` may be undefined if `needsType` is false. */
export function encodeValue(value: unknown, type?: number): string | null {
  if (value == null) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return toHexText(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  const isArray =
    Array.isArray(value) && type !== OID.json && type !== OID.jsonb && type !== OID.text && type !== OID.varchar;
  // PostgREST passes JSON on as it is, whatever the type.
  return isArray ? arrayLiteral(value) : JSON.stringify(value);
}

const toHexText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

function arrayLiteral(items: readonly unknown[]): string {
  const words = items.map((item) => {
    if (item == null) return 'NULL';
    if (Array.isArray(item)) return arrayLiteral(item);
    return `"${(encodeValue(item) ?? '').replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${words.join(',')}}`;
}
