// A node for blocks that the editor cannot show as they are: a newer app wrote them (T4 in docs/losses.md), they are loose
// content between blocks, or too costly to draw. It is drawn as an unsupported block. The content in the document is never
// overwritten; only a user's own deletion removes it.
import { Node } from '@tiptap/core';
import type { Node as PageNode } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { createUnsupportedBlock, isInUnsupportedBlock } from '../../ui/blocks/unsupported-block.ts';

export const UNKNOWN = 'unknown';

export const UnknownNode = Node.create({
  name: UNKNOWN,
  atom: true,
  selectable: true,
  draggable: false,
  /** Never stored: this node is never written. */
  addAttributes: () => ({
    note: { default: '', rendered: false },
    text: { default: '', rendered: false },
  }),
  renderHTML: ({ node }) => ['div', { class: 'block', 'data-kind': UNKNOWN }, noteOf(node)],
  addNodeView:
    () =>
    ({ node, view, getPos }) => {
      const dom = document.createElement('div');
      dom.className = 'block';
      dom.dataset['kind'] = UNKNOWN;
      dom.contentEditable = 'false';
      const remove = () => {
        const at = getPos();
        if (at !== undefined) view.dispatch(view.state.tr.delete(at, at + 1));
      };
      const contentOf = (now: PageNode) => ({
        note: noteOf(now),
        text: String(now.attrs['text']),
        // Where the page is read only, the stylesheet hides the button: the editor does not draw this node again then.
        onDelete: remove,
      });
      const block = createUnsupportedBlock(contentOf(node));
      dom.append(block.dom);
      return {
        dom,
        update(now: PageNode) {
          if (now.type !== node.type) return false;
          block.update(contentOf(now));
          return true;
        },
        stopEvent: ({ target }: Event) => isInUnsupportedBlock(target),
        ignoreMutation: () => true,
      };
    },
});

const noteOf = (node: PageNode): string => String(node.attrs['note']);

/** True for a local edit that would copy an unsupported block: the copy would have none of the content it stands for. */
export function copiesUnknown({ before, doc }: Transaction): boolean {
  const known = new Set<PageNode>();
  before.forEach((node) => {
    if (node.type.name === UNKNOWN) known.add(node);
  });
  let isCopied = false;
  doc.forEach((node) => {
    isCopied ||= node.type.name === UNKNOWN && !known.delete(node);
  });
  return isCopied;
}
