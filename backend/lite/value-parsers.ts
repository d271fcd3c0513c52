// Gap: @supabase/lite on PGlite refuses `\x…` for bytea and prints timestamps as Postgres does ("2026-11-21 00:09:07+00").
// PostgREST reads and writes bytea as hex text and prints ISO 8601; so do these, given to PGlite by type id.
// It also answers 500 when a text or a time comes as another JSON value; PostgREST hands Postgres its JSON.
// Everything that reads through this PGlite sees bytea as `\x…` text, our own queries included.

const BYTEA = 17;
const TEXT = 25;
const VARCHAR = 1043;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

const toHexText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/** "2026-11-21 00:09:07.006+00" → "2026-11-21T00:09:07.006+00:00"; "infinity" stays as it is. */
const toIso = (text: string): string => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const toTime = (value: unknown): string => (value instanceof Date ? value.toISOString() : toText(value));

export const valueSerializers = {
  [TEXT]: toText,
  [VARCHAR]: toText,
  [TIMESTAMP]: toTime,
  [TIMESTAMPTZ]: toTime,
  [BYTEA]: (value: unknown): string => (value instanceof Uint8Array ? toHexText(value) : String(value)),
};

export const valueParsers = {
  [BYTEA]: (text: string): string => text,
  [TIMESTAMP]: toIso,
  [TIMESTAMPTZ]: toIso,
};
