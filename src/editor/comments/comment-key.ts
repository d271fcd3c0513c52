// The key for a new comment. A page that someone may only read never has the focus, so the key is read outside of the editor.
import type { Editor } from '@tiptap/core';
import { keydownHandler } from '@tiptap/pm/keymap';
import type { Cancel } from '../../lib/cancel.ts';

export function onCommentKey({ view }: Editor, run: () => void): Cancel {
  const handles = keydownHandler({
    'Mod-Alt-m': () => {
      run();
      return true;
    },
  });
  const onKey = (event: KeyboardEvent) => {
    // On many keyboards AltGr, which is Ctrl and Alt on Windows, types a µ.
    if (event.defaultPrevented || event.getModifierState('AltGraph') || !isInPage(view.dom, event.target)) return;
    if (handles(view, event)) event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** Nothing has the focus, or the text has it: not a field beside it, or a dialog. */
const isInPage = (text: Element, target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Node && text.contains(target));
