// Tells the session where the own caret is, as relative positions. How often that is sent is the session's business.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import { bindingOf } from '../binding/binding-of.ts';
import { toRelativePosition } from '../binding/yjs-positions.ts';

export const ownCaret = (awareness: Awareness) =>
  Extension.create({
    name: 'ownCaret',
    // After the binding: its mapping must know the own edit before a position can be made from it.
    priority: 10,
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => watch(view, awareness) })],
  });

function watch(view: EditorView, awareness: Awareness) {
  let told = 'null';
  const tell = (cursor: object | null) => {
    const text = JSON.stringify(cursor);
    if (text === told) return;
    told = text;
    awareness.setLocalStateField('cursor', cursor);
  };
  const update = () => {
    if (view.hasFocus() && view.editable) tell(cursorOf(view.state));
  };
  const onBlur = () => {
    // Another window came forward: the caret stays where the person left it.
    if (document.hasFocus()) tell(null);
  };
  view.dom.addEventListener('focus', update);
  view.dom.addEventListener('blur', onBlur);
  return {
    update,
    destroy() {
      view.dom.removeEventListener('focus', update);
      view.dom.removeEventListener('blur', onBlur);
      tell(null);
    },
  };
}

function cursorOf(state: EditorState): object | null {
  const binding = bindingOf(state);
  if (binding === null || state.doc.childCount === 0) return null;
  const { anchor, head } = state.selection;
  const place = (at: number): unknown => Y.relativePositionToJSON(toRelativePosition(binding, state.doc, at));
  try {
    const at = place(head);
    return { anchor: anchor === head ? at : place(anchor), head: at };
  } catch {
    // The mapping lags behind in the middle of a merge; the next update tells.
    return null;
  }
}
