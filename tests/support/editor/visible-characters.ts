// The characters of a page as Yjs names them.
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';

export type Character = { readonly id: CharacterRange; readonly character: string };

/** The characters of a text as it is now, one by one. */
export function visibleCharacters(text: Y.XmlText): readonly Character[] {
  const characters: Character[] = [];
  for (let item = text._start; item !== null; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
    const { client, clock } = item.id;
    for (let at = 0; at < item.length; at++)
      characters.push({ id: [client, clock + at, 1], character: item.content.str.charAt(at) });
  }
  return characters;
}

export function textAt(doc: Y.Doc, at: number): Y.XmlText {
  const block = bodyOf(doc).get(at);
  const text = block instanceof Y.XmlElement ? block.toArray().find((child) => child instanceof Y.XmlText) : null;
  if (!(text instanceof Y.XmlText)) throw new Error(`block ${at} has no text`);
  return text;
}

/** The first place of these words in a block of the page. */
export function chosenIn(doc: Y.Doc, words: string, block = 0): readonly CharacterRange[] {
  const characters = visibleCharacters(textAt(doc, block));
  const plain = characters.map(({ character }) => character).join('');
  const at = plain.indexOf(words);
  if (at < 0) throw new Error(`“${words}” is not in “${plain}”`);
  return characters.slice(at, at + words.length).map(({ id }) => id);
}
