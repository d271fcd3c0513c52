// Reads the browser's caret before a remote edit is drawn and before a key acts. The browser reports a caret that it moved
// itself (a click, End, an arrow) a moment later. Without this, an edit drawn in that moment puts the caret back to where
// ProseMirror last saw it, and a key (Escape, Delete) acts on the old selection.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { Cancel } from '../../lib/cancel.ts';

export const freshSelection = (session: Session) =>
  Extension.create({
    name: 'freshSelection',
    addProseMirrorPlugins: () => [new Plugin({ view: (view) => ({ destroy: watchSelection(view, session) }) })],
  });

/** Call before drawing something that no key asked for, but not in the middle of an editor update. */
export function readDomSelection(view: EditorView): void {
  // ProseMirror listens to this event and reads the DOM selection. It does nothing if the selection is unchanged.
  if (view.hasFocus()) document.dispatchEvent(new Event('selectionchange'));
}

function watchSelection(view: EditorView, session: Session): Cancel {
  const stops = [session.onBeforeRemote(() => readDomSelection(view)), readSelectionBeforeKeys(view)];
  return () => {
    for (const stop of stops) stop();
  };
}

export function readSelectionBeforeKeys(view: EditorView): Cancel {
  const onKey = () => {
    if (!view.composing) readDomSelection(view);
  };
  view.dom.addEventListener('keydown', onKey, { capture: true });
  return () => view.dom.removeEventListener('keydown', onKey, { capture: true });
}
