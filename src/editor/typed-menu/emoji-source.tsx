// ":" offers emoji by name. The list of names is loaded when the first colon is typed; only the emoji itself is stored.
import { InputRule } from '@tiptap/core';
import { isCode } from '../schema/block-at.ts';
import { allEmoji, loadEmoji, recentEmoji } from './all-emoji.ts';
import { findEmoji } from './find-emoji.ts';
import { replaceTyped } from './replace-typed.ts';
import type { MenuSource } from './typed-menu.ts';

/** Shorter names are not looked for, because of smileys such as `:D`. */
const MIN_CHARACTERS = 2;

export const emojiSource: MenuSource = {
  sign: ':',
  label: 'Emoji',
  find(query, _editor, refresh) {
    const all = allEmoji();
    if (all === null) loadEmoji(refresh);
    if (all === null || query.length < MIN_CHARACTERS || !/^[\p{L}\p{N}_+-]+$/u.test(query)) return [];
    return findEmoji(all, query, recentEmoji.get()).map(({ emoji, names, description }) => ({
      id: emoji,
      name: names[0] ?? description,
      icon: (
        <span className="icon emoji" aria-hidden>
          {emoji}
        </span>
      ),
      hint: '',
      group: null,
      apply(editor, range) {
        replaceTyped(editor, range, emoji, null);
        recentEmoji.add(emoji);
      },
    }));
  },
};

/** ":tada:" typed completely. */
export const emojiRule = new InputRule({
  find: /(^|\s):([\w+-]{2,}):$/,
  handler({ state, range, match: [, before = '', name = ''] }) {
    const found = allEmoji()?.find(({ names }) => names.includes(name.toLowerCase()));
    if (found === undefined || isCode(state.doc.resolve(range.from).parent)) return null;
    state.tr.insertText(found.emoji, range.from + before.length, range.to);
    return undefined;
  },
});
