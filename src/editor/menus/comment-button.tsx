// The Comment button in the bars at selected text.
import MessageSquare from 'lucide-react/icons/message-square';
import { keysAsText } from '../../ui/controls/key-caps.tsx';

export const CommentButton = ({ comment }: { readonly comment: () => void }) => (
  <button type="button" className="bar-comment" title={`Comment (${keysAsText('Mod-Alt-m')})`} onClick={comment}>
    <MessageSquare className="icon" aria-hidden size={16} /> Comment
  </button>
);
