// Keeps an error in the view of one block from taking the editor with it: an unsupported block with the text stands in its place.
import type { Node } from '@tiptap/pm/model';
import type { NodeView, NodeViewConstructor } from '@tiptap/pm/view';
import { CONTENT_TEXTS } from '../../texts/content-texts.ts';
import { createUnsupportedBlock, isInUnsupportedBlock } from '../../ui/blocks/unsupported-block.ts';

/** A view that fails later is made again from the changed node, which may be drawable. */
export const guardNodeView =
  (create: NodeViewConstructor): NodeViewConstructor =>
  (node, view, getPos, ...decorations) => {
    try {
      const made = create(node, view, getPos, ...decorations);
      const { update } = made;
      if (update !== undefined) {
        made.update = (...change) => {
          try {
            return update.apply(made, change);
          } catch (error) {
            reportError(error);
            return false;
          }
        };
      }
      return made;
    } catch (error) {
      reportError(error);
      const remove = () => {
        const at = getPos();
        if (at !== undefined) view.dispatch(view.state.tr.delete(at, at + node.nodeSize));
      };
      return failedView(node, view.editable ? remove : null);
    }
  };

function failedView(node: Node, onDelete: (() => void) | null): NodeView {
  const dom = document.createElement('div');
  dom.className = 'block';
  dom.dataset['kind'] = 'unknown';
  dom.contentEditable = 'false';
  const text = node.textBetween(0, node.content.size, '\n');
  dom.append(createUnsupportedBlock({ note: CONTENT_TEXTS.blockFailed, text, onDelete }).dom);
  return {
    dom,
    // The view is made again at each change.
    update: () => false,
    stopEvent: ({ target }) => isInUnsupportedBlock(target),
    ignoreMutation: () => true,
  };
}
