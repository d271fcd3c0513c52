// Makes a text of strangers safe for a terminal, where control characters move the cursor, change the title or paste into the
// command line, and where characters that reverse the writing direction hide what is written.

/**
 * Control characters except tab and line break; characters that embed, override or isolate a direction; line and paragraph
 * separators. Marks of direction (U+200E, U+200F, U+061C) stay: they reorder nothing beyond themselves.
 */
const UNSAFE = /[[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]--[\t\n]]/gv;

/** Unsafe characters become visible: ␛ for an escape, ⟨U+202E⟩ for those without a picture of their own. */
export const printableText = (text: string): string => text.toWellFormed().replace(UNSAFE, pictureOf);

/** The same in one line. */
export const printableLine = (text: string): string => printableText(text.replace(/[\t\n]+/g, ' '));

/** JSON in one line that is safe too and loses nothing: unsafe characters are escaped. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, (character) => `\\u${hexOf(character).toLowerCase()}`);

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `⟨U+${hexOf(character)}⟩`;
}

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
