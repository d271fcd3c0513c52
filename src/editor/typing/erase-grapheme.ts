// Backspace takes an emoji whole. Firefox takes the members of a family away one by one; Chromium and WebKit do not. A
// letter keeps what each browser does with its accents, because in some scripts the last sign alone is to be corrected.
import { Extension } from '@tiptap/core';
import { type Command, TextSelection } from '@tiptap/pm/state';

/** UTF-16 units. The longest emoji of Unicode 17 has 15. */
const LOOKED_AT = 64;
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export const EraseGrapheme = Extension.create({
  name: 'eraseGrapheme',
  addKeyboardShortcuts() {
    return { Backspace: () => eraseEmoji(this.editor.state, this.editor.view.dispatch) };
  },
});

const eraseEmoji: Command = ({ selection, tr }, dispatch) => {
  if (!(selection instanceof TextSelection) || !selection.empty) return false;
  const { $from } = selection;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - LOOKED_AT), $from.parentOffset);
  const last = Array.from(segmenter.segment(before)).at(-1)?.segment ?? '';
  // A single character is taken whole by every browser.
  if (last.length <= 2 || !EMOJI.test(last)) return false;
  dispatch?.(tr.delete($from.pos - last.length, $from.pos).scrollIntoView());
  return true;
};
