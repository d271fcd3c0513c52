// The button in the bar that shows and hides the comments of the page, with the number of open ones.
import MessageSquare from 'lucide-react/icons/message-square';
import type { PageComments } from '../../state/comments/page-comments.ts';
import { useValue } from '../../state/hooks.ts';
import './comments-button.css';

type CommentsButtonProps = {
  readonly comments: PageComments;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
};

export function CommentsButton({ comments, isShown, onShow }: CommentsButtonProps) {
  const { phase } = useValue(comments.viewAtom);
  const count = useValue(comments.openCountAtom);
  const unread = useValue(comments.unreadAtom).size;
  if (phase === 'hidden') return null;
  return (
    <button
      type="button"
      className="comments-button"
      title="Comments"
      aria-label={`Comments: ${count} open${unread === 0 ? '' : `, ${unread} unread`}`}
      aria-pressed={isShown}
      data-unread={unread > 0 || undefined}
      onClick={() => onShow(!isShown)}
    >
      <MessageSquare className="icon" />
      {count > 0 && <span className="tabular">{count}</span>}
    </button>
  );
}
