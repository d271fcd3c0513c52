// Builds the field in which a comment is written. Outside React: created once, destroyed once.
import { Editor } from '@tiptap/core';
import { emojiSource } from '../../../editor/typed-menu/emoji-source.tsx';
import type { PersonName } from '../../../editor/typed-menu/mention-names.ts';
import { TypedMenu } from '../../../editor/typed-menu/typed-menu.ts';
import type { CommentLine } from '../../../protocol/comments.ts';
import type { PageReaders } from '../../../state/workspace/access/page-readers.ts';
import { commentDocument, writtenLines } from './comment-document.ts';
import { type CommentKeys, commentKeys } from './comment-keys.ts';
import { COMMENT_NODES } from './comment-nodes.ts';
import { personSource } from './person-source.tsx';

export type CommentEditor = { readonly editor: Editor; readonly menu: TypedMenu };

export type CommentEditorOptions = CommentKeys & {
  readonly element: HTMLElement;
  readonly label: string;
  readonly lines: readonly CommentLine[];
  readonly people: () => readonly PersonName[];
  readonly readers: PageReaders;
  readonly onChange: (lines: readonly CommentLine[]) => void;
};

export function createCommentEditor(options: CommentEditorOptions): CommentEditor {
  const { element, label, lines, people, readers, onChange } = options;
  const menu = new TypedMenu((run) => run(), [personSource(people, readers), emojiSource]);
  const editor = new Editor({
    element,
    content: commentDocument(lines),
    injectCSS: false,
    enablePasteRules: false,
    extensions: [...COMMENT_NODES, ...menu.extensions, commentKeys(options)],
    editorProps: {
      attributes: {
        class: 'comment-field',
        role: 'textbox',
        'aria-label': label,
        'aria-multiline': 'true',
        spellcheck: 'true',
        autocapitalize: 'sentences',
      },
    },
    onUpdate: () => onChange(writtenLines(editor.state.doc)),
  });
  return { editor, menu };
}
