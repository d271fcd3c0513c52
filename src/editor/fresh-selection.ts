// The browser tells of a caret that it moved itself (a click, End, an arrow) a moment later. When an edit of others was
// drawn in that moment, ProseMirror put the caret back to where it knew it, and the next word went there.
import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { Session } from '../sync/session-api.ts';

export const freshSelection = (session: Session) =>
  Extension.create({
    name: 'freshSelection',
    addProseMirrorPlugins: () => [
      new Plugin({
        view: (view) => ({
          // ProseMirror listens to this event and reads what is there; nothing when it knows it already.
          destroy: session.beforeOthers(() => {
            if (view.hasFocus()) document.dispatchEvent(new Event('selectionchange'));
          }),
        }),
      }),
    ],
  });
