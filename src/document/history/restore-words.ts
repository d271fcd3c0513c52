// Brings words back that someone removed, into the text as it is now: others may have written in it since. Finds their place by
// what stands around it, because a text that was moved or restored has other characters than before.
import * as Y from 'yjs';
import { commonSequence, numbered } from '../../lib/lists/common-sequence.ts';
import { WorkBudget } from '../../lib/work-budget.ts';
import { deltaOf } from '../body/parse-body.ts';
import { MAX_UNITS } from '../changes/text-changes.ts';
import { OWN_TEXT, cellPart } from '../changes/text-part.ts';
import { WITHOUT_SPACES, tokensOf } from '../changes/words.ts';
import { TABLE, bodyOf, contentOf } from '../names.ts';
import { cellGrid } from '../tables/table-grid.ts';
import { textChange } from '../title.ts';
import { type RemovedWords, removedText } from './removed-words.ts';

type Marks = Readonly<Record<string, unknown>>;
/** A run of a text with the same marks. Offsets are UTF-16 units in the text of the block or cell. */
type Piece = { readonly from: number; readonly to: number; readonly words: string; readonly marks: Marks };
/** One of the Yjs texts of a block or cell, which has one unless people made two at once. `index` is the place in it. */
type PlacedPiece = Piece & { readonly text: Y.XmlText; readonly index: number };

/** The plan to bring the words back. `stands`: they are there already. `gone`: their block is gone or has no text any more. */
export type WordsPlan =
  | { readonly insert: readonly Pick<Piece, 'words' | 'marks'>[]; readonly into: Y.XmlElement; readonly at: number }
  | 'stands'
  | 'gone';

/** `earlier` is the page before the words were removed. */
export function planWords(doc: Y.Doc, earlier: Y.Doc, words: RemovedWords): WordsPlan {
  const { before, after } = words;
  const source = holdersWith(earlier, before.id).find((holder) => textOf(holder) === before.text);
  const into = holderNow(doc, after);
  if (source === undefined || into === null) return 'gone';
  const now = textOf(into);
  const gap = gapIn(now, after.text, after.at);
  const said = removedText(words);
  if (standsIn(now, gap, said, after.text)) return 'stands';
  // Behind the character that stood before the words, or else before the one that stood behind them.
  const at = gap.from ?? gap.to ?? now.length;
  const insert = within(piecesOf(source), before.from, before.to);
  const isNew = (neighbour: string, old: string) => neighbour !== old;
  const [left, right] = [now.slice(0, at), now.slice(at)];
  const [oldLeft, oldRight] = [before.text.slice(0, before.from), before.text.slice(before.to)];
  const space = { words: ' ', marks: {} };
  return {
    insert: [
      ...(isNew(left.slice(-1), oldLeft.slice(-1)) && runsTogether(left, said) ? [space] : []),
      ...insert,
      ...(isNew(right.slice(0, 1), oldRight.slice(0, 1)) && runsTogether(said, right) ? [space] : []),
    ],
    into,
    at,
  };
}

/** The caller wraps it in a transaction of its own. */
export function insertWords({ insert, into, at }: Exclude<WordsPlan, string>): void {
  const pieces = piecesOf(into);
  const here = pieces.findLast(({ from, to }) => from < at && at <= to) ?? pieces.find(({ from }) => from === at);
  const text = here?.text ?? into.toArray().find((child) => child instanceof Y.XmlText) ?? appended(into);
  let index = here === undefined ? 0 : here.index + at - here.from;
  for (const { words, marks } of insert) {
    text.insert(index, words, { ...marks });
    index += words.length;
  }
}

function appended(into: Y.XmlElement): Y.XmlText {
  const text = new Y.XmlText();
  into.insert(0, [text]);
  return text;
}

/** The elements that hold a text in the blocks with this stored id. */
const holdersWith = (doc: Y.Doc, id: string): readonly Y.XmlElement[] =>
  bodyOf(doc)
    .toArray()
    .flatMap((block) => (block instanceof Y.XmlElement && block.getAttribute('id') === id ? holdersIn(block) : []));

function holdersIn(block: Y.XmlElement): readonly Y.XmlElement[] {
  if (block.nodeName === TABLE) return cellGrid(block).flat();
  return contentOf(block.nodeName) === 'text' ? [block] : [];
}

/** The element that was shown, else, if its block was moved or restored since, the one in its place. */
function holderNow(doc: Y.Doc, { id, key, part }: RemovedWords['after']): Y.XmlElement | null {
  const same = holdersWith(doc, id).find(
    ({ _item: item }) => item !== null && `${item.id.client}.${item.id.clock}` === key,
  );
  if (same !== undefined) return same;
  for (const block of bodyOf(doc).toArray()) {
    if (!(block instanceof Y.XmlElement) || block.getAttribute('id') !== id) continue;
    if (part === OWN_TEXT) return block.nodeName !== TABLE && contentOf(block.nodeName) === 'text' ? block : null;
    if (block.nodeName !== TABLE) return null;
    for (const [y, row] of cellGrid(block).entries())
      for (const [x, cell] of row.entries()) if (cellPart(y, x) === part) return cell;
  }
  return null;
}

function piecesOf(holder: Y.XmlElement): readonly PlacedPiece[] {
  const pieces: PlacedPiece[] = [];
  let at = 0;
  for (const text of holder.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    let index = 0;
    for (const { insert, attributes } of deltaOf(text)) {
      // An embedded value, which only a newer app writes, is one unit long for Yjs and no text.
      const words = typeof insert === 'string' ? insert : '';
      if (words !== '') pieces.push({ from: at, to: at + words.length, words, marks: { ...attributes }, text, index });
      at += words.length;
      index += typeof insert === 'string' ? words.length : 1;
    }
  }
  return pieces;
}

const textOf = (holder: Y.XmlElement): string =>
  piecesOf(holder)
    .map(({ words }) => words)
    .join('');

const within = (pieces: readonly Piece[], from: number, to: number): readonly Piece[] =>
  pieces
    .filter((piece) => piece.to > from && piece.from < to)
    .map((piece) => {
      const [start, end] = [Math.max(piece.from, from), Math.min(piece.to, to)];
      return { ...piece, from: start, to: end, words: piece.words.slice(start - piece.from, end - piece.from) };
    });

/** A place of the text that was shown, in the text as it is now: between these two. Null where nothing of that side is left. */
type Gap = { readonly from: number | null; readonly to: number | null };

function gapIn(now: string, text: string, at: number): Gap {
  return text.length + now.length > MAX_UNITS ? gapInLong(now, text, at) : gapBetweenWords(now, text, at);
}

/** Cutting a million characters into words takes a second, so the part from the first to the last difference is one change. */
function gapInLong(now: string, text: string, at: number): Gap {
  const { index, remove } = textChange(text, now);
  const later = now.length - text.length;
  if (at <= index) return { from: at, to: at };
  if (at >= index + remove) return { from: at + later, to: at + later };
  return { from: index, to: index + remove + later };
}

function gapBetweenWords(now: string, text: string, at: number): Gap {
  let [left, right] = [NOTHING, { now: now.length, shown: text.length, isThere: false }];
  for (const [shown, there] of keptWords(text, now)) {
    const [end, start] = [shown.from + shown.length, there.from + there.length];
    if (end <= at) left = { now: start, shown: end, isThere: true };
    else if (shown.from >= at && !right.isThere) right = { now: there.from, shown: shown.from, isThere: true };
  }
  // Spaces beside these words, up to the place.
  const before = sameStart(text.slice(left.shown, at), now.slice(left.now, right.now));
  const behind = sameEnd(text.slice(at, right.shown), now.slice(left.now + before, right.now));
  return {
    from: left.isThere || before > 0 ? left.now + before : null,
    to: right.isThere || behind > 0 ? right.now - behind : null,
  };
}

const NOTHING = { now: 0, shown: 0, isThere: false };

type PlacedWord = { readonly text: string; readonly from: number; readonly length: number };

/**
 * The words of `text` that are in `now` too, in order. Without the spaces between them, of which a comparison would keep many at
 * the cost of words.
 */
function keptWords(text: string, now: string): readonly (readonly [PlacedWord, PlacedWord])[] {
  const [one, other] = [placedWords(text), placedWords(now)];
  const numbers = new Map<string, number>();
  const [before, after] = [one, other].map((words) =>
    numbered(
      words.map((word) => word.text),
      numbers,
    ),
  );
  if (before === undefined || after === undefined) return [];
  return commonSequence(before, after, new WorkBudget()).flatMap(({ from1, from2, length }) =>
    Array.from({ length }, (_, n) => [one[from1 + n], other[from2 + n]] as const).filter(
      (pair): pair is readonly [PlacedWord, PlacedWord] => pair[0] !== undefined && pair[1] !== undefined,
    ),
  );
}

function placedWords(text: string): readonly PlacedWord[] {
  let at = 0;
  return tokensOf(text).flatMap(({ text: word }) => {
    const from = at;
    at += word.length;
    return word.trim() === '' ? [] : [{ text: word, from, length: word.length }];
  });
}

/** How many spaces both begin with. */
function sameStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length] && isSpace(one[length])) length += 1;
  return length;
}

function sameEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length) && isSpace(one.at(-1 - length)))
    length += 1;
  return length;
}

const isSpace = (character = ''): boolean => /\s/.test(character);

/**
 * Whether someone wrote or restored the words: they stand at the place, and more often in the text than when they were gone.
 * In "very very good" one "very" may be missing although one stands there.
 */
function standsIn(now: string, { from, to }: Gap, words: string, text: string): boolean {
  const said = words.trim();
  if (said === '' || timesIn(now, said) <= timesIn(text, said)) return false;
  // Between equal characters a comparison may find them a little before or behind.
  const reach = words.length + 1;
  const [start, end] = [Math.max(0, (from ?? 0) - reach), Math.min(now.length, (to ?? now.length) + reach)];
  for (let at = now.indexOf(said, start); at >= 0 && at + said.length <= end; at = now.indexOf(said, at + 1))
    if (!isCut(now, at, words) && !isCut(now, at + said.length, words)) return true;
  return false;
}

function timesIn(text: string, words: string): number {
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) count += 1;
  return count;
}

/** The place is in the middle of a word, of a script that has spaces between words. */
const isCut = (text: string, at: number, words: string): boolean =>
  runsTogether(text.slice(0, at), text.slice(at)) &&
  !WITHOUT_SPACES.test(words) &&
  LETTER_AT_END.test(text.slice(0, at));

const LETTER_AT_END = /[\p{L}\p{M}\p{N}_]$/u;
const OPEN_AT_END = /[\s\p{Ps}\p{Pi}]$/u;
const LETTER_AT_START = /^[\p{L}\p{N}_]/u;

/** Words that would stand side by side without a space, which a person would write. */
function runsTogether(left: string, right: string): boolean {
  if (left === '' || OPEN_AT_END.test(left) || !LETTER_AT_START.test(right)) return false;
  return !WITHOUT_SPACES.test(`${left.slice(-2)}${right.slice(0, 2)}`);
}
