// Text without the differences that a search ignores: case, accents, width, Arabic vowel signs, hiragana or katakana. The
// database folds texts the same way (`weft.fold_text`).

/** Dropped, besides combining marks: tatweel, soft hyphens, zero-width characters. The marks that voice kana stay. */
const IGNORED = /(?![\u3099\u309a])\p{M}|[\u0640\u00ad\u200b-\u200f\u2060\ufeff]/gu;
const KATAKANA = /[\u30a1-\u30f6]/g;
const BETWEEN_WORDS = /[\p{P}\p{Z}\p{C}]+/u;
const MAX_WORDS = 12;

/** Line breaks stay, so a line of the folded text is a line of the text. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(IGNORED, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(KATAKANA, (character) => String.fromCharCode(character.charCodeAt(0) - 0x60));

/** The first 12 different words of a query, folded. */
export const wordsOf = (query: string): readonly string[] =>
  Array.from(new Set(foldText(query).split(BETWEEN_WORDS)))
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** The places of folded words in a text, as UTF-16 offsets: sorted, and none touches another. */
export function marksIn(text: string, words: readonly string[]): readonly [number, number][] {
  const characters = text.match(CHARACTERS) ?? [];
  let folded = '';
  /** For each unit of the folded text, the character that it came from. */
  const from: number[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const [nth, character] of characters.entries()) {
    starts.push(at);
    at += character.length;
    const part = foldText(character);
    folded += part;
    for (let unit = 0; unit < part.length; unit++) from.push(nth);
  }
  starts.push(at);
  const found: [number, number][] = [];
  for (const word of words) {
    for (let hit = folded.indexOf(word); hit >= 0; hit = folded.indexOf(word, hit + word.length)) {
      found.push([starts[from[hit] ?? 0] ?? 0, starts[(from[hit + word.length - 1] ?? 0) + 1] ?? at]);
    }
  }
  return merged(found.sort((a, b) => a[0] - b[0]));
}

/** A character with its combining marks. */
const CHARACTERS = /\P{M}\p{M}*|\p{M}+/gsu;

function merged(ranges: readonly [number, number][]): readonly [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
