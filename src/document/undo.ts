// Undo of one's own edits in body and title; what others wrote is never taken back.
import * as Y from 'yjs';
import { BLOCK, CELL, ROW, TABLE, bodyOf, titleOf } from './names.ts';
import { TITLE_ORIGIN } from './title.ts';

/** Own edits closer together than this are one step. */
const CAPTURE_MS = 500;

/** `editor` is the origin of the editor's transactions. The stack starts empty: nothing from before can be undone. */
export function createUndo(doc: Y.Doc, editor: object): Y.UndoManager {
  /** What is being undone or redone: which cells it made together. */
  let step: Step | null = null;
  const manager = new Y.UndoManager([bodyOf(doc), titleOf(doc)], {
    trackedOrigins: new Set([editor, TITLE_ORIGIN]),
    captureTimeout: CAPTURE_MS,
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
    deleteFilter: (item) => mayUndo(item, step),
  });
  const take = (stack: 'undoStack' | 'redoStack', run: () => Y.UndoManager['undoStack'][number] | null) => () => {
    const top = manager[stack].at(-1);
    step = top === undefined ? null : { made: top.insertions, written: new Map() };
    try {
      return run();
    } finally {
      step = null;
    }
  };
  manager.undo = take('undoStack', manager.undo.bind(manager));
  manager.redo = take('redoStack', manager.redo.bind(manager));
  return manager;
}

type Step = {
  readonly made: Y.UndoManager['undoStack'][number]['insertions'];
  /** Whether somebody wrote into what was made of a row, or of a table's columns. */
  readonly written: Map<Y.XmlElement, boolean>;
};

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
function mayUndo(item: Y.Item, step: Step | null): boolean {
  if (!(item.content instanceof Y.ContentType)) return true;
  const { type } = item.content;
  if (type instanceof Y.XmlText) return type.length === 0 && !(step !== null && isInKept(type.parent, step));
  if (!(type instanceof Y.XmlElement)) return true;
  if (type.nodeName === CELL && step !== null && isInKept(type, step)) return false;
  return [BLOCK, TABLE, ROW, CELL].includes(type.nodeName) ? type.length === 0 : true;
}

/** A row or column in which somebody else wrote stays whole: one cell of it alone would stand in the wrong column. */
function isInKept(cell: unknown, step: Step): boolean {
  if (!(cell instanceof Y.XmlElement) || cell.nodeName !== CELL) return false;
  const row = cell.parent;
  if (!(row instanceof Y.XmlElement)) return false;
  const table = row.parent;
  const isMade = ({ _item: item }: Y.XmlElement) => item !== null && Y.isDeleted(step.made, item.id);
  const unit = isMade(row) || !(table instanceof Y.XmlElement) ? row : table;
  const known = step.written.get(unit);
  if (known !== undefined) return known;
  const rows = unit === row ? [row] : elementsOf(unit).filter((one) => !isMade(one));
  const isWritten = rows.some((one) => elementsOf(one).some((made) => isMade(made) && isWrittenIn(made, step)));
  step.written.set(unit, isWritten);
  return isWritten;
}

const elementsOf = (node: Y.XmlElement): readonly Y.XmlElement[] =>
  node.toArray().filter((child): child is Y.XmlElement => child instanceof Y.XmlElement);

/** By somebody else: what the step made itself goes with it. */
function isWrittenIn(cell: Y.XmlElement, { made }: Step): boolean {
  for (const text of cell.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    for (let item = text._start; item !== null; item = item.right) {
      const isWord = !item.deleted && item.content instanceof Y.ContentString;
      if (isWord && !Y.isDeleted(made, item.id)) return true;
    }
  }
  return false;
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
