// The field in which a comment is written, with the button that sends it. What is typed is a draft on this device until then.
import ArrowUp from 'lucide-react/icons/arrow-up';
import ImagePlus from 'lucide-react/icons/image-plus';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { pickFiles } from '../../../editor/files/given-files.ts';
import { TypedMenuList } from '../../../editor/typed-menu/typed-menu-list.tsx';
import { PICTURE_TYPES } from '../../../protocol/attachment.ts';
import { type CommentBody, linesOf } from '../../../protocol/comments.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { useComments } from '../comments-context.ts';
import { mentionedIn } from '../plain-text.ts';
import { AddMentioned } from './add-mentioned.tsx';
import { isTooLong } from './comment-document.ts';
import { ComposerPictures } from './composer-pictures.tsx';
import { LinkOfComment } from './link-of-comment.tsx';
import { useCommentBody } from './use-comment-body.ts';
import { useCommentEditor } from './use-comment-editor.ts';
import { useGivenFiles } from './use-given-files.ts';

export type ComposerProps = {
  /** The name of the draft in `CommentDrafts`. */
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
  const { comments, names, readers, drafts } = useComments();
  const element = useRef<HTMLDivElement>(null);
  const [draft] = useState(() => drafts.open(place));
  const written = useCommentBody({ draft, before: body, files: comments.files, onType });
  const { body: typed, addPictures } = written;
  const [isLinking, setLinking] = useState(false);
  const given = useGivenFiles(addPictures);
  /** People whom the comment mentions, and who can't read it. */
  const [asking, setAsking] = useState<readonly UserId[]>([]);
  useReadersOf(typed);
  const problem = isTooLong(typed) ? 'This comment is too long. Split it to send it.' : null;
  const maySend = typed.length > 0 && problem === null && !written.isReading;
  const ask = () => {
    if (!maySend) return;
    const outside = mentionedIn(typed).filter(readers.mayAdd);
    if (outside.length === 0) send();
    else setAsking(outside);
  };
  const send = () => {
    written.clear();
    comment?.editor.commands.clearContent();
    setLinking(false);
    props.onSend(typed);
  };
  const comment = useCommentEditor(element, {
    label,
    lines: linesOf(typed),
    hasFocus,
    people: () => names.people,
    readers,
    onChange: written.setLines,
    onSend: ask,
    onLeave: () => onLeave(false),
    onLink: () => setLinking(true),
  });
  const clear = useEffectEvent(() => {
    written.clear();
    comment?.editor.commands.clearContent();
  });
  useEffect(() => draft.onDelete(() => clear()), [draft]);
  const isWithoutWords = linesOf(typed).length === 0;
  return (
    <div className="composer" data-look={words === undefined ? 'reply' : 'full'} {...given}>
      <div className="composer-text" ref={element} data-placeholder={isWithoutWords ? placeholder : undefined} />
      {isLinking && comment !== null && <LinkOfComment editor={comment.editor} onClose={() => setLinking(false)} />}
      {problem !== null && <p role="alert">{problem}</p>}
      <ComposerButtons
        words={words}
        isDisabled={!maySend}
        onSend={ask}
        onPicture={() => pickFiles(addPictures, PICTURE_TYPES)}
        onDiscard={() => {
          written.discard();
          onLeave(true);
        }}
      />
      <ComposerPictures written={written} files={comments.files} />
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

/** Loads who can read the comments once one mentions someone. A draft may, before anyone types an @. */
function useReadersOf(body: CommentBody): void {
  const { readers } = useComments();
  const mentions = mentionedIn(body).length > 0;
  useEffect(() => {
    if (mentions) void readers.load();
  }, [mentions, readers]);
}

type ComposerButtonsProps = {
  readonly words: ComposerProps['words'];
  readonly isDisabled: boolean;
  readonly onSend: () => void;
  readonly onPicture: () => void;
  readonly onDiscard: () => void;
};

function ComposerButtons({ words, isDisabled, onSend, onPicture, onDiscard }: ComposerButtonsProps) {
  const picture = (
    <IconButton label="Add a picture" className="composer-add" onClick={onPicture}>
      <ImagePlus className="icon" />
    </IconButton>
  );
  if (words === undefined) {
    return (
      <>
        {picture}
        <IconButton label="Send" className="composer-send" disabled={isDisabled} onClick={onSend}>
          <ArrowUp className="icon" />
        </IconButton>
      </>
    );
  }
  return (
    <div className="composer-actions">
      {picture}
      <Button size="small" look="plain" onClick={onDiscard}>
        {words.discard}
      </Button>
      <Button size="small" look="primary" disabled={isDisabled} onClick={onSend}>
        {words.send}
      </Button>
    </div>
  );
}
