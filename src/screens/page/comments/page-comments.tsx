// Loads the comments of the open page after its editor, for those who may read them.
import { useContext } from 'react';
import { useLocation } from 'react-router';
import type { PageTools } from '../../../editor/page-tools.ts';
import { CommentsButton } from '../../../features/comments/comments-button.tsx';
import type { PageComments } from '../../../state/comments/page-comments.ts';
import { useListedPage, usePage, useValue, useWorkspace } from '../../../state/hooks.ts';
import { pagePath, parseThreadHash } from '../../../state/workspace/page-address.ts';
import { latePart } from '../../../ui/feedback/late-part.tsx';
import { PageToolsContext } from '../page-tools-context.ts';
import { useMentionableNames } from '../use-mentionable-names.ts';
import { CommentsOnScreenContext } from './comments-on-screen.ts';

const CommentsOfPage = latePart(
  async () => (await import('../../../features/comments/comments-of-page.tsx')).CommentsOfPage,
);

/** In the bar. Without an editor, in the safe view, there are no comments. */
export function PageCommentsButton() {
  const comments = useValue(usePage().commentsAtom);
  const tools = useContext(PageToolsContext);
  const { isShown, show } = useContext(CommentsOnScreenContext);
  if (comments === null || tools === null) return null;
  return <CommentsButton comments={comments} isShown={isShown} onShow={show} />;
}

export function PageCommentsSlot() {
  const comments = useValue(usePage().commentsAtom);
  const tools = useContext(PageToolsContext);
  return comments === null || tools === null ? null : <ReadableComments comments={comments} tools={tools} />;
}

type ReadableCommentsProps = { readonly comments: PageComments; readonly tools: PageTools };

function ReadableComments({ comments, tools }: ReadableCommentsProps) {
  const { phase } = useValue(comments.viewAtom);
  const { documentId, titleAtom } = usePage();
  const { workspace } = useWorkspace();
  const listed = useListedPage(documentId);
  const title = useValue(titleAtom) ?? listed?.title ?? '';
  const { isShown, show, hasLane } = useContext(CommentsOnScreenContext);
  const names = useMentionableNames();
  const { hash } = useLocation();
  if (phase === 'hidden') return null;
  return (
    <CommentsOfPage
      comments={comments}
      tools={tools}
      names={names}
      address={location.origin + pagePath(workspace.slug, { id: documentId, title })}
      thread={parseThreadHash(hash)}
      hasLane={hasLane}
      isShown={isShown}
      onShow={show}
    />
  );
}
