// The field in which a comment is written, with the button that sends it. What is typed is a draft on this device until then.
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TypedMenuList } from '../../../editor/typed-menu/typed-menu-list.tsx';
import type { CommentBody } from '../../../protocol/comments.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { useComments } from '../comments-context.ts';
import { isTooLong } from './comment-document.ts';
import { type CommentEditor, createCommentEditor } from './create-comment-editor.ts';
import { LinkOfComment } from './link-of-comment.tsx';

export type ComposerProps = {
  /** Under which the draft is stored. */
  readonly place: string;
  readonly label: string;
  readonly placeholder: string;
  /** The text before anything was typed. */
  readonly body?: CommentBody;
  readonly hasFocus: boolean;
  /** The words of the button that sends, and of the one that discards the draft. Without them, an arrow sends. */
  readonly words?: { readonly send: string; readonly discard: string };
  readonly onSend: (body: CommentBody) => void;
  /** Someone pressed Escape, or discarded the draft. */
  readonly onLeave: (isDiscarded: boolean) => void;
};

const EMPTY: CommentBody = [];

export function Composer(props: ComposerProps) {
  const { place, label, placeholder, body = EMPTY, hasFocus, words, onLeave } = props;
  const { names, drafts } = useComments();
  const element = useRef<HTMLDivElement>(null);
  const [comment, setComment] = useState<CommentEditor | null>(null);
  const [draft] = useState(() => drafts.open(place));
  const [typed, setTyped] = useState(draft.body ?? body);
  const [isLinking, setLinking] = useState(false);
  const send = () => {
    if (typed.length === 0 || isTooLong(typed)) return;
    draft.write(null);
    comment?.editor.commands.clearContent();
    props.onSend(typed);
  };
  const change = (changed: CommentBody) => {
    setTyped(changed);
    draft.write(changed.length === 0 ? null : changed);
  };
  // The editor is created once, and reads the newest functions.
  const latest = useRef({ names, send, change, onLeave });
  useLayoutEffect(() => {
    latest.current = { names, send, change, onLeave };
  });
  const start = useRef({ label, typed, hasFocus });
  useLayoutEffect(() => {
    const host = element.current;
    if (host === null) return undefined;
    const created = createCommentEditor({
      element: host,
      label: start.current.label,
      body: start.current.typed,
      people: () => latest.current.names.people,
      onChange: (changed) => latest.current.change(changed),
      onSend: () => latest.current.send(),
      onLeave: () => latest.current.onLeave(false),
      onLink: () => setLinking(true),
    });
    setComment(created);
    if (start.current.hasFocus) {
      created.editor.commands.setTextSelection(created.editor.state.doc.content.size);
      // Sets the caret at once, unlike `focus` of the element: a key may follow within milliseconds.
      created.editor.view.focus();
    }
    return () => created.editor.destroy();
  }, []);
  useEffect(() => draft.onDelete(() => comment?.editor.commands.clearContent()), [draft, comment]);
  const isEmpty = typed.length === 0;
  const problem = isTooLong(typed) ? 'This comment is too long. Split it to send it.' : null;
  return (
    <div className="composer" data-look={words === undefined ? 'reply' : 'full'}>
      <div className="composer-text" ref={element} data-placeholder={isEmpty ? placeholder : undefined} />
      {isLinking && comment !== null && <LinkOfComment editor={comment.editor} onClose={() => setLinking(false)} />}
      {problem !== null && <p role="alert">{problem}</p>}
      {words === undefined ? (
        <IconButton label="Send" className="composer-send" disabled={isEmpty || problem !== null} onClick={send}>
          <ArrowUp className="icon" />
        </IconButton>
      ) : (
        <div className="composer-actions">
          <Button
            size="small"
            look="plain"
            onClick={() => {
              draft.write(null);
              onLeave(true);
            }}
          >
            {words.discard}
          </Button>
          <Button size="small" look="primary" disabled={isEmpty || problem !== null} onClick={send}>
            {words.send}
          </Button>
        </div>
      )}
      {comment !== null && <TypedMenuList {...comment} />}
    </div>
  );
}
