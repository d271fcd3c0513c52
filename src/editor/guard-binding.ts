// Stands between the document and y-tiptap's binding: what is unknown stays (T4), nothing it throws reaches the
// sync engine (T7), and every new block gets its text at once.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { CONTENT } from '../document/names.ts';
import { EDITOR_ORIGIN, bindingOf } from './binding-of.ts';
import { drawPage, showChange } from './show-document.ts';
import { NodesOfPage } from './unknown-node.ts';

/** Called when the editor had to let go of the document; it shows and writes nothing more. */
export type LetGo = () => void;

/** Must run before the binding's own plugin view, which starts to listen: hence the priority. */
export const guardBinding = (letGo: LetGo) =>
  Extension.create({
    name: 'guardBinding',
    priority: 10_000,
    addProseMirrorPlugins: () => [
      new Plugin({
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
  const write = binding._prosemirrorChanged.bind(binding);
  let held = true;
  const release = () => {
    held = false;
    binding.destroy();
    letGo();
  };
  binding._forceRerender = () => {
    if (hasLooseText(binding.type)) release();
    else drawPage(view, binding, nodes);
  };
  binding._observeFunction = (events: readonly Y.YEvent<Y.XmlFragment>[], transaction: Y.Transaction) => {
    if (!held) return;
    if (events.some(({ target }) => target === binding.type) && hasLooseText(binding.type)) {
      release();
      return;
    }
    nodes.changed(transaction);
    try {
      showChange(view, binding, nodes, transaction);
    } catch {
      // What a plugin throws must not reach the sync engine (T7). The document is right: it is drawn anew.
      try {
        drawPage(view, binding, nodes);
      } catch {
        release();
      }
    }
  };
  binding._prosemirrorChanged = (page) => {
    if (!held) return;
    // Never: it would be written over what it stands for (T4).
    if (nodes.hasStray(page)) {
      release();
      return;
    }
    binding.doc.transact((transaction) => {
      write(page);
      giveNewBlocksTheirText(transaction);
    }, EDITOR_ORIGIN);
  };
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
