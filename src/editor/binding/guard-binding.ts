// Stands between the document and y-tiptap's binding and replaces parts of it: unknown blocks stay (T4), its exceptions
// do not reach the sync engine (T7), every new block gets its text node at once, and a local edit in several places is
// written place by place.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { contentOf } from '../../document/names.ts';
import { EDITOR_ORIGIN, bindingOf, comesFromDocument } from './binding-of.ts';
import { drawInFrame } from './frame-batch.ts';
import { relativeSelection } from './yjs-positions.ts';
import { type Budget, type DocumentChange, drawPage, forgetChanged, showChanges } from './show-document.ts';
import { PageNodeMap, UNKNOWN } from '../schema/unknown-node.ts';
import { afterFrame } from '../../ui/browser/frame-budget.ts';
import { FIRST_SLICE, nextSlice } from './slice-size.ts';
import { isSingleChange, writeChange, writeEditorPage, writeSingleChange } from './write-change.ts';
import { writeSteps } from './write-steps.ts';

/** Called when the editor had to detach from the document. From then on it shows and writes nothing. */
export type OnDetach = () => void;

/** The transactions that led to the newest state: the first by the user, the others appended by plugins. */
const latestTransactions = new PluginKey<readonly Transaction[]>('latestTransactions');

/** Must run before the view of the binding's own plugin, which starts to listen: hence the priority. */
/** Called when the editor begins to show all of the document, with true, or only a part of it, with false. */
export type OnWhole = (isWhole: boolean) => void;

export const guardBinding = (onDetach: OnDetach, onWhole: OnWhole) =>
  Extension.create({
    name: 'guardBinding',
    priority: 10_000,
    addProseMirrorPlugins: () => [
      new Plugin<readonly Transaction[]>({
        key: latestTransactions,
        state: {
          init: () => [],
          apply(transaction, before) {
            const known = transaction.getMeta('appendedTransaction') === undefined ? [] : before;
            return transaction.docChanged ? [...known, transaction] : known;
          },
        },
        view(view) {
          const binding = bindingOf(view.state);
          if (binding !== null) guard(binding, view, onDetach, onWhole);
          return {};
        },
        // A part of the page stands for all of it: only letters in a block that is drawn can be written (`write-change.ts`).
        filterTransaction(transaction, state) {
          const nodes = bindingOf(state)?.mapping;
          if (!transaction.docChanged || comesFromDocument(transaction) || !(nodes instanceof PageNodeMap)) return true;
          return nodes.isWhole || isSingleChange(nodes, state.doc, transaction.doc);
        },
      }),
    ],
  });

function guard(binding: ProsemirrorBinding, view: EditorView, onDetach: OnDetach, onWhole: OnWhole): void {
  const nodes = new PageNodeMap(binding.type, view.state.schema);
  binding.mapping = nodes;
  /** The page shown, if the document has the same content. */
  let shown: Node | null = null;
  let isAttached = true;
  /** A change of the document that the editor does not show yet. */
  let undrawn: DocumentChange | null = null;
  const detach = () => {
    isAttached = false;
    binding.destroy();
    onDetach();
  };
  let sliceSize = FIRST_SLICE;
  let isSliceDue = false;
  let wasWhole = false;
  /** Runs one slice, and the next after the frame that shows it. */
  const inSlices = (run: (budget: Budget) => void) => {
    const budget = { left: sliceSize };
    const startedAt = performance.now();
    run(budget);
    const isComplete = nodes.isWhole;
    if (isComplete !== wasWhole) {
      wasWhole = isComplete;
      onWhole(isComplete);
    }
    if (isComplete || isSliceDue) return;
    isSliceDue = true;
    const cost = sliceSize - budget.left;
    afterFrame(() => {
      isSliceDue = false;
      sliceSize = nextSlice(cost, performance.now() - startedAt);
      undrawn ??= { caret: binding.beforeTransactionSelection, isUndo: false };
      show();
    });
  };
  const draw = () => {
    inSlices((budget) => drawPage(view, binding, nodes, budget));
    shown = hasNoAppended(view) ? view.state.doc : null;
  };
  binding.beforeAllTransactions = () => {
    // This is a local edit on its way into the document: the selection after it counts.
    if (!isAttached || undrawn !== null || !nodes.isWhole || nodes.syncedPage !== view.state.doc) return;
    binding.beforeTransactionSelection ??= relativeSelection(binding, view.state);
  };
  binding._forceRerender = draw;
  binding._observeFunction = (_events: readonly Y.YEvent<Y.XmlFragment>[], transaction: Y.Transaction) => {
    if (!isAttached) return;
    nodes.recheck(transaction);
    // The binding's mutex skips the editor's own edits, which are shown already.
    binding.mux(() => {
      forgetChanged(nodes, transaction);
      const { beforeTransactionSelection: caret } = binding;
      const isUndo = transaction.origin instanceof Y.UndoManager;
      undrawn = { caret: undrawn === null ? caret : undrawn.caret, isUndo: isUndo && undrawn?.isUndo !== false };
    });
    if (undrawn !== null) drawInFrame(show);
  };
  const show = () => {
    const change = undrawn;
    undrawn = null;
    if (!isAttached || change === null || view.isDestroyed) return;
    const before = view.state.doc;
    try {
      inSlices((budget) => showChanges(view, binding, nodes, change, budget));
      if (view.state.doc !== before) shown = hasNoAppended(view) ? view.state.doc : null;
    } catch {
      // An exception of a plugin must not reach the sync engine (T7). The document is correct, so the page is drawn
      // anew.
      try {
        draw();
      } catch {
        detach();
      }
    }
  };
  const writePart = (page: Node) => {
    const before = nodes.syncedPage;
    let isWritten = false;
    binding.doc.transact(() => {
      isWritten = before !== null && writeSingleChange(binding, nodes, before, page);
    }, EDITOR_ORIGIN);
    // The check of `filterTransaction` rules this out. Content that the page lacks must never count as deleted.
    if (!isWritten) detach();
    nodes.syncedPage = page;
    shown = page;
  };
  binding._prosemirrorChanged = (page) => {
    // A plugin changed the editor in the middle of a frame. The page is behind the document and must not be written.
    if (!isAttached || undrawn !== null || page === shown) return;
    if (!nodes.isWhole) {
      writePart(page);
      return;
    }
    // Never write this page: it would overwrite the unknown block that the grey one stands for (T4).
    if (nodes.hasUnmappedUnknown(page)) {
      detach();
      return;
    }
    binding.doc.transact((transaction) => {
      const steps = latestTransactions.getState(view.state) ?? [];
      // The comparison below writes what the steps leave out, or everything if other transactions came between.
      const isWhole = steps[0]?.before === shown && steps.at(-1)?.doc === page;
      const written = isWhole
        ? writeSteps(binding.type, steps, writeIntermediate(binding, nodes, page))
        : new Set<Y.XmlText>();
      for (const text of written) nodes.delete(text);
      writeChange(binding, nodes, page);
      for (const text of written) nodes.mapAncestors(text);
      binding.beforeTransactionSelection = relativeSelection(binding, view.state);
      addTextToNewBlocks(transaction);
    }, EDITOR_ORIGIN);
    shown = page;
  };
}

/** True if no plugin appended to the newest transaction, so that the page holds nothing the document lacks. */
const hasNoAppended = ({ state }: EditorView): boolean => latestTransactions.getState(state)?.length === 1;

/**
 * Writes an intermediate page of an edit that ends with `page`. If a grey block is missing for a moment, it must not be
 * written as deleted (T4): then nothing is written until the end.
 */
const writeIntermediate = (binding: ProsemirrorBinding, nodes: PageNodeMap, page: Node) => (between: Node) => {
  if (countUnknown(between) !== countUnknown(page)) return false;
  // Only a comparison of the whole page finds what is left to write.
  nodes.syncedPage = null;
  writeEditorPage(binding, nodes, between);
  return true;
};

function countUnknown(page: Node): number {
  let count = 0;
  page.forEach((node) => {
    if (node.type.name === UNKNOWN) count += 1;
  });
  return count;
}

/**
 * y-tiptap creates a block's text node only with its first letter. Two people who start in the same empty block would
 * create two, and each would then write the other's letters into their own: doubled words. So a new block gets its text
 * node in the same transaction and undo step.
 */
function addTextToNewBlocks(transaction: Y.Transaction): void {
  const { clientID } = transaction.doc;
  const before = transaction.beforeState.get(clientID) ?? 0;
  for (const changed of [...transaction.changed.keys()] as readonly unknown[]) {
    if (changed instanceof Y.XmlFragment) for (const node of changed.toArray()) addText(node, clientID, before);
  }
}

/** Also for the cells of a new table. */
function addText(node: unknown, client: number, before: number): void {
  const id = node instanceof Y.XmlElement ? node._item?.id : undefined;
  if (!(node instanceof Y.XmlElement) || id === undefined || id.client !== client || id.clock < before) return;
  if (node.length > 0) for (const child of node.toArray()) addText(child, client, before);
  else if (contentOf(node.nodeName) === 'text') node.insert(0, [new Y.XmlText()]);
}
