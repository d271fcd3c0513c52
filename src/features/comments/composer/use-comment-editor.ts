// The editor of the field in which a comment is written. It is created once, and calls the newest functions.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type CommentEditor, type CommentEditorOptions, createCommentEditor } from './create-comment-editor.ts';

type Options = Omit<CommentEditorOptions, 'element'> & { readonly hasFocus: boolean };

export function useCommentEditor(element: RefObject<HTMLElement | null>, options: Options): CommentEditor | null {
  const [comment, setComment] = useState<CommentEditor | null>(null);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  useLayoutEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const created = createCommentEditor({
      ...latest.current,
      element: host,
      people: () => latest.current.people(),
      onChange: (changed) => latest.current.onChange(changed),
      onSend: () => latest.current.onSend(),
      onLeave: () => latest.current.onLeave(),
      onLink: () => latest.current.onLink(),
    });
    setComment(created);
    if (latest.current.hasFocus) {
      created.editor.commands.setTextSelection(created.editor.state.doc.content.size);
      // Sets the caret at once, unlike `focus` of the element: a key may follow within milliseconds.
      created.editor.view.focus();
    }
    return () => created.editor.destroy();
  }, [element]);
  return comment;
}
