// Finds the words of a comment by what they say and what stands around them, when their characters are gone: a move, a paste or a
// restore has put others in their place. A wrong place would be worse than none: in doubt nothing is found.
import { MAX_QUOTE_LENGTH, type TextAnchor } from '../../protocol/comments.ts';
import { BREAK, type PageTexts, type Passage } from './page-texts.ts';

export type Words = Pick<TextAnchor, 'quote' | 'before' | 'after' | 'block'>;
/** Where in the page's text the words may be, and how many characters around them are the same. */
type Candidate = { readonly at: number; readonly likeness: number };

/** More places than these say nothing. */
const MAX_CANDIDATES = 1000;
/** So many characters around the words must be the same in the block in which they were. */
const LIKE_IN_BLOCK = 8;
/** And so many elsewhere. */
const LIKE_ELSEWHERE = 24;
/** So many more of them must be the same than at any other place. */
const CLEARLY = 3;
/** A quote of this length is rarely there twice. */
const LONG_QUOTE = 24;

/** In the block in which they were; elsewhere only if more around them is the same. */
export function findWords(page: PageTexts, stored: Words): Passage | null {
  const { quote, block } = stored;
  // Long words are cut, and what follows is behind their real end.
  const words = isCut(quote) ? { ...stored, after: '' } : stored;
  if (quote.trim() === '') return null;
  const own = page.segments.filter((segment) => block !== null && segment.block === block);
  const all = candidatesIn(page, words, 0, page.string.length);
  if (all === null) return null;
  if (own.length > 0) {
    const within = all.filter(({ at }) => own.some(({ start, end }) => at >= start && at < end));
    const found = mostLike(within);
    // A table has many texts.
    if (found !== null && own.length === 1 && isLikeInBlock(page, words, found)) return passageOf(page, words, found);
    if (found !== null && isLikeElsewhere(words, found)) return passageOf(page, words, found);
  }
  const found = mostLike(all);
  return found !== null && isLikeElsewhere(words, found) ? passageOf(page, words, found) : null;
}

/** Every place of the words in this part of the page's text. Null: too many. */
export function candidatesIn({ string }: PageTexts, words: Words, from: number, to: number): Candidate[] | null {
  const candidates: Candidate[] = [];
  const { quote } = words;
  const part = string.slice(from, to);
  for (let at = part.indexOf(quote); at >= 0; at = part.indexOf(quote, at + 1)) {
    if (candidates.length === MAX_CANDIDATES) return null;
    candidates.push({ at: from + at, likeness: likenessAt(string, words, from + at) });
  }
  return candidates;
}

/** The one that is clearly more like the words than all others. */
export function mostLike(candidates: readonly Candidate[]): Candidate | null {
  const [first, second] = candidates.toSorted((one, other) => other.likeness - one.likeness);
  return first === undefined || first.likeness < (second?.likeness ?? -CLEARLY) + CLEARLY ? null : first;
}

export const passageOf = (page: PageTexts, { quote }: Words, { at }: Candidate): Passage | null =>
  page.passage(at, at + quote.length);

function isLikeInBlock({ string }: PageTexts, words: Words, { at }: Candidate): boolean {
  if (words.quote.length >= LONG_QUOTE) return true;
  const inner = { ...words, before: lastLine(words.before), after: firstLine(words.after) };
  return likenessAt(string, inner, at) >= Math.min(LIKE_IN_BLOCK, inner.before.length + inner.after.length);
}

function isLikeElsewhere({ quote, before, after }: Words, { likeness }: Candidate): boolean {
  const around = before.length + after.length;
  if (quote.length >= LONG_QUOTE) return likeness >= Math.min(LIKE_IN_BLOCK, around);
  return around >= LIKE_IN_BLOCK && likeness >= Math.min(LIKE_ELSEWHERE, around);
}

/** How many characters before and behind are the same. */
function likenessAt(string: string, { quote, before, after }: Words, at: number): number {
  let left = 0;
  while (left < before.length && string[at - 1 - left] === before.at(-1 - left)) left++;
  const end = at + quote.length;
  let right = 0;
  while (right < after.length && string[end + right] === after[right]) right++;
  return left + right;
}

/** A character may have up to 64 UTF-16 units, and none is cut in half. */
const isCut = (quote: string): boolean => quote.length > MAX_QUOTE_LENGTH - 64;

/** With the line break before it: the words stood at the start of their block. */
const lastLine = (text: string): string => text.slice(Math.max(0, text.lastIndexOf(BREAK)));
const firstLine = (text: string): string => (text.includes(BREAK) ? text.slice(0, text.indexOf(BREAK) + 1) : text);
