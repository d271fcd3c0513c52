// Stands between the document and y-tiptap's binding: what is unknown stays (T4), nothing it throws reaches the
// sync engine (T7), every new block gets its text at once, and own edits are written place by place.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { type ProsemirrorBinding, updateYFragment } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { CONTENT } from '../../document/names.ts';
import { EDITOR_ORIGIN, bindingOf } from './binding-of.ts';
import { drawTogether } from './frame.ts';
import { relativeSelection } from './places.ts';
import { type Change, drawPage, forgetChanged, showChanges } from './show-document.ts';
import { NodesOfPage, UNKNOWN } from '../schema/unknown-node.ts';
import { writeChange } from './write-change.ts';
import { writeSteps } from './write-steps.ts';

/** Called when the editor had to let go of the document; it shows and writes nothing more. */
export type LetGo = () => void;

/** The transactions of the newest state, from the one that a person's doing made to what plugins added to it. */
const newest = new PluginKey<readonly Transaction[]>('newestTransactions');

/** Must run before the binding's own plugin view, which starts to listen: hence the priority. */
export const guardBinding = (letGo: LetGo) =>
  Extension.create({
    name: 'guardBinding',
    priority: 10_000,
    addProseMirrorPlugins: () => [
      new Plugin<readonly Transaction[]>({
        key: newest,
        state: {
          init: () => [],
          apply(transaction, before) {
            const known = transaction.getMeta('appendedTransaction') === undefined ? [] : before;
            return transaction.docChanged ? [...known, transaction] : known;
          },
        },
        view(view) {
          const binding = bindingOf(view.state);
          if (binding !== null) guard(binding, view, letGo);
          return {};
        },
      }),
    ],
  });

function guard(binding: ProsemirrorBinding, view: EditorView, letGo: LetGo): void {
  const nodes = new NodesOfPage(binding.type, view.state.schema);
  binding.mapping = nodes;
  /** What the document says too. */
  let shown: Node | null = null;
  let held = true;
  /** What the document says and the editor does not show yet. */
  let undrawn: Change | null = null;
  const release = () => {
    held = false;
    binding.destroy();
    letGo();
  };
  const draw = () => {
    drawPage(view, binding, nodes);
    shown = isAlone(view) ? view.state.doc : null;
  };
  binding.beforeAllTransactions = () => {
    // An own edit on its way into the document: what it leaves is the selection that counts.
    if (!held || undrawn !== null || nodes.drawn !== view.state.doc) return;
    binding.beforeTransactionSelection ??= relativeSelection(binding, view.state);
  };
  binding._forceRerender = () => {
    if (hasLooseText(binding.type)) release();
    else draw();
  };
  binding._observeFunction = (events: readonly Y.YEvent<Y.XmlFragment>[], transaction: Y.Transaction) => {
    if (!held) return;
    if (events.some(({ target }) => target === binding.type) && hasLooseText(binding.type)) {
      release();
      return;
    }
    nodes.changed(transaction);
    // The editor's own edits are there already: the binding's mutex skips them.
    binding.mux(() => {
      forgetChanged(nodes, transaction);
      const { beforeTransactionSelection: caret } = binding;
      const isUndo = transaction.origin instanceof Y.UndoManager;
      undrawn = { caret: undrawn === null ? caret : undrawn.caret, isUndo: isUndo && undrawn?.isUndo !== false };
    });
    if (undrawn !== null) drawTogether(show);
  };
  const show = () => {
    const change = undrawn;
    undrawn = null;
    if (!held || change === null || view.isDestroyed) return;
    const before = view.state.doc;
    try {
      showChanges(view, binding, nodes, change);
      if (view.state.doc !== before) shown = isAlone(view) ? view.state.doc : null;
    } catch {
      // What a plugin throws must not reach the sync engine (T7). The document is right: it is drawn anew.
      try {
        draw();
      } catch {
        release();
      }
    }
  };
  binding._prosemirrorChanged = (page) => {
    // A plugin told the editor something in the middle of a frame: the page lags behind, and must not be written as it is.
    if (!held || undrawn !== null || page === shown) return;
    // Never: it would be written over what it stands for (T4).
    if (nodes.hasStray(page)) {
      release();
      return;
    }
    binding.doc.transact((transaction) => {
      const steps = newest.getState(view.state) ?? [];
      // What is left out here, and all of it when other transactions came between, the comparison finds.
      const isWhole = steps[0]?.before === shown && steps.at(-1)?.doc === page;
      const written = isWhole ? writeSteps(binding.type, steps, levelWith(binding, nodes, page)) : new Set<Y.XmlText>();
      for (const text of written) nodes.delete(text);
      writeChange(binding, nodes, page);
      for (const text of written) nodes.adopt(text);
      binding.beforeTransactionSelection = relativeSelection(binding, view.state);
      giveNewBlocksTheirText(transaction);
    }, EDITOR_ORIGIN);
    shown = page;
  };
}

/** No plugin added to the newest transaction what is not in the document. */
const isAlone = ({ state }: EditorView): boolean => newest.getState(state)?.length === 1;

/**
 * Writes a page between two steps of an edit that ends with `page`. A grey block that is out of it for a moment must not
 * be written as deleted (T4): then the document waits for the end.
 */
const levelWith = (binding: ProsemirrorBinding, nodes: NodesOfPage, page: Node) => (between: Node) => {
  if (countGrey(between) !== countGrey(page)) return false;
  // Nobody knows what is left to be written but by comparing all of it.
  nodes.drawn = null;
  updateYFragment(binding.doc, binding.type, between, binding);
  return true;
};

function countGrey(page: Node): number {
  let count = 0;
  page.forEach((node) => {
    if (node.type.name === UNKNOWN) count += 1;
  });
  return count;
}

/** Text between blocks: y-tiptap has no place for a caret there. Nobody's editor makes it. */
const hasLooseText = (body: Y.XmlFragment): boolean => body.toArray().some((node) => !(node instanceof Y.XmlElement));

/**
 * y-tiptap makes a block's text only with its first letter. Two people who start in the same empty block would make
 * two, and each would then write the other's letters into their own: doubled words. So the maker of a block makes
 * its text, in the same transaction and undo step.
 */
function giveNewBlocksTheirText(transaction: Y.Transaction): void {
  const { clientID } = transaction.doc;
  const before = transaction.beforeState.get(clientID) ?? 0;
  for (const changed of [...transaction.changed.keys()] as readonly unknown[]) {
    if (changed instanceof Y.XmlFragment) for (const node of changed.toArray()) giveText(node, clientID, before);
  }
}

/** Into the cells of a new table too. */
function giveText(node: unknown, client: number, before: number): void {
  const id = node instanceof Y.XmlElement ? node._item?.id : undefined;
  if (!(node instanceof Y.XmlElement) || id === undefined || id.client !== client || id.clock < before) return;
  if (node.length > 0) for (const child of node.toArray()) giveText(child, client, before);
  else if (CONTENT[node.nodeName] === 'text') node.insert(0, [new Y.XmlText()]);
}
