// The words of a comment as they were before a transaction, and which of them it left. Call this while the transaction's listeners
// run: afterwards Yjs drops what deleted items held.
import * as Y from 'yjs';
import { MAX_CONTEXT_LENGTH } from '../../protocol/comments.ts';
import { itemsOf, wasThere } from '../recovered-text/deleted-part.ts';
import { BREAK, charactersOfItems, cleanText } from './page-texts.ts';

export type WordsBefore = {
  readonly words: string;
  readonly before: string;
  readonly after: string;
  /** The whole text of the first of the texts, and where in it the words began. */
  readonly text: string;
  readonly index: number;
  /** Null if all words are gone. */
  readonly left: WordsLeft | null;
};
export type WordsLeft = {
  /** The first and the last character that are there. */
  readonly first: Y.ID;
  readonly last: Y.ID;
  /** The words before the first and behind the last, which are gone. */
  readonly head: string;
  readonly tail: string;
};

/**
 * `texts`: from the text with the first character to that with the last. Null if the positions are not in these two.
 */
export function wordsBefore(
  texts: readonly Y.XmlText[],
  from: Y.RelativePosition,
  to: Y.RelativePosition,
  transaction: Y.Transaction,
): WordsBefore | null {
  const [first, last] = [texts[0], texts.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [start, end] = [indexBefore(first, from, transaction), indexBefore(last, to, transaction)];
  if (start === null || end === null) return null;
  const changed = new Set<unknown>([first, last, ...transaction.changed.keys()]);
  const parts = texts.map((text) => partBefore(text, changed.has(text), transaction));
  const strings = parts.map(({ string }) => string);
  const behind = (strings.at(-1) ?? '').length - end;
  const all = strings.join(BREAK);
  const words = all.slice(start, all.length - behind);
  return {
    words,
    before: (BREAK + all.slice(0, start)).slice(-MAX_CONTEXT_LENGTH),
    after: (all.slice(all.length - behind) + BREAK).slice(0, MAX_CONTEXT_LENGTH),
    text: strings[0] ?? '',
    index: start,
    left: leftOf(parts, words, start),
  };
}

type Part = { readonly string: string; readonly items: () => readonly Y.Item[] };

/** A text that the transaction left as it was is not read: the words may be a whole page, and this runs with every deleting key. */
function partBefore(text: Y.XmlText, isRead: boolean, transaction: Y.Transaction): Part {
  const items = () => itemsOf(text, transaction).filter(({ countable }) => countable);
  // Where such a text has characters, some of the words are left, and no one asks what is between them.
  if (!isRead && text._item?.deleted === false) return { string: ' '.repeat(text.length), items };
  const read = items();
  return { string: cleanText(charactersOfItems(read)), items: () => read };
}

function leftOf(parts: readonly Part[], words: string, start: number): WordsLeft | null {
  let end = -start;
  const living = parts.map(({ string, items }) => {
    const at = end;
    end += string.length + BREAK.length;
    return () => livingIn(items(), at, words.length);
  });
  const first = firstOf(living, (part) => part().at(0));
  const last = firstOf(living.toReversed(), (part) => part().at(-1));
  if (first === undefined || last === undefined) return null;
  return {
    first: Y.createID(first.id.client, first.id.clock + first.from - first.at),
    last: Y.createID(last.id.client, last.id.clock + last.to - last.at - 1),
    head: words.slice(0, first.from),
    tail: words.slice(last.to),
  };
}

/** The items of a text that are there and have some of the words. `start`: where the text begins, counted in the words. */
function livingIn(items: readonly Y.Item[], start: number, length: number) {
  let end = start;
  return items.flatMap((item) => {
    const at = end;
    end += item.length;
    const [from, to] = [Math.max(0, at), Math.min(length, end)];
    return item.deleted || from >= to ? [] : [{ id: item.id, at, from, to }];
  });
}

function firstOf<T, Value>(list: readonly T[], of: (one: T) => Value | undefined): Value | undefined {
  for (const one of list) {
    const value = of(one);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Where a position was in a text before the transaction. Null if it was not in it. */
function indexBefore(
  text: Y.XmlText,
  { item: id, assoc }: Y.RelativePosition,
  transaction: Y.Transaction,
): number | null {
  if (id === null) return null;
  let index = 0;
  for (let item = text._start; item !== null; item = item.right) {
    const isCounted = item.countable && wasThere(item, transaction);
    const offset = id.client === item.id.client ? id.clock - item.id.clock : -1;
    if (offset >= 0 && offset < item.length) return isCounted ? index + offset + (assoc < 0 ? 1 : 0) : index;
    if (isCounted) index += item.length;
  }
  return null;
}
