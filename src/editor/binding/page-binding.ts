// Binds the editor to the document: draws what changes in the document, and writes what changes in the editor. Tiptap's
// own binding is not used (docs/decisions/38 and 39). T4 and T7 are in docs/losses.md.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type * as Y from 'yjs';
import { afterFrame } from '../../ui/browser/frame-budget.ts';
import { type BindingState, EDITOR_ORIGIN, type PageBinding, comesFromDocument, pageBindingKey } from './binding-of.ts';
import { drawInFrame } from './frame-batch.ts';
import { PageNodes } from './page-nodes.ts';
import { type RelativeSelection, relativeSelection } from './page-positions.ts';
import { type Budget, drawPage, forgetChanged, showChanges } from './show-document.ts';
import { FIRST_SLICE, nextSlice } from './slice-size.ts';
import {
  isSingleChange,
  keepsUnsupported,
  unsupportedIn,
  writeChange,
  writeWholePage,
  writeSingleChange,
} from './write-page.ts';
import { writeSteps } from './write-steps.ts';

/** Called when the editor had to detach from the document. From then on it shows no change and writes nothing. */
export type OnDetach = () => void;
/** Called when the editor begins to show all of the document, with true, or only a part of it, with false. */
export type OnWhole = (isWhole: boolean) => void;

export const pageBinding = (
  body: Y.XmlFragment,
  undo: Y.UndoManager,
  { onDetach, onWhole }: { readonly onDetach: OnDetach; readonly onWhole: OnWhole },
) =>
  Extension.create({
    name: 'pageBinding',
    priority: 1000,
    addKeyboardShortcuts() {
      const run = (direction: 'undo' | 'redo') => () => {
        if (!this.editor.isEditable) return false;
        undo[direction]();
        // Also when there is nothing to undo: the browser has its own history, which does not know remote edits.
        return true;
      };
      return { 'Mod-z': run('undo'), 'Mod-y': run('redo'), 'Shift-Mod-z': run('redo') };
    },
    addProseMirrorPlugins() {
      const { doc } = body;
      if (doc === null) throw new Error('the body is in no document');
      const binding: PageBinding = { doc, body, nodes: new PageNodes(body, this.editor.schema) };
      return [
        new Plugin<BindingState>({
          key: pageBindingKey,
          state: {
            init: () => ({ binding, transactions: [] }),
            apply(transaction, { transactions }) {
              const before = transaction.getMeta('appendedTransaction') === undefined ? [] : transactions;
              return { binding, transactions: transaction.docChanged ? [...before, transaction] : before };
            },
          },
          view: (view) => new BoundView(view, binding, onDetach, onWhole),
          // While only a part of the page is drawn, only an edit within one drawn block can be written.
          filterTransaction(transaction, state) {
            const { nodes } = binding;
            if (!transaction.docChanged || comesFromDocument(transaction) || nodes.isWhole) return true;
            return isSingleChange(nodes, state.doc, transaction.doc);
          },
        }),
      ];
    },
  });

class BoundView {
  readonly #view: EditorView;
  readonly #binding: PageBinding;
  readonly #onDetach: OnDetach;
  readonly #onWhole: OnWhole;
  /** The page shown, if the document has the same content. */
  #shown: Node | null = null;
  #isAttached = true;
  /** This binding is writing to the editor or to the document, whose reports are then no news. */
  #isBusy = false;
  /** The selection before the running transaction of the document. */
  #before: RelativeSelection | null = null;
  /** The document has changed and the editor does not show it yet; with the selection before that. */
  #undrawn: { readonly before: RelativeSelection | null } | null = null;
  #sliceSize = FIRST_SLICE;
  #isSliceDue = false;
  #wasWhole = false;

  constructor(view: EditorView, binding: PageBinding, onDetach: OnDetach, onWhole: OnWhole) {
    this.#view = view;
    this.#binding = binding;
    this.#onDetach = onDetach;
    this.#onWhole = onWhole;
    const { body, doc } = binding;
    doc.on('beforeAllTransactions', this.#beforeAll);
    doc.on('afterAllTransactions', this.#afterAll);
    body.observeDeep(this.#observe);
    this.#draw();
  }

  /** Called after every change of the editor's state. */
  update(): void {
    const { doc: page } = this.#view.state;
    // A plugin may change the editor in the middle of a frame. The page is behind the document then and must not be written.
    if (!this.#isAttached || this.#isBusy || this.#undrawn !== null || page === this.#shown) return;
    this.#exclusively(() => this.#write(page));
  }

  destroy(): void {
    this.#isAttached = false;
    const { body, doc } = this.#binding;
    doc.off('beforeAllTransactions', this.#beforeAll);
    doc.off('afterAllTransactions', this.#afterAll);
    body.unobserveDeep(this.#observe);
  }

  #detach(): void {
    this.destroy();
    this.#onDetach();
  }

  #exclusively(run: () => void): void {
    this.#isBusy = true;
    try {
      run();
    } finally {
      this.#isBusy = false;
    }
  }

  readonly #beforeAll = () => {
    const { nodes } = this.#binding;
    // If the page differs from the one last in sync, a local edit is on its way into the document: the selection after it
    // counts (`#writeWhole`).
    if (this.#undrawn !== null || !nodes.isWhole || nodes.syncedPage !== this.#view.state.doc) return;
    this.#before ??= relativeSelection(this.#binding, this.#view.state);
  };

  readonly #afterAll = () => {
    this.#before = null;
  };

  readonly #observe = (_events: readonly Y.YEvent<Y.XmlFragment>[], transaction: Y.Transaction) => {
    const { nodes } = this.#binding;
    nodes.recheck(transaction);
    // The editor's own edits are shown already.
    if (!this.#isBusy) {
      forgetChanged(nodes, transaction);
      this.#undrawn ??= { before: this.#before };
    }
    if (this.#undrawn !== null) drawInFrame(this.#show);
  };

  #draw(): void {
    this.#inSlices((budget) => drawPage(this.#view, this.#binding, budget));
    this.#shown = this.#withoutAppended();
  }

  readonly #show = () => {
    const change = this.#undrawn;
    this.#undrawn = null;
    if (!this.#isAttached || change === null || this.#view.isDestroyed) return;
    const before = this.#view.state.doc;
    try {
      this.#inSlices((budget) => showChanges(this.#view, this.#binding, change.before, budget));
      if (this.#view.state.doc !== before) this.#shown = this.#withoutAppended();
    } catch {
      // An exception of a plugin must not reach the sync engine (T7). The document is correct, so the page is drawn
      // anew.
      try {
        this.#draw();
      } catch {
        this.#detach();
      }
    }
  };

  /** Runs one slice, and the next after the frame that shows it. */
  #inSlices(run: (budget: Budget) => void): void {
    const { nodes } = this.#binding;
    const budget = { left: this.#sliceSize };
    const startedAt = performance.now();
    this.#exclusively(() => run(budget));
    const { isWhole } = nodes;
    if (isWhole !== this.#wasWhole) {
      this.#wasWhole = isWhole;
      this.#onWhole(isWhole);
    }
    if (isWhole || this.#isSliceDue) return;
    this.#isSliceDue = true;
    const cost = this.#sliceSize - budget.left;
    afterFrame(() => {
      this.#isSliceDue = false;
      this.#sliceSize = nextSlice(cost, performance.now() - startedAt);
      this.#undrawn ??= { before: this.#before };
      this.#show();
    });
  }

  /** The page, unless plugins appended something to it that the document lacks. */
  #withoutAppended(): Node | null {
    const { state } = this.#view;
    return pageBindingKey.getState(state)?.transactions.length === 1 ? state.doc : null;
  }

  #write(page: Node): void {
    const { doc, nodes } = this.#binding;
    // Never write this page: it would overwrite the unsupported block that a node stands for (T4).
    if (nodes.isWhole && !keepsUnsupported(this.#binding, page)) return this.#detach();
    doc.transact(() => {
      if (nodes.isWhole) this.#writeWhole(page);
      else this.#writePart(page);
    }, EDITOR_ORIGIN);
    this.#shown = page;
  }

  #writeWhole(page: Node): void {
    const { body } = this.#binding;
    const { state } = this.#view;
    const steps = pageBindingKey.getState(state)?.transactions ?? [];
    // The comparison below writes what the steps leave out, or everything if other transactions came between.
    if (steps[0]?.before === this.#shown && steps.at(-1)?.doc === page)
      writeSteps(body, steps, (between) => this.#writeIntermediate(between, page));
    writeChange(this.#binding, page);
    this.#before = relativeSelection(this.#binding, state);
  }

  /**
   * Writes an intermediate page of an edit that ends with `page`. If an unsupported block is missing for a moment, it must not be
   * written as deleted (T4): then nothing is written until the end.
   */
  #writeIntermediate(between: Node, page: Node): boolean {
    if (unsupportedIn(between).length !== unsupportedIn(page).length || !keepsUnsupported(this.#binding, between))
      return false;
    // Only a comparison of the whole page finds what is left to write.
    this.#binding.nodes.syncedPage = null;
    writeWholePage(this.#binding, between);
    return true;
  }

  #writePart(page: Node): void {
    const { nodes } = this.#binding;
    const before = nodes.syncedPage;
    // The check of `filterTransaction` rules out anything else. Content that the page lacks must never count as deleted.
    if (before === null || !writeSingleChange(nodes, before, page)) this.#detach();
    nodes.syncedPage = page;
  }
}
