// The items of the page menu about the page as an entry of the tree, as in the menu of its row.
import CopyPlus from 'lucide-react/icons/copy-plus';
import FolderInput from 'lucide-react/icons/folder-input';
import LayoutTemplate from 'lucide-react/icons/layout-template';
import Link2 from 'lucide-react/icons/link-2';
import Shapes from 'lucide-react/icons/shapes';
import Star from 'lucide-react/icons/star';
import { useNavigate } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { useDuplicate } from '../../../features/import-export/use-duplicate.ts';
import { useCopyLink } from '../../../features/sharing/use-copy-link.ts';
import { useListedPage, useWorkspace } from '../../../state/hooks.ts';
import { pagePath } from '../../../state/workspace/page-address.ts';
import { MenuItem } from '../../../ui/floating/menu.tsx';
import { toast } from '../../../ui/floating/toast.tsx';
import { usePalette } from '../../palette/palette-provider.tsx';

type Props = { readonly id: DocumentId };

export function FindAgainItems({ id }: Props) {
  const { setFavourite } = useWorkspace();
  const page = useListedPage(id);
  const copyLink = useCopyLink();
  return (
    <>
      <MenuItem icon={<Link2 className="icon" />} onSelect={() => copyLink(id)}>
        Copy link
      </MenuItem>
      {page !== null && (
        <MenuItem icon={<Star className="icon" />} onSelect={() => setFavourite(id, page.favouriteRank === null)}>
          {page.favouriteRank === null ? 'Add to favourites' : 'Remove from favourites'}
        </MenuItem>
      )}
    </>
  );
}

/** For those who may edit the page. */
export function PlaceItems({ id }: Props) {
  const { workspace } = useWorkspace();
  const page = useListedPage(id);
  const openPalette = usePalette();
  const navigate = useNavigate();
  const duplicate = useDuplicate((copy) => void navigate(pagePath(workspace.slug, copy)));
  if (page === null || !mayEdit(page.role)) return null;
  return (
    <>
      <MenuItem icon={<CopyPlus className="icon" />} onSelect={() => duplicate(id)}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<FolderInput className="icon" />} onSelect={() => openPalette({ of: 'move', page: id })}>
        Move to…
      </MenuItem>
    </>
  );
}

/** For those who may edit the page. */
export function EntryOptions({ id }: Props) {
  const { setTemplate } = useWorkspace();
  const page = useListedPage(id);
  const openPalette = usePalette();
  if (page === null || !mayEdit(page.role)) return null;
  const isTemplate = page.kind === 'template';
  const switchTemplate = () => {
    setTemplate(id, !isTemplate);
    toast(isTemplate ? 'New pages no longer start from this page.' : 'New pages can start from this page now.');
  };
  return (
    <>
      <MenuItem icon={<Shapes className="icon" />} onSelect={() => openPalette({ of: 'icon', page: id })}>
        Change icon…
      </MenuItem>
      <MenuItem icon={<LayoutTemplate className="icon" />} onSelect={switchTemplate}>
        {isTemplate ? 'Stop using as template' : 'Save as template'}
      </MenuItem>
    </>
  );
}
