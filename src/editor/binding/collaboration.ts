// Connects the editor to the Yjs document (y-tiptap's binding) and to the document's undo. Tiptap's own extension is
// not used: it searches the selection in the whole page at every transaction, and after an undo the next remote edit
// puts the caret back to where it was before.
import { Extension } from '@tiptap/core';
import { ySyncPlugin } from '@tiptap/y-tiptap';
import type * as Y from 'yjs';

export const collaboration = (body: Y.XmlFragment, undo: Y.UndoManager) =>
  Extension.create({
    name: 'sharedPage',
    priority: 1000,
    addKeyboardShortcuts() {
      const run = (direction: 'undo' | 'redo') => () => {
        if (!this.editor.isEditable) return false;
        undo[direction]();
        // Also when there is nothing to undo: the browser has its own history, which does not know remote edits.
        return true;
      };
      return { 'Mod-z': run('undo'), 'Mod-y': run('redo'), 'Shift-Mod-z': run('redo') };
    },
    addProseMirrorPlugins: () => [ySyncPlugin(body)],
  });
