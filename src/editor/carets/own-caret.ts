// Reports the local caret to the session as relative positions. The session decides how often it is sent.
import { Extension } from '@tiptap/core';
import { type EditorState, Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Awareness } from 'y-protocols/awareness';
import * as Y from 'yjs';
import { bindingOf } from '../binding/binding-of.ts';
import { toRelativePosition } from '../binding/page-positions.ts';

export const ownCaret = (awareness: Awareness) =>
  Extension.create({
    name: 'ownCaret',
    // Runs after the binding, whose mapping must include the local edit before a position can be computed.
    priority: 10,
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => watch(view, awareness) })],
  });

function watch(view: EditorView, awareness: Awareness) {
  let reported = 'null';
  const report = (cursor: object | null) => {
    const text = JSON.stringify(cursor);
    if (text === reported) return;
    reported = text;
    awareness.setLocalStateField('cursor', cursor);
  };
  const update = () => {
    if (view.hasFocus() && view.editable) report(cursorOf(view.state));
  };
  const onBlur = () => {
    // Another window got the focus: the caret stays.
    if (document.hasFocus()) report(null);
  };
  view.dom.addEventListener('focus', update);
  view.dom.addEventListener('blur', onBlur);
  return {
    update,
    destroy() {
      view.dom.removeEventListener('focus', update);
      view.dom.removeEventListener('blur', onBlur);
      report(null);
    },
  };
}

function cursorOf(state: EditorState): object | null {
  const binding = bindingOf(state);
  if (binding === null || state.doc.childCount === 0) return null;
  const { anchor, head } = state.selection;
  const toJson = (at: number): unknown => Y.relativePositionToJSON(toRelativePosition(binding, state.doc, at));
  try {
    const at = toJson(head);
    return { anchor: anchor === head ? at : toJson(anchor), head: at };
  } catch {
    // The mapping is behind in the middle of a merge. The next update reports the caret.
    return null;
  }
}
