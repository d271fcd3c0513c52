// Puts an earlier state of a page, or a part of it, back as one edit of this person, and takes that back again.
import * as Y from 'yjs';
import { type PageFile, elementsOfFile } from '../formats/page-json.ts';
import { RESTORE_ORIGIN, bodyOf, titleOf } from '../names.ts';
import { restoreBlock, restorePage } from './restore.ts';

export type { Restorations };

const known = new WeakMap<Y.Doc, Restorations>();

/** One for each document: what was restored can be taken back as long as the document is open. */
export function restorationsOf(doc: Y.Doc): Restorations {
  const restorations = known.get(doc) ?? new Restorations(doc);
  known.set(doc, restorations);
  return restorations;
}

class Restorations {
  readonly #doc: Y.Doc;
  readonly #undo: Y.UndoManager;

  constructor(doc: Y.Doc) {
    this.#doc = doc;
    // Not the body alone: see `createUndo`. With the whole document as its scope, Yjs takes empty transactions too.
    this.#undo = new Y.UndoManager(doc, {
      trackedOrigins: new Set([RESTORE_ORIGIN]),
      captureTimeout: 0,
      captureTransaction: ({ changed }) => changed.size > 0,
    });
  }

  /** The page becomes what the file says. False if it is that already. */
  page(file: PageFile): boolean {
    return this.#edit(() => restorePage(this.#doc, docOf(file)));
  }

  /** One block, by its stored id. False if the file has none with it, or nothing changes. */
  block(file: PageFile, id: string): boolean {
    return this.#edit(() => void restoreBlock(this.#doc, docOf(file), id));
  }

  /** Takes the last of these edits back, with what others wrote since left alone. False if there is none. */
  readonly undo = (): boolean => this.#undo.undo() !== null;

  #edit(run: () => void): boolean {
    const before = this.#undo.undoStack.length;
    this.#doc.transact(run, RESTORE_ORIGIN);
    this.#undo.stopCapturing();
    return this.#undo.undoStack.length > before;
  }
}

function docOf(file: PageFile): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() => {
    titleOf(doc).insert(0, file.title);
    bodyOf(doc).insert(0, Array.from(elementsOfFile(file)));
  });
  return doc;
}
