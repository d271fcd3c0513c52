// The browser tells of a caret that it moved itself (a click, End, an arrow) a moment later. When an edit of others was
// drawn in that moment, or a mark of one's own, ProseMirror put the caret back to where it knew it, and the next word went
// there; a key that came in that moment (Escape, Delete) meant what was selected before.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Session } from '../../sync/session/session-api.ts';

export const freshSelection = (session: Session) =>
  Extension.create({
    name: 'freshSelection',
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => ({ destroy: keepFresh(view, session) }) })],
  });

/** Before something is drawn that no key asked for. Not in the middle of what the editor does. */
export function readSelection(view: EditorView): void {
  // ProseMirror listens to this event and reads what is there; nothing when it knows it already.
  if (view.hasFocus()) document.dispatchEvent(new Event('selectionchange'));
}

function keepFresh(view: EditorView, session: Session): () => void {
  const read = () => readSelection(view);
  const onKey = () => {
    if (!view.composing) read();
  };
  const stop = session.onBeforeRemote(read);
  view.dom.addEventListener('keydown', onKey, { capture: true });
  return () => {
    stop();
    view.dom.removeEventListener('keydown', onKey, { capture: true });
  };
}
