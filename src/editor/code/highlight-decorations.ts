// Highlights code while it is edited, with decorations that are rebuilt only for the block that changed.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { isBlock, styleOf } from '../schema/block-at.ts';
import { highlightedRanges, subscribeHighlighter } from './highlighter-loader.ts';

/** `positions` holds the code blocks that `decorations` covers. */
type Highlights = { readonly decorations: DecorationSet; readonly positions: ReadonlyMap<Node, number> };

const key = new PluginKey<Highlights>('codeHighlight');

export const CodeHighlight = Extension.create({
  name: 'codeHighlight',
  addProseMirrorPlugins: () => [
    new Plugin<Highlights>({
      key,
      state: {
        init: (_config, { doc }) => highlightAll(doc),
        apply(transaction, before) {
          if (transaction.getMeta(key) === true) return highlightAll(transaction.doc);
          return transaction.docChanged ? rehighlight(transaction, before) : before;
        },
      },
      props: { decorations: (state) => key.getState(state)?.decorations },
      view: (view) => ({ destroy: subscribeHighlighter(() => view.dispatch(view.state.tr.setMeta(key, true))) }),
    }),
  ],
});

function highlightAll(doc: Node): Highlights {
  const positions = codeIn(doc);
  const decorations = Array.from(positions, ([node, at]) => decorationsIn(node, at)).flat();
  return { decorations: DecorationSet.create(doc, decorations), positions };
}

/** Blocks are compared by identity: an edit by anyone makes a new node for the block it changes and for no other. */
function rehighlight({ doc, mapping }: Transaction, before: Highlights): Highlights {
  const positions = codeIn(doc);
  if (positions.size === 0)
    return before.positions.size === 0 ? before : { decorations: DecorationSet.empty, positions };
  let decorations = before.decorations.map(mapping, doc);
  for (const [node, at] of before.positions) {
    if (!positions.has(node))
      decorations = decorations.remove(decorations.find(mapping.map(at, -1), mapping.map(at + node.nodeSize)));
  }
  const added = Array.from(positions).flatMap(([node, at]) =>
    before.positions.has(node) ? [] : decorationsIn(node, at),
  );
  return { decorations: added.length === 0 ? decorations : decorations.add(doc, added), positions };
}

function codeIn(doc: Node): ReadonlyMap<Node, number> {
  const found = new Map<Node, number>();
  doc.forEach((node, at) => {
    // The attribute is checked first: this runs over all blocks at each key, and most are not code.
    if (node.attrs['kind'] === 'code' && isBlock(node)) found.set(node, at);
  });
  return found;
}

const decorationsIn = (node: Node, at: number): Decoration[] =>
  highlightedRanges(styleOf(node).language, node.textContent).map(({ from, to, names }) =>
    Decoration.inline(at + 1 + from, at + 1 + to, { class: names }),
  );
