// Stands between the document and y-tiptap's binding: what is unknown stays (T4), nothing it throws reaches the
// sync engine (T7), and every new block gets its text at once.
import { Extension } from '@tiptap/core';
import type { Schema } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { ProsemirrorBinding } from '@tiptap/y-tiptap';
import * as Y from 'yjs';
import { findUnknown } from '../document/find-unknown.ts';
import { CONTENT } from '../document/names.ts';
import { EDITOR_ORIGIN, bindingOf } from './binding-of.ts';
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
          if (binding !== null) guard(binding, view.state.schema, letGo);
          return {};
        },
      }),
    ],
  });

function guard(binding: ProsemirrorBinding, schema: Schema, letGo: LetGo): void {
  const nodes = new NodesOfPage(binding.type, schema);
  binding.mapping = nodes;
  const show = binding._typeChanged.bind(binding);
  const write = binding._prosemirrorChanged.bind(binding);
  let held = true;
  const release = () => {
    held = false;
    binding.destroy();
    letGo();
  };

  const draw = binding._forceRerender.bind(binding);
  binding._forceRerender = () => {
    if (hasLooseText(binding.type)) return release();
    if (findUnknown(binding.type.toArray()) === null) return draw();
    // Drawing anew asks nobody before it deletes what it cannot make; showing a change does.
    const change = new Y.Transaction(binding.doc, null, false);
    return show([new Y.YEvent(binding.type, change)], change);
  };
  const onChange = (events: Y.YEvent<Y.AbstractType<unknown>>[], transaction: Y.Transaction) => {
    if (!held) return;
    if (events.some(({ target }) => target === binding.type) && hasLooseText(binding.type)) return release();
    nodes.changed(transaction);
    try {
      trustRelativePositions(binding);
      keepingUntouched(binding.mapping, () => show(events, transaction));
    } catch {
      // Caret recovery can point behind the end after a merge that shrank the page. The content is right: draw it anew.
      try {
        binding._forceRerender();
      } catch {
        release();
      }
    }
  };
  binding._observeFunction = onChange;
  binding._prosemirrorChanged = (page) => {
    if (!held) return;
    binding.doc.transact((transaction) => {
      write(page);
      giveNewBlocksTheirText(transaction);
    }, EDITOR_ORIGIN);
  };
}

/** Text between blocks: y-tiptap has no place for a caret there. Nobody's editor makes it. */
const hasLooseText = (body: Y.XmlFragment): boolean => body.toArray().some((node) => !(node instanceof Y.XmlElement));

/**
 * y-tiptap 3.0.8 and 3.0.9 compare the text around the caret before and after a remote change, and where it differs
 * they put the caret back at its old offset: whoever types in a paragraph while another types before them in it would
 * write their letters out of order. Without the old offsets the Yjs position counts. It also ends most of T7.
 */
function trustRelativePositions(binding: ProsemirrorBinding): void {
  const selection: object | null = binding.beforeTransactionSelection;
  if (selection !== null) Object.assign(selection, { absAnchor: null, absHead: null });
}

/**
 * y-tiptap 3.0.9 forgets the nodes of the whole page at each remote change and makes every block anew: 50 ms for each
 * letter that somebody else types in a page of 12,500 paragraphs. What the change touched, and its parents, it has
 * forgotten just before; the rest is as it was.
 */
function keepingUntouched(nodes: ProsemirrorBinding['mapping'], run: () => void): void {
  nodes.clear = () => undefined;
  try {
    run();
  } finally {
    Reflect.deleteProperty(nodes, 'clear');
  }
}

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
