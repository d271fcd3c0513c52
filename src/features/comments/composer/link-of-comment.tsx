// Edits the address of the selected words of a comment, which stay marked meanwhile.
import type { Editor } from '@tiptap/core';
import { useEffect } from 'react';
import { selectedRange } from '../../../editor/blocks/selected-range.ts';
import { linkAround, setLink } from '../../../editor/links/link-commands.ts';
import { LinkForm } from '../../../editor/links/link-form.tsx';
import { useKeydown } from '../../../ui/browser/use-keydown.ts';
import { useComments } from '../comments-context.ts';

type LinkOfCommentProps = { readonly editor: Editor; readonly onClose: () => void };

export function LinkOfComment({ editor, onClose }: LinkOfCommentProps) {
  const { names } = useComments();
  const href = linkAround(editor.state)?.href;
  useEffect(() => markSelection(editor), [editor]);
  const close = () => {
    onClose();
    editor.view.focus();
  };
  // Before the keys of the thread, which Escape would leave.
  const keys = useKeydown((event) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    close();
  });
  return (
    <div ref={keys} className="composer-link">
      <LinkForm
        href={typeof href === 'string' ? href : null}
        pages={names.pages}
        onSet={(address, text) => {
          setLink(address, text)(editor.state, editor.view.dispatch);
          close();
        }}
        onClose={close}
      />
    </div>
  );
}

const HIGHLIGHT = 'comment-link';

/** The browser hides a selection without focus. */
function markSelection({ view }: Editor) {
  CSS.highlights?.set(HIGHLIGHT, new Highlight(selectedRange(view)));
  return () => void CSS.highlights?.delete(HIGHLIGHT);
}
