// The selected text as Yjs names its characters, which is how the rows of the log name them too. To erase words from
// the history, the server needs them so.
import type { Editor } from '@tiptap/core';
import { bodyParts } from 'weft-document/body-parts.ts';
import { OWN_TEXT, type TextPart, cellPart } from 'weft-document/changes/text-part.ts';
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { selectedTexts } from './selected-texts.ts';

export type SelectedCharacters = { readonly words: string; readonly characters: readonly CharacterRange[] };

/** Null while the editor shows something else than the document has, so that no wrong characters are taken. */
export function selectedCharacters(editor: Editor, doc: Y.Doc): SelectedCharacters | null {
  const elements = new Map<string, Y.XmlElement>();
  for (const { element } of bodyParts(bodyOf(doc))) {
    const id = element?._item?.id;
    if (element !== null && id !== undefined) elements.set(`${id.client}.${id.clock}`, element);
  }
  const words: string[] = [];
  const characters: CharacterRange[] = [];
  for (const { key, part, text, from, to } of selectedTexts(editor, doc)) {
    const element = elements.get(key);
    const items = element === undefined ? [] : textItems(holderOf(element, part));
    if (items.map(({ str }) => str).join('') !== text) return null;
    words.push(text.slice(from, to));
    let at = 0;
    for (const { client, clock, str } of items) {
      const [first, last] = [Math.max(from, at), Math.min(to, at + str.length)];
      if (first < last) characters.push([client, clock + first - at, last - first]);
      at += str.length;
    }
  }
  return { words: words.join(' … '), characters };
}

/** The element whose texts are this part: the block, or a cell of the table. */
function holderOf(block: Y.XmlElement, part: TextPart): Y.XmlElement | null {
  if (part === OWN_TEXT) return block;
  for (const [y, row] of elementsIn(block).entries())
    for (const [x, cell] of elementsIn(row).entries()) if (cellPart(y, x) === part) return cell;
  return null;
}

const elementsIn = (parent: Y.XmlElement): readonly Y.XmlElement[] =>
  parent.toArray().filter((child) => child instanceof Y.XmlElement);

type TextItem = { readonly client: number; readonly clock: number; readonly str: string };

function textItems(holder: Y.XmlElement | null): readonly TextItem[] {
  const found: TextItem[] = [];
  for (const text of holder?.toArray() ?? []) {
    if (!(text instanceof Y.XmlText)) continue;
    for (let item = text._start; item !== null; item = item.right) {
      const { content, deleted, id } = item;
      const { client, clock } = id;
      if (!deleted && content instanceof Y.ContentString) found.push({ client, clock, str: content.str });
    }
  }
  return found;
}
