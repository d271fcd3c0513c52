// Builds the field in which a comment is written. Outside React: created once, destroyed once.
import { Editor } from '@tiptap/core';
import { emojiSource } from '../../../editor/typed-menu/emoji-source.tsx';
import type { PersonName } from '../../../editor/typed-menu/mention-names.ts';
import { TypedMenu } from '../../../editor/typed-menu/typed-menu.ts';
import type { CommentBody } from '../../../protocol/comments.ts';
import type { PageReaders } from '../../../state/workspace/access/page-readers.ts';
import { writtenBody, commentDocument } from './comment-document.ts';
import { type CommentKeys, commentKeys } from './comment-keys.ts';
import { COMMENT_NODES } from './comment-nodes.ts';
import { personSource } from './person-source.tsx';

export type CommentEditor = { readonly editor: Editor; readonly menu: TypedMenu };

export type CommentEditorOptions = CommentKeys & {
  readonly element: HTMLElement;
  readonly label: string;
  readonly body: CommentBody;
  readonly people: () => readonly PersonName[];
  readonly readers: PageReaders;
  readonly onChange: (body: CommentBody) => void;
};

export function createCommentEditor(options: CommentEditorOptions): CommentEditor {
  const { element, label, body, people, readers, onChange } = options;
  const menu = new TypedMenu((run) => run(), [personSource(people, readers), emojiSource]);
  const editor = new Editor({
    element,
    content: commentDocument(body),
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
    onUpdate: () => onChange(writtenBody(editor.state.doc)),
  });
  return { editor, menu };
}
