// As it closes, a menu returns the focus to its button, so the focus moves to the text a frame later.
import type { Editor } from '@tiptap/core';

export function focusAfterMenu(editor: Editor): void {
  requestAnimationFrame(() => {
    if (!editor.isDestroyed) editor.view.focus();
  });
}
