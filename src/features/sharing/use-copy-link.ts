// Copies the address of a page of the workspace.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useTitleReader, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { toast } from '../../ui/floating/toast.tsx';

export function useCopyLink(): (page: DocumentId) => void {
  const { workspace } = useWorkspace();
  const titleOf = useTitleReader();
  return (id) => {
    const address = `${location.origin}${pagePath(workspace.slug, { id, title: titleOf(id) })}`;
    void copyText(address, null).then((isCopied) =>
      toast(isCopied ? 'Link copied. It works for people who can view this page.' : 'Couldn’t copy the link.'),
    );
  };
}
