// Node views of pictures and files: their content comes from `WritableFiles`, and a picture's caption is the node's own
// text.
import type { Node } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import type { EditorView, NodeView } from '@tiptap/pm/view';
import { parseFile, parseImage } from 'weft-document/body/parse-body.ts';
import { FILE, IMAGE } from 'weft-document/names.ts';
import type { WritableFiles } from '../../ports/files.ts';
import { AttributesStep } from '../schema/attributes-step.ts';
import { element } from './elements.ts';
import { createFileCard } from './file-card.ts';
import { createPicture } from './picture.ts';
import { sizeHandle } from './size-handle.ts';

type GetPos = () => number | undefined;

export function imageView(files: WritableFiles | null) {
  return (node: Node, view: EditorView, getPos: GetPos): NodeView => {
    const dom = element('figure', { class: 'block', 'data-kind': IMAGE });
    const caption = element('figcaption', { class: 'block-text', dir: 'auto' });
    const picture = createPicture(files, removedWhenCancelled(files, view, getPos));
    const handle = sizeHandle(picture.dom, dom, (size) => {
      const at = getPos();
      if (at !== undefined) view.dispatch(view.state.tr.step(new AttributesStep(new Map([[at, { size }]]))));
    });
    picture.dom.append(handle.dom);
    // ProseMirror treats a node with text as no leaf and leaves the caret where it was, so the next key would go there.
    picture.dom.addEventListener('click', ({ target }) => {
      const at = getPos();
      if (at === undefined || isControl(target)) return;
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
      view.focus();
    });
    dom.append(picture.dom, caption);
    const draw = (now: Node) => {
      const attributes = { ...parseImage(now.attrs), caption: now.textContent };
      dom.toggleAttribute('data-editable', view.editable);
      caption.toggleAttribute('data-empty', now.content.size === 0);
      picture.update(attributes);
      handle.update(attributes.size);
    };
    draw(node);
    return {
      dom,
      contentDOM: caption,
      update(next) {
        if (next.type.name !== IMAGE) return false;
        draw(next);
        return true;
      },
      selectNode: () => dom.setAttribute('data-selected', ''),
      deselectNode: () => dom.removeAttribute('data-selected'),
      // Buttons and the handle keep their events; a click on the picture selects it.
      stopEvent: ({ target }) => isControl(target),
      ignoreMutation: ({ target }) => !caption.contains(target),
      destroy() {
        handle.destroy();
        picture.destroy();
      },
    };
  };
}

/** Whether a pointer or key event belongs to a button or the handle for the size. */
const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, [role=slider]') !== null;

/** `cancel` also removes the node of the upload. Otherwise others would see it as uploading forever. */
function removedWhenCancelled(files: WritableFiles | null, view: EditorView, getPos: GetPos): WritableFiles | null {
  if (files === null) return null;
  return {
    ...files,
    cancel(id) {
      files.cancel(id);
      const at = getPos();
      const node = at === undefined ? null : view.state.doc.nodeAt(at);
      if (at !== undefined && node !== null) view.dispatch(view.state.tr.delete(at, at + node.nodeSize));
    },
  };
}

export function fileView(files: WritableFiles | null) {
  return (node: Node, view: EditorView, getPos: GetPos): NodeView => {
    const dom = element('div', { class: 'block', 'data-kind': FILE });
    const card = createFileCard(files, removedWhenCancelled(files, view, getPos));
    dom.append(card.dom);
    card.update(parseFile(node.attrs));
    return {
      dom,
      update(next) {
        if (next.type.name !== FILE) return false;
        card.update(parseFile(next.attrs));
        return true;
      },
      selectNode: () => dom.setAttribute('data-selected', ''),
      deselectNode: () => dom.removeAttribute('data-selected'),
      stopEvent: ({ target }) => isControl(target),
      ignoreMutation: () => true,
      destroy: card.destroy,
    };
  };
}
