// The letters of a page as Yjs names them.
import * as Y from 'yjs';
import type { LetterRange } from '../../../src/document/history/letter-set.ts';
import { bodyOf } from '../../../src/document/names.ts';

export type Letter = { readonly id: LetterRange; readonly letter: string };

/** The letters of a text as it is now, one by one. */
export function visibleLetters(text: Y.XmlText): readonly Letter[] {
  const letters: Letter[] = [];
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
    const { client, clock } = item.id;
    for (let at = 0; at < item.length; at++)
      letters.push({ id: [client, clock + at, 1], letter: item.content.str.charAt(at) });
  }
  return letters;
}

export function textAt(doc: Y.Doc, at: number): Y.XmlText {
  const block = bodyOf(doc).get(at);
  const text = block instanceof Y.XmlElement ? block.toArray().find((child) => child instanceof Y.XmlText) : null;
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${at} has no text`);
  return text;
}

/** The first place of these words in a block of the page. */
export function chosenIn(doc: Y.Doc, words: string, block = 0): readonly LetterRange[] {
  const letters = visibleLetters(textAt(doc, block));
  const plain = letters.map(({ letter }) => letter).join('');
  const at = plain.indexOf(words);
  if (at < 0) throw new Error(`“${words}” is not in “${plain}”`);
  return letters.slice(at, at + words.length).map(({ id }) => id);
}
