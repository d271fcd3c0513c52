// Undo for the person's own edits in body and title. It never undoes edits by others.
import * as Y from 'yjs';
import { BLOCK, CELL, RESTORE_ORIGIN, ROW, TABLE, bodyOf, contentOf } from './names.ts';
import { newBlockId } from './new-block-id.ts';
import { TITLE_ORIGIN } from './title.ts';

/** Edits that follow each other within this time form one step. */
const CAPTURE_MS = 500;

/**
 * `editor` is the origin of the editor's transactions. The stack starts empty, so nothing from before can be undone.
 */
export function createUndo(doc: Y.Doc, editor: object): Y.UndoManager {
  /** The step being undone or redone. It knows which cells were created together. */
  let step: UndoStep | null = null;
  // The whole document, although these origins only write body and title: with types as its scope, Yjs walks from each
  // deleted item up to them, which takes seconds where a hostile person nested elements.
  const manager = new Y.UndoManager(doc, {
    trackedOrigins: new Set([editor, TITLE_ORIGIN, RESTORE_ORIGIN]),
    captureTimeout: CAPTURE_MS,
    captureTransaction: ({ changed, origin }) => {
      if (changed.size === 0) return false;
      if (origin === RESTORE_ORIGIN) manager.stopCapturing();
      return true;
    },
    deleteFilter: (item) => mayUndo(item, step),
  });
  manager.on('stack-item-added', ({ origin }: { readonly origin: unknown }) => {
    if (origin === RESTORE_ORIGIN) manager.stopCapturing();
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

/** The step that Yjs takes from the stack. Yjs keeps taking steps until one changes something. */
class UndoStep {
  readonly #steps: Y.UndoManager['undoStack'];
  readonly #stepsLeft: () => number;
  /** Tells for each row, or each table with new columns, whether someone wrote into the cells that this step created. */
  readonly hasForeignText = new Map<Y.XmlElement, boolean>();

  constructor(manager: Y.UndoManager, stack: 'undoStack' | 'redoStack') {
    this.#steps = [...manager[stack]];
    this.#stepsLeft = () => manager[stack].length;
  }

  /** Whether the current step created the item. */
  created({ id }: Y.Item): boolean {
    const step = this.#steps[this.#stepsLeft()];
    return step !== undefined && Y.isDeleted(step.insertions, id);
  }
}

/**
 * After another person deleted a block or changed its attributes, undo may bring it back without its id, because Yjs
 * does not restore an attribute that someone else has written since. Links, marks and moves find a block by its id.
 */
function restoreMissingIds(doc: Y.Doc): void {
  const lacksId = (node: Y.XmlElement) =>
    contentOf(node.nodeName) !== null && typeof node.getAttribute('id') !== 'string';
  const withoutId = elementsOf(bodyOf(doc)).filter(lacksId);
  if (withoutId.length === 0) return;
  doc.transact(() => {
    for (const node of withoutId) node.setAttribute('id', newBlockId());
  }, IDS_ORIGIN);
}

/** Restoring ids is not an action of the person: it is no undo step, and it does not clear the redo stack. */
const IDS_ORIGIN = {};

/** Everything that `run` writes becomes one step of its own, however long it takes. */
export function asOneStep<Value>(undo: Y.UndoManager, run: () => Value): Value {
  undo.stopCapturing();
  undo.captureTimeout = Number.POSITIVE_INFINITY;
  try {
    return run();
  } finally {
    undo.captureTimeout = CAPTURE_MS;
    undo.stopCapturing();
  }
}

/**
 * Undoing the creation of a block or text deletes it, unless someone else has written into it since. Yjs asks about
 * children before parents, so anything left in a parent by then is someone else's.
 */
function mayUndo(item: Y.Item, step: UndoStep | null): boolean {
  if (item.parentSub !== null && item.parent instanceof Y.XmlElement) return mayUndoAttribute(item, item.parent, step);
  if (!(item.content instanceof Y.ContentType)) return true;
  const { type } = item.content;
  if (type instanceof Y.XmlText)
    return type.length === 0 && !(step !== null && isInForeignRowOrColumn(type.parent, step));
  if (!(type instanceof Y.XmlElement)) return true;
  if (type.nodeName === CELL && step !== null && isInForeignRowOrColumn(type, step)) return false;
  return [BLOCK, TABLE, ROW, CELL].includes(type.nodeName) ? type.length === 0 : true;
}

/** The attributes of an element go when undo removes the element. If others wrote into the element, both stay. */
function mayUndoAttribute({ parentSub }: Y.Item, { _item: element }: Y.XmlElement, step: UndoStep | null): boolean {
  return parentSub !== 'id' && !(element !== null && step?.created(element) === true);
}

/**
 * A row or column that someone else wrote into stays whole. A single remaining cell would end up in the wrong column.
 */
function isInForeignRowOrColumn(cell: unknown, step: UndoStep): boolean {
  if (!(cell instanceof Y.XmlElement) || cell.nodeName !== CELL) return false;
  const row = cell.parent;
  if (!(row instanceof Y.XmlElement)) return false;
  const table = row.parent;
  const isCreatedByStep = ({ _item: item }: Y.XmlElement) => item !== null && step.created(item);
  const unit = isCreatedByStep(row) || !(table instanceof Y.XmlElement) ? row : table;
  const known = step.hasForeignText.get(unit);
  if (known !== undefined) return known;
  const rows = unit === row ? [row] : elementsOf(unit).filter((one) => !isCreatedByStep(one));
  const isForeign = rows.some((one) =>
    elementsOf(one).some((cell) => isCreatedByStep(cell) && hasForeignTextIn(cell, step)),
  );
  step.hasForeignText.set(unit, isForeign);
  return isForeign;
}

const elementsOf = (node: Y.XmlFragment): readonly Y.XmlElement[] =>
  node.toArray().filter((child): child is Y.XmlElement => child instanceof Y.XmlElement);

/** Whether someone else wrote into the cell. Text that the step itself created goes with the cell. */
function hasForeignTextIn(cell: Y.XmlElement, step: UndoStep): boolean {
  for (const text of cell.toArray()) {
    if (!(text instanceof Y.XmlText)) continue;
    for (let item = text._start; item !== null; item = item.right) {
      const isText = !item.deleted && item.content instanceof Y.ContentString;
      if (isText && !step.created(item)) return true;
    }
  }
  return false;
}

/**
 * Moves the undo history to a manager on another document of the same page with equal ids (L6). It drops steps that
 * deleted what was there before them: the new document may no longer contain that content, because snapshots do not
 * keep the content of deleted items. Half a step is worse than none: undoing a split would delete the words that the
 * split had moved.
 */
export function transferUndo(from: Y.UndoManager, to: Y.UndoManager): void {
  to.undoStack = from.undoStack.filter(onlyAdds);
  to.redoStack = from.redoStack.filter(onlyAdds);
}

/** Whether the step only deleted what it had created itself. */
function onlyAdds({ insertions, deletions }: Y.UndoManager['undoStack'][number]): boolean {
  return [...deletions.clients].every(([client, ranges]) => {
    const ownRanges = insertions.clients.get(client) ?? [];
    return ranges.every(({ clock, len }) =>
      ownRanges.some((range) => range.clock <= clock && clock + len <= range.clock + range.len),
    );
  });
}
