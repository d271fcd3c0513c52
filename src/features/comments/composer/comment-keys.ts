// The keys of the field in which a comment is written, and what turns into a list or a link there.
import { Extension, InputRule } from '@tiptap/core';
import { splitBlockAs } from '@tiptap/pm/commands';
import { history, redo, undo } from '@tiptap/pm/history';
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';
import { parseLinkUrl, parseTypedUrl } from 'weft-document/link-url.ts';
import { readSelectionBeforeKeys } from '../../../editor/binding/fresh-selection.ts';
import type { CommentLine } from '../../../protocol/comments.ts';
import { isComposing } from '../../../ui/browser/is-composing.ts';

export type CommentKeys = {
  readonly onSend: () => void;
  readonly onLeave: () => void;
  /** The selected words are to become a link, or to lose theirs. */
  readonly onLink: () => void;
};

export const commentKeys = ({ onSend, onLeave, onLink }: CommentKeys) =>
  Extension.create({
    name: 'commentKeys',
    addInputRules: () => [
      listRule(/^[-*+] $/, 'bullet'),
      listRule(/^1[.)] $/, 'numbered'),
      new InputRule({ find: /\[([^\]]+)\]\(([^\s)]+)\)$/, handler: linkTyped }),
    ],
    addKeyboardShortcuts() {
      const { view } = this.editor;
      const run = (command: (state: EditorState, dispatch: (made: Transaction) => void) => boolean) => () =>
        command(this.editor.state, view.dispatch);
      return {
        'Mod-Enter': () => (onSend(), true),
        Escape: () => (onLeave(), true),
        // Without a selection it opens the palette, like everywhere else.
        'Mod-k': () => !this.editor.state.selection.empty && (onLink(), true),
        'Mod-z': run(undo),
        'Mod-Shift-z': run(redo),
        'Mod-y': run(redo),
        'Shift-Enter': () => this.editor.commands.insertContent('\n'),
        Enter: () => run(endList)() || run(splitLine)(),
        Backspace: run(startParagraph),
      };
    },
    addProseMirrorPlugins: () => [
      history(),
      pasteAsText(),
      new Plugin({ view: (view) => ({ destroy: readSelectionBeforeKeys(view) }) }),
    ],
  });

/** In an empty line of a list, Enter ends the list. */
const endList = (state: EditorState, dispatch: (made: Transaction) => void): boolean =>
  state.selection.$from.parent.content.size === 0 && setKind(state, dispatch, 'paragraph');

/** The new line is of the same kind. */
const splitLine = splitBlockAs(({ type, attrs }) => ({ type, attrs }));

/** At the start of a line of a list, Backspace makes it a paragraph. */
const startParagraph = (state: EditorState, dispatch: (made: Transaction) => void): boolean =>
  state.selection.empty && state.selection.$from.parentOffset === 0 && setKind(state, dispatch, 'paragraph');

/** False if the line is of this kind already. */
function setKind(state: EditorState, dispatch: (made: Transaction) => void, kind: CommentLine['kind']): boolean {
  const { $from } = state.selection;
  if ($from.parent.attrs['kind'] === kind) return false;
  dispatch(state.tr.setNodeMarkup($from.before(), null, { kind }));
  return true;
}

const listRule = (find: RegExp, kind: CommentLine['kind']) =>
  new InputRule({
    find,
    handler({ state, range }) {
      const { tr } = state;
      tr.delete(range.from, range.to);
      tr.setNodeMarkup(tr.doc.resolve(range.from).before(), null, { kind });
    },
  });

function linkTyped({ state, range, match: [, words = '', address = ''] }: Parameters<InputRule['handler']>[0]) {
  const href = parseTypedUrl(address);
  if (href === null) return null;
  const link = state.schema.mark('link', { href });
  state.tr.replaceWith(range.from, range.to, state.schema.text(words, [link])).removeStoredMark(link.type);
  return undefined;
}

/** What is pasted loses its formatting. An address pasted over words makes them a link. */
const pasteAsText = (): Plugin =>
  new Plugin({
    props: {
      handlePaste({ state, dispatch }, event) {
        const text = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? '';
        if (text === '') return false;
        const { from, to, empty } = state.selection;
        const href = /^https?:\/\/\S+$/.test(text.trim()) ? parseLinkUrl(text) : null;
        if (!empty && href !== null) dispatch(state.tr.addMark(from, to, state.schema.mark('link', { href })));
        else dispatch(pastedText(state, text).scrollIntoView());
        return true;
      },
      handleKeyDown: (_view, event) => isComposing(event),
    },
  });

function pastedText({ tr }: EditorState, text: string): Transaction {
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) tr.split(tr.selection.from);
    tr.insertText(line);
  }
  return tr;
}
