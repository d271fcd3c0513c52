// A formula in the editor: while the caret is in it, the source with the rendered formula below; otherwise only the
// rendered formula.
import { Extension } from '@tiptap/core';
import { DOMSerializer, type Node } from '@tiptap/pm/model';
import { NodeSelection, Plugin, TextSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView, type NodeView } from '@tiptap/pm/view';
import { MATH } from '../../document/names.ts';
import { renderMathIfLoaded, subscribeMathRenderer } from './math-loader.ts';

export const MathView = Extension.create({
  name: 'mathView',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        nodeViews: { [MATH]: (node, view, getPos) => mathView(node, view, getPos) },
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
  const shown = dom.appendChild(document.createElement('div'));
  shown.className = 'math-shown';
  shown.contentEditable = 'false';
  let node = first;
  let drawn: string | null = null;
  const draw = () => {
    const tex = node.textContent;
    const key = `${tex}\n${renderMathIfLoaded(tex) === null ? 'waiting' : 'drawn'}`;
    if (key !== drawn) showMath(shown, tex);
    drawn = key;
    dom.toggleAttribute('data-empty', tex.trim() === '');
  };
  const stop = subscribeMathRenderer(draw);
  draw();
  shown.addEventListener('mousedown', (event) => {
    const at = getPos();
    if (at === undefined || !view.editable || event.button !== 0) return;
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
      type === 'mousedown' && target instanceof globalThis.Node && shown.contains(target),
    ignoreMutation: ({ type, target }) => type !== 'selection' && target !== dom && !contentDOM.contains(target),
    destroy: stop,
  };
}

/** Shows a hint for an empty formula, a message for one with an error, and the source until it can be rendered. */
function showMath(shown: HTMLElement, tex: string): void {
  const result = tex.trim() === '' ? null : renderMathIfLoaded(tex);
  shown.toggleAttribute('data-error', result !== null && result.error !== null);
  if (result === null) shown.textContent = tex.trim() === '' ? 'Write a formula in TeX' : tex;
  else if (result.error === null) shown.innerHTML = result.html;
  else shown.textContent = result.error;
}
