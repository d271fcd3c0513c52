// A formula block in the editor: while the caret is in it, the source with the rendered formula below; otherwise only
// the rendered formula, or what is wrong with the source.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Node } from '@tiptap/pm/model';
import { NodeSelection, Plugin, TextSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView, type NodeView } from '@tiptap/pm/view';
import { MATH } from 'weft-document/names.ts';
import { isInUnsupportedBlock } from '../../ui/blocks/unsupported-block.ts';
import { guardNodeView } from '../schema/guard-node-view.ts';
import { createFormulaElement } from './formula-element.ts';

export const MathView = Extension.create({
  name: 'mathView',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        nodeViews: { [MATH]: guardNodeView(mathView) },
        decorations({ doc, selection }) {
          const { $from, $to } = selection;
          if (selection instanceof NodeSelection || $from.depth === 0 || !$from.sameParent($to)) return null;
          const node = $from.node(1);
          if (node.type.name !== MATH) return null;
          const at = $from.before(1);
          return DecorationSet.create(doc, [Decoration.node(at, at + node.nodeSize, { 'data-open': 'true' })]);
        },
      },
    }),
  ],
});

function mathView(first: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const { dom, contentDOM } = DOMSerializer.renderSpec(document, first.type.spec.toDOM?.(first) ?? ['div', 0]);
  if (!(dom instanceof HTMLElement) || contentDOM === undefined) throw new Error('a formula is an element with a text');
  let node = first;
  const remove = () => {
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.delete(at, at + node.nodeSize));
  };
  const formula = createFormulaElement({
    hint: 'Write a formula in TeX',
    showsSource: true,
    deletion: () => (view.editable ? remove : null),
  });
  const shown = dom.appendChild(formula.dom);
  shown.contentEditable = 'false';
  const draw = () => {
    const tex = node.textContent;
    formula.show(tex);
    dom.toggleAttribute('data-empty', tex.trim() === '');
  };
  draw();
  shown.addEventListener('mousedown', (event) => {
    const at = getPos();
    if (at === undefined || !view.editable || event.button !== 0 || isInUnsupportedBlock(event.target)) return;
    event.preventDefault();
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, at + 1 + node.content.size)));
    view.focus();
  });
  return {
    dom,
    contentDOM,
    update(next) {
      if (next.type !== node.type) return false;
      node = next;
      draw();
      return true;
    },
    stopEvent: ({ target, type }) =>
      isInUnsupportedBlock(target) ||
      (type === 'mousedown' && target instanceof globalThis.Node && shown.contains(target)),
    ignoreMutation: ({ type, target }) => type !== 'selection' && target !== dom && !contentDOM.contains(target),
    destroy: formula.destroy,
  };
}
