// The blocks of a page as plain values, and how to parse the style of a text block. Does not depend on Yjs, so
// attributes from any source can be parsed.

export const KINDS = [
  'paragraph',
  'heading',
  'bullet',
  'numbered',
  'task',
  'quote',
  'callout',
  'code',
  'toggle',
] as const;
export type Kind = (typeof KINDS)[number];

/** The tones of callouts as they are stored. People see `care` as Warning and `stop` as Danger. */
export const TONES = ['note', 'tip', 'care', 'stop'] as const;
export type Tone = (typeof TONES)[number];

/** The signs behind the number of a list: `1.` and `1)`. */
export const DELIMITERS = ['.', ')'] as const;
export type Delimiter = (typeof DELIMITERS)[number];
/** The largest number at which a list can start, as in Markdown. */
export const MAX_START = 999_999_999;

export const MAX_INDENT = 8;
/**
 * The part of an attribute that is read, in UTF-16 units: names of files have at most 255. A hostile person can write a
 * million, or thousands of marks on one character, which the browser lays out for seconds.
 */
export const MAX_ATTRIBUTE_LENGTH = 1000;
/** The names of the marks, as they are stored on the text. */
export const MARKS = [
  'bold',
  'italic',
  'underline',
  'strike',
  'code',
  'highlight',
  'formula',
  'link',
  'mention',
  'date',
] as const;

export type Marks = {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly highlight: boolean;
  /** A formula in a line if it stands between dollar signs (`inline-formulas.ts`). */
  readonly formula: boolean;
  /** A URL that passed `parseLinkUrl`. */
  readonly link: string | null;
  /** The id of the mentioned user. */
  readonly mention: string | null;
  /** The day that the text stands for, such as `2026-11-21`. */
  readonly date: string | null;
};

/**
 * A run of text with the same marks. Only an export adds runs with a `note`, the name of the footnote to which the text `[^…]`
 * refers. No page stores them.
 */
export type Run = Marks & { readonly text: string; readonly note?: string };

export type Style = {
  readonly kind: Kind;
  readonly level: 1 | 2 | 3;
  /** 0 – `MAX_INDENT`. */
  readonly indent: number;
  readonly checked: boolean;
  readonly language: string | null;
  readonly tone: Tone;
  /** The number of a numbered block that does not go on counting, 0 – `MAX_START`. */
  readonly start: number | null;
  readonly delimiter: Delimiter;
};

/** `key` tells two blocks apart even if their ids are missing or equal. `id` is the stored id. */
type BlockKey = { readonly key: string; readonly id: string | null };
export type TextBlock = BlockKey & Style & { readonly type: 'block'; readonly runs: readonly Run[] };
export type Divider = BlockKey & { readonly type: 'divider' };
/** `file` is the attachment's id, or null until one is set. The caption is ordinary text. */
export type ImageBlock = BlockKey & {
  readonly type: 'image';
  readonly file: string | null;
  readonly name: string;
  /** Size of the stored picture in px; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** Share of the column width in percent, 10 – 100. Null means the picture's own size, at most the column width. */
  readonly size: number | null;
  readonly runs: readonly Run[];
};
export type FileBlock = BlockKey & {
  readonly type: 'file';
  readonly file: string | null;
  readonly name: string;
  /** 0 if unknown. */
  readonly bytes: number;
  readonly mime: string;
};
/** The stored alignments of a table's column; without one, the text begins at the start of its writing direction. */
export const ALIGNMENTS = ['center', 'right'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

export type TableCell = { readonly key: string; readonly runs: readonly Run[] };
/** Rows may differ in length, because two people can add a row and a column at once (T13 in docs/losses.md). */
export type TableBlock = BlockKey & {
  readonly type: 'table';
  readonly headRow: boolean;
  readonly headColumn: boolean;
  /** Width of each column in px, or null for automatic. Has as many entries as the longest row has cells. */
  readonly widths: readonly (number | null)[];
  /** The alignment of each column, as many as `widths`; null for the start of the writing direction. */
  readonly alignments: readonly (Alignment | null)[];
  readonly rows: readonly (readonly TableCell[])[];
};
/** TeX source without dollar signs. */
export type MathBlock = BlockKey & { readonly type: 'math'; readonly tex: string };
/** A link shown as a card. Nothing is ever loaded from its URL. */
export type EmbedBlock = BlockKey & { readonly type: 'embed'; readonly url: string | null; readonly title: string };
/** The list of the pages below this one. It stores nothing: each view reads the pages that its reader may see. */
export type Subpages = BlockKey & { readonly type: 'subpages' };
/**
 * A node from a newer version of Weft, or loose content between blocks. It is shown as an unsupported block and never changed.
 */
export type Unknown = BlockKey & {
  readonly type: 'unknown';
  /** Null for loose content. */
  readonly name: string | null;
  /** All text inside. */
  readonly text: string;
};
export type Block =
  | TextBlock
  | Divider
  | ImageBlock
  | FileBlock
  | TableBlock
  | MathBlock
  | EmbedBlock
  | Subpages
  | Unknown;

export const PLAIN: Marks = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  code: false,
  highlight: false,
  formula: false,
  link: null,
  mention: null,
  date: null,
};

/**
 * Parses attributes that any client may have written. Missing or invalid ones get their default. Nothing is rejected: a
 * kind that only a newer version knows is still text to this one.
 */
export function parseStyle(attributes: Readonly<Record<string, unknown>>): Style {
  const { kind, level, indent, checked, language, tone, start, delimiter } = attributes;
  return {
    kind: KINDS.find((one) => one === kind) ?? 'paragraph',
    level: level === 2 || level === 3 ? level : 1,
    indent: typeof indent === 'number' && indent > 0 ? Math.min(Math.floor(indent), MAX_INDENT) : 0,
    checked: checked === true,
    language: typeof language === 'string' && language !== '' ? language.slice(0, MAX_ATTRIBUTE_LENGTH) : null,
    tone: TONES.find((one) => one === tone) ?? 'note',
    start: typeof start === 'number' && start >= 0 && start <= MAX_START ? Math.floor(start) : null,
    delimiter: DELIMITERS.find((one) => one === delimiter) ?? '.',
  };
}

export const textOfRuns = (runs: readonly Run[]): string => runs.map((run) => run.text).join('');
