// The ends of a comment's words as relative positions of Yjs. The start belongs to the first character and the end to the last
// one: what is typed before or behind the words is not commented on.
import * as Y from 'yjs';
import { fromBase64, toBase64 } from '../../lib/bytes.ts';
import { bodyOf, contentOf } from '../names.ts';
import type { TextPlace } from './page-texts.ts';

/** A character must follow. */
export const startAt = ({ text, index }: TextPlace) => Y.createRelativePositionFromTypeIndex(text, index, 0);
/** A character must be before it. */
export const endAt = ({ text, index }: TextPlace) => Y.createRelativePositionFromTypeIndex(text, index, -1);

export const encodePosition = (position: Y.RelativePosition): string => toBase64(Y.encodeRelativePosition(position));

/** Anyone may have written it. Null unless it names a character: looking up one that names a top-level type would create it. */
export function decodePosition(encoded: string): Y.RelativePosition | null {
  const bytes = fromBase64(encoded);
  if (bytes === null) return null;
  try {
    const position = Y.decodeRelativePosition(bytes);
    return position.item === null ? null : position;
  } catch {
    return null;
  }
}

/** False while the row with the character has not arrived. */
export const isKnown = (doc: Y.Doc, { item }: Y.RelativePosition): boolean =>
  item !== null && item.clock < Y.getState(doc.store, item.client);

/**
 * The place in a text of the page; of a deleted character, where it was. Null if the whole text is gone. Undo brings words back as
 * new characters, which only the device that undid could follow: all devices find those by the words.
 */
export function textPlaceOf(doc: Y.Doc, position: Y.RelativePosition | null): TextPlace | null {
  const found = position === null ? null : Y.createAbsolutePositionFromRelativePosition(position, doc, false);
  if (!(found?.type instanceof Y.XmlText) || !isOnPage(found.type, bodyOf(doc))) return null;
  return { text: found.type, index: found.index };
}

function isOnPage(text: Y.XmlText, body: Y.XmlFragment): boolean {
  if (text._item?.deleted !== false) return false;
  let node: unknown = text.parent;
  while (node instanceof Y.XmlElement && contentOf(node.nodeName) !== null) node = node.parent;
  return node === body && text.parent !== body;
}
