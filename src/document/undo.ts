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

/** What `run` writes is one step of its own, however long it takes. */
export function asOneStep(undo: Y.UndoManager, run: () => void): void {
  undo.stopCapturing();
  undo.captureTimeout = Number.POSITIVE_INFINITY;
  try {
    run();
  } finally {
    undo.captureTimeout = CAPTURE_MS;
    undo.stopCapturing();
  }
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

/**
 * The history of a manager on another document of the same page, whose ids are equal (L6). Steps that took something
 * away are left out: the new document may hold it no longer (Yjs forgets the content of what was deleted, snapshots
 * do), and half of a step is worse than none: taking back a split would delete the words that it had moved.
 */
export function carryUndo(from: Y.UndoManager, to: Y.UndoManager): void {
  to.undoStack = from.undoStack.filter(onlyAdds);
  to.redoStack = from.redoStack.filter(onlyAdds);
}

/** Everything it deleted it had made itself. */
function onlyAdds({ insertions, deletions }: Y.UndoManager['undoStack'][number]): boolean {
  return [...deletions.clients].every(([client, ranges]) => {
    const made = insertions.clients.get(client) ?? [];
    return ranges.every(({ clock, len }) =>
      made.some((range) => range.clock <= clock && clock + len <= range.clock + range.len),
    );
  });
}
