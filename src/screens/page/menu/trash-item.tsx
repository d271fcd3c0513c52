// Moves the open page to the trash, and goes to the page above it or, from a page at the top, to the workspace.
import Trash from 'lucide-react/icons/trash-2';
import { useNavigate } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { useListedPage, usePath, useWorkspace } from '../../../state/hooks.ts';
import { pagePath, workspacePath } from '../../../state/workspace/page-address.ts';
import { undoOf } from '../../../state/workspace/tree/undo-steps.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { toastWithUndo } from '../../../ui/floating/toast.tsx';

export function TrashItem({ id }: { readonly id: DocumentId }) {
  const { workspace, trashPage } = useWorkspace();
  const page = useListedPage(id);
  const above = usePath(id).at(-1);
  const navigate = useNavigate();
  if (page === null || !mayEdit(page.role)) return null;
  const trash = () => {
    void navigate(above === undefined ? workspacePath(workspace.slug) : pagePath(workspace.slug, above));
    const step = trashPage(id);
    toastWithUndo(`“${shownTitle(page.title)}” moved to trash`, async () => {
      const problem = await undoOf(step);
      if (problem === null) void navigate(pagePath(workspace.slug, page));
      return problem;
    });
  };
  return (
    <>
      <MenuSeparator />
      <MenuItem icon={<Trash className="icon" />} isDanger onSelect={trash}>
        Move to trash
      </MenuItem>
    </>
  );
}
