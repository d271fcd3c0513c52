// Cuts texts where a character ends. What people see as one character may have several UTF-16 units: an emoji and its skin tone,
// a flag, a letter and its accents.

/** A longer character, which only a hostile text has, is cut, though never within a surrogate pair. */
const MAX_CHARACTER_UNITS = 64;

let segmenter: Intl.Segmenter | null = null;

/** The beginning of the text: at most this many UTF-16 units, and no part of a character. */
export const cutText = (text: string, units: number): string => text.slice(0, startOfCharacter(text, units));

/** `at`, or where the character starts that `at` is within. */
export function startOfCharacter(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, at - MAX_CHARACTER_UNITS);
  const around = segmenter.segment(text.slice(from, at + MAX_CHARACTER_UNITS));
  const { index: start = 0, segment = '' } = around.containing(at - from) ?? {};
  // Further within the text, a character that begins at `from` may have begun before.
  if (start > 0 || (from === 0 && segment.length <= MAX_CHARACTER_UNITS)) return from + start;
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
