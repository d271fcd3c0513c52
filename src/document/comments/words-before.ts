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

/** `texts`: those from the first to the last character. Null if the positions are not in them. */
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
  const characters = texts.map((text) => itemsOf(text, transaction).filter(({ countable }) => countable));
  const strings = characters.map((items) => cleanText(charactersOfItems(items)));
  const behind = (strings.at(-1) ?? '').length - end;
  const all = strings.join(BREAK);
  const words = all.slice(start, all.length - behind);
  return {
    words,
    before: (BREAK + all.slice(0, start)).slice(-MAX_CONTEXT_LENGTH),
    after: (all.slice(all.length - behind) + BREAK).slice(0, MAX_CONTEXT_LENGTH),
    text: strings[0] ?? '',
    index: start,
    left: leftOf(characters, words, start),
  };
}

function leftOf(texts: readonly (readonly Y.Item[])[], words: string, start: number): WordsLeft | null {
  let at = -start;
  let first: Y.ID | null = null;
  let last: Y.ID | null = null;
  let [head, tail] = [0, words.length];
  for (const items of texts) {
    for (const { deleted, id, length } of items) {
      const [from, to] = [Math.max(0, at), Math.min(words.length, at + length)];
      if (!deleted && from < to) {
        if (first === null) [first, head] = [Y.createID(id.client, id.clock + from - at), from];
        [last, tail] = [Y.createID(id.client, id.clock + to - at - 1), to];
      }
      at += length;
    }
    at += BREAK.length;
  }
  return first === null || last === null ? null : { first, last, head: words.slice(0, head), tail: words.slice(tail) };
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
