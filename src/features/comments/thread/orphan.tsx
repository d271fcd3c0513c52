// Says that the words or the block of a thread are no longer in the text, and what the words were, if that is known.
import Unlink from 'lucide-react/icons/unlink';
import type { Anchor } from '../../../protocol/comments.ts';
import { quoteOf } from '../plain-text.ts';

export function Orphan({ anchor }: { readonly anchor: Anchor }) {
  const quote = quoteOf(anchor);
  return (
    <span className="orphan">
      <span className="thread-line">
        <Unlink className="icon" aria-hidden />
        {anchor.kind === 'block' ? 'The block was deleted' : 'The words were deleted'}
      </span>
      {quote !== null && <q dir="auto">{quote}</q>}
    </span>
  );
}
