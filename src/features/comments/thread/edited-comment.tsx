// The field in place of a comment that its author edits. When it goes, the focus stays at the comment.
import { useLayoutEffect, useRef } from 'react';
import { Composer, type ComposerProps } from '../composer/composer.tsx';

export function EditedComment(props: Pick<ComposerProps, 'place' | 'body' | 'hasFocus' | 'onSend' | 'onLeave'>) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const field = place.current;
    const comment = field?.closest('.comment');
    return () => {
      if (!field?.contains(document.activeElement)) return;
      // A comment that someone deleted meanwhile has no menu.
      queueMicrotask(() => {
        const menu = comment?.querySelector<HTMLElement>('.comment-actions > :last-child');
        if (document.activeElement === document.body)
          (menu ?? comment?.closest('article'))?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <div ref={place} className="comment-edited">
      <Composer label="Edit comment" placeholder="Comment" words={{ send: 'Save', discard: 'Cancel' }} {...props} />
    </div>
  );
}
