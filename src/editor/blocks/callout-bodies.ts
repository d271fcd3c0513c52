// Draws the blocks that a callout holds as parts of its box. Writes nothing to the document.
import { Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import { type CalloutRow, calloutPlaces } from 'weft-document/blocks/callout-bodies.ts';
import { isBlock, styleOf } from '../schema/block-at.ts';

const key = new PluginKey<DecorationSet>('calloutBodies');

export const CalloutBodies = Extension.create({
  name: 'calloutBodies',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => drawn(doc),
        apply(transaction, before) {
          if (!transaction.docChanged) return before;
          const { doc, mapping } = transaction;
          return isSameShape(transaction.before, doc) ? before.map(mapping, doc) : drawn(doc);
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

/** Only texts differ, as after most keys. */
function isSameShape(before: Node, after: Node): boolean {
  return (
    before.childCount === after.childCount &&
    after.children.every((node, at) => {
      const other = before.child(at);
      return node === other || (node.type === other.type && node.sameMarkup(other));
    })
  );
}

function drawn(doc: Node): DecorationSet {
  const places = calloutPlaces(doc.children.map(rowOf));
  if (places.size === 0) return DecorationSet.empty;
  const decorations: Decoration[] = [];
  doc.forEach((node, at, index) => {
    const place = places.get(index);
    if (place === undefined) return;
    const { tone, indent, part } = place;
    const attributes = { 'data-callout': tone, 'data-callout-part': part, style: `--callout: ${indent}` };
    decorations.push(Decoration.node(at, at + node.nodeSize, attributes));
  });
  return DecorationSet.create(doc, decorations);
}

function rowOf(node: Node): CalloutRow {
  if (!isBlock(node)) return { indent: null, tone: null };
  const { kind, indent, tone } = styleOf(node);
  return { indent, tone: kind === 'callout' ? tone : null };
}
