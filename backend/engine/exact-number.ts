// Numbers with more digits than a JavaScript number can hold: they keep all of them from the database to JSON.

/** https://tc39.es/proposal-json-parse-with-source/, which TypeScript does not know yet. */
const rawJson: (text: string) => unknown = Reflect.get(JSON, 'rawJSON');
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseJson = (text: string, reviver: Reviver): unknown => Reflect.apply(JSON.parse, JSON, [text, reviver]);

export class ExactNumber {
  /** The number as JSON writes it. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): unknown {
    return rawJson(this.text);
  }
}

/** No shorter number loses digits. Long strings match too; they only make parsing slower. */
const MAYBE_LONG = /\d{16}|\d[eE]|\.\d{15}/;

/** `JSON.parse`, with an `ExactNumber` for each number that would lose digits. */
export function parseExactJson(text: string): unknown {
  if (!MAYBE_LONG.test(text)) return JSON.parse(text);
  return parseJson(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isSame(value, source) ? new ExactNumber(source) : value,
  );
}

/** Compares digits only, because 1.50, 15e-1 and 1.5 are the same number. */
const isSame = (number: number, source: string): boolean =>
  Number.isFinite(number) && digitsOf(String(number)) === digitsOf(source);

const digitsOf = (text: string): string =>
  text
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '')
    .replace(/0+$/, '');
