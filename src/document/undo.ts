// Undo of one's own edits in body and title; what others wrote is never taken back.
import * as Y from 'yjs';
import { BLOCK, bodyOf, titleOf } from './names.ts';
import { TITLE_ORIGIN } from './title.ts';

/** Own edits closer together than this are one step. */
const CAPTURE_MS = 500;

/** `editor` is the origin of the editor's transactions. The stack starts empty: nothing from before can be undone. */
export function createUndo(doc: Y.Doc, editor: object): Y.UndoManager {
  return new Y.UndoManager([bodyOf(doc), titleOf(doc)], {
    trackedOrigins: new Set([editor, TITLE_ORIGIN]),
    captureTimeout: CAPTURE_MS,
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
    deleteFilter: mayUndo,
  });
}

/**
 * Undoing the making of a block or text deletes it, unless somebody else wrote into it meanwhile. Children are asked
 * before their parents, so what is left in a parent then is foreign.
 */
function mayUndo(item: Y.Item): boolean {
  if (!(item.content instanceof Y.ContentType)) return true;
  const { type } = item.content;
  if (type instanceof Y.XmlText) return type.length === 0;
  if (type instanceof Y.XmlElement && type.nodeName === BLOCK) return type.length === 0;
  return true;
}
