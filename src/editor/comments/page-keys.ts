// Keys that concern the comments of a page. A page that someone may only read takes the focus by code alone, so the
// keys are read from the document and not from the editor.
import type { Editor } from '@tiptap/core';
import { keydownHandler } from '@tiptap/pm/keymap';
import type { Cancel } from '../../lib/cancel.ts';

/** By ProseMirror's names of keys. A command that returns false leaves the key to the editor. */
export function onPageKeys({ view }: Editor, commands: Readonly<Record<string, () => boolean>>): Cancel {
  const handles = keydownHandler({ ...commands });
  const onKey = (event: KeyboardEvent) => {
    // On Windows AltGr is Ctrl and Alt: with M it types a µ on many keyboards.
    if (event.isComposing || event.getModifierState('AltGraph') || !isInPage(view.dom, event.target)) return;
    if (!handles(view, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey, { capture: true });
  return () => document.removeEventListener('keydown', onKey, { capture: true });
}

/** Nothing has the focus, or the text has it, or what contains it: the screen, after a link led here. Not a field, or a dialog. */
const isInPage = (text: Element, target: EventTarget | null): boolean =>
  target instanceof Node && (target.contains(text) || text.contains(target));
