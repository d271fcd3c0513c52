// The card in which the first comment of a new thread is written.
import type { Anchor, CommentBody } from '../../protocol/comments.ts';
import { useIdentity } from '../../state/hooks.ts';
import { NEW_THREAD } from './composer/comment-drafts.ts';
import { Composer } from './composer/composer.tsx';
import { subjectOf } from './plain-text.ts';
import { AuthorTag } from './thread/author.tsx';

type NewThreadProps = {
  readonly about: Anchor;
  readonly onStart: (body: CommentBody) => void;
  readonly onLeave: (isDiscarded: boolean) => void;
};

export function NewThread({ about, onStart, onLeave }: NewThreadProps) {
  const me = useIdentity().id;
  return (
    <article className="thread" data-new aria-label={`New comment on ${subjectOf(about)}`}>
      <header>
        <AuthorTag author={me} />
        <b>You</b>
        {about.kind === 'page' && <small>on the page</small>}
      </header>
      <Composer
        place={NEW_THREAD}
        label={`Comment on ${subjectOf(about)}`}
        placeholder="Comment"
        hasFocus
        words={{ send: 'Comment', discard: 'Cancel' }}
        onSend={onStart}
        onLeave={onLeave}
      />
    </article>
  );
}
