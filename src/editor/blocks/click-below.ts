// A click below the text, wherever in the window it is blank there, puts the caret at the end of the page. After a block
// that is no text, and after code, it adds a paragraph.
import { Extension } from '@tiptap/core';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { BLOCK } from 'weft-document/names.ts';
import { isBlock, isCode } from '../schema/block-at.ts';
import { visiblePosition } from './folding.ts';

export const ClickBelow = Extension.create({
  name: 'clickBelow',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        // Only a click counts: dragging up from there selects text.
        handleClick: (view, _at, event) => event.target === view.dom && isBelow(view, event) && writeAtEnd(view),
      },
      view(view) {
        const { ownerDocument } = view.dom;
        const onMouseDown = (event: MouseEvent) => {
          const { target, button, shiftKey } = event;
          // Blank space of the window belongs to an element around the text.
          const isBlank = target instanceof Node && target !== view.dom && target.contains(view.dom);
          if (!isBlank || button !== 0 || shiftKey || isOnScrollbar(event) || !isBelow(view, event)) return;
          if (!writeAtEnd(view)) return;
          // The browser would move the focus to the blank space.
          event.preventDefault();
          view.focus();
        };
        ownerDocument.addEventListener('mousedown', onMouseDown);
        return { destroy: () => ownerDocument.removeEventListener('mousedown', onMouseDown) };
      },
    }),
  ],
});

/** Hidden blocks of a folded toggle have no height. */
function isBelow({ dom }: EditorView, { clientY }: MouseEvent): boolean {
  const last = Array.from(dom.children).findLast((block) => block.getClientRects().length > 0);
  return clientY > (last ?? dom).getBoundingClientRect()[last === undefined ? 'top' : 'bottom'];
}

function isOnScrollbar({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false;
  const isPage = target === document.documentElement;
  const { left, top } = isPage ? { left: 0, top: 0 } : target.getBoundingClientRect();
  return (
    clientX >= left + target.clientLeft + target.clientWidth || clientY >= top + target.clientTop + target.clientHeight
  );
}

function writeAtEnd(view: EditorView): boolean {
  if (!view.editable) return false;
  const { state } = view;
  const { doc, schema, tr } = state;
  const end = doc.content.size;
  const last = doc.lastChild;
  if (isBlock(last) && !isCode(last)) {
    tr.setSelection(TextSelection.create(doc, visiblePosition(state, end - 1)));
  } else {
    tr.insert(end, schema.node(BLOCK));
    tr.setSelection(TextSelection.create(tr.doc, end + 1));
  }
  view.dispatch(tr.scrollIntoView());
  return true;
}
