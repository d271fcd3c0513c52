// A page's blocks as plain values, and how their attributes are read. Knows no Yjs: whoever holds attributes may parse.

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

export const TONES = ['note', 'tip', 'care', 'stop'] as const;
export type Tone = (typeof TONES)[number];

export const MAX_INDENT = 8;
/** Names of the marks, as stored on the text. */
export const MARKS = ['bold', 'italic', 'underline', 'strike', 'code', 'highlight', 'link', 'mention', 'date'] as const;

/** A stretch of text drawn alike. */
export type Run = {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  readonly highlight: boolean;
  /** An address that passed `parseLinkUrl`. */
  readonly link: string | null;
  /** Whom the words name: a user's id. */
  readonly mention: string | null;
  /** The day the words name, `2026-11-21`. */
  readonly date: string | null;
};

export type Style = {
  readonly kind: Kind;
  readonly level: 1 | 2 | 3;
  /** 0 – `MAX_INDENT`. */
  readonly indent: number;
  readonly checked: boolean;
  readonly language: string | null;
  readonly tone: Tone;
};

/** `key` tells two blocks apart even where ids are missing or doubled; `id` is the stored one. */
type BlockKey = { readonly key: string; readonly id: string | null };
export type TextBlock = BlockKey & Style & { readonly type: 'block'; readonly runs: readonly Run[] };
export type Divider = BlockKey & { readonly type: 'divider' };
/** `file`: an attachment's id; null while nobody has said which. The caption is text like any other. */
export type ImageBlock = BlockKey & {
  readonly type: 'image';
  readonly file: string | null;
  readonly name: string;
  /** Of the stored picture, in px; 0: unknown. */
  readonly width: number;
  readonly height: number;
  /** Share of the column's width in percent, 10 – 100; null: its own size, at most the column's. */
  readonly size: number | null;
  readonly runs: readonly Run[];
};
export type FileBlock = BlockKey & {
  readonly type: 'file';
  readonly file: string | null;
  readonly name: string;
  readonly bytes: number;
  readonly mime: string;
};
export type TableCell = { readonly key: string; readonly runs: readonly Run[] };
/** Rows may differ in length: two people added a row and a column at once (T13). */
export type TableBlock = BlockKey & {
  readonly type: 'table';
  readonly headRow: boolean;
  readonly headColumn: boolean;
  /** Of each column in px; null: as wide as there is room. As long as the longest row. */
  readonly widths: readonly (number | null)[];
  readonly rows: readonly (readonly TableCell[])[];
};
/** TeX, between no dollars. */
export type MathBlock = BlockKey & { readonly type: 'math'; readonly tex: string };
/** A link as a card; nothing of what it leads to is ever loaded. */
export type EmbedBlock = BlockKey & { readonly type: 'embed'; readonly url: string | null; readonly title: string };
/** Written by a newer app: shown as such, never touched. */
export type Unknown = BlockKey & { readonly type: 'unknown'; readonly name: string };
export type Block = TextBlock | Divider | ImageBlock | FileBlock | TableBlock | MathBlock | EmbedBlock | Unknown;

export const PLAIN: Omit<Run, 'text'> = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  code: false,
  highlight: false,
  link: null,
  mention: null,
  date: null,
};

/**
 * Attributes as somebody wrote them: missing ones have their default, wrong ones count as missing. Nothing is
 * refused, because a kind that a newer app knows is still text to this one.
 */
export function parseStyle(attributes: Readonly<Record<string, unknown>>): Style {
  const { kind, level, indent, checked, language, tone } = attributes;
  return {
    kind: KINDS.find((one) => one === kind) ?? 'paragraph',
    level: level === 2 || level === 3 ? level : 1,
    indent: typeof indent === 'number' && indent > 0 ? Math.min(Math.floor(indent), MAX_INDENT) : 0,
    checked: checked === true,
    language: typeof language === 'string' && language !== '' ? language : null,
    tone: TONES.find((one) => one === tone) ?? 'note',
  };
}

export const textOfRuns = (runs: readonly Run[]): string => runs.map((run) => run.text).join('');
