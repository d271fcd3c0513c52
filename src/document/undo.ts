// Undo of one's own edits in body and title; what others wrote is never taken back.
import * as Y from 'yjs';
import { BLOCK, CELL, CONTENT, ROW, TABLE, bodyOf, titleOf } from './names.ts';
import { newBlockId } from './new-block-id.ts';
import { TITLE_ORIGIN } from './title.ts';

/** Own edits closer together than this are one step. */
const CAPTURE_MS = 500;

/** `editor` is the origin of the editor's transactions. The stack starts empty: nothing from before can be undone. */
export function createUndo(doc: Y.Doc, editor: object): Y.UndoManager {
  /** What is being undone or redone: which cells it made together. */
  let step: UndoStep | null = null;
  const manager = new Y.UndoManager([bodyOf(doc), titleOf(doc)], {
    trackedOrigins: new Set([editor, TITLE_ORIGIN]),
    captureTimeout: CAPTURE_MS,
    captureTransaction: (transaction) => transaction.meta.get('addToHistory') !== false,
    deleteFilter: (item) => mayUndo(item, step),
  });
  const take = (stack: 'undoStack' | 'redoStack', run: () => Y.UndoManager['undoStack'][number] | null) => () => {
    step = new UndoStep(manager, stack);
    try {
      return run();
    } finally {
      step = null;
      restoreMissingIds(doc);
    }
  };
  manager.undo = take('undoStack', manager.undo.bind(manager));
  manager.redo = take('redoStack', manager.redo.bind(manager));
  return manager;
}

/** Yjs takes steps from the stack until one changes something. */
class UndoStep {
  readonly #all: Y.UndoManager['undoStack'];
  readonly #left: () => number;
  /** Whether somebody wrote into what was made of a row, or of a table's columns. */
  readonly written = new Map<Y.XmlElement, boolean>();

  constructor(manager: Y.UndoManager, stack: 'undoStack' | 'redoStack') {
    this.#all = [...manager[stack]];
    this.#left = () => manager[stack].length;
  }

  /** Whether the step that is being taken back made it. */
  made({ id }: Y.Item): boolean {
    const step = this.#all[this.#left()];
    return step !== undefined && Y.isDeleted(step.insertions, id);
  }
}

/**
 * A block that another person had taken away, or given other attributes, may come back without its id (Yjs brings back no
 * attribute that somebody else wrote since): links, marks and moves find a block by it.
 */
function restoreMissingIds(doc: Y.Doc): void {
  const isLost = (node: Y.XmlElement) => node.nodeName in CONTENT && typeof node.getAttribute('id') !== 'string';
  const lost = elementsOf(bodyOf(doc)).filter(isLost);
  if (lost.length === 0) return;
  doc.transact(() => {
    for (const node of lost) node.setAttribute('id', newBlockId());
  }, IDS_ORIGIN);
}

/** Nothing that a person did: it is no step, and what was undone can still be redone. */
const IDS_ORIGIN = {};

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
function mayUndo(item: Y.Item, step: UndoStep | null): boolean {
  if (item.parentSub !== null && item.parent instanceof Y.XmlElement) return mayUndoAttribute(item, item.parent, step);
  if (!(item.content instanceof Y.ContentType)) return true;
  const { type } = item.content;
  if (type instanceof Y.XmlText) return type.length === 0 && !(step !== null && isInKeptUnit(type.parent, step));
  if (!(type instanceof Y.XmlElement)) return true;
  if (type.nodeName === CELL && step !== null && isInKeptUnit(type, step)) return false;
  return [BLOCK, TABLE, ROW, CELL].includes(type.nodeName) ? type.length === 0 : true;
}

/** An element that the step made takes its attributes with it; where it stays, for what others wrote in it, so do they. */
function mayUndoAttribute({ parentSub }: Y.Item, { _item: element }: Y.XmlElement, step: UndoStep | null): boolean {
  return parentSub !== 'id' && !(element !== null && step?.made(element) === true);
}

/** A row or column in which somebody else wrote stays whole: one cell of it alone would stand in the wrong column. */
function isInKeptUnit(cell: unknown, step: UndoStep): boolean {
  if (!(cell instanceof Y.XmlElement) || cell.nodeName !== CELL) return false;
  const row = cell.parent;
  if (!(row instanceof Y.XmlElement)) return false;
  const table = row.parent;
  const isMade = ({ _item: item }: Y.XmlElement) => item !== null && step.made(item);
  const unit = isMade(row) || !(table instanceof Y.XmlElement) ? row : table;
  const known = step.written.get(unit);
  if (known !== undefined) return known;
  const rows = unit === row ? [row] : elementsOf(unit).filter((one) => !isMade(one));
  const isWritten = rows.some((one) => elementsOf(one).some((made) => isMade(made) && isWrittenIn(made, step)));
  step.written.set(unit, isWritten);
  return isWritten;
}

const elementsOf = (node: Y.XmlFragment): readonly Y.XmlElement[] =>
  node.toArray().filter((child): child is Y.XmlElement => child instanceof Y.XmlElement);

/** By somebody else: what the step made itself goes with it. */
function isWrittenIn(cell: Y.XmlElement, step: UndoStep): boolean {
  for (const text of cell.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    for (let item = text._start; item !== null; item = item.right) {
      const isWord = !item.deleted && item.content instanceof Y.ContentString;
      if (isWord && !step.made(item)) return true;
    }
  }
  return false;
}

/**
 * The history of a manager on another document of the same page, whose ids are equal (L6). Steps that took something
 * away are left out: the new document may hold it no longer (Yjs forgets the content of what was deleted, snapshots
 * do), and half of a step is worse than none: taking back a split would delete the words that it had moved.
 */
export function transferUndo(from: Y.UndoManager, to: Y.UndoManager): void {
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
