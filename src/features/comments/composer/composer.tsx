// The field in which a comment is written, with the button that sends it. What is typed is a draft on this device until then.
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { TypedMenuList } from '../../../editor/typed-menu/typed-menu-list.tsx';
import type { CommentBody } from '../../../protocol/comments.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { useComments } from '../comments-context.ts';
import { mentionedIn } from '../plain-text.ts';
import { AddMentioned } from './add-mentioned.tsx';
import { isTooLong } from './comment-document.ts';
import { LinkOfComment } from './link-of-comment.tsx';
import { useCommentEditor } from './use-comment-editor.ts';

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
  /** Below the field. */
  readonly foot?: ReactNode;
  readonly onType?: (isEmpty: boolean) => void;
  readonly onSend: (body: CommentBody) => void;
  /** Someone pressed Escape, or discarded the draft. */
  readonly onLeave: (isDiscarded: boolean) => void;
};

const EMPTY: CommentBody = [];

export function Composer(props: ComposerProps) {
  const { place, label, placeholder, body = EMPTY, hasFocus, words, foot, onType, onLeave } = props;
  const { names, readers, drafts } = useComments();
  const element = useRef<HTMLDivElement>(null);
  const [draft] = useState(() => drafts.open(place));
  const [typed, setTyped] = useState(draft.body ?? body);
  const [isLinking, setLinking] = useState(false);
  /** People whom the comment mentions, and who can't read it. */
  const [asking, setAsking] = useState<readonly UserId[]>([]);
  const ask = () => {
    if (typed.length === 0 || isTooLong(typed)) return;
    const outside = mentionedIn(typed).filter(readers.mayAdd);
    if (outside.length === 0) send();
    else setAsking(outside);
  };
  const send = () => {
    draft.write(null);
    comment?.editor.commands.clearContent();
    setLinking(false);
    props.onSend(typed);
  };
  const change = (changed: CommentBody) => {
    setTyped(changed);
    draft.write(changed.length === 0 ? null : changed);
    onType?.(changed.length === 0);
  };
  const comment = useCommentEditor(element, {
    label,
    body: typed,
    hasFocus,
    people: () => names.people,
    readers,
    onChange: change,
    onSend: ask,
    onLeave: () => onLeave(false),
    onLink: () => setLinking(true),
  });
  useEffect(() => draft.onDelete(() => comment?.editor.commands.clearContent()), [draft, comment]);
  const mentions = mentionedIn(typed).length > 0;
  // A draft may mention people before anyone types an @.
  useEffect(() => {
    if (mentions) void readers.load();
  }, [mentions, readers]);
  const isEmpty = typed.length === 0;
  const problem = isTooLong(typed) ? 'This comment is too long. Split it to send it.' : null;
  return (
    <div className="composer" data-look={words === undefined ? 'reply' : 'full'}>
      <div className="composer-text" ref={element} data-placeholder={isEmpty ? placeholder : undefined} />
      {isLinking && comment !== null && <LinkOfComment editor={comment.editor} onClose={() => setLinking(false)} />}
      {problem !== null && <p role="alert">{problem}</p>}
      <ComposerButtons
        words={words}
        isDisabled={isEmpty || problem !== null}
        onSend={ask}
        onDiscard={() => {
          draft.write(null);
          onLeave(true);
        }}
      />
      {foot}
      {asking.length > 0 && (
        <AddMentioned
          people={asking}
          onClose={() => setAsking([])}
          onSend={() => {
            setAsking([]);
            // By then the field has the focus again.
            requestAnimationFrame(send);
          }}
        />
      )}
      {comment !== null && <TypedMenuList {...comment} />}
    </div>
  );
}

type ComposerButtonsProps = {
  readonly words: ComposerProps['words'];
  readonly isDisabled: boolean;
  readonly onSend: () => void;
  readonly onDiscard: () => void;
};

const ComposerButtons = ({ words, isDisabled, onSend, onDiscard }: ComposerButtonsProps) =>
  words === undefined ? (
    <IconButton label="Send" className="composer-send" disabled={isDisabled} onClick={onSend}>
      <ArrowUp className="icon" />
    </IconButton>
  ) : (
    <div className="composer-actions">
      <Button size="small" look="plain" onClick={onDiscard}>
        {words.discard}
      </Button>
      <Button size="small" look="primary" disabled={isDisabled} onClick={onSend}>
        {words.send}
      </Button>
    </div>
  );
