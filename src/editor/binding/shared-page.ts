// The editor writes into the document and shows it (y-tiptap's binding), and undo is the document's. Not Tiptap's own
// extension for it: that one looks up the selection in the whole page at every transaction, and after an undo has the next
// edit of somebody else put the caret where it was before.
import { Extension } from '@tiptap/core';
import { ySyncPlugin } from '@tiptap/y-tiptap';
import type * as Y from 'yjs';

export const sharedPage = (body: Y.XmlFragment, undo: Y.UndoManager) =>
  Extension.create({
    name: 'sharedPage',
    priority: 1000,
    addKeyboardShortcuts() {
      const run = (direction: 'undo' | 'redo') => () => {
        if (!this.editor.isEditable) return false;
        undo[direction]();
        // Also with nothing to undo: the browser has a history of its own, which knows nothing of others.
        return true;
      };
      return { 'Mod-z': run('undo'), 'Mod-y': run('redo'), 'Shift-Mod-z': run('redo') };
    },
    addProseMirrorPlugins: () => [ySyncPlugin(body)],
  });
