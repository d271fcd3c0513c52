// A page's blocks as plain values, and how their attributes are read. Knows no Yjs: whoever holds attributes may parse.

export const KINDS = ['paragraph', 'heading', 'bullet', 'numbered', 'task', 'quote', 'callout', 'code'] as const;
export type Kind = (typeof KINDS)[number];

export const TONES = ['note', 'tip', 'care', 'stop'] as const;
export type Tone = (typeof TONES)[number];

export const MAX_INDENT = 8;
/** Names of the marks, as stored on the text. */
export const MARKS = ['bold', 'italic', 'underline', 'strike', 'code', 'link'] as const;

/** A stretch of text drawn alike. */
export type Run = {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly strike: boolean;
  readonly code: boolean;
  /** An address that passed `parseLinkUrl`. */
  readonly link: string | null;
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
type Place = { readonly key: string; readonly id: string | null };
export type TextBlock = Place & Style & { readonly type: 'block'; readonly runs: readonly Run[] };
export type Divider = Place & { readonly type: 'divider' };
/** Written by a newer app: shown as such, never touched. */
export type Unknown = Place & { readonly type: 'unknown'; readonly name: string };
export type Block = TextBlock | Divider | Unknown;

export const PLAIN: Omit<Run, 'text'> = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  code: false,
  link: null,
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
