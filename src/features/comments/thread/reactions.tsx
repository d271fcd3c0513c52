// The emoji with which people reacted to a comment, and the button that adds one.
import SmilePlus from 'lucide-react/icons/smile-plus';
import { useState } from 'react';
import type { ShownComment } from '../../../state/comments/shown-threads.ts';
import { usePerson } from '../../../state/hooks.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Popover } from '../../../ui/floating/popover.tsx';
import { useComments } from '../comments-context.ts';
import { useCommentNames } from './author.tsx';
import { EmojiPicker } from './emoji-picker.tsx';

type OfComment = { readonly comment: ShownComment };

export function Reactions({ comment }: OfComment) {
  const { comments, mayComment } = useComments();
  const me = usePerson().identity.id;
  const nameOf = useCommentNames();
  if (comment.reactions.length === 0) return null;
  return (
    <div className="reactions" role="group" aria-label="Reactions">
      {comment.reactions.map(({ emoji, by }) => {
        const names = by.map(nameOf).join(', ');
        return (
          <button
            key={emoji}
            type="button"
            className="reaction"
            aria-pressed={by.includes(me)}
            aria-label={`${emoji} ${names}`}
            title={names}
            disabled={!mayComment}
            onClick={() => comments.react(comment.id, emoji, !by.includes(me))}
          >
            <span className="emoji">{emoji}</span>
            <span className="tabular">{by.length}</span>
          </button>
        );
      })}
    </div>
  );
}

export function AddReaction({ comment }: OfComment) {
  const { comments } = useComments();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label="Add a reaction"
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      trigger={
        <IconButton label="React">
          <SmilePlus className="icon" />
        </IconButton>
      }
    >
      <EmojiPicker
        onChoose={(emoji) => {
          setOpen(false);
          comments.react(comment.id, emoji, true);
        }}
      />
    </Popover>
  );
}
