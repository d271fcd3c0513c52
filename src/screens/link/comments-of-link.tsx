// The comments of the page behind a link, as long as the link shows them.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { CommentsByLink } from '../../features/comments/by-link/comments-by-link.tsx';
import type { PageFiles } from '../../ports/files.ts';
import type { LinkCommentsState } from '../../state/comments/link-comments.ts';
import { useApp } from '../../state/hooks.ts';

type CommentsOfLinkProps = { readonly secret: LinkSecret; readonly watch: LinkWatch; readonly files: PageFiles | null };

export function CommentsOfLink({ secret, watch, files }: CommentsOfLinkProps) {
  const { openLinkComments } = useApp();
  const [comments, setComments] = useState<LinkCommentsState | null>(null);
  // A rebuild replaces the document (WA9).
  const doc = useSyncExternalStore(watch.subscribe, () => watch.doc);
  useEffect(() => {
    let isCurrent = true;
    let opened: LinkCommentsState | null = null;
    void openLinkComments(secret, watch).then((state) => {
      if (!isCurrent) return state.close();
      opened = state;
      setComments(state);
    }, reportError);
    return () => {
      isCurrent = false;
      opened?.close();
    };
  }, [openLinkComments, secret, watch]);
  return comments === null ? null : <CommentsByLink comments={comments} doc={doc} files={files} />;
}
