// Smart quotes and dashes while typing: “ ” ‘ ’ – … Not in code (Tiptap skips code marks itself) and not in text that a
// closing backtick will turn into code. Backspace undoes each conversion.
import { Extension, InputRule } from '@tiptap/core';
import type { ResolvedPos } from '@tiptap/pm/model';
import { MATH } from 'weft-document/names.ts';
import type * as Y from 'yjs';
import { isCode } from '../schema/block-at.ts';
import { isSmartTyping } from './smart-typing-choice.ts';

/** The text before an opening quote. */
const BEFORE_OPENING_QUOTE = /(?:^|[\s([{<\-–—/“‘"'])$/u;
/** Tiptap's rules look back this far. A backtick further away closes nothing. */
const READ_BACK = 500;

export const smartTyping = (undo: Y.UndoManager) =>
  Extension.create({
    name: 'smartTyping',
    // After Markdown: `---` is a divider, not a dash and a hyphen.
    priority: 50,
    addInputRules: () => [
      rule(undo, /(^|.)"$/su, ([, before = '']) => [before.length, BEFORE_OPENING_QUOTE.test(before) ? '“' : '”']),
      rule(undo, /(^|.)'$/su, ([, before = '']) => [before.length, BEFORE_OPENING_QUOTE.test(before) ? '‘' : '’']),
      // Only between words, decided by the character after it: flags ("--force") and dividers begin a word or a line.
      rule(undo, /([^\s-] ?)--([^\s-]|\s)$/u, ([, before = '', after = '']) => {
        const isSpaced = before.endsWith(' ');
        if (isSpaced !== /\s/.test(after)) return null;
        return [before.length, `–${after}`];
      }),
      rule(undo, /(^|[^.])\.\.\.$/u, ([, before = '']) => [before.length, '…']),
    ],
  });

/** `replace` returns how many characters of the match stay, and the replacement for the rest. */
function rule(
  undo: Y.UndoManager,
  find: RegExp,
  replace: (match: readonly string[]) => readonly [prefixLength: number, text: string] | null,
): InputRule {
  return new InputRule({
    find,
    handler({ state, range, match }) {
      const $from = state.doc.resolve(range.from);
      if (!isSmartTyping() || isCode($from.parent) || $from.parent.type.name === MATH) return null;
      if (isInBackticks(state.doc.resolve(range.to))) return null;
      const replaced = replace(match);
      if (replaced === null) return null;
      const [prefixLength, text] = replaced;
      state.tr.insertText(text, range.from + prefixLength, range.to);
      undo.stopCapturing();
      return undefined;
    },
  });
}

function isInBackticks({ parent, parentOffset }: ResolvedPos): boolean {
  const before = parent.textBetween(Math.max(0, parentOffset - READ_BACK), parentOffset);
  return before.split('`').length % 2 === 0;
}
