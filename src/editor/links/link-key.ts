// The key for links: it edits the link of the selected text.
import { Extension } from '@tiptap/core';
import { selectForLink } from './link-commands.ts';

/** Dispatches `link` on `uiCommands`. */
export const linkKey = (uiCommands: EventTarget) =>
  Extension.create({
    name: 'linkKey',
    addKeyboardShortcuts() {
      return {
        // Without a selection it opens the palette, like everywhere else.
        'Mod-k': () => {
          const { state, view } = this.editor;
          if (state.selection.empty || !selectForLink(state, view.dispatch)) return false;
          return uiCommands.dispatchEvent(new Event('link'));
        },
      };
    },
  });
