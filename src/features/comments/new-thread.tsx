// The card in which the first comment of a new thread is written.
import { useEffect } from 'react';
import type { Anchor, CommentBody } from '../../protocol/comments.ts';
import { useIdentity } from '../../state/hooks.ts';
import { NEW_THREAD } from './composer/comment-drafts.ts';
import { Composer } from './composer/composer.tsx';
import { subjectOf } from './plain-text.ts';
import { AuthorTag } from './thread/author.tsx';

type NewThreadProps = {
  readonly about: Anchor;
  readonly hasFocus: boolean;
  /** It is on the screen, with the focus if it was to have it. */
  readonly onShown: () => void;
  readonly onStart: (body: CommentBody) => void;
  readonly onLeave: (isDiscarded: boolean) => void;
};

export function NewThread({ about, hasFocus, onShown, onStart, onLeave }: NewThreadProps) {
  const me = useIdentity().id;
  useEffect(onShown, [onShown]);
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
        hasFocus={hasFocus}
        words={{ send: 'Comment', discard: 'Cancel' }}
        onSend={onStart}
        onLeave={onLeave}
      />
    </article>
  );
}
