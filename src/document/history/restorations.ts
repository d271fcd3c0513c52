// Puts an earlier state of a page, or a part of it, back as one edit of this person, and takes that back again.
import * as Y from 'yjs';
import { onePer } from '../../lib/one-per.ts';
import { docOfFile } from '../formats/doc-of-file.ts';
import { type PageFile, fileOfPage } from '../formats/page-json.ts';
import { RESTORE_ORIGIN } from '../names.ts';
import type { RemovedWords } from './removed-words.ts';
import { type WordsPlan, insertWords, planWords } from './restore-words.ts';
import { restoreBlock, restorePage } from './restore.ts';

export type { Restorations };

/** Something to restore: the page, one block by its stored id, or words that someone removed. */
export type Restorable =
  | { readonly type: 'page' }
  | { readonly type: 'block'; readonly id: string }
  | { readonly type: 'words'; readonly words: RemovedWords };
/** `stands`: it is there already. `gone`: the block that the words belong to is not there. */
export type Restored = 'changed' | 'stands' | 'gone';

/** One for each document: a restoration can be undone as long as the document is open. */
export const restorationsOf = onePer((doc: Y.Doc) => new Restorations(doc));

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
    return this.#edit(() => restorePage(this.#doc, docOfFile(file)));
  }

  /** For words, the file is the page before they were removed. */
  restore(file: PageFile, what: Restorable): Restored {
    if (what.type === 'page') return this.page(file) ? 'changed' : 'stands';
    if (what.type === 'block') {
      const isChanged = this.#edit(() => restoreBlock(this.#doc, docOfFile(file), what.id));
      return isChanged ? 'changed' : 'stands';
    }
    const plan = this.#plan(file, what.words);
    if (typeof plan === 'string') return plan;
    return this.#edit(() => insertWords(plan)) ? 'changed' : 'stands';
  }

  /** The answer that `restore` would give, without an edit. */
  wouldRestore(file: PageFile, what: Restorable): Restored {
    if (what.type === 'words') {
      const plan = this.#plan(file, what.words);
      return typeof plan === 'string' ? plan : 'changed';
    }
    const now = fileOfPage(this.#doc, null);
    if (what.type === 'page') return new Restorations(docOfFile(now)).restore(file, what);
    // Tries it on this block alone, because a page can have many.
    const one = only(now, what.id);
    return one.body.length === 0 ? 'changed' : new Restorations(docOfFile(one)).restore(only(file, what.id), what);
  }

  /** Undoes the last of these edits and leaves later edits of others alone. False if there is none. */
  readonly undo = (): boolean => this.#undo.undo() !== null;

  #plan(file: PageFile, words: RemovedWords): WordsPlan {
    return planWords(this.#doc, docOfFile(only(file, words.before.id)), words);
  }

  #edit(run: () => void): boolean {
    const before = this.#undo.undoStack.length;
    this.#doc.transact(run, RESTORE_ORIGIN);
    this.#undo.stopCapturing();
    return this.#undo.undoStack.length > before;
  }
}

const only = (file: PageFile, id: string): PageFile => ({
  ...file,
  body: file.body.filter((node) => 'node' in node && node.attributes['id'] === id),
});
